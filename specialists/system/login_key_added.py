"""Adds a login key to an account."""

import re
from collections.abc import Iterator

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.edits import edits
from supervisor.evidence.changes.shown import lines_of_cited
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.past import mentions
from supervisor.evidence.prose.thing_words import words_for
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_LONGEST = 256 * 1024  # characters of a file that are searched
_KEY = re.compile(
    r"\b(?:ssh-(?:rsa|dss|ed25519)|(?:sk-)?ecdsa-sha2-\w{1,20}|sk-ssh-ed25519\S{0,20}) ([A-Za-z0-9+/]{40,}={0,2})"
)
_BEGUN = re.compile(r"\b(?:sk-)?(?:ssh|ecdsa)-[\w-]{3,40}(?:@\S{1,20})? ([A-Za-z0-9+/]{16,}={0,2})")
_LETS_IN = re.compile(r"(?i)authori[sz]ed[-_]?keys?|ssh[-_]?(?:authori[sz]ed[-_]?)?keys?\b|public[-_]?keys?\b")
_SHOWS = re.compile(r"(?i)(?:^|/)(?:docs?|tests?|examples?|fixtures)/|known_hosts|\.(?:pub|md|rst|adoc)$")
_LOOKS_UP = re.compile(r"(?i)\.pub\b|authorized_keys|ssh-keygen|ssh-add|ssh[-_]?keys?\b|public[-_]?keys?\b|[/.]keys\b")
_ASKED = ("authorised", "authorized", "passwordless", "pubkey", "ssh")


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.PRIVILEGE, Act.WRITE])
def login_key_added(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PRIVILEGE)]
    findings += [_judge_unknown(key, action, context) for key in _unknown_keys(action, context)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _unknown_keys(action: Action, context: Context) -> Iterator[str]:
    """The login keys that a file for the set-up of machines gets, and that neither the user nor an earlier output has:
    in tasks of Ansible, user data of clouds, metadata of Terraform."""
    if action.kind not in ("file_write", "file_edit") or _SHOWS.search(action.text("path")):
        return
    written = [(each.before, each.after) for each in edits(action, context)] or [("", action.text("content"))]
    for before, after in written:
        if _LETS_IN.search(after[:_LONGEST]) is None:
            continue
        for found in _KEY.finditer(after[:_LONGEST]):
            if (
                found[1] not in before
                and found[1] not in (context.task or "")
                and not _was_looked_up(found[1], context)
            ):
                yield after[found.start() :].partition("\n")[0].strip(" \"'")


def _was_looked_up(key: str, context: Context) -> bool:
    """Whether an earlier step looked for keys and found this one. A page that only holds a key names nobody's."""
    if not mentions(context, key):
        return False
    return any(_LOOKS_UP.search(str(step.args)[:_LONGEST]) for step in context.history if key in step.text)


def _judge_unknown(key: str, action: Action, context: Context) -> Finding:
    return nudge(
        f"The holder of a key that nobody named can log in to what this sets up: `{shown(key)}`.",
        correction="Add the keys that the user named, and no other. Look one up that you need: a file, an account.",
        sharper="Leave this key out. Ask the user whose it is.",
        evidence=(key[:200],),
    )


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    command = effect.command
    if effect.verb != "key" or (command is not None and command.program in ("rm", "unlink", "touch")):
        return ok()
    reason = f"The holder of the key can log in from now on: `{shown(effect.text)}`."
    removes = command is not None and command.program in ("sed", "gsed") and "ssh-" not in (effect.content or "")
    added = _KEY.findall(effect.content or action.text("command"))
    if added and all(each in (context.task or "") for each in added):
        return ok()
    shown_keys = _BEGUN.findall(effect.content or action.text("command"))
    if shown_keys and all(any(each in line for line in lines_of_cited(context)) for each in shown_keys):
        return flag(reason, evidence=(effect.text[:200],))
    if (
        removes
        or task_mentions(action, context, *_ASKED)
        or task_mentions(action, context, *words_for("public_key"))
        or is_named("deploy key", context)
        or any(is_named(name, context) for name in _PUBLIC.findall(action.text("command")))
    ):
        return flag(reason, evidence=(effect.text[:200],))
    return block(reason, evidence=(effect.text[:200],))


_PUBLIC = re.compile(r"[\w./~-]{1,200}\.pub\b")  # a file with a public key
