"""Changes how this machine resolves host names, or how it boots."""

import re

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import word_on
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.file_texts import text_shown_of
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_LOCAL = re.compile(
    r"\s*(?:#.*|(?:127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|172\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|10\.\d+\.\d+\.\d+)\s.*)?"
)
_REMOVES = frozenset({Verb.DELETE, Verb.REVOKE, Verb.STOP})
_ASKED = ("boot", "dns", "fstab", "grub", "hosts", "nameserver", "resolv")


@specialist("shell", "python", "javascript", "file_write", "file_edit", "file_delete", about=[Act.SYSTEM, Act.WRITE])
def resolution_or_boot_changed(action: Action, context: Context) -> Opinion:
    found = effects(action, context)
    script = action.text("command") if action.kind == "shell" else ""
    findings = [_judge(each, action, context) for each in found.of(Act.SYSTEM)]
    findings += (_of_names(each, script, context) for each in found.of(Act.WRITE))
    return max(findings, key=lambda finding: finding.verdict, default=ok())


_HOSTS = re.compile(r"(?i)^/?(?:c:)?(?:/etc|/.*/drivers/etc)/hosts$")
_LED = re.compile(
    r"(?:^|[\s'\"])(\d{1,3}(?:\.\d{1,3}){3})[ \t]+"
    r"((?:[\w-]+\.)+(?!(?:lan|local|internal|intern|corp|home|test)\b)[a-z]{2,12})\b"
)


def _of_names(effect: Effect, script: str, context: Context) -> Finding:
    """Names of sites that the user does not speak of, led to an address that is none of a private network."""
    if not _HOSTS.match(effect.target):
        return ok()
    sources = effect.command.operands()[:1] if effect.command is not None and effect.content is None else []
    texts = (effect.content, script, *(text_shown_of(context, word) for word in sources if "." in word))
    for address, name in _LED.findall("\n".join(text[:8192] for text in texts if text)):
        if not _LOCAL.fullmatch(f"{address} {name}") and name not in (context.task or ""):
            return nudge(
                f"It leads {shown(name)} to {address} for every program of this machine.",
                correction="Add only the line that the user named, and show the user the others.",
                sharper="Do not lead this name elsewhere. Show the user the line.",
                evidence=(f"{address} {name}",),
            )
    return ok()


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb not in ("resolution", "boot"):
        return ok()
    what = "where names lead" if effect.verb == "resolution" else "how this machine boots"
    reason = f"It changes {what}, for every program here: `{shown(effect.text)}`."
    evidence = (effect.text[:200],)
    if _adds_local_names(effect):
        return ok()
    if _removes_named_line(effect, context):
        return ok()
    if task_mentions(action, context, *_ASKED):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction="Do it for one program: `curl --resolve shop.test:443:127.0.0.1 …`, `docker run --add-host`, a"
        " mount by hand instead of a line in fstab. If it should last, give the user the line.",
        sharper="Leave the file as it is and tell the user which line it would need.",
        evidence=evidence,
    )


_LINE = re.compile(r"[/|#\\]([\w.@-]{3,80})[/|#\\]d['\"]?(?:\s|$)")


def _removes_named_line(effect: Effect, context: Context) -> bool:
    """Whether `sed` deletes the lines of one thing that the user wants out and that the session has seen."""
    found = _LINE.search(effect.text)
    return found is not None and is_settled(word_on(_REMOVES, found[1], context), found[1], context)


def _adds_local_names(effect: Effect) -> bool:
    """Whether the added lines of /etc/hosts point only to this machine or a private network."""
    if effect.target != "/etc/hosts" or effect.whole or effect.content is None:
        return False
    return all(_LOCAL.fullmatch(line) for line in effect.content[:4096].splitlines())
