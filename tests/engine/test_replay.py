"""A record run again says what it said, wherever and whenever; anything else shows as a difference."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.engine.replay import Replayed, Replayer
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Policy, Records, policy_from
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal
from supervisor.records.read import Record, read_records
from tests.catalog.taxonomies import add

ASKS = """\
    if action.kind == "refund":
        rows = await context.query("SELECT count(*) AS n FROM refunds WHERE id = :id", id=action.text("order"))
        return flag(f"{rows[0]['n']} refunds, at {context.now:%Y}.")
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A deployment: a taxonomy of its own with one specialist of each sort, and a database."""
    add(tmp_path / "own", "nudges_it", verdict="nudge", word="draft")
    add(tmp_path / "own", "blocks_it", verdict="block", word="wipe")
    _, judge = add(tmp_path / "own", "asks_doors", verdict="flag", word="never")
    source = judge.read_text().replace('("shell")\ndef', '("shell", "refund")\nasync def')
    judge.write_text(source.replace('    if "never"', ASKS + '    if "never"'))
    with sqlite3.connect(tmp_path / "shop.db") as database:
        database.execute("CREATE TABLE refunds (id TEXT)")
        database.execute("INSERT INTO refunds VALUES ('A-1')")
    database.close()
    return tmp_path


def policy(home: Path, **changes: Any) -> Policy:
    values = {
        "taxonomy": {"shipped": False, "folders": [str(home / "own")]},
        "records": {"path": str(home / "records"), "key": str(home / "key.pem")},
        "doors": {"database": {"url": f"sqlite:///{home}/shop.db"}},
    }
    return policy_from(values | changes, place="the test")


@pytest.fixture
def supervisor(home: Path) -> Iterator[Supervisor]:
    opened = Supervisor(policy(home))
    yield opened
    opened.close()


def decide(supervisor: Supervisor, tool: str, args: dict[str, Any], session: Session | None = None) -> str:
    action = supervisor.action(tool, args)
    return anyio.run(supervisor.decide, action, None, session).verdict.label


def work(supervisor: Supervisor) -> list[str]:
    """A morning in which every verdict is met."""
    session = Session("agent", "a task", {"cwd": "/w"})
    said = [decide(supervisor, "bash", {"command": command}, session) for command in ("ls", "cat draft", "wipe")]
    said += [decide(supervisor, "bash", {"command": "cat 'draft'"}, session) for _ in range(2)]
    return [*said, decide(supervisor, "refund", {"order": "A-1"}), decide(supervisor, "refund", {"order": "A-2"})]


def replay(home: Path) -> list[Replayed]:
    async def all_of() -> list[Replayed]:
        with contextlib.closing(Replayer()) as replayer:
            return [each async for each in replayer.replay(home / "records")]

    return anyio.run(all_of)


def rewrite(home: Path, change: Any) -> None:
    """Writes the journal again, properly signed, with one decision changed: what only a replay can find."""
    records = [record for record in read_records(home / "records") if record.kind == "decision"]
    for path in (home / "records").glob("*.*"):
        path.unlink()
    journal = Journal(home / "records", open_signer(home / "key.pem"))
    for record in records:
        contents = dict(record.contents)
        change(record, contents)
        told = {key: value for key, value in record.predicate.items() if key not in ("sequence", "prefix")}
        journal.append("decision", told, "0" * 64, contents.items())
    journal.close()


def test_every_verdict_replays(supervisor: Supervisor, home: Path) -> None:
    assert work(supervisor) == ["ok", "nudge", "block", "nudge", "block", "flag", "flag"]
    supervisor.close()
    results = replay(home)
    assert len(results) == 7
    assert [each for each in results if each.differences or each.missing or each.changed_versions] == []


def test_what_nobody_could_judge_replays_as_that(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs it again may well find the interpreter that was missing then."""
    opened = Supervisor(policy(home))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", None)
        assert decide(opened, "bash", {"command": "ls"}) == "block"
    opened.close()
    (record,) = (each for each in read_records(home / "records") if each.kind == "decision")
    assert "which Python" in record.predicate["unjudged"]
    (result,) = replay(home)
    assert (result.differences, result.missing) == ((), "")


