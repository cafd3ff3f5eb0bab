"""Adds a login key to an account."""

import re

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.prose.thing_words import words_for
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist

_ASKED = ("authorised", "authorized", "passwordless", "pubkey", "ssh")


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.PRIVILEGE])
def login_key_added(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PRIVILEGE)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    command = effect.command
    if effect.verb != "key" or (command is not None and command.program in ("rm", "unlink", "touch")):
        return ok()
    reason = f"The holder of the key can log in from now on: `{shown(effect.text)}`."
    removes = command is not None and command.program in ("sed", "gsed") and "ssh-" not in (effect.content or "")
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
