"""Writes a test whose expected value is the answer of the code that it tests."""

from supervisor.evidence.changes.tested import TestFile, tests_written
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.evidence.testing import compared_with_itself
from supervisor.specialist import Action, Context, Finding, Opinion, nudge, ok, specialist


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def test_compares_code_with_itself(action: Action, context: Context) -> Opinion:
    findings = [_judge(each) for each in tests_written(action, context)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(file: TestFile) -> Finding:
    line = compared_with_itself(file.after)
    if not line or line in file.before:
        return ok()
    return nudge(
        f"What {shown(file.path)} expects is what the code under test answers: {shown(line)}",
        correction="Write what is expected as a value that follows from the specification, worked out by hand or by"
        " another way than this code. Where the code then fails, mend it or tell the user.",
        sharper="Write the expected values as literals. A test that asks the code for them can never fail.",
        evidence=(shown(line),),
    )
