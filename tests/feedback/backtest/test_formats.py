"""Every format gives the same: what the user said, what was called, and what became of it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.feedback.backtest.parts import parts_of
from supervisor.feedback.backtest.sessions import Called, PastSession, Said
from supervisor.feedback.backtest.sources import sources_in
from supervisor.records.lines import lines_of
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


def test_many_conversations_of_opentelemetry_in_any_order(tmp_path: Path) -> None:
    names = ["o-2", "o-1", "o-2", "o-3", "o-1", "o-2"]
    lines = [
        _tool_span(name, start=9 - number, command=f"run {number}")
        for number, name in enumerate(names)
    ]  # fmt: skip
    lines[0]["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["startTimeUnixNano"] = "9" * 19
    found, problems = read(write_lines(tmp_path / "spans.jsonl", lines))
    assert problems == []
    assert [(session.id, [call.args["command"] for call in calls(session)]) for session in found] == [
        ("o-2", ["run 5", "run 2", "run 0"]),
        ("o-1", ["run 4", "run 1"]),
        ("o-3", ["run 3"]),
    ]


def _tool_span(conversation: str, start: int, command: str) -> dict[str, Any]:
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "bash",
        "gen_ai.tool.call.arguments": json.dumps({"command": command}),
        "gen_ai.conversation.id": conversation,
    }
    pairs = [{"key": name, "value": {"stringValue": value}} for name, value in attributes.items()]
    span = {"traceId": "t", "startTimeUnixNano": str(start), "attributes": pairs}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


@settings(max_examples=50)
@given(st.lists(st.binary(max_size=12).map(lambda raw: raw.replace(b"\n", b"")), max_size=12), st.integers(1, 30))
def test_parts_have_each_line_once(written: list[bytes], least: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "actions.jsonl"
        path.write_bytes(b"\n".join(written))
        parts = parts_of(path, least)
        assert [each for part in parts for each in lines_of(path, *part)] == list(lines_of(path))
        sizes = [part.end - part.begin for part in parts if part.end is not None]
        assert all(size >= least for size in sizes)
        assert [part.end for part in parts][-1:] == [None]


def test_a_large_file_of_actions_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "actions.jsonl"
    path.write_text(
        "".join(json.dumps({"tool": "bash", "args": {"command": f"ls {number}"}}) + "\n" for number in range(40))
        + "no JSON\n"
    )
    whole = read(path)
    monkeypatch.setattr(parts_of, "__defaults__", (200,))
    assert len(sources_in([path], lambda *_: None)) > 5
    parts = read(path)
    assert parts == whole
    assert whole[1] == [(f"{path}:41", whole[1][0][1])]
    assert whole[0][30].id == f"{path}:31"


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
