"""Every format gives the same: what the user said, what was called, and what became of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from supervisor.feedback.backtest.sessions import Called, PastSession, Said
from supervisor.feedback.backtest.sources import sources_in
from tests.feedback.backtest.transcripts import claude, codex, gemini, spans, write_lines

Problems = list[tuple[str, str]]


def read(path: Path) -> tuple[list[PastSession], Problems]:
    problems: Problems = []

    def report(place: str, why: str) -> None:
        problems.append((place, why))

    found = sources_in([path], report)
    return [session for source in found for session in source.sessions(report)], problems


def told(session: PastSession) -> list[tuple[str, ...]]:
    """The events without what differs between the formats."""
    return [
        ("said", event.text) if isinstance(event, Said) else ("called", event.tool, event.after)
        for event in session.events
    ]


def calls(session: PastSession) -> list[Called]:
    return [event for event in session.events if isinstance(event, Called)]


def test_claude_code(tmp_path: Path) -> None:
    path = claude(tmp_path, [("ls", "a.txt"), ("make", None)])
    (session,), problems = read(path)
    assert problems == []
    assert (session.id, session.project) == ("s-1", "/srv/shop")
    assert told(session) == [
        ("said", "Tidy up"),
        ("called", "Bash", "ran"),
        ("called", "Bash", "unknown"),
        ("said", "thanks"),
    ]
    assert calls(session)[0].output == "a.txt"
    assert calls(session)[0].place == f"{path}:4"


def test_what_claude_codes_user_refused_did_not_run(tmp_path: Path) -> None:
    path = claude(tmp_path, [("ls", "x")])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    (part,) = lines[4]["message"]["content"]
    part |= {"is_error": True, "content": "The user doesn't want to proceed with this tool use. Stop."}
    write_lines(path, lines)
    assert told(read(path)[0][0])[1] == ("called", "Bash", "refused by the user")


def test_a_subagent_of_claude_code_is_a_session_of_its_own(tmp_path: Path) -> None:
    path = claude(tmp_path, [("ls", "x")])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    write_lines(path, [*lines, *({**line, "isSidechain": True} for line in lines[1:])])
    assert [session.id for session in read(path)[0]] == ["s-1", "s-1:subagent"]


def test_codex(tmp_path: Path) -> None:
    (session,), problems = read(codex(tmp_path, "git push", exit_code=1))
    assert problems == []
    assert (session.id, session.project) == ("c-1", "/srv/api")
    assert told(session) == [("said", "push it"), ("called", "shell", "failed")]
    assert calls(session)[0].args["command"] == ["bash", "-lc", "git push"]
    assert calls(session)[0].output == "done"


@pytest.mark.parametrize(
    ("status", "after"), [("success", "ran"), ("error", "failed"), ("cancelled", "refused by the user")]
)
def test_gemini(tmp_path: Path, status: str, after: str) -> None:
    (session,), problems = read(gemini(tmp_path, "ls", status))
    assert problems == []
    assert told(session) == [("said", "tidy"), ("called", "run_shell_command", after)]


def test_opentelemetry(tmp_path: Path) -> None:
    (session,), problems = read(spans(tmp_path / "spans.jsonl", "make install"))
    assert problems == []
    assert session.id == "o-1"
    assert told(session) == [("said", "install it"), ("called", "bash", "failed")]
    assert calls(session)[0].args == {"command": "make install"}


def test_lines_of_check(tmp_path: Path) -> None:
    line = {"tool": "bash", "args": {"command": "ls"}, "context": {"task": "look", "cwd": "/srv"}}
    path = write_lines(tmp_path / "actions.jsonl", [line, line])
    found, problems = read(path)
    assert problems == []
    assert [told(session) for session in found] == [[("said", "look"), ("called", "bash", "unknown")]] * 2


def test_signed_records(tmp_path: Path, run) -> None:
    action = {"tool": "bash", "args": {"command": "rm -rf /"}, "context": {"task": "tidy", "cwd": "/srv"}}
    run("check", "--records", tmp_path / "records", stdin=json.dumps(action))
    (session,), problems = read(tmp_path / "records")
    assert problems == []
    assert session.project == "/srv"
    assert told(session) == [("said", "tidy"), ("called", "bash", "unknown")]


MALFORMED = {
    "cut": b'{"type": "user", "mess',
    "no JSON": b"hello\n",
    "no object": b"[1]\n",
    "NUL": b"\0\0\0\n",
    "a lone surrogate": b'{"type": "user", "message": {"content": "\\ud800"}}\n',
    "ill-typed parts": b'{"type": "assistant", "message": {"content": [3, null, {"type": "tool_use"}]}}\n',
    "a number beyond a double": b'{"type": "user", "sessionId": "s", "message": {"content": 1e999}}\n',
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_line_loses_nothing_else(tmp_path: Path, name: str) -> None:
    path = claude(tmp_path, [("ls", "x")])
    before = told(read(path)[0][0])
    path.write_bytes(path.read_bytes() + MALFORMED[name])
    sessions, _ = read(path)
    assert told(sessions[0]) == before


def test_what_cannot_be_read_is_reported_with_its_place(tmp_path: Path) -> None:
    path = claude(tmp_path, [("ls", "x")])
    path.write_bytes(path.read_bytes() + b"hello\n")
    (tmp_path / ".claude" / "odd.jsonl").write_text('{"neither": 1}\n')
    (tmp_path / ".claude" / "loop").symlink_to(tmp_path / ".claude")
    (tmp_path / ".claude" / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    problems = read(tmp_path / ".claude")[1]
    number = path.read_text().count("\n")
    assert f"{path}:{number}" in [place for place, _ in problems]
    assert {Path(place).name for place, why in problems} >= {"odd.jsonl", "gone.jsonl"}
