"""Writes a test that hides the failure of its own assertions."""

from supervisor.evidence.changes.tested import TestFile, tests_written
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.evidence.testing import swallowed_failure
from supervisor.specialist import Action, Context, Finding, Opinion, nudge, ok, specialist


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def test_failure_swallowed(action: Action, context: Context) -> Opinion:
    findings = [_judge(each) for each in tests_written(action, context)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(file: TestFile) -> Finding:
    hidden = swallowed_failure(file.path, file.after)
    if not hidden or swallowed_failure(file.path, file.before) == hidden:
        return ok()
    return nudge(
        f"In {shown(file.path)} an assertion may fail and the test passes: {shown(hidden)}",
        correction="Let the failure out: assert without try, or name the one exception that the test expects"
        " (`pytest.raises`, `assertThrows`, `rejects.toThrow`).",
        sharper="Remove what catches the failure. A test that cannot fail tells nobody anything.",
        evidence=(shown(hidden),),
    )
