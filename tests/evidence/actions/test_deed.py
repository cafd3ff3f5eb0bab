"""A deed tells a command with an option from the one without, and one place from another."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.action import Context
from supervisor.evidence.actions.deed import bounded_deed, deed, where
from supervisor.evidence.actions.fingerprint import fingerprint
from supervisor.intake.parsing import action_from
from supervisor.memory import without_options

AT = Context(facts={"cwd": "/w/src", "workspace": "/w"})


def deed_of(command: str) -> frozenset[str]:
    return deed(action_from({"tool": "bash", "args": {"command": command}}), AT)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("git push --force origin main", "git push -f origin main"),
        ("git push -f origin main", "git  push 'origin' main -f"),
        ("rm -rf data/raw", "rm -r -f ./data/raw"),
    ],
)
def test_a_spelling_is_no_other_deed(one: str, other: str) -> None:
    assert deed_of(one) == deed_of(other)


def test_an_option_is_part_of_it_and_not_of_the_fingerprint() -> None:
    forced, plain = deed_of("git push --force origin main"), deed_of("git push origin main")
    assert plain < forced
    assert without_options(forced) == plain
    action = action_from({"tool": "bash", "args": {"command": "git push --force origin main"}})
    assert without_options(forced) == fingerprint(action, AT)


@pytest.mark.parametrize("command", ["(" * 5000, "x" * 2_000_000])
def test_what_no_parser_reads_has_one_all_the_same(command: str) -> None:
    action = action_from({"tool": "bash", "args": {"command": command}})
    assert bounded_deed(action, AT)


@pytest.mark.parametrize(
    ("tool", "args", "kind", "place"),
    [
        ("bash", {"command": "ls"}, None, "/w"),
        ("write_file", {"path": "a", "content": ""}, None, "/w"),
        ("sql", {"query": "SELECT 1"}, None, ""),
        ("pay", {"amount": 1}, "payment", ""),
    ],
)
def test_a_place_counts_where_the_directory_does(tool: str, args: dict[str, Any], kind: str | None, place: str) -> None:
    assert where(action_from({"tool": tool, "args": args, "kind": kind}), AT) == place


def test_a_long_place_is_known_by_its_hash() -> None:
    far = Context(facts={"workspace": "/" + "a" * 5000})
    action = action_from({"tool": "bash", "args": {"command": "ls"}})
    assert len(where(action, far)) < 100
    assert where(action, far) != where(action, Context(facts={"workspace": "/" + "a" * 5001}))
