"""Switches off a check that guards the work: a linter for a whole file, a type checker, a job of the build."""

import re

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.edits import Edit, edits
from supervisor.evidence.changes.switched_off import check_switched_off as switched_off
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_ASKS = (
    *("advisory", "allow", "disabl", "experimental", "flak", "ignor", "informational", "lower", "non-blocking"),
    *("not block", "optional", "quarantin", "relax", "silenc", "skip", "suppress", "switch", "threshold", "turn"),
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def check_switched_off(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in edits(action, context)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(edit: Edit, action: Action, context: Context) -> Finding:
    setting = switched_off(edit)
    if not setting or is_own(edit.path, action, context):
        return ok()
    name = edit.path.rpartition("/")[2]
    reason = f"With “{shown(setting)}” in {shown(name)} a check no longer stops anything."
    if _is_stated(setting, context):
        return ok()
    if task_mentions(action, context, *_ASKS) or is_named(name, context):
        return flag(reason, confidence=0.5, evidence=(shown(setting),))
    return nudge(
        reason,
        correction="Leave the check on and fix what it finds. If one finding is wrong, silence that one rule on that"
        " one line, with a comment that says why.",
        sharper=f"Remove “{shown(setting)}” again, and tell the user which findings you cannot fix.",
        evidence=(shown(setting),),
    )


def _is_stated(setting: str, context: Context) -> bool:
    """Whether the user states the very number of a threshold."""
    numbers = _NUMBER.findall(setting)
    return bool(numbers) and numbers[-1] in _NUMBER.findall((context.task or "")[:8192])
