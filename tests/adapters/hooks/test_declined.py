"""The "no" of a host's own user to what was let through, with events and session files of the real programs.

`declined/` has what Claude Code 2.1 and Gemini CLI wrote when their user said no to `touch block` at their prompts; the
paths alone are changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.adapters.hooks import HOSTS, answer
from supervisor.adapters.hooks.declined import note_let_through, record_declined
from supervisor.engine.session import LetThrough, Session
from supervisor.engine.supervisor import Supervisor
from supervisor.feedback import ingest
from supervisor.feedback.labelling import give
from supervisor.feedback.misses import Miss, clusters, misses
from supervisor.feedback.store import Store
from supervisor.policy import Policy, Records
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal
from supervisor.records.labels import Label
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.engine.approvals.asking import CATALOG
from tests.patience import PATIENT

REAL = Path(__file__).with_name("declined")
BEFORE = datetime(2026, 11, 27, 12, tzinfo=UTC)  # the real sessions began a little later


class Deployment:
    """An engine with records, and a host that sends it events."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.session = folder, Session(name="s-1")
        self.records = Records(str(folder / "records"), str(folder / "key.pem"))
        self.engine = Supervisor(Policy(isolation="none", budgets=PATIENT, records=self.records), catalog=CATALOG)

    def sends(self, host: str, *events: dict[str, Any], proposed: datetime = BEFORE) -> None:
        for each in events:
            anyio.run(self._send, host, each, proposed)

    async def _send(self, host: str, payload: dict[str, Any], proposed: datetime) -> None:
        described = HOSTS[host]
        event = described.read(payload)
        await record_declined(described, event, self.engine, self.session)
        decision, _ = await answer(described, event, self.engine, self.session)
        note_let_through(described, event, decision, self.session, proposed)

    def declined(self) -> list[dict[str, Any]]:
        return [each.predicate for each in read_records(self.folder / "records") if each.kind == "declined"]

    def misses(self) -> list[Miss]:
        store = Store(f"sqlite:///{self.folder / 'index.db'}")
        try:
            ingest.update(store, [self.folder / "records"])
            with store.reading() as connection:
                return misses(connection)
        finally:
            store.close()

    def label(self, record: str, word: Any) -> None:
        signer = open_signer(self.folder / "key.pem")
        with_journal = Journal(self.folder / "records", signer)
        give(with_journal, signer, Label(record, word, "ann", datetime.now(UTC), "console"))
        with_journal.close()


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[Deployment]:
    made = Deployment(tmp_path)
    yield made
    made.engine.close()


def real(host: str, folder: Path) -> list[dict[str, Any]]:
    """The host's events, and the session file that they name, in this folder."""
    file = folder / f"{host}.jsonl"
    file.write_bytes((REAL / f"{host}-session.jsonl").read_bytes())
    lines = (REAL / f"{host}-events.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) | {"transcript_path": str(file)} for line in lines]


@pytest.mark.parametrize(("host", "note"), [("claude", "on a branch"), ("gemini", "")])
def test_a_no_at_the_hosts_prompt_is_a_miss(host: str, note: str, deployed: Deployment, tmp_path: Path) -> None:
    deployed.sends(host, *real(host, tmp_path))
    (told,) = deployed.declined()
    assert (told["by"], told["note"], told["session"]) == (f"the user of {host}", note, "s-1")
    (miss,) = deployed.misses()
    assert (miss.record, miss.why, miss.entry) == (told["record"], "declined", "")
    assert miss.summary.endswith("touch block")
    assert [len(each.misses) for each in clusters([miss])] == [1]
    assert verify(tmp_path / "records").problems == []


def test_what_ran_is_no_miss(deployed: Deployment, tmp_path: Path) -> None:
    deployed.sends("claude", *(each for each in real("claude", tmp_path) if "touch" not in json.dumps(each)))
    assert deployed.session.not_out == {}
    assert deployed.declined() == []


def test_gemini_that_asked_before_and_may_now(deployed: Deployment, tmp_path: Path) -> None:
    """Its calls have no names: a refusal of the same call before it was proposed again says nothing of this one."""
    later = BEFORE + timedelta(days=1)
    deployed.sends("gemini", *real("gemini", tmp_path), proposed=later)
    assert deployed.declined() == []
    deployed.sends("gemini", *real("gemini", tmp_path)[:3])
    assert len(deployed.declined()) == 1


def test_the_session_file_says_nothing_of_it_yet(deployed: Deployment, tmp_path: Path) -> None:
    """Claude Code writes it a little later, and another call may come first."""
    asked, touches, *_ = real("claude", tmp_path)
    file = Path(touches["transcript_path"])
    whole = file.read_bytes()
    file.write_bytes(b"")
    other = touches | {"tool_use_id": "toolu_9", "tool_input": {"command": "ls"}}
    deployed.sends("claude", asked, touches, other)
    assert deployed.declined() == []
    file.write_bytes(whole)
    deployed.sends("claude", other | {"tool_use_id": "toolu_10"})
    assert len(deployed.declined()) == 1
    deployed.sends("claude", asked)
    assert len(deployed.declined()) == 1
    assert deployed.session.not_out == {}


def test_what_a_person_says_in_a_label_counts_more(deployed: Deployment, tmp_path: Path) -> None:
    deployed.sends("claude", *real("claude", tmp_path))
    (miss,) = deployed.misses()
    deployed.label(miss.record, "right")
    assert deployed.misses() == []


def test_a_secret_in_the_note_is_masked(deployed: Deployment, tmp_path: Path) -> None:
    events = real("claude", tmp_path)
    file = tmp_path / "claude.jsonl"
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    file.write_text(file.read_text().replace("on a branch", f"not with {token}"))
    deployed.sends("claude", *events)
    (told,) = deployed.declined()
    assert told["note"].startswith("not with SECRET_")
    assert token not in told["note"]


def test_a_session_goes_on_in_another_process() -> None:
    session = Session(name="s-1")
    session.let_through("toolu_1", LetThrough("a" * 64, BEFORE.isoformat()))
    again = Session.of_json(json.loads(json.dumps(session.to_json())))
    assert again.not_out == session.not_out
    of_a_version_before = {name: value for name, value in session.to_json().items() if name != "let_through"}
    assert Session.of_json(of_a_version_before).not_out == {}


def test_calls_that_never_come_out_are_bounded() -> None:
    session = Session()
    for number in range(1_000):
        session.let_through(str(number), LetThrough("a" * 64, BEFORE.isoformat()))
    assert list(session.not_out) == [str(number) for number in range(936, 1_000)]


@pytest.mark.parametrize("line", [b"", b"[]", b'{"toolCalls": [{"status": "cancelled"}]}', b"User denied execution."])
def test_a_chat_may_have_anything(line: bytes, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_bytes(line + b"\n" + b'{"toolCalls": 7, "result": "User denied execution."}\n')
    described = replace(HOSTS["gemini"])
    assert described.refused is not None
    assert described.refused(str(file), {"a": BEFORE.isoformat()}) == []
    assert described.refused(str(tmp_path / "absent"), {"a": ""}) == []
