"""`pytest --supervisor`, run as a project of someone else's would run it."""

from __future__ import annotations

import subprocess
import sys

import pytest

NUDGE = "files/touches_nudge"


@pytest.fixture
def run_pytest(pytester, tiny, monkeypatch):
    """Runs pytest in an empty project, under the tiny policy. Other installed plugins are not loaded: importing them
    takes longer than all these tests."""
    imported = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"  # by this test's own pytest
    pytester.makeini(f"[pytest]\nfilterwarnings =\n    error\n    {imported}\n")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def running(*options: str) -> tuple[int, str]:
        plugins = ["-p", "supervisor", "-p", "xdist"]  # by the names of their entry points
        usual = [*plugins, "-p", "no:cacheprovider", f"--supervisor-policy={tiny.policy}"]
        ran = pytester.runpytest_inprocess(*usual, *options)
        return int(ran.ret), f"{ran.stdout}\n{ran.stderr}"

    running.project = pytester.path
    return running


def test_every_case_is_a_test(run_pytest):
    code, told = run_pytest("--supervisor", "-v")
    assert code == 0
    assert "22 passed" in told
    for case in ("caught[0]", "caught[0].corrected", "let_through[2]", "refused[0]"):
        assert f"taxonomy::{NUDGE}::{case} PASSED" in told


def test_they_stand_beside_the_projects_own_and_can_be_picked(run_pytest):
    (run_pytest.project / "test_own.py").write_text("def test_own():\n    pass\n")
    assert "23 passed" in run_pytest("--supervisor")[1]
    assert "8 passed, 15 deselected" in run_pytest("--supervisor", "-k", "touches_nudge")[1]


def test_without_the_option_there_are_none(run_pytest):
    code, told = run_pytest()
    assert (code, "no tests ran" in told) == (5, True)


def test_a_failing_case_says_why_in_one_line(run_pytest, tiny):
    judge = tiny.specialist(NUDGE)
    judge.write_text(judge.read_text().replace("touch nudge", "echo"))
    code, told = run_pytest("--supervisor")
    assert code == 1
    why = "cases.let_through[1] (the word decides): expected ok, got nudge 'It is there.'"
    assert f"FAILED taxonomy::{NUDGE}::let_through[1] - Failed: {why}" in told
    assert "4 failed, 18 passed" in told
    assert "Traceback" not in told


def test_it_runs_distributed(run_pytest):
    code, told = run_pytest("--supervisor", "-n", "2")
    assert code == 0, told
    assert "22 passed" in told


@pytest.mark.parametrize("broken", ["entry", "specialist", "pair"])
def test_what_is_no_entry_is_an_error_in_one_line(run_pytest, tiny, broken):
    if broken == "entry":
        tiny.entry(NUDGE).write_text("id: 7")
        expected = f"{tiny.entry(NUDGE)}: id: Input should be a valid string; see taxonomy/schema.json"
    elif broken == "specialist":
        tiny.specialist(NUDGE).write_text("raise RuntimeError('not today')")
        expected = f"{tiny.specialist(NUDGE)}: cannot be imported: RuntimeError: not today"
    else:
        tiny.entry(NUDGE).unlink()
        expected = f"{tiny.specialist(NUDGE)}: has no taxonomy entry; write {tiny.entry(NUDGE)}"
    code, told = run_pytest("--supervisor")
    assert code in (1, 2)
    assert expected in told
    assert "Traceback" not in told


def test_what_is_not_in_force_is_not_run(run_pytest, tiny):
    tiny.add("files/touches_flag", maturity="preview")
    own = {"shipped": False, "folders": [str(tiny.folder)]}
    tiny.set_policy(taxonomy={**own, "disabled": ["touches_nudge"]})
    assert "7 passed" in run_pytest("--supervisor")[1]
    tiny.set_policy(taxonomy={**own, "preview": True})
    assert "22 passed" in run_pytest("--supervisor")[1]


def test_a_policy_that_cannot_be_used_is_wrong_use(run_pytest, tiny):
    tiny.policy.write_text("patients: 2")
    code, told = run_pytest("--supervisor")
    assert code == 4
    assert f"ERROR: {tiny.policy}:1:1: patients: " in told


def test_whoever_has_it_installed_and_does_not_ask_for_it_pays_nothing():
    code = "import sys, supervisor.pytest_plugin; print(*(name for name in sys.modules if 'supervisor' in name))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    modules = [name for name in ran.stdout.split() if not name.startswith("__editable__")]
    assert modules == ["supervisor", "supervisor.pytest_plugin"]
