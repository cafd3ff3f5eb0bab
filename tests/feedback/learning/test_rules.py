"""Rules that are derived from missed actions: they fit all of them, few others, and are what the draft says."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.catalog.scaffold import scaffold
from supervisor.feedback.learning.acts import Act
from supervisor.feedback.learning.missed import missed
from supervisor.feedback.learning.rules import Rule, derived
from supervisor.intake.parsing import shaped
from supervisor.records.labels import Label
from tests.feedback.journals import at

HERE = Context(facts={"cwd": "/srv/app"})


def shell(command: str) -> tuple[Action, Context]:
    return shaped("bash", {"command": command}, None, {}), HERE


def call(tool: str, **args: Any) -> tuple[Action, Context]:
    return Action(tool, args), HERE


@pytest.mark.parametrize(
    ("missed", "others", "told"),
    [
        (["terraform destroy -auto-approve"], ["terraform plan", "ls"], "a command that runs terraform with destroy"),
        (
            ["terraform destroy -auto-approve"],
            ["terraform destroy -target=x"],
            "a command that runs terraform with destroy -auto-approve",
        ),
        (["cd infra && sudo vacate --now"], [], "a command that runs vacate with --now"),
        (["build x && vacate --now"], ["build x && ls"], "a command that runs vacate with --now"),
        (["vacate a --all", "vacate --now --all b"], [], "a command that runs vacate with --all"),
        (["vacate a", "empty b"], [], None),
        (["vacate /srv/x"], ["ls"], "a command that runs vacate"),
        (["'vac; ate' x"], [], None),  # no name of a program
    ],
)
def test_rules_of_commands(missed: list[str], others: list[str], told: str | None) -> None:
    rule = derived([shell(each) for each in missed], [shell(each) for each in others])
    assert (rule.told if rule else None) == told


@pytest.mark.parametrize(
    ("missed", "others", "told"),
    [
        ([{"id": "4"}], [], "a call of remove"),
        ([{"id": "4", "mode": "hard"}], [{"id": "5", "mode": "soft"}], "a call of remove with id '4'"),
        (
            [{"id": "4", "mode": "hard"}, {"id": "6", "mode": "hard"}],
            [{"id": "5", "mode": "soft"}],
            "a call of remove with mode 'hard'",
        ),
        ([{"all": True}], [{"all": 1}], "a call of remove with all True"),
        ([{"id": "4"}, {"id": "6"}], [{"id": "5"}], "a call of remove"),
    ],
)
def test_rules_of_calls(missed: list[dict[str, Any]], others: list[dict[str, Any]], told: str) -> None:
    rule = derived([call("remove", **each) for each in missed], [call("remove", **each) for each in others])
    assert rule is not None
    assert rule.told == told


def test_where_there_is_no_rule() -> None:
    assert derived([], []) is None
    assert derived([call("remove"), call("delete")], []) is None
    assert derived([(Action("py", {"code": "x()"}, "python"), HERE)], []) is None
    assert derived([shell("if ((")], []) is None
    assert derived([shell("vacate --now"), call("remove")], []) is None


word = st.from_regex(r"[a-z][a-z-]{0,5}|--?[a-z][a-z-]{0,5}", fullmatch=True)
commands = st.lists(word, min_size=1, max_size=4).map(lambda words: f"vacate {' '.join(words)}")


@settings(max_examples=40, deadline=None)
@given(st.lists(commands, min_size=1, max_size=3), st.lists(commands, max_size=4))
def test_a_rule_fits_all_that_was_missed(missed: list[str], others: list[str]) -> None:
    rule = derived([shell(each) for each in missed], [shell(each) for each in others])
    assert rule is None or all(rule.fits(*shell(each)) for each in missed)


RULES = [
    Rule("shell", "vacate"),
    Rule("shell", "vacate", ("--now", "all")),
    Rule("tool", tool="remove"),
    Rule("tool", tool="remove", name="it's", value='"""x{y}'),
]
ACTIONS = [
    *(shell(each) for each in ("vacate x", "vacate all --now", "echo vacate all --now", "sudo vacate --now all")),
    *(call(tool, **args) for tool in ("remove", "keep") for args in ({}, {"it's": '"""x{y}'}, {"it's": 1})),
]


@pytest.mark.parametrize("rule", RULES)
def test_the_draft_asks_what_the_rule_says(rule: Rule, tmp_path: Path) -> None:
    written = scaffold(tmp_path, "files/drafted_here", rule.kind, draft=rule.draft)
    drafted = runpy.run_path(str(written.specialist))["drafted_here"]
    for action, context in ACTIONS:
        if action.kind == rule.kind:
            assert (drafted.judge(action, context).verdict.label == "block") == rule.fits(action, context)


def act(command: str, number: int, verdict: str = "ok") -> Act:
    return Act(f"{number:064x}", f"{number:032x}", at(number).isoformat(), verdict, *shell(command))


def test_alike_actions_are_one_sort_and_are_no_others_of_its_rule() -> None:
    acts = [act("vacate --now room1", 1), act("vacate --now room2", 2), act("rm notes.txt", 3), act("ls", 4, "block")]
    labels = [
        Label(each.record, "should_have_been", by, at(9), "terminal", verdict, entry)
        for each, by, verdict, entry in (
            (acts[0], "ann", "flag", ""),
            (acts[0], "bob", "block", ""),
            (acts[1], "ann", "nudge", ""),
            (acts[2], "ann", "block", "notes_lost"),
            (acts[3], "ann", "flag", ""),  # not stricter than it was
        )
    ]
    labels.append(Label("f" * 64, "should_have_been", "ann", at(9), "terminal", "block"))  # no such record
    newest = [*acts, act("vacate --now room3", 5), act("vacate --later", 6)]
    rooms, notes = missed(labels, {each.record: each for each in acts}, newest)
    assert ([each.id for each in rooms.acts], rooms.entry, rooms.verdict) == ([acts[0].id, acts[1].id], "", "block")
    assert rooms.rule == Rule("shell", "vacate", ("--now",))
    assert rooms.also == ()
    assert (notes.entry, notes.rule) == ("notes_lost", Rule("shell", "rm"))
    assert rooms.command() == ["supervisor", "new", "FAMILY/ID", *(
        word for each in acts[:2] for word in ("--from-record", each.id[:12])
    )]  # fmt: skip
