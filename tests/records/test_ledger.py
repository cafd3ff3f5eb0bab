"""A decision's record is prepared while others judge, and says the same as if it were made at once."""

from __future__ import annotations

import base64
import os
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.decision.settle import Settled
from supervisor.history import History
from supervisor.policy import Policy, Records
from supervisor.records.codec import Prepared, opinion_of, opinion_to_json
from supervisor.records.envelope import open_signer
from supervisor.records.ledger import Ledger
from supervisor.records.read import Record, read_records
from supervisor.records.verify import verify
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
OPINIONS: tuple[tuple[str, Opinion], ...] = (
    ("fine", Finding(Verdict.OK)),
    ("rather_fine", Finding(Verdict.OK, 0.75)),
    ("explains", Finding(Verdict.OK, 1.0, "It only reads.")),
    ("flags", Finding(Verdict.FLAG, 0.5, "Look: “ü”.", evidence=("a", "b"))),
    ("nudges", Finding(Verdict.NUDGE, 1.0, "No.", "Do this.", "Really.")),
    ("elsewhere", Refusal("not a shell action")),
    ("too_large", Refusal("it is too large", Cause.INPUT)),
    ("down", Refusal("no database", Cause.INFRASTRUCTURE)),
)
ASKED = (*(name for name, _ in OPINIONS), "content")


def ledger_in(folder: Path) -> Ledger:
    return Ledger(Policy(records=Records(str(folder / "records"), str(folder / "key.pem"))), {"supervisor": "1"})


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return ledger_in(tmp_path)


def action(**args: Any) -> Action:
    return Action("bash", args or {"command": "ls"}, "shell", {"command": "command"})


SETTLED = Settled(Verdict.NUDGE, ("nudges",), "Do this.", True, OPINIONS)


def recorded(ledger: Ledger, prepared: Prepared | None) -> str | None:
    return ledger.record(prepared, SETTLED, ASKED, {}, id="d1", elapsed_ms=1.23456)


def write(ledger: Ledger, context: Context, said: Action | None = None) -> str | None:
    said = said or action()
    return recorded(ledger, ledger.prepare(said, context, NOW))


def decisions(folder: Path) -> list[Record]:
    return [record for record in read_records(folder / "records") if record.kind == "decision"]


def test_a_record_says_what_was_known_and_what_was_decided(ledger: Ledger, tmp_path: Path) -> None:
    steps = [Step("bash", {"command": "pwd"}, "/w", "shell")]
    said, context = action(command='echo "ü"\n'), Context("tidy up", steps, {"cwd": "/w"}, "agent", "s1")
    answers: dict[str, list[dict[str, Any]]] = {"asks": [{"door": "now"}]}
    settled = replace(SETTLED, earlier={"nudges": 1})
    address = ledger.record(ledger.prepare(said, context, NOW), settled, ASKED, answers, id="d1", elapsed_ms=1.23456)
    ledger.close()
    (record,) = decisions(tmp_path)
    told = record.predicate
    assert record.address == address
    assert list(told) == [
        *("sequence", "prefix", "id", "time", "session", "action", "scene", "history", "answers", "versions"),
        *("policy", "asked", "opinions", "earlier", "decision", "elapsed_ms"),
    ]
    assert (told["id"], told["time"], told["session"]) == ("d1", NOW.isoformat(), "s1")
    assert Action(**told["action"]) == said
    assert record.content(told["scene"]) == {"task": "tidy up", "agent": "agent", "facts": {"cwd": "/w"}}
    assert record.history(told["history"]) == steps
    assert record.content(told["answers"]) == answers
    assert record.content(told["versions"]) == {"supervisor": "1"}
    assert record.content(told["asked"]) == list(ASKED)
    assert told["opinions"] == [opinion_to_json(name, opinion) for name, opinion in OPINIONS]
    assert (told["earlier"], told["elapsed_ms"]) == ({"nudges": 1}, 1.235)
    assert told["decision"] == {"verdict": "nudge", "by": ["nudges"], "review": True, "correction": "Do this."}
    assert verify(tmp_path / "records").problems == []