def test_a_replay_touches_nothing(supervisor: Supervisor, home: Path) -> None:
    """The database is gone, and what it had said still decides."""
    work(supervisor)
    supervisor.close()
    (home / "shop.db").unlink()
    results = replay(home)
    assert not any(each.differences or each.missing for each in results)
    (told,) = [
        r for r in read_records(home / "records") if r.kind == "decision" and "A-1" in str(r.predicate["action"])
    ]
    assert "1 refunds" in str(told.predicate["opinions"])


@pytest.mark.parametrize("verb", [[], ["--json"]])
def test_the_verb_replays_in_a_fresh_process(supervisor: Supervisor, home: Path, verb: list[str]) -> None:
    work(supervisor)
    supervisor.close()
    command = [sys.executable, "-m", "supervisor", "replay", str(home / "records"), *verb]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    assert ended.returncode == 0, ended.stdout + ended.stderr
    if verb:
        assert json.loads(ended.stdout) == {"version": 1, "decisions": 7, "differing": [], "unreadable": []}


def test_another_verdict_correction_or_opinion_is_a_difference(supervisor: Supervisor, home: Path) -> None:
    work(supervisor)
    supervisor.close()

    def change(record: Record, contents: dict[str, bytes]) -> None:
        told = record.predicate
        if told["decision"].get("correction") == "Leave it out.":
            told["decision"]["correction"] = "Do as you like."
        if told["action"]["args"].get("command") == "wipe":
            told["decision"] |= {"verdict": "ok", "by": []}
            told["opinions"] = [each for each in told["opinions"] if each["specialist"] != "blocks_it"]

    rewrite(home, change)
    found = [difference for each in replay(home) for difference in each.differences]
    assert [each.what for each in found] == ["correction", "verdict", "by", "blocks_it"]
    assert (found[1].recorded, found[1].replayed) == ("ok", "block")


def test_a_changed_specialist_is_named(supervisor: Supervisor, home: Path) -> None:
    work(supervisor)
    supervisor.close()
    judge = home / "own" / "specialists" / "conduct" / "blocks_it.py"
    judge.write_text(judge.read_text().replace("It is there.", "It is still there."))
    differing = [each for each in replay(home) if each.differences]
    assert [(each.differences[0].what, each.changed_versions) for each in differing] == [("blocks_it", ("blocks_it",))]


def test_records_of_the_first_version_replay(supervisor: Supervisor, home: Path) -> None:
    """A record names the version of the library that wrote it; what has to be the same is who judged."""
    work(supervisor)
    supervisor.close()

    def change(record: Record, contents: dict[str, bytes]) -> None:
        told = json.loads(contents.pop(record.predicate["versions"])) | {"supervisor": "0.1.0"}
        encoded = json.dumps(told, separators=(",", ":")).encode()
        record.predicate["versions"] = hashlib.sha256(encoded).hexdigest()
        contents[record.predicate["versions"]] = encoded

    rewrite(home, change)
    decisions = [each for each in read_records(home / "records") if each.kind == "decision"]
    assert {each.content(each.predicate["versions"])["supervisor"] for each in decisions} == {"0.1.0"}
    results = replay(home)
    assert len(results) == len(decisions) == 7
    assert [each for each in results if each.differences or each.missing or each.changed_versions] == []


def test_the_policy_of_the_time_holds(home: Path) -> None:
    """What was capped then is capped again, whatever the policy says today."""
    capped = Supervisor(policy(home, authority={"specialists": {"blocks_it": "flag"}}))
    assert decide(capped, "bash", {"command": "wipe"}) == "flag"
    capped.close()
    assert not any(each.differences for each in replay(home))


def test_what_timed_out_then_is_taken_as_recorded(home: Path) -> None:
    slow = Supervisor(policy(home, budgets={"specialists": {"blocks_it": 0.000001}}))
    assert decide(slow, "bash", {"command": "wipe"}) == "flag"
    slow.close()
    (record,) = [each for each in read_records(home / "records") if each.kind == "decision"]
    assert [told["ended"] for told in record.predicate["opinions"] if "cause" in told] == ["deadline"]
    assert not any(each.differences for each in replay(home))


