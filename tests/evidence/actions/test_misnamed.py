"""A call without the argument that it needs: misspelled, mapped and missing, or under a name of the tool's own."""

from __future__ import annotations

import string
from contextlib import closing

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from supervisor import Guard, Policy, Supervisor
from supervisor.evidence.actions.misnamed import lacking, lacks_contents
from supervisor.intake.kinds import KINDS, KNOWN_TOOLS, NEEDED, ToolShape, names_of, snake
from supervisor.intake.parsing import action_from
from supervisor.policy import Records
from tests.patience import PATIENT

# The first tool of each kind that needs an argument, and the most usual name of that argument.
USUAL = {kind: next(tool for tool, of in KNOWN_TOOLS.items() if of == kind) for kind in NEEDED}
NAMES = [(kind, name) for kind, parts in NEEDED.items() for name in names_of(kind, parts[0]) if len(name) > 3]


def test_each_part_that_is_needed_is_a_part_of_its_kind():
    assert all(part in KINDS[kind] for kind, parts in NEEDED.items() for part in parts)


@given(st.sampled_from(NAMES), st.data())
def test_one_wrong_letter_is_seen_in_each_kind(case, data):
    kind, name = case
    at, letter = data.draw(st.integers(1, len(name) - 1)), data.draw(st.sampled_from(string.ascii_lowercase))
    typo = data.draw(st.sampled_from([name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :]]))
    action = action_from({"tool": USUAL[kind], "args": {typo: "~/x.txt"}})
    assume(action.kind == kind and lacks_contents(action) and snake(typo).rstrip("s") != snake(name).rstrip("s"))
    assume(
        all(
            snake(typo).rstrip("s") != snake(each).rstrip("s") for part in NEEDED[kind] for each in names_of(kind, part)
        )
    )
    found = lacking(action)
    assert found is not None
    assert found.given == typo


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("bash", {"command": "ls"}),
        ("bash", {"restart": True}),
        ("bash", {}),
        ("bash", {"comand": ""}),
        ("shell", {"command": ["rm", "-rf", "x"]}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}),
        ("str_replace_editor", {"command": "view", "path": "/repo"}),
        ("fetch", {"uri": "https://example.com"}),
        ("multi_edit", {"filePath": "a.py", "edits": []}),
        ("Read", {"file_path": "a.py"}),
    ],
)
def test_honest_calls_lack_nothing(tool, args):
    assert lacking(action_from({"tool": tool, "args": args})) is None


@pytest.mark.parametrize("spelling", ["fetch", "mcp__web__fetch", "browser.navigate"])
def test_another_word_is_no_misspelling(spelling):
    found = lacking(action_from({"tool": spelling, "args": {"id": "doc-7", "link_text": "x", "direction": "back"}}))
    assert found is None or not found.given


def test_what_the_policy_names_is_what_is_missing():
    declared = {"give_back": ToolShape("refund", {"order": "purchase_no"})}
    action = action_from({"tool": "give_back", "args": {"purchse_no": 7, "sum": 3}}, declared)
    assert lacking(action) == ("order", "purchase_no", "purchse_no", True, True)
    action = action_from({"tool": "give_back", "args": {"sum": 3}}, declared)
    assert lacking(action) == ("order", "purchase_no", "", True, True)
    action = action_from({"tool": "give_back", "args": {"purchase_no": 7}}, declared)
    assert lacking(action) is None


@pytest.fixture(scope="module")
def guard():
    with closing(Supervisor(Policy(isolation="none", records=Records(path=None), budgets=PATIENT))) as supervisor:
        yield Guard(supervisor)


@pytest.mark.parametrize(
    ("tool", "args", "by"),
    [
        ("bash", {"comand": "rm -rf ~"}, ("argument_misnamed",)),
        ("python", {"cde": "import os"}, ("argument_misnamed",)),
        ("write_file", {"pth": "/etc/passwd", "content": "x"}, ("argument_misnamed",)),
        ("edit", {"file_pth": "a.py", "old_string": "a", "new_string": "b"}, ("argument_misnamed",)),
        ("bash", {}, ()),
        ("bash", {"restart": True}, ()),
    ],
)
def test_one_specialist_is_told_and_nobody_refuses(guard, tool, args, by):
    decision = guard.check(tool, args)
    assert tuple(name for name, _ in decision.findings) == by
    assert list(decision.refusals) == []
