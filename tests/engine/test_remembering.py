"""A memory in an engine: what is stored, what it changes, and that a replay needs none of it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.action import Context
from supervisor.decision.decision import Decision
from supervisor.engine.remote.wire import decision_from_wire, decision_to_wire
from supervisor.engine.replay import Replayer
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.memory import FACT, AgentMemory
from supervisor.policy import policy_from
from supervisor.records.memories import FOLDER, Memories
from supervisor.records.read import read_records
from tests.catalog.taxonomies import add

MEMORY = {"days": 30, "half_life_days": 7, "escalate_after": 3}
RECALLS = """\
@specialist("shell", needs_facts=["agent_memory"], facts=["agent_memory"])
async def {name}(action: Action, context: Context) -> Opinion:
    acts = (await context.recall())["acts"]
    if "never" in action.text("command"):
        return flag("It is there.")
    return flag(f"{{len(acts)}} refused") if "draft" in action.text("command") else ok()
"""
Opened = Callable[..., Supervisor]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    add(tmp_path / "own", "nudges_it", verdict="nudge", word="draft")
    add(tmp_path / "own", "blocks_it", verdict="block", word="wipe")
    return tmp_path


@pytest.fixture
def opened(home: Path) -> Iterator[Opened]:
    with contextlib.ExitStack() as closing:

        def open_one(memory: dict[str, float] | None = None, **changes: Any) -> Supervisor:
            values = {
                "taxonomy": {"shipped": False, "folders": [str(home / "own")]},
                "records": {"path": str(home / "records"), "key": str(home / "key.pem")},
                "memory": MEMORY if memory is None else memory,
            }
            supervisor = Supervisor(policy_from(values | changes, place="the test"))
            closing.callback(supervisor.close)
            return supervisor

        yield open_one


def session(name: str, agent: str | None = "claude", workspace: str = "/w") -> Session:
    return Session(agent, "a task", {"cwd": workspace, "workspace": workspace}, name)


def propose(supervisor: Supervisor, at: Session, command: str) -> Decision:
    return supervisor.decide_from_thread(supervisor.action("bash", {"command": command}), at.context(), at)


def remembered(home: Path, agent: str = "claude") -> AgentMemory:
    return Memories(home / "records", 30).of(agent, time.time())


def replayed(home: Path) -> list[tuple[str, ...]]:
    """What differs in each decision of the journal."""

    async def all_of() -> list[tuple[str, ...]]:
        with contextlib.closing(Replayer()) as replayer:
            found = [each async for each in replayer.replay(home / "records")]
        return [(each.missing, *(difference.what for difference in each.differences)) for each in found]

    return anyio.run(all_of)


def test_off_means_that_nothing_is_stored(home: Path, opened: Opened) -> None:
    supervisor = opened({})
    for name in ("s1", "s2"):
        assert propose(supervisor, session(name), "cat draft").verdict.label == "nudge"
    assert not (home / "records" / FOLDER).exists()
    assert all(FACT not in record.content(record.predicate["scene"])["facts"] for record in decisions(home))


def decisions(home: Path) -> list[Any]:
    return [record for record in read_records(home / "records") if record.kind == "decision"]


def test_an_action_that_runs_writes_nothing(home: Path, opened: Opened) -> None:
    propose(opened(), session("s1"), "ls")
    assert not (home / "records" / FOLDER).exists()


def test_an_agent_without_a_name_is_not_remembered(home: Path, opened: Opened) -> None:
    propose(opened(), session("s1", None), "wipe")
    assert not (home / "records" / FOLDER).exists()


def test_nudges_that_other_sessions_ignored_become_a_block(home: Path, opened: Opened) -> None:
    supervisor = opened()
    said = [propose(supervisor, session(f"s{number}"), "cat draft").verdict.label for number in range(4)]
    assert said == ["nudge", "nudge", "nudge", "block"]
    assert propose(supervisor, session("s9"), "tac draft").verdict.label == "nudge"  # another act
    assert propose(supervisor, session("s9", "codex"), "cat draft").verdict.label == "nudge"  # another agent
    assert propose(supervisor, session("s9", workspace="/other"), "cat draft").verdict.label == "nudge"
    supervisor.close()
    assert set(replayed(home)) == {("",)}


@pytest.mark.parametrize(
    ("memory", "last"), [(MEMORY | {"escalate_after": 0}, "nudge"), (MEMORY | {"escalate_after": 1}, "block")]
)
def test_the_policy_says_how_soon(opened: Opened, memory: dict[str, float], last: str) -> None:
    supervisor = opened(memory)
    said = [propose(supervisor, session(f"s{number}"), "cat draft").verdict.label for number in range(4)]
    assert said[0] == "nudge"
    assert said[-1] == last


def test_what_an_agent_changes_is_flagged_after_refusals_that_it_did_not_heed(home: Path, opened: Opened) -> None:
    supervisor = opened(MEMORY | {"flag_after": 2})
    assert propose(supervisor, session("s1"), "wipe a").verdict.label == "block"
    assert propose(supervisor, session("s2"), "touch x").verdict.label == "ok"
    assert propose(supervisor, session("s2"), "wipe b").verdict.label == "block"
    decision = propose(supervisor, session("s3"), "touch x")
    assert (decision.verdict.label, decision.review, decision.allowed, decision.by) == ("flag", True, True, ())
    assert "did not heed 2 refusals in other sessions" in decision.reason
    assert decision_from_wire(decision_to_wire(decision)).unheeded == decision.unheeded == pytest.approx(2, abs=0.01)
    assert propose(supervisor, session("s3", "codex"), "touch x").verdict.label == "ok"  # another agent
    assert propose(supervisor, session("s2"), "touch x").verdict.label == "ok"  # one refusal in other sessions
    read = supervisor.action("read_file", {"path": "x"})
    assert supervisor.decide_from_thread(read, session("s3").context(), session("s3")).verdict.label == "ok"
    assert propose(supervisor, session("s3"), "wipe c").verdict.label == "block"
    supervisor.close()
    for file in (home / "records" / FOLDER).iterdir():
        file.unlink()
    assert replayed(home) == [("",)] * 8


def test_a_flag_fades_with_the_refusals(home: Path, opened: Opened) -> None:
    supervisor = opened(MEMORY | {"flag_after": 1})
    propose(supervisor, session("s1"), "wipe a")
    assert propose(supervisor, session("s2"), "touch x").verdict.label == "flag"
    weeks = 2 * MEMORY["half_life_days"] * 24 * 3600
    Memories(home / "records", 30).change(
        "claude",
        time.time(),
        lambda memory: AgentMemory(tuple(replace(act, times=(act.at - weeks,)) for act in memory.acts)),
    )
    assert propose(supervisor, session("s2"), "touch x").verdict.label == "ok"


def test_a_heeded_nudge_is_not_held_against_the_agent(home: Path, opened: Opened) -> None:
    supervisor = opened()
    for number in range(6):
        at = session(f"s{number}")
        assert propose(supervisor, at, "cat draft notes").verdict.label == "nudge"
        assert propose(supervisor, at, "cat notes").verdict.label == "ok"
    assert {act.state for act in remembered(home).acts} == {"heeded"}


def test_patience_within_a_session_stays_as_it_is(opened: Opened) -> None:
    supervisor, at = opened(MEMORY | {"escalate_after": 1}), session("s1")
    assert [propose(supervisor, at, "cat draft").verdict.label for _ in range(3)] == ["nudge", "nudge", "block"]


def test_what_a_person_allowed_counts_no_more(home: Path, opened: Opened) -> None:
    supervisor = opened(MEMORY | {"escalate_after": 1})
    propose(supervisor, session("s1"), "cat draft")
    supervisor.close()
    rule = {"specialists": ["nudges_it"], "command": "cat draft", "project": "/w", "reason": "mine"}
    exempting = opened(MEMORY | {"escalate_after": 1}, exemptions={"allow": [rule]})
    assert propose(exempting, session("s2"), "cat draft").verdict.label == "flag"
    exempting.close()
    assert [act.state for act in remembered(home).acts] == ["approved"]
    assert propose(opened(MEMORY | {"escalate_after": 1}), session("s3"), "cat draft").verdict.label == "nudge"


def test_secrets_are_masked_in_it(home: Path, opened: Opened) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    propose(opened(), session("s1", f"agent {secret}"), f"wipe --token {secret}")
    (file,) = (home / "records" / FOLDER).iterdir()
    assert secret not in file.read_text()
    assert "wipe" in file.read_text()


def test_a_caller_cannot_claim_a_memory(home: Path, opened: Opened) -> None:
    supervisor = opened()
    supervisor.decide_from_thread(
        supervisor.action("bash", {"command": "ls"}), Context(agent="claude", session="s1", facts={FACT: True})
    )
    (record,) = decisions(home)
    assert FACT not in record.content(record.predicate["scene"])["facts"]


def test_a_specialist_reads_it_through_a_door_and_a_replay_from_the_record(home: Path, opened: Opened) -> None:
    _, judge = add(home / "own", "recalls_it", verdict="flag", word="never")
    source = judge.read_text()
    judge.write_text(source[: source.index("@specialist")] + RECALLS.format(name="recalls_it"))
    entry = judge.parents[2] / "taxonomy" / judge.parent.name / "recalls_it.yaml"
    entry.write_text(entry.read_text().replace('"caught"', '"caught"'))
    with_world(entry)
    supervisor = opened(MEMORY | {"escalate_after": 0})
    reasons = []
    for number in range(3):
        decision = propose(supervisor, session(f"s{number}"), "cat draft")
        reasons.append(dict(decision.findings).get("recalls_it"))
    supervisor.close()
    assert [each and each.reason for each in reasons] == [None, "1 refused", "2 refused"]
    for file in (home / "records" / FOLDER).iterdir():
        file.unlink()
    assert replayed(home) == [("",)] * 3


def with_world(entry: Path) -> None:
    """Every case of an entry gets an agent of which nothing was refused."""
    import yaml

    values = yaml.safe_load(entry.read_text())
    for group in ("caught", "let_through"):
        for case in values["cases"][group]:
            case["world"] = {"memory": []}
    entry.write_text(yaml.safe_dump(values))


def test_a_damaged_memory_is_a_lost_vote_and_stops_nothing(home: Path, opened: Opened) -> None:
    supervisor = opened()
    propose(supervisor, session("s1"), "cat draft")
    (file,) = (home / "records" / FOLDER).iterdir()
    file.write_text("{")
    assert propose(supervisor, session("s2"), "cat other").verdict.label == "ok"
    assert propose(supervisor, session("s2"), "cat draft").verdict.label == "nudge"
    assert len(remembered(home).acts) == 1


@pytest.fixture
def whole(home: Path, opened: Opened) -> Supervisor:
    """An engine with the shipped failure modes and two of its own."""
    add(home / "own", "nudges_both", verdict="nudge", word="data/a data/b")
    return opened(taxonomy={"shipped": True, "folders": [str(home / "own")]})


def say(supervisor: Supervisor, at: Session, text: str) -> None:
    supervisor.decide_from_thread(supervisor.action("finish", {"summary": text}, "finish"), at.context(), at)


def test_a_promise_is_remembered_and_held_against_the_next_session(home: Path, whole: Supervisor) -> None:
    first, second = session("s1"), session("s2")
    push = "git push --force origin main"
    assert propose(whole, first, push).verdict.label == "nudge"
    say(whole, first, "Sorry. I will not force-push to main again.")
    decision = propose(whole, second, push)
    assert {"promise_after_refusal_broken", "refused_act_retried_later"} <= {name for name, _ in decision.findings}
    assert propose(whole, second, "git push origin feature").verdict.label == "ok"
    whole.close()
    assert set(replayed(home)) == {("",)}


def test_pieces_are_counted_over_sessions(home: Path, whole: Supervisor) -> None:
    assert propose(whole, session("s1"), "touch data/a data/b").verdict.label == "nudge"
    assert propose(whole, session("s2"), "touch data/a").verdict.label == "ok"
    assert propose(whole, session("s2", "codex"), "touch data/b").verdict.label == "ok"
    decision = propose(whole, session("s3"), "touch data/b")
    assert [name for name, _ in decision.findings] == ["refused_act_split_over_sessions"]
    whole.close()
    assert set(replayed(home)) == {("",)}


def test_what_only_the_memory_stops_is_no_new_act(home: Path, whole: Supervisor) -> None:
    propose(whole, session("s1"), "touch data/a data/b")
    propose(whole, session("s2"), "touch data/a")
    for number in range(3):
        propose(whole, session(f"t{number}"), "touch data/b")
    assert len(remembered(home).acts) == 1


def test_tasks_of_one_loop_share_it(home: Path, opened: Opened) -> None:
    supervisor = opened()

    async def one(name: str) -> None:
        at = session(name)
        await supervisor.decide(supervisor.action("bash", {"command": f"cat draft {name}"}), at.context(), at)

    async def together() -> None:
        async with anyio.create_task_group() as tasks:
            for number in range(8):
                tasks.start_soon(one, f"s{number}")

    anyio.run(together)
    assert len(remembered(home).acts) == 8
