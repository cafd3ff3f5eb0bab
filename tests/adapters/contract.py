"""What holds of every host, told once: each host's test plays a script with the framework's own scripted model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from supervisor.action import Action, Context
from supervisor.adapters import calls
from supervisor.adapters.function.guard import Guard
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import ApprovalPolicy, Policy, Records, Workers
from supervisor.policy.sections import Askable
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from supervisor.specialist import Opinion, block, flag, nudge, ok, specialist
from tests.catalog.catalogs import catalog_of
from tests.patience import PATIENT

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
TASK = "Take the notes of the meeting"
END = "|"
SEEN: list[tuple[Action, Context]] = []


@specialist("*")
def judges(action: Action, context: Context) -> Opinion:
    """Objects to whatever argument says so, and keeps what it saw."""
    SEEN.append((action, context))
    said = str(action.args)
    if "BLOCK" in said:
        return block("It says BLOCK.")
    if "NUDGE" in said:
        return nudge("It says NUDGE.", correction="Say please.")
    return flag("It says FLAG.") if "FLAG" in said else ok()


@specialist("*")
def looks_back(action: Action, context: Context) -> Opinion:
    """Objects to whatever result says so."""
    said = str(context.outcome.output)
    if "SPILT" in said:
        return nudge("It has spilt.", correction="Wipe it up.")
    return block("It is ruined.") if "RUINED" in said else ok()


@dataclass
class Played:
    """What a script came to: which texts the tool took, and what the model was told of each call."""

    ran: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def note(self, text: str) -> str:
        """Takes a note: the tool that the scripted model calls."""
        self.ran.append(text)
        if "FAIL" in text:
            raise ValueError("out of paper")
        return f"noted {text}"


def snippet(host: str) -> str:
    """The host's snippet in docs/integrations.md, which is what the tests run."""
    (found,) = re.findall(rf"^```python {host}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(found.splitlines()) <= 10
    return str(found)


def made(host: str, **known: Any) -> dict[str, Any]:
    """What the snippet makes of what its reader has: a model, tools."""
    names = dict(known)
    exec(compile(snippet(host), f"docs/integrations.md: {host}", "exec"), names)
    return names


def _open(on_failure: Any = "block") -> Guard:
    policy = Policy(
        records=Records(path=None), isolation="none", budgets=PATIENT, workers=Workers(on_failure=on_failure)
    )
    return Guard(Supervisor(policy, catalog=catalog_of(judges, after=[looks_back])))


@pytest.mark.filterwarnings("default")
class Contract:
    """`play` runs one conversation in which the model calls `note` with each text in turn."""

    talks_again = False  # whether `play` takes END as the end of one conversation, and has the same agent begin another
    knows_task = True
    knows_tools = True
    knows_failure = True
    tells_after = True  # whether the agent hears what is said of a result,
    withholds = True  # and whether a result can be kept from it
    failure = "out of paper"

    def play(self, *texts: str) -> Played:
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def guard(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guard]:
        SEEN.clear()
        guard = _open()
        monkeypatch.setattr(calls, "guard", guard)
        yield guard
        guard.supervisor.close()

    def test_a_nudged_call_never_runs_and_the_corrected_one_does(self) -> None:
        played = self.play("NUDGE", "please")
        assert played.ran == ["please"]
        assert "Say please." in played.told[0]
        assert "executed" in played.told[0]
        assert "noted please" in played.told[1]

    def test_a_blocked_call_never_runs(self) -> None:
        played = self.play("BLOCK", "please")
        assert played.ran == ["please"]
        assert "It says BLOCK." in played.told[0]

    def test_a_flagged_call_runs(self, guard: Guard) -> None:
        played = self.play("FLAG")
        assert played.ran == ["FLAG"]
        assert "noted FLAG" in played.told[0]

    def test_the_past_and_the_task_reach_the_specialists(self) -> None:
        self.play("one", "NUDGE", "two")
        (first, _), _, (third, context) = SEEN
        assert (first.tool.rpartition("__")[2], dict(first.args)) == ("note", {"text": "one"})
        assert third.args["text"] == "two"
        (step,) = context.history
        assert (step.args["text"], step.failed) == ("one", False)
        assert "noted one" in str(step.output)
        if self.knows_task:
            assert TASK in (context.task or "")
        if self.knows_tools:
            assert [tool["name"] for tool in context.facts["tools"]] == ["note"]
            assert "Takes a note" in context.facts["tools"][0]["description"]

    def test_a_result_is_judged_and_the_agent_hears_of_it(self) -> None:
        played = self.play("SPILT", "RUINED", "END OF IT")
        assert played.ran == ["SPILT", "RUINED", "END OF IT"]
        assert "noted SPILT" in played.told[0]
        assert ("Wipe it up." in played.told[0]) is self.tells_after
        assert ("It is ruined." in played.told[1]) is self.tells_after
        assert ("noted RUINED" in played.told[1]) is not self.withholds

    def test_a_tool_that_fails_is_remembered_as_failed(self) -> None:
        self.play("FAIL", "two")
        (step,) = SEEN[1][1].history
        assert step.failed is self.knows_failure
        assert self.failure in str(step.output)

    def test_nothing_runs_where_the_guard_itself_fails(self, guard: Guard, monkeypatch: pytest.MonkeyPatch) -> None:
        _break(guard, monkeypatch)
        played = self.play("please")
        assert played.ran == []
        assert "could not be judged" in played.told[0]

    def test_it_runs_all_the_same_where_the_policy_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        guard = _open("flag")
        monkeypatch.setattr(calls, "guard", guard)
        _break(guard, monkeypatch)
        assert self.play("please").ran == ["please"]

    def test_conversations_do_not_mix(self) -> None:
        self.play("one")
        self.play("two")
        assert [len(context.history) for _, context in SEEN] == [0, 0]
        assert len({context.session for _, context in SEEN}) == 2

    def test_an_agent_holds_its_conversations_apart(self) -> None:
        if not self.talks_again:
            pytest.skip("an agent of this host is one conversation")
        self.play("one", END, "two", "three")
        assert [len(context.history) for _, context in SEEN] == [0, 0, 1]
        assert SEEN[0][1].session != SEEN[1][1].session == SEEN[2][1].session

    def test_the_callers_session_holds(self, guard: Guard) -> None:
        with guard.session(agent="scribe", task="Something else", facts={"cwd": "/srv"}) as session:
            self.play("one")
            self.play("two")
        _, context = SEEN[1]
        assert (context.session, context.agent, context.task, context.cwd) == (
            session.id,
            "scribe",
            "Something else",
            "/srv",
        )
        assert [step.args for step in context.history if step.tool.endswith("note")] == [{"text": "one"}]


def _break(guard: Guard, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise RuntimeError("the guard is broken")

    monkeypatch.setattr(guard.supervisor, "decide", fail)
    monkeypatch.setattr(guard.supervisor, "decide_from_thread", fail)


@pytest.fixture
def asking_guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guard]:
    """A guard under a policy that has a person asked about what is blocked, and waits for nobody."""
    SEEN.clear()
    records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
    policy = Policy(records=records, isolation="none", budgets=PATIENT, approval=ApprovalPolicy(ask=(Askable(),)))
    guard = Guard(Supervisor(policy, catalog=catalog_of(judges)))
    monkeypatch.setattr(calls, "guard", guard)
    yield guard
    guard.supervisor.close()
    assert verify(tmp_path / "records").problems == []


def answers_of(guard: Guard) -> list[tuple[str, str, str]]:
    """What people have said: the answer, who gave it, and the note."""
    supervisor = guard.supervisor
    assert isinstance(supervisor, Supervisor)
    records = read_records(Path(str(supervisor.policy.records.path)))
    told = [record.predicate for record in records if record.kind == "approval"]
    return [(each["answer"], each["by"], each["note"]) for each in told]
