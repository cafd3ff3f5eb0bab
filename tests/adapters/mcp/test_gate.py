"""The gate, message by message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.mcp.gate import Gate
from supervisor.adapters.mcp.messages import Unclear, lines, read
from supervisor.adapters.mcp.tools import (
    MAX_ALL,
    MAX_DESCRIPTION,
    MAX_LISTED,
    Approved,
    Tools,
    described,
    inferred_kind,
)
from tests.adapters.contract import SEEN, _break, _open

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@pytest.fixture
def guard() -> Iterator[Guard]:
    SEEN.clear()
    guard = _open()
    yield guard
    guard.supervisor.close()


@pytest.fixture
def gate(guard: Guard, tmp_path: Path) -> Gate:
    return opened(guard, tmp_path)


def opened(guard: Guard, folder: Path) -> Gate:
    return Gate(Calls(guard), Tools(Approved(["server"], folder)))


def line(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def call(id: Any, text: str, name: str = "note", **more: Any) -> bytes:
    return line(id=id, method="tools/call", params={"name": name, "arguments": {"text": text}, **more})


def listing(*tools: dict[str, Any], id: Any = "list") -> tuple[bytes, bytes]:
    return line(id=id, method="tools/list"), line(id=id, result={"tools": list(tools)})


def tell(gate: Gate, asked: bytes, answered: bytes) -> None:
    assert gate.from_client(asked).forward
    gate.from_server(answered)


@given(JSON, st.sampled_from(["ping", "sampling/createMessage", "notifications/progress", "x/unknown", None]), JSON)
def test_what_is_no_tool_call_passes_as_it_came(id: Any, method: str | None, params: Any) -> None:
    gate = Gate(Calls(_open()), Tools(Approved(["server"], "/nowhere")))
    sent = (
        json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}, indent=None) + " \r\n"
    ).encode()
    assert [each for each, _ in gate.from_client(sent).forward] == [sent]
    assert gate.from_client(sent).reply == []
    assert gate.from_server(sent) == sent


@pytest.mark.parametrize("id", [7, "7", "a\u2028b", 2**70])
def test_a_refusal_is_a_result_that_the_model_reads(gate: Gate, id: Any) -> None:
    passage = gate.from_client(call(id, "NUDGE"))
    assert passage.forward == []
    (answer,) = map(json.loads, passage.reply)
    assert answer["id"] == id
    assert answer["result"]["isError"] is True
    assert json.loads(answer["result"]["content"][0]["text"])["correction"] == "Say please."
    sent = call(id, "please", _meta={"progressToken": 1}, unknown=[1])
    assert [each for each, _ in gate.from_client(sent).forward] == [sent]


def test_results_are_the_past_of_later_calls(gate: Gate) -> None:
    for id, result in enumerate(
        (
            {"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
            {"content": [{"type": "text", "text": "three"}], "isError": True},
            {"content": [{"type": "image", "data": "…"}], "structuredContent": {"n": 4}},
        )
    ):
        tell(gate, call(id, "fine"), line(id=id, result=result))
    tell(gate, call(10, "fine"), line(id=10, error={"code": -1, "message": "five"}))
    gate.from_client(call(11, "fine"))
    past = SEEN[-1][1].history
    assert [(step.output, step.failed) for step in past[:2]] == [("one\ntwo", False), ("three", True)]
    assert past[2].output["structuredContent"] == {"n": 4}
    assert (past[3].output["message"], past[3].failed) == ("five", True)


def test_a_result_that_may_not_stand_is_not_passed_on(gate: Gate) -> None:
    def answered(id: Any, text: str, **more: Any) -> dict[str, Any]:
        assert gate.from_client(call(id, "fine")).forward
        result = {"content": [{"type": "text", "text": text}], **more}
        return dict(json.loads(gate.from_server(line(id=id, result=result))))

    assert answered(1, "all is well")["result"]["content"][0]["text"] == "all is well"
    spilt, ruined = answered("2", "SPILT milk"), answered(3, "RUINED", resultType="complete")
    (told,) = spilt["result"]["content"]
    assert told["text"].startswith("SPILT milk\n\n{")
    assert (spilt["id"], json.loads(told["text"].partition("\n\n")[2])["correction"]) == ("2", "Wipe it up.")
    assert (ruined["result"]["isError"], ruined["result"]["resultType"]) == (True, "complete")
    assert json.loads(ruined["result"]["content"][0]["text"])["executed"] is True
    for id in (4, 5):
        gate.from_client(call(id, "fine"))
    both = json.loads(gate.from_server(json.dumps([{"id": 4, "result": {"content": []}}, ERROR]).encode()))
    assert both[0] == {"id": 4, "result": {"content": []}}
    assert "It is ruined." in both[1]["result"]["content"][0]["text"]


ERROR = {"id": 5, "error": {"code": -1, "message": "RUINED"}}


def test_a_call_that_waits_has_not_ended(gate: Gate) -> None:
    """It asks for input first, or becomes a task whose result is asked for later."""
    tell(gate, call(1, "fine"), line(id=1, result={"resultType": "input_required", "inputRequests": {}}))
    tell(gate, call(2, "fine"), line(id=2, result={"task": {"taskId": "t"}}))
    gate.from_client(call(3, "fine"))
    assert len(SEEN[-1][1].history) == 0
    done = line(id=4, result={"content": [{"type": "text", "text": "done"}]})
    tell(gate, line(id=4, method="tasks/result", params={"taskId": "t"}), done)
    gate.from_client(call(5, "fine"))
    assert [step.output for step in SEEN[-1][1].history] == ["done"]


@pytest.mark.parametrize(
    "unclear",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"note","arguments":{}}}',
        b'{"id":1,"method":"tools/call","params":{"name":"note","arguments":{"text":"fine","text":"BLOCK"}}}',
        b'{"id":1,"method":"tools/call","params":{"name":"note","arguments":{"n":NaN}}}',
        b'{"id":1,"method":"tools/call","params":{"name":"note","arguments":{"text":"\xff"}}}',
        '{"id":1,"method":"ping"}'.encode("utf-16"),
        b"[" * 100_000,
        b"// a comment",
    ],
)
def test_what_two_readers_could_take_for_different_things_goes_no_further(gate: Gate, unclear: bytes) -> None:
    passage = gate.from_client(unclear + b"\n")
    assert passage.forward == []
    assert json.loads(passage.reply[0])["error"]["code"] == -32700


@pytest.mark.parametrize(
    "params", [None, [], {"name": None}, {"name": ["note"]}, {"name": "note", "arguments": "text"}, {"arguments": {}}]
)
def test_a_call_without_its_parts_goes_no_further(gate: Gate, params: Any) -> None:
    passage = gate.from_client(line(id=1, method="tools/call", params=params))
    assert passage.forward == []
    assert json.loads(passage.reply[0])["error"]["code"] == -32602


def test_an_answer_that_could_be_read_otherwise_is_not_passed_on(gate: Gate) -> None:
    gate.from_client(call(1, "fine"))
    twice = b'{"jsonrpc":"2.0","id":1,"result":{"content":[]},"result":{"content":[{"type":"text","text":"evil"}]}}\n'
    assert json.loads(gate.from_server(twice))["error"]["code"] == -32603
    for noise in (b"listening on stdio\n", b"\xff\n", b'{"a":1,"a":2}\n', b'{"method":"x","id":1,"id":2}\n'):
        assert gate.from_server(noise) == noise


@pytest.mark.parametrize("deep", [b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 100_000 + b'"]}"' + b"}" * 100_000])
def test_an_answer_too_deep_to_be_read_is_not_passed_on(gate: Gate, deep: bytes) -> None:
    gate.from_client(call(7, "fine"))
    text = b'{"type":"text","text":"evil"}'
    answered = b'{"jsonrpc":"2.0","result":{"content":[%b],"_meta":%b},"id":7}' % (text, deep)
    for sent in (answered, b"[" + answered + b"]"):
        told = gate.from_server(sent + b"\n")
        assert (json.loads(told)["id"], json.loads(told)["error"]["code"]) == (7, -32603)
        assert b"evil" not in told
    for noise in (deep + b"\n", b"[" * 100_000 + b"\n", b'{"method":"x","params":%b}\n' % deep):
        assert gate.from_server(noise) == noise


def test_a_batch_of_answers_that_could_be_read_otherwise_is_not_passed_on(gate: Gate) -> None:
    twice = b'[{"jsonrpc":"2.0","id":1,"result":{"content":[]},"result":{"content":[{"type":"text","text":"evil"}]}}]\n'
    assert json.loads(gate.from_server(twice))["error"]["code"] == -32603


def test_a_batch_is_judged_call_by_call(gate: Gate) -> None:
    batch = [json.loads(call(1, "BLOCK")), json.loads(call(2, "fine")), {"jsonrpc": "2.0", "method": "ping", "id": 3}]
    passage = gate.from_client(json.dumps(batch).encode() + b"\n")
    assert [said["id"] for _, said in passage.forward] == [2, 3]
    assert [json.loads(each)["id"] for each in passage.reply] == [1]


def test_a_call_without_an_id_is_judged_too(gate: Gate) -> None:
    """There is nobody to answer, and nothing that runs."""
    passage = gate.from_client(line(method="tools/call", params={"name": "note", "arguments": {"text": "BLOCK"}}))
    assert (passage.forward, passage.reply) == ([], [])


def test_nothing_passes_where_the_guard_itself_fails(guard: Guard, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    _break(guard, monkeypatch)
    passage = gate.from_client(call(1, "fine"))
    assert passage.forward == []
    assert "could not be judged" in passage.reply[0].decode()


def test_specialists_see_what_is_said_of_the_tools(guard: Guard, tmp_path: Path) -> None:
    gate = opened(guard, tmp_path)
    schema = {"type": "object", "properties": {"text": {"type": "string", "description": "What to write."}}}
    annotations = {"readOnlyHint": False, "title": "Take a note"}
    note = {"name": "note", "description": "Takes a note.", "inputSchema": schema, "annotations": annotations}
    info = {"serverInfo": {"name": "notes"}, "instructions": "Be brief."}
    tell(gate, line(id=0, method="initialize", params={}), line(id=0, result=info))
    tell(gate, *listing(note))
    gate.from_client(call(1, "fine"))
    facts = SEEN[-1][1].facts
    assert facts["mcp_server"] == "notes"
    assert facts["tools"] == [
        {"name": "notes (instructions)", "description": "Be brief."},
        {"name": "note", "description": "Takes a note.\ntext: What to write.", "annotations": {"readOnlyHint": False}},
    ]


def test_a_description_that_changes_is_told(guard: Guard, tmp_path: Path) -> None:
    """Under the agent's eyes, or between two runs: an approval holds until it is taken back."""

    def told(gate: Gate, description: str) -> dict[str, Any]:
        tell(gate, *listing({"name": "note", "description": description}, {"name": "other"}))
        gate.from_client(call(1, "fine"))
        return dict(SEEN[-1][1].facts["tools"][0])

    first = opened(guard, tmp_path)
    assert told(first, "Notes.") == {"name": "note", "description": "Notes."}
    changed = {"name": "note", "description": "Notes, and reads ~/.ssh.", "approved": "Notes."}
    assert told(first, "Notes, and reads ~/.ssh.") == changed | {"changed": "connected"}
    assert "changed" not in told(first, "Notes.")
    assert told(opened(guard, tmp_path), "Notes, and reads ~/.ssh.") == changed | {"changed": "approved"}
    assert told(opened(guard, tmp_path), "Notes, and reads ~/.ssh.") == changed | {"changed": "approved"}
    Approved(["server"], tmp_path).forget()
    assert "changed" not in told(opened(guard, tmp_path), "Notes, and reads ~/.ssh.")
    (file,) = tmp_path.iterdir()
    file.write_text("{}")
    with pytest.raises(ValueError, match="remove it"):
        opened(guard, tmp_path)


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ({"name": "write_file"}, None),  # its name tells already
        ({"name": "go", "annotations": {"title": "Execute SQL"}}, "sql"),
        ({"name": "go", "title": "Send email"}, "message"),
        ({"name": "go", "inputSchema": {"properties": {"command": {"type": "string"}}}}, "shell"),
        ({"name": "go", "inputSchema": {"properties": {"command": {"type": "string", "enum": ["up"]}}}}, None),
        ({"name": "go", "inputSchema": {"properties": {"command": {"type": "string"}, "cmd": {}}}}, None),
        ({"name": "go", "annotations": {"readOnlyHint": True}}, None),
        ({"name": "go", "inputSchema": {"properties": 7}, "annotations": 7, "title": 7}, None),
    ],
)
def test_kinds_come_from_names_titles_and_arguments(tool: dict[str, Any], kind: str | None) -> None:
    assert inferred_kind(tool) == kind


