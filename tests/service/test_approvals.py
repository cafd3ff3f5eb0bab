"""A person's answer reaches an action from wherever it is given: a folder, the daemon, a host's own prompt."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import Blocked
from supervisor.engine.remote.client import Remote
from supervisor.errors import BadInput
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.conftest import TinyTaxonomy
from tests.service.daemons import Daemon

ASK = {"ask": [{"verdicts": ["flag", "nudge", "block"], "families": ["files", "system"]}]}
LINE = {"tool": "bash", "args": {"command": "touch block"}, "session": "s", "context": {"agent": "bot"}}


def asking(folder: Path, tiny: TinyTaxonomy, **approval: Any) -> Path:
    records = {"path": str(folder / "records"), "key": str(folder / "key.pem")}
    return tiny.set_policy(records=records, approval=ASK | approval)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, make_taxonomy: Callable[[Path], TinyTaxonomy]) -> Iterator[Daemon]:
    """A daemon whose callers wait for a person."""
    folder = tmp_path_factory.mktemp("asked")
    running = Daemon(folder, make_taxonomy(folder))
    asking(folder, running.tiny, wait=600, valid_for=600)
    running.start()
    yield running
    assert running.stop() == 0, running.log
    assert verify(folder / "records").problems == []


@pytest.fixture
def remote(asked: Daemon, monkeypatch: pytest.MonkeyPatch) -> Iterator[Remote]:
    monkeypatch.setenv("SUPERVISOR_TOKEN_FILE", str(asked.folder / "token"))
    made = Remote(asked.url)
    yield made
    made.close()


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody at the terminal who says yes to everything; that there has to be one is tested with real terminals."""
    monkeypatch.setattr("supervisor.cli.terminal.confirm", lambda *_: None)


def waiting(remote: Remote, said: str) -> dict[str, Any]:
    while True:
        for question in remote.questions():
            if said in str(question["action"]["args"]):
                return question
        time.sleep(0.01)


def test_the_verbs_answer_in_a_folder_of_records(
    tiny: TinyTaxonomy, tmp_path: Path, run: Any, monkeypatch: Any, person: None
) -> None:
    monkeypatch.setenv("SUPERVISOR_POLICY", str(asking(tmp_path, tiny)))
    assert run("review").code == 2  # there are no records yet
    line = json.dumps(LINE)
    assert run("check", stdin=line).code == 1
    shown = run("review")
    assert shown.code == 0
    for word in ("bot", "touch block", "1 action waiting for approval"):
        assert word in shown.out
    question = json.loads(run("review", "--json").out)
    name = question["id"][:12]
    assert [each["specialist"] for each in question["objections"]] == ["touches_block"]
    assert run("approve", "000000000000").code == 2
    assert json.loads(run("approve", name, "--by", "ann", "--note", "mine", "--json").out)["by"] == "ann"
    second = run("deny", name)
    assert (second.code, second.out) == (1, "")
    assert "approved already, by ann [already_answered]" in second.err
    told = run("check", stdin=line)
    assert (told.code, json.loads(told.out)["approval"]["note"]) == (0, "mine")
    assert run("check", stdin=line).code == 1
    assert run("deny", name).code == 0
    assert "denied" in run("check", stdin=line).out
    assert run("review", "--json").out == ""
    assert run("verify", tmp_path / "records").code == 0


def test_only_the_key_that_signs_the_records_answers(tiny: TinyTaxonomy, tmp_path: Path, run: Any) -> None:
    policy = asking(tmp_path, tiny)
    assert run("check", "--policy", policy, stdin=json.dumps(LINE)).code == 1
    (tmp_path / "key.pem").rename(tmp_path / "kept.pem")
    refused = run("approve", "000000", "--policy", policy)
    assert (refused.code, "[no_key]" in refused.err) == (2, True)
    assert not (tmp_path / "key.pem").exists()
    other = tmp_path / "other.pem"
    tiny.set_policy(records={"path": str(tmp_path / "else"), "key": str(other)})
    assert run("check", "--policy", policy, stdin=json.dumps(LINE)).code == 1
    refused = run("approve", "000000", "--policy", policy, "--records", tmp_path / "records")
    assert (refused.code, "[wrong_key]" in refused.err) == (2, True)


def test_a_guard_waits_for_an_answer_that_the_daemon_takes(
    asked: Daemon, remote: Remote, run: Any, monkeypatch: Any, person: None
) -> None:
    monkeypatch.setenv("SUPERVISOR_URL", asked.url)
    guard, ran = Guard(remote), []

    @guard
    def bash(command: str) -> None:
        ran.append(command)

    def working() -> None:
        with guard.session(agent="bot"):
            bash("touch block daemon")

    agent = threading.Thread(target=working)
    agent.start()
    name = waiting(remote, "touch block daemon")["id"]
    assert ran == []
    assert name[:12] in run("review").out
    assert run("approve", name, "--by", "ann").code == 0
    agent.join()
    assert ran == ["touch block daemon"]
    assert run("deny", name, "--by", "bob").code == 2  # it is used up


def test_who_has_not_the_token_cannot_answer(asked: Daemon, remote: Remote, tmp_path: Path, monkeypatch: Any) -> None:
    for token in ("", "Authorization: Bearer wrong\r\n"):
        body = b'{"id": "000000", "answer": "approved", "by": "agent"}'
        head = (
            f"POST /v1/approvals HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{token}Content-Length: {len(body)}\r\n\r\n"
        )
        assert asked.exchange(head.encode() + body).startswith(b"HTTP/1.1 401")
    with pytest.raises(BadInput, match=r"no (such )?question waits for an answer"):
        remote.answer("000000", "approved", "ann")


