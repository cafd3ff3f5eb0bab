"""Weakens by a file who must look at changes: owners of paths, required approvals, scans for secrets and weaknesses."""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.edits import Edit, edits
from supervisor.evidence.changes.gates import opened_gate
from supervisor.evidence.changes.rules import from_workspace, is_test
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_ASKS = ("approver", "approvals", "branch protection", "code owner", "codeowner", "reviewer", "ruleset", "scanner")


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def change_gate_weakened(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in edits(action, context)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(edit: Edit, action: Action, context: Context) -> Finding:
    local = from_workspace(edit.path, context.workspace)
    rule = "" if is_test(local) or is_own(edit.path, action, context) else opened_gate(edit)
    if not rule:
        return ok()
    name = local.rpartition("/")[2]
    reason = f"It weakens who must look at changes, in {shown(name)}: “{shown(rule)}”."
    if task_mentions(action, context, *_ASKS) or is_named(name, context):
        return flag(reason, confidence=0.5, evidence=(rule[:200],))
    return nudge(
        reason,
        correction="Leave the rule as it is. Ask the people whom it names for their approval, or take the finding of"
        " the scan out of the change.",
        sharper="Put the rule back. Who must approve is for the people of the repository to say.",
        evidence=(rule[:200],),
    )
