"""The two ways to a server: a process, and a URL."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.adapters.calls import Calls
from supervisor.adapters.mcp.gate import Gate
from supervisor.adapters.mcp.stdio import Client, serve_process
from supervisor.adapters.mcp.streams import serve_url
from supervisor.adapters.mcp.tools import Approved, Tools
from tests.adapters.contract import _open
from tests.adapters.mcp.http_server import Answer, serving
from tests.adapters.mcp.test_gate import call, line

JSON, EVENTS = {"content-type": "application/json"}, {"content-type": "text/event-stream"}
ECHO = """
import sys
for line in sys.stdin:
    sys.stdout.write(line.replace('"method"', '"was"'))
    sys.stdout.flush()
sys.exit(3)
"""


class Side:
    """The client's side of a connection that runs in a thread."""

    def __init__(self, serve: Callable[[Client], int]) -> None:
        source, self._writes = os.pipe()
        reads, target = os.pipe()
        self._reads = os.fdopen(reads, "rb")
        self.code: int | None = None

        def run() -> None:
            self.code = serve(Client(source, target))
            os.close(target)
            os.close(source)

        self._thread = threading.Thread(target=run)
        self._thread.start()

    def say(self, sent: bytes) -> None:
        os.write(self._writes, sent)

    def hear(self) -> Any:
        return json.loads(self._reads.readline())

    def leave(self) -> bytes:
        """Hangs up, and returns what was still said."""
        os.close(self._writes)
        with self._reads:
            rest = self._reads.read()
        self._thread.join(10)
        assert not self._thread.is_alive()
        return rest


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(Approved(["server"], tmp_path))


@pytest.fixture
def gate(tools: Tools) -> Iterator[Gate]:
    guard = _open()
    yield Gate(Calls(guard), tools)
    guard.supervisor.close()


def reached(url: str, gate: Gate, tools: Tools, **headers: str) -> Side:
    return Side(lambda client: serve_url(url, headers, gate, tools.schemas, client))


def test_a_process_is_served_until_the_client_goes(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: signal.SIG_DFL)  # a thread may not
    side = Side(lambda client: serve_process([sys.executable, "-c", ECHO], gate, client))
    side.say(call(1, "BLOCK") + call(2, "please") + line(method="notifications/x"))
    heard = [side.hear() for _ in range(3)]
    assert sorted(each.get("id", 0) for each in heard) == [0, 1, 2]
    assert next(each for each in heard if each.get("id") == 1)["result"]["isError"] is True
    assert next(each for each in heard if each.get("id") == 2)["was"] == "tools/call"
    assert side.leave() == b""
    assert side.code == 3


def test_a_server_that_ends_ends_the_command(tmp_path: Path, tiny: Any) -> None:
    server = [sys.executable, "-c", "import sys; sys.exit(4)"]
    command = [sys.executable, "-m", "supervisor", "mcp", "--policy", str(tiny.policy), "--", *server]
    environment = {**os.environ, "HOME": str(tmp_path)}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert process.wait(60) == 4, "it does not wait for the client to say something"
    process.communicate()