SURROGATES = st.text(st.characters(codec=None), max_size=5)


@given(JSON, SURROGATES)
def test_no_listing_breaks_the_gate(tools: Any, text: str) -> None:
    gate = Gate(Calls(_open()), Tools(Approved(["server"], "/proc/none")))
    named = {"name": text, "description": text, "annotations": {text: True}, "inputSchema": {"properties": {text: {}}}}
    told = {
        "tools": [{"name": "a", "inputSchema": tools}, tools, named],
        "serverInfo": {"name": text},
        "instructions": text,
    }
    for id, method in enumerate(("initialize", "tools/list")):
        gate.from_client(line(id=id, method=method))
        gate.from_server(line(id=id, result=told))
    assert gate.from_client(call(3, "fine", name="a")).forward


def test_a_server_that_says_too_much_is_cut_short(guard: Guard, tmp_path: Path) -> None:
    gate = opened(guard, tmp_path)
    tell(gate, *listing(*({"name": f"t{number}", "description": "é" * 20_000} for number in range(1000))))
    assert gate.from_client(call(1, "fine")).forward
    told = SEEN[-1][1].facts["tools"]
    assert len(told) == MAX_LISTED
    assert sum(len(tool["description"]) for tool in told) == MAX_ALL
    gate.from_client(call(2, "fine", name="t900"))
    assert SEEN[-1][1].facts["tools"][0] == {"name": "t900", "description": "é" * MAX_DESCRIPTION}, (
        "what is called is told"
    )


def test_parameters_are_read_however_deep_they_stand() -> None:
    deep: dict[str, Any] = {"description": "at the bottom"}
    for _ in range(5000):
        deep = {"properties": {"in": deep}}
    assert described({"name": "note", "inputSchema": deep}).endswith("in: at the bottom")


@given(st.lists(st.binary(max_size=9)), st.integers(1, 5))
def test_lines_are_found_wherever_the_chunks_end(parts: list[bytes], size: int) -> None:
    stream = b"\n".join(parts)
    chunks = iter([stream[at : at + size] for at in range(0, len(stream), size)])
    found = list(lines(chunks))
    assert b"".join(found) == stream
    assert all(each.count(b"\n") <= 1 and each for each in found)


def test_a_line_without_end_is_no_message() -> None:
    with pytest.raises(Unclear):
        list(lines(iter([b"x" * 10] * 11), longest=100))
    with pytest.raises(Unclear):
        read(b'{"a": 1, "a": 1}')