def test_evidence_that_was_cut_off_then_is_taken_as_recorded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that a parse may take is this machine's; its steps are everybody's."""
    slow = Supervisor(Policy(records=Records(str(home / "records"), str(home / "key.pem")), isolation="none"))
    monkeypatch.setattr("supervisor.evidence.shell.syntax.MAX_SECONDS", -1.0)
    slow.decide_from_thread(slow.action("bash", {"command": "git status $X; " * 300}))
    slow.close()
    monkeypatch.undo()
    (record,) = [each for each in read_records(home / "records") if each.kind == "decision"]
    assert "deadline" in {told.get("ended") for told in record.predicate["opinions"]}
    assert not any(each.differences for each in replay(home))


def test_a_door_that_failed_fails_again(home: Path) -> None:
    shut = Supervisor(policy(home, doors={}))
    assert decide(shut, "refund", {"order": "A-1"}) == "ok"
    shut.close()
    (result,) = replay(home)
    assert not result.differences
    (record,) = [each for each in read_records(home / "records") if each.kind == "decision"]
    assert "infrastructure" in str(record.predicate["opinions"])


def test_a_record_whose_content_is_gone_says_what_is_missing(supervisor: Supervisor, home: Path) -> None:
    decide(supervisor, "bash", {"command": "ls"})
    supervisor.close()
    rewrite(home, lambda record, contents: contents.pop(record.predicate["scene"]))
    (result,) = replay(home)
    assert "is not there" in result.missing


def test_a_secret_replays_by_its_token(supervisor: Supervisor, home: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert decide(supervisor, "bash", {"command": f"wipe {secret}"}) == "block"
    supervisor.close()
    assert not any(each.differences or each.missing for each in replay(home))
    assert secret not in "".join(path.read_text() for path in (home / "records").glob("*.jsonl"))


def test_the_order_of_keys_is_kept(home: Path) -> None:
    """A specialist may read arguments and facts in the order in which they came."""
    _, judge = add(home / "own", "names_the_first", word="never")
    line = '    if len(action.args) > 1:\n        return block(f"{list(action.args)} {list(context.facts)}")\n'
    judge.write_text(judge.read_text().replace('    if "never"', line + '    if "never"'))
    supervisor = Supervisor(policy(home))
    assert decide(supervisor, "bash", {"z": 1, "command": "ls", "a": 2}, Session(facts={"y": 1, "b": 2})) == "block"
    supervisor.close()
    assert not any(each.differences for each in replay(home))


def test_a_sample_of_what_a_model_judged_is_for_review_and_replays(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from supervisor.action import Answer
    from supervisor.doors.live import LiveDoors

    (judge,) = (home / "own").rglob("asks_doors.py")
    source = judge.read_text()
    judge.write_text(source.replace('    if action.kind == "refund":', _ASKS_A_MODEL))

    async def ask(self: LiveDoors, question: str, material: Any) -> Answer:
        return Answer(yes=False, confidence=0.9)

    monkeypatch.setattr(LiveDoors, "ask", ask)
    monkeypatch.setattr(LiveDoors, "check", lambda self, door: None)
    opened = Supervisor(policy(home, review={"judges": 1}))
    reviewed = []
    for tool, args in (("refund", {"order": "model"}), ("refund", {"order": "A-2"}), ("bash", {"command": "ls"})):
        decision = anyio.run(opened.decide, opened.action(tool, args), None, None)
        reviewed.append((decision.verdict.label, decision.review))
    opened.close()
    assert reviewed == [("ok", True), ("flag", True), ("ok", False)]
    assert [each for each in replay(home) if each.differences or each.missing] == []


_ASKS_A_MODEL = """\
    if action.kind == "refund" and action.text("order") == "model":
        answer = await context.ask("Is it refunded twice?", order=action.text("order"))
        return flag("twice") if answer.yes else ok()
    if action.kind == "refund":"""
