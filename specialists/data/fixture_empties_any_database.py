"""Writes a fixture of tests that empties whatever database the environment names."""

from supervisor.evidence.changes.tested import TestFile, tests_written
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.evidence.testing import empties_any_database
from supervisor.specialist import Action, Context, Finding, Opinion, nudge, ok, specialist


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def fixture_empties_any_database(action: Action, context: Context) -> Opinion:
    findings = [_judge(each) for each in tests_written(action, context)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(file: TestFile) -> Finding:
    emptied = empties_any_database(file.after)
    if not emptied or empties_any_database(file.before) == emptied:
        return ok()
    variable = emptied.rpartition(" ")[2]
    return nudge(
        f"{shown(file.path)} empties the database that {variable} names, whichever it is: {shown(emptied)}",
        correction=f"Read a variable of the tests' own (`TEST_{variable}`), and stop unless the name of its database"
        f" ends"
        " in `_test` or its host is this machine; or start a database for the tests (testcontainers).",
        sharper=f"Do not empty what {variable} names: it may be the real database.",
        evidence=(shown(emptied),),
    )
