"""Deletes a key, a keystore or recovery codes of which nothing shows a copy: what they signed or sealed cannot be
continued without them."""

import re
from itertools import islice

from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import word_of
from supervisor.evidence.changes.word import Word
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, nudge, ok, specialist

_KEYS = re.compile(
    r"(?i)^(?:.*\.(?:keystore|jks|p12|pfx|kdbx|ppk|p8|asc|gpg|age|key)|id_(?:rsa|ed25519|ecdsa|dsa)|.*private[-_]?key.*"
    r"|(?:.*[-_])?(?:recovery|backup)[-_]codes?(?:\..*)?|keyring.*|.*\.keychain(?:-db)?)$"
)
_THROWAWAY = re.compile(
    r"(?i)(?:^|[/_.-])(?:tests?|testdata|fixtures?|examples?|samples?|demo|debug|dev|snakeoil|localhost|tmp|temp|dummy)(?:[/_.-]|$)"
)
_COPIERS = frozenset(
    "cp mv rsync scp tar zip 7z install copy copy-item xcopy robocopy gpg age op vault rclone aws gsutil".split()
)
_COPIES = re.compile(rf"(?im)(?:^|[;&|]\s*)(?:sudo )?(?:{'|'.join(sorted(_COPIERS))})\s")
_LATEST = 40  # steps


@specialist("shell", "python", "javascript", "file_delete", about=[Act.DELETE])
def signing_key_deleted(action: Action, context: Context) -> Opinion:
    lost = (each for each in effects(action, context).of(Act.DELETE) if not each.whole)
    findings = (_judge(each, action, context) for each in lost)
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path = effect.target
    name = path.rpartition("/")[2]
    if not _KEYS.match(name) or _THROWAWAY.search(path) or effect.scope is Place.TEMPORARY:
        return ok()
    if is_own(path, action, context) or word_of(Act.DELETE, path, context) is Word.NAMED:
        return ok()
    if _was_copied(name, effect, action, context):
        return ok()
    return nudge(
        f"It deletes {shown(path)}, a key of which this session shows no copy.",
        correction=f"Keep it: `mv {shown(path)} {shown(path)}.old` makes room for another. First find out what it signs"
        " or opens, and whether a copy is kept elsewhere.",
        sharper="Do not delete the key. Ask the user who has a copy.",
        evidence=(effect.text[:200],),
    )


def _was_copied(name: str, effect: Effect, action: Action, context: Context) -> bool:
    """Whether a command before the deletion copied or moved the key: of an earlier step, or of the same script."""
    for step in islice(reversed(context.history), _LATEST):
        texts = (text for text in step.args.values() if isinstance(text, str) and not step.failed)
        if any(name in text and _COPIES.search(text) for text in texts):
            return True
    for command in script(action, context).commands if action.kind == "shell" else ():
        if command is effect.command:
            return False
        if command.program.lower() in _COPIERS and name in command.text:
            return True
    return False