def test_nothing_runs_where_the_daemon_dies_while_a_person_is_asked(
    tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy]
) -> None:
    daemon = Daemon(tmp_path, make_taxonomy(tmp_path))
    asking(tmp_path, daemon.tiny, wait=600, valid_for=600)
    daemon.start()
    remote, said = Remote(daemon.url, daemon.token), []
    guard = Guard(remote)

    @guard
    def bash(command: str) -> None:
        said.append("ran")

    def working() -> None:
        with guard.session(agent="bot") as session:
            said.append(session.id)
            try:
                bash("touch block")
            except Blocked as refused:
                said.append(refused.decision.unjudged or "")

    agent = threading.Thread(target=working)
    agent.start()
    name = waiting(remote, "touch block")["id"]
    assert daemon.process is not None
    daemon.process.kill()
    daemon.process.wait()
    daemon.start()
    (question,) = remote.questions()
    assert question["id"] == name
    assert said == said[:1]  # it waits on, and has not run
    remote.answer(name, "denied", "ann")
    agent.join()
    assert "ran" not in said
    assert daemon.stop() == 0
    remote.close()


def event(name: str, mode: str | None, command: str, **more: Any) -> dict[str, Any]:
    told = {
        "session_id": "c",
        "cwd": "/w",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "t1",
    }
    return {"hook_event_name": name, **told, **({"permission_mode": mode} if mode else {}), **more}


def posted(asked: Daemon, host: str, told: dict[str, Any]) -> tuple[int, str]:
    body = json.dumps(told).encode()
    head = f"POST /hook/{host} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    answer = asked.exchange(head.encode() + body)
    return int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2].decode()


def test_claude_code_asks_its_own_user_whose_yes_is_recorded(asked: Daemon, remote: Remote) -> None:
    command = "touch block claude"
    status, told = posted(asked, "claude", event("PreToolUse", "default", command))
    said = json.loads(told)["hookSpecificOutput"]
    assert (status, said["permissionDecision"], said["hookEventName"]) == (200, "ask", "PreToolUse")
    name = waiting(remote, command)["id"]
    assert f"supervisor approve {name[:12]}" in said["permissionDecisionReason"]
    assert posted(asked, "claude", event("PostToolUse", "default", command, tool_response={"stdout": "x"}))[0] == 200
    assert command not in str(remote.questions())
    (answer,) = (
        record.predicate
        for record in read_records(asked.folder / "records")
        if record.kind == "approval" and record.predicate["approval"] == name
    )
    assert (answer["answer"], answer["via"], answer["by"]) == ("approved", "claude", "the user of claude")
    assert "ask" in posted(asked, "claude", event("PreToolUse", "default", command))[1]  # that was for one run


def test_the_no_of_claude_codes_own_user_is_found_in_the_transcript(
    asked: Daemon, remote: Remote, tmp_path: Path
) -> None:
    """No hook tells of it. Only a no counts: an agent may be able to write there."""
    no, said = "The user doesn't want to proceed with this tool use. Said:", "the user said:\nuse a branch"
    lines = [
        b"no JSON with t-a in it",
        _result("t-a", True, "Error: a tool failed"),
        _result("t-a", False, f"{no} {said}"),
        _result("t-a", True, [{"type": "text", "text": no}]),
        _result("t-b", True, f"{no} {said}"),
    ]
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_bytes(b"x" * 2_000_000 + b"\n" + b"\n".join(lines))
    for call in ("t-a", "t-b"):
        posted(asked, "claude", event("PreToolUse", "default", f"touch block {call}", tool_use_id=call))
    for file in ("/dev/zero", "/none", str(transcript)):
        posted(asked, "claude", event("UserPromptSubmit", "default", "", prompt="go on", transcript_path=file))
    answers = [each.predicate for each in read_records(asked.folder / "records") if each.kind == "approval"]
    told = [(each["answer"], each["by"], each["note"]) for each in answers if each["note"] == "use a branch"]
    assert told == [("denied", "the user of claude", "use a branch")]
    assert "touch block t-a" in str(remote.questions())
    status, heard = posted(asked, "claude", event("PreToolUse", "default", "touch block t-b", tool_use_id="t-c"))
    assert (status, "denied:touches_block" in heard) == (403, True)


def _result(call: str, is_error: bool, content: Any) -> bytes:
    part = {"type": "tool_result", "tool_use_id": call, "is_error": is_error, "content": content}
    return json.dumps({"type": "user", "message": {"role": "user", "content": [part]}}).encode()


@pytest.mark.parametrize(
    ("host", "mode"), [("claude", "bypassPermissions"), ("claude", "dontAsk"), ("claude", None), ("codex", "default")]
)
def test_where_a_host_would_not_ask_the_hook_waits_for_the_queue(
    asked: Daemon, remote: Remote, host: str, mode: str | None
) -> None:
    """In these modes a host that is told to ask lets the tool run."""
    command = f"touch block {host} {mode}"
    answered: list[tuple[int, str]] = []
    agent = threading.Thread(target=lambda: answered.append(posted(asked, host, event("PreToolUse", mode, command))))
    agent.start()
    remote.answer(waiting(remote, command)["id"], "denied", "ann")
    agent.join()
    ((status, told),) = answered
    assert (status, "denied:touches_block" in told) == (403, True)
