"""How a person is to allow what was stopped is told to the host's user, and never to the agent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.adapters.hooks import HOSTS
from supervisor.adapters.hooks.answering import Reply, answer
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Policy, Records
from tests.engine.approvals.asking import CATALOG
from tests.patience import PATIENT

HOW = "supervisor allow --record "
CLAUDE = {"session_id": "s-1", "cwd": "/work", "permission_mode": "default"}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Supervisor]:
    records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
    opened = Supervisor(Policy(isolation="none", budgets=PATIENT, records=records), catalog=CATALOG)
    yield opened
    opened.close()


def told(host: str, engine: Supervisor, session: Session, **event: Any) -> tuple[Decision | None, Reply]:
    usual: dict[str, Any] = CLAUDE if host == "claude" else {"conversation_id": "c-1", "workspace_roots": ["/work"]}
    return anyio.run(answer, HOSTS[host], HOSTS[host].read(usual | event), engine, session)


def proposed(command: str) -> dict[str, Any]:
    return {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}}


FINISH = {"hook_event_name": "Stop", "last_assistant_message": "Done."}


def test_claude_codes_user_is_told_once_at_the_end_of_the_turn(engine: Supervisor) -> None:
    session = Session()
    assert told("claude", engine, session, **FINISH)[1].text == ""
    for command in ("wipe a", "ls", "wipe b", "odd"):
        _, reply = told("claude", engine, session, **proposed(command))
        assert HOW not in reply.text
        assert reply.refused is command.startswith("wipe")
    told("claude", engine, session, **FINISH | {"hook_event_name": "SubagentStop", "agent_type": "Explore"})
    _, reply = told("claude", engine, session, **FINISH)
    message = json.loads(reply.text)
    assert [*message] == ["systemMessage"]
    assert (reply.refused, message["systemMessage"].count(HOW)) == (False, 2)
    assert told("claude", engine, session, **FINISH)[1].text == ""


def test_it_names_the_record_of_what_was_stopped(engine: Supervisor) -> None:
    session = Session()
    decision, _ = told("claude", engine, session, **proposed("wipe"))
    assert decision is not None
    assert decision.record
    assert f"{HOW}{decision.record[:12]}" in told("claude", engine, session, **FINISH)[1].text


def test_no_more_than_a_few_are_told(engine: Supervisor) -> None:
    session = Session()
    for number in range(9):
        told("claude", engine, session, **proposed(f"wipe {number}"))
    assert told("claude", engine, session, **FINISH)[1].text.count(HOW) == 5


def test_cursors_user_reads_it_beside_the_refusal(engine: Supervisor) -> None:
    shell = {"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {"command": "wipe"}}
    _, reply = told("cursor", engine, Session(), **shell)
    denial = json.loads(reply.text)
    assert HOW in denial["user_message"]
    assert HOW not in denial["agent_message"]


def test_without_records_there_is_nothing_to_name() -> None:
    opened = Supervisor(Policy(isolation="none", budgets=PATIENT, records=Records(path=None)), catalog=CATALOG)
    session = Session()
    assert told("claude", opened, session, **proposed("wipe"))[1].refused
    assert told("claude", opened, session, **FINISH)[1].text == ""
    opened.close()
