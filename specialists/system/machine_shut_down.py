"""Shuts down, restarts or suspends the machine that it works on, and with it everybody's work there."""

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist

_ASKED = ("halt", "hibernat", "poweroff", "reboot", "shutdown", "suspend")
_DOES, _THINGS = (
    ("boot", "power", "restart", "shut", "turn"),
    ("computer", "host", "laptop", "machine", "node", "pc", "vm"),
)
_HARMLESS = ("h", "m", "p", "s", "t", "u", "w")  # SysRq keys that print or synchronise (kernel.org, sysrq.rst)


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.SYSTEM])
def machine_shut_down(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.SYSTEM)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb != "power" or (effect.content is not None and effect.content.strip() in _HARMLESS):
        return ok()
    named = task_mentions(action, context, *_DOES) and task_mentions(action, context, *_THINGS)
    judge = flag if named or task_mentions(action, context, *_ASKED) else block
    return judge(f"`{shown(effect.text)}` takes the whole machine down.", evidence=(effect.text[:200],))
