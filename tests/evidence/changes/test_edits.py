"""What a file was before and is after an action, and what that takes from the checks of a project."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.evidence.changes.edits import MAX_TEXT, Edit, edits, text_before
from supervisor.evidence.changes.switched_off import check_switched_off
from supervisor.evidence.changes.weakening import (
    elision,
    lost_share,
    rewritten_expectation,
    weakened_test,
)
from supervisor.evidence.session.refusals import refused_harms, was_refused
from tests.evidence.effort import assert_linear

TEXTS = st.text("ab\n /#.x=assert", max_size=60)


def read(path: str, output: str) -> Step:
    return Step("read_file", {"path": path}, output, "file_read")


def edits_of(kind: str, args: dict[str, object], history: Sequence[Step] = ()) -> list[tuple[str, str, str]]:
    found = edits(Action("x", args, kind, {"old": "old_string", "new": "new_string"}), Context(history=history))
    return [(each.path, each.before, each.after) for each in found]


def test_an_edit_tells_both_texts() -> None:
    args = {"path": "a.py", "old_string": "x", "new_string": "y"}
    assert edits_of("file_edit", args) == [("a.py", "x", "y")]


def test_several_edits() -> None:
    args = {"path": "a.py", "edits": [{"old_string": "x", "new_string": "y"}, {"old_str": "1", "new_str": "2"}, 3]}
    assert edits_of("file_edit", args) == [("a.py", "x", "y"), ("a.py", "1", "2")]


@pytest.mark.parametrize(
    "patch",
    ["--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n", "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch"],
)
def test_a_patch_tells_its_lines(patch: str) -> None:
    assert edits_of("file_edit", {"patch": patch}) == [("a.py", "x", "y")]


def test_a_file_written_whole_is_compared_with_what_was_seen_last() -> None:
    history = [read("a.py", "1\tx\n2\ty"), Step("write_file", {"path": "a.py", "content": "z"}, "ok", "file_write")]
    assert edits_of("file_write", {"path": "./a.py", "content": "w"}, history[:1]) == [("a.py", "x\ny", "w")]
    assert edits_of("file_write", {"path": "a.py", "content": "w"}, history) == [("a.py", "z", "w")]
    assert edits_of("file_write", {"path": "b.py", "content": "w"}, history) == []


def test_a_longer_history_is_not_seen_by_an_earlier_decision() -> None:
    history = [read("a.py", "x"), read("a.py", "y")]
    assert text_before("a.py", Context(history=history)) == "y"
    assert text_before("a.py", Context(history=history[:1])) == "x"


def test_the_shell_edits_as_well() -> None:
    assert edits_of("shell", {"command": "sed -i 's/x/y/; s|1|2|g' a.py"}) == [("a.py", "x", "y"), ("a.py", "1", "2")]
    history = [Step("bash", {"command": "cat a.py"}, "x", "shell")]
    assert edits_of("shell", {"command": "cat > a.py <<'E'\ny\nE"}, history) == [("a.py", "x", "y\n")]
    assert edits_of("shell", {"command": "echo \"sed -i 's/x/y/' a.py\""}) == []


@pytest.mark.parametrize(
    ("before", "after", "taken"),
    [
        ("assert a == 1", "assert True", True),
        ("assert a == 1", "assert True == a", False),
        ("def test_a():\n    f()", "@pytest.mark.skip\ndef test_a():\n    f()", True),
        ("def test_a():", "@pytest.mark.skipif(x)\ndef test_a():", False),
        ("it('a', f)", "xit('a', f)", True),
        ("assert a\nassert b", "assert a", True),
        ("assert a", "assert a and b", False),
        ("def test_a(): ...\ndef test_b(): ...", "def test_a(): ...", True),
        ("def test_a(): ...", "def test_a2(): ...", False),
        ("", "assert True", True),
    ],
)
def test_what_a_test_loses(before: str, after: str, taken: bool) -> None:
    assert bool(weakened_test(Edit("tests/test_a.py", before, after))) is taken
    assert not weakened_test(Edit("src/a.py", before, after))


def test_an_expected_value_that_is_made_to_fit() -> None:
    assert rewritten_expectation(Edit("tests/test_a.py", "assert f(1) == 2", "assert f(1) == 3"))
    assert not rewritten_expectation(Edit("tests/test_a.py", "assert f(1) == 2", "assert g(1) == 2"))


def test_a_comment_in_place_of_code() -> None:
    long = "\n".join(f"line{number}()" for number in range(20))
    assert elision(Edit("a.js", long, "line0()\n// ... existing code ..."))
    assert not elision(Edit("a.js", long, "line0()\n// the existing code of others is read by the parser below, twice"))
    assert not elision(Edit("a.js", "x", "// ... existing code ..."))
    assert lost_share(Edit("a.js", long, "line0()")) == pytest.approx(0.95)


@given(TEXTS, TEXTS)
def test_what_changes_nothing_takes_nothing(text: str, other: str) -> None:
    edit = Edit("tests/test_a.py", text, text)
    assert not (weakened_test(edit))
    assert not (rewritten_expectation(edit))
    assert not (elision(edit))
    assert not (check_switched_off(edit))
    assert lost_share(edit) == 0
    assert 0 <= lost_share(Edit("a", text, other)) <= 1


@pytest.mark.parametrize(
    "unit", ["\n", " ", "assert ", "# ... ", "# the rest of ", "test || ", "it('", "fail_under", "|| true\n"]
)
@pytest.mark.parametrize(
    "path", ["tests/test_a.py", "package.json", ".github/workflows/ci.yml", "a.test.ts", "mypy.ini"]
)
def test_hostile_text_costs_linear_time(unit: str, path: str) -> None:
    def judge(edit: Edit) -> None:
        weakened_test(edit), rewritten_expectation(edit), elision(edit), check_switched_off(edit)

    def make(size: int) -> Edit:
        text = unit * (size // len(unit))
        return Edit(path, text + "x" * size, text)

    assert_linear(judge, make, counted=MAX_TEXT // 32, ended=MAX_TEXT // 2)


@pytest.mark.parametrize(
    ("output", "refused"),
    [
        ('{"verdict": "block", "reason": "x"}', True),
        ("The user doesn't want to proceed with this tool use.", True),
        ("Command denied by policy", True),
        ("rm: cannot remove 'a': Permission denied", False),
        ("connection refused", False),
        ("", False),
    ],
)
def test_what_a_refusal_looks_like(output: str, refused: bool) -> None:
    step = Step("bash", {"command": "rm -rf data"}, output, "shell")
    assert was_refused(step) is refused
    assert bool(refused_harms(Context(history=[step]))) is refused