def test_every_line_is_compact_json(ledger: Ledger, tmp_path: Path) -> None:
    """Lines are put together from parts; what comes out is spelled as if it had been written in one piece."""
    for number in range(3):
        write(ledger, Context(facts={"n": number}), action(command=f'echo "{number}" \\ \n \x00 € 𝄞'))
    ledger.close()
    for path in [*(tmp_path / "records").glob("*.jsonl"), *(tmp_path / "records").glob("*.checkpoint")]:
        for line in path.read_bytes().splitlines():
            assert orjson.dumps(orjson.loads(line)) == line
            if payload := orjson.loads(line).get("payload"):
                raw = base64.b64decode(payload)
                assert orjson.dumps(orjson.loads(raw)) == raw


OPINION = st.one_of(
    st.builds(Finding, st.sampled_from(Verdict), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from(["", "a", '"'])),
    st.builds(Refusal, st.text(max_size=3), st.sampled_from(Cause), st.sampled_from(["", "deadline", "crash"])),
)


@given(st.lists(st.tuples(st.sampled_from("ab"), OPINION), max_size=6))
def test_an_opinion_reads_back_as_it_was(opinions: list[tuple[str, Opinion]]) -> None:
    told = orjson.loads(orjson.dumps([opinion_to_json(name, opinion) for name, opinion in opinions]))
    assert [(each["specialist"], opinion_of(each)) for each in told] == opinions


def test_where_records_are_off_nothing_is_prepared(tmp_path: Path) -> None:
    ledger = Ledger(Policy(records=Records(None, str(tmp_path / "key.pem"))), {})
    prepared = ledger.prepare(action(thing=object()), Context(facts={"thing": object()}), NOW)
    assert prepared is None
    assert recorded(ledger, prepared) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "context"),
    [
        ({"at": NOW}, Context()),
        ({}, Context(facts={"at": NOW})),
        ({}, Context(facts={"thing": object()})),
        ({}, Context(history=[Step("bash", {}, {1, 2})])),
    ],
)
def test_what_is_not_json_is_found_before_anyone_judges(ledger: Ledger, args: Any, context: Context) -> None:
    with pytest.raises(TypeError):
        ledger.prepare(action(**args), context, NOW)
    assert write(ledger, Context()), "the next one is written"


def test_a_segment_that_ends_between_the_two_leaves_nothing_out(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the old segment held and the new one lacks is found when it is written, not when it is prepared."""
    history = History(Step("bash", {"command": f"echo {number}"}, number) for number in range(3))
    context = Context(history=history.snapshot(), facts={"cwd": "/w"})
    write(ledger, context)
    prepared = ledger.prepare(action(), context, NOW)
    history.append(Step("bash", {"command": "later"}))
    monkeypatch.setattr(ledger._journal, "_most_bytes", 1)
    assert recorded(ledger, prepared)
    ledger.close()
    assert len(list((tmp_path / "records").glob("*.jsonl"))) == 2
    for record in decisions(tmp_path):
        assert record.history(record.predicate["history"]) == list(history)[:3]
        assert record.content(record.predicate["scene"])["facts"] == {"cwd": "/w"}


def test_what_a_parent_prepared_its_child_writes_to_a_segment_of_its_own(ledger: Ledger, tmp_path: Path) -> None:
    write(ledger, Context())
    prepared = ledger.prepare(action(), Context(history=[Step("bash", {}, "x")]), NOW)
    child = os.fork()
    if child == 0:
        os._exit(0 if recorded(ledger, prepared) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert recorded(ledger, prepared)
    ledger.close()
    report = verify(tmp_path / "records", signer=open_signer(tmp_path / "key.pem"))
    assert (report.problems, report.segments, report.unsealed, report.unsigned) == ([], 2, 1, 1)


def test_threads_that_share_a_session_prepare_and_record_at_once(ledger: Ledger, tmp_path: Path) -> None:
    history, lock = History(), threading.Lock()

    def work(name: str) -> None:
        for number in range(15):
            with lock:
                history.append(Step("bash", {"command": name}, number))
                seen = history.snapshot()
            write(ledger, Context(history=seen, task=name))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ledger.close()
    assert verify(tmp_path / "records").problems == []
    lengths = {len(record.history(record.predicate["history"])) for record in decisions(tmp_path)}
    assert lengths == set(range(1, 61))