def test_a_url_is_spoken_to_as_the_protocol_has_it(gate: Gate, tools: Tools) -> None:
    schema = {"properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "text": {"type": "string"}}}

    def answer(verb: str, headers: dict[str, str], said: Any) -> Answer:
        if verb != "POST":
            return (405 if verb == "GET" else 200), {}, b""
        if "id" not in said:
            return 202, {}, b""
        results: dict[str, Any] = {
            "initialize": {"protocolVersion": "2025-06-18", "serverInfo": {"name": "s"}},
            "tools/list": {"tools": [{"name": "note", "inputSchema": schema}]},
        }
        result = results.get(said["method"], {"content": [{"type": "text", "text": "noted"}]})
        body = json.dumps({"jsonrpc": "2.0", "id": said["id"], "result": result}, indent=1).encode()
        return 200, JSON | {"mcp-session-id": "s-1"}, body

    with serving(answer) as (url, heard):
        side = reached(url, gate, tools, Authorization="Bearer x")
        side.say(line(id=0, method="initialize", params={}))
        assert side.hear()["result"]["protocolVersion"] == "2025-06-18"
        side.say(line(method="notifications/initialized"))
        side.say(line(id=1, method="tools/list"))
        side.hear()
        side.say(call(2, "BLOCK"))
        assert side.hear()["result"]["isError"] is True
        arguments = {"text": "fine", "region": "Zürich"}
        side.say(line(id=3, method="tools/call", params={"name": "note", "arguments": arguments}))
        assert side.hear()["result"]["content"][0]["text"] == "noted"
        assert side.leave() == b""
    methods = heard.methods()
    assert [each for each in methods if each != "GET"] == [
        "POST initialize",
        "POST notifications/initialized",
        "POST tools/list",
        "POST tools/call",
        "DELETE",
    ]
    _, headers, _ = next(each for each in heard.requests if each[2] and each[2].get("id") == 3)
    assert headers["authorization"] == "Bearer x"
    assert headers["mcp-session-id"] == "s-1"
    assert headers["mcp-protocol-version"] == "2025-06-18"
    assert (headers["mcp-method"], headers["mcp-name"]) == ("tools/call", "note")
    assert headers["mcp-param-region"] == "=?base64?WsO8cmljaA==?="


def test_a_stream_passes_on_what_comes_before_the_answer_and_is_taken_up_again(gate: Gate, tools: Tools) -> None:
    def answer(verb: str, headers: dict[str, str], said: Any) -> Answer:
        if verb == "GET":
            assert headers["last-event-id"] == "e-1"
            return 200, EVENTS, b'data: {"jsonrpc":"2.0",\ndata: "id":1,"result":{"content":[]}}\n\n'
        progress = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}'
        return 200, EVENTS, b": a comment\r\nid: e-1\r\ndata: " + progress + b"\r\n\r\n"

    with serving(answer) as (url, _):
        side = reached(url, gate, tools)
        side.say(call(1, "fine"))
        assert side.hear()["method"] == "notifications/progress"
        assert side.hear() == {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
        assert side.leave() == b""


def test_a_stateless_server_is_told_of_a_cancellation_by_hanging_up(gate: Gate, tools: Tools) -> None:
    waiting = threading.Event()

    def answer(verb: str, headers: dict[str, str], said: Any) -> Answer:
        if said["method"] == "tools/call":
            waiting.set()
            return 200, EVENTS | {"content-length": "99999"}, b": nothing yet\n\n"
        return 200, JSON, json.dumps({"jsonrpc": "2.0", "id": said["id"], "result": {}}).encode()

    with serving(answer) as (url, heard):
        side = reached(url, gate, tools)
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
        side.say(call(1, "fine", _meta=meta))
        assert waiting.wait(10)
        time.sleep(0.2)
        side.say(line(method="notifications/cancelled", params={"requestId": 1}) + line(id=2, method="ping"))
        assert side.hear()["id"] == 2
        assert side.leave() == b""
    assert sorted(heard.methods()) == ["POST ping", "POST tools/call"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((500, {}, b""), "HTTP 500"),
        ((202, {}, b""), "only accepted"),
        ((307, {"location": "http://elsewhere.example/"}, b""), "HTTP 307"),
        ((200, {"content-type": "text/html"}, b"<p>"), "text/html"),
        ((200, EVENTS, b"data: \n\n"), "its stream ended"),
        (
            (401, JSON | {"www-authenticate": 'Bearer resource_metadata="https://a/b"'}, b'{"error":"invalid_token"}'),
            "a/b",
        ),
        ((404, JSON, b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"its own"}}'), "its own"),
    ],
)
def test_a_request_is_answered_whatever_the_server_does(gate: Gate, tools: Tools, answer: Answer, said: str) -> None:
    with serving(lambda *_: answer) as (url, _):
        side = reached(url, gate, tools)
        side.say(line(id=1, method="ping"))
        assert said in side.hear()["error"]["message"]
        side.leave()


def test_a_server_that_is_not_there_is_an_error_of_the_request(gate: Gate, tools: Tools) -> None:
    side = reached("http://127.0.0.1:9/mcp", gate, tools)
    side.say(line(id=1, method="ping"))
    assert "ConnectError" in side.hear()["error"]["message"]
    side.leave()


def test_wrong_use_is_said(run: Any) -> None:
    assert run("mcp").code == 2
    assert "name a server" in run("mcp", "--url", "http://x", "--", "y").err
    ran = run("mcp", "--url", "http://x", "--header", "Authorization: ${SURELY_NOT_SET}")
    assert "SURELY_NOT_SET is not set" in ran.err
    assert "other processes can read" in run("mcp", "--url", "http://x", "--header", "Authorization: Bearer abc").err
    assert run("mcp", "--approve", "--", "server").code == 0
