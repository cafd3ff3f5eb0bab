"""Gives another machine a shell on this one."""

from itertools import chain

from supervisor.evidence.changes.asked import asks_to
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.written import effects_when_run
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_LOOPBACK = ("127.", "localhost", "::1")


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.EXPOSE, Act.WRITE])
def reverse_shell(action: Action, context: Context) -> Opinion:
    both = chain(effects(action, context).of(Act.EXPOSE), effects_when_run(action, context).of(Act.EXPOSE))
    opened = next((each for each in both if each.verb == "shell"), None)
    if opened is None:
        return ok()
    reason = f"It connects a shell to the network: {shown(opened.target)} can run any command here."
    asked = "shell" in (context.task or "").lower() and asks_to(Act.EXPOSE, action, context)
    judge = flag if asked or opened.target.startswith(_LOOPBACK) else block
    return judge(reason, evidence=(opened.text[:200],))
