"""Writes a test that replaces what it is named after, and then checks the answers of the replacement."""

from supervisor.evidence.changes.tested import TestFile, tests_written
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.evidence.testing import asserted_stand_ins, is_named_after
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def test_of_stand_in(action: Action, context: Context) -> Opinion:
    findings = [_judge(each) for each in tests_written(action, context)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(file: TestFile) -> Finding:
    found = [each for each in asserted_stand_ins(file.after) if each.text not in " ".join(file.before.split())]
    if not found or "mock" in file.path.lower() or "stub" in file.path.lower():
        return ok()  # the tests of a library of mocks
    named = next((each for each in found if is_named_after(file.path, each)), None)
    each = named or found[0]
    reason = f"{shown(file.path)} replaces {each.name} and checks the answer of the replacement: {shown(each.text)}"
    if named is None:
        return flag(reason, confidence=0.5, evidence=(shown(each.text),))
    return nudge(
        reason,
        correction=f"Call the real {each.name} in its own test, and replace only its neighbours: the clock, the"
        f" network,"
        " the database. If the test then fails, mend the code.",
        sharper=f"Remove the replacement of {each.name}: this test passes whatever the code does.",
        evidence=(shown(each.text),),
    )
