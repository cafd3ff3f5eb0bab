"""The daemon decides as an engine in the process does, for many at once, whatever some of them do."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import stat
import subprocess
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest

from supervisor import Supervisor, Verdict, read_policy
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import Blocked
from supervisor.engine.remote.client import Remote
from supervisor.engine.session import Session
from supervisor.errors import BadInput
from supervisor.intake.json_values import MAX_CHARACTERS, MAX_TEXT
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from supervisor.service.places import MOST

COMMANDS = ("ls", "touch flag", "touch nudge", "touch block", "touch flag; touch nudge")


@pytest.fixture
def remote(daemon):
    made = Remote(daemon.url)
    yield made
    made.close()


def test_the_socket_and_the_token_are_their_owners_alone(daemon):
    assert stat.S_IMODE(daemon.socket.stat().st_mode) == 0o600
    assert stat.S_IMODE((daemon.folder / "token").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("path", "token", "status"), [("health", "", 200), ("v1/tools", "", 401), ("v1/tools", "no", 401)]
)
def test_a_stranger_on_the_port_learns_only_whether_it_is_well(daemon, path, token, status):
    headers = {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"http://127.0.0.1:{daemon.port}/{path}", headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            found = answer.status
    except urllib.error.HTTPError as error:
        found = error.code
        error.close()
    assert found == status


def test_it_decides_and_records_as_an_engine_here_does(daemon, remote):
    supervisor = Supervisor(read_policy(daemon.tiny.policy))
    by_port = Remote(f"http://127.0.0.1:{daemon.port}", daemon.token)
    for command in COMMANDS:
        action = remote.action("bash", {"command": command})
        ours = supervisor.decide_from_thread(action)
        for client in (remote, by_port):
            theirs = client.decide_from_thread(action)
            assert (theirs.action, theirs.opinions, theirs.asked) == (ours.action, ours.opinions, ours.asked)
            assert (theirs.verdict, theirs.by, theirs.review, theirs.message()) == (
                *(ours.verdict, ours.by, ours.review, ours.message()),
            )
            assert theirs.record is not None
    by_port.close()
    supervisor.close()
    assert verify(daemon.folder / "records").problems == []


def test_check_asks_the_daemon_and_answers_the_same(daemon, run, monkeypatch):
    line = json.dumps({"id": 7, "tool": "bash", "args": {"command": "touch nudge"}})
    alone = json.loads(run("check", "--policy", daemon.tiny.policy, stdin=line).out)
    monkeypatch.setenv("SUPERVISOR_URL", daemon.url)
    asked = run("check", stdin=line)
    told = json.loads(asked.out)
    assert asked.code == 1
    for each in (alone, told):
        del each["elapsed_ms"]
        assert len(each.pop("record")) == 64
    assert {**told, "id": 7} == alone == told
    (bad, good) = run("check", "--jsonl", stdin='{"id": 1, "tool": 7}\n{"id": 2, "tool": "bash"}').out.splitlines()
    error = "tool: a name of 1 to 256 characters is needed"
    assert json.loads(bad) == {"version": 1, "id": 1, "error": error, "code": "bad_input"}
    assert json.loads(good)["verdict"] == "ok"
    assert run("check", "--policy", daemon.tiny.policy, stdin=line).code == 2


def test_a_guard_lives_with_the_daemon(daemon, remote):
    guard, ran = Guard(remote), []

    @guard
    def bash(command: str) -> str:
        ran.append(command)
        return "out"

    with guard.session(agent="coder", task="a task") as session:
        assert bash("ls") == "out"
        for _ in range(2):
            assert guard.check("bash", {"command": "touch nudge"}).verdict is Verdict.NUDGE
        with pytest.raises(Blocked):  # the daemon has counted the nudges of this session
            bash("touch nudge")
        action = remote.action("bash", {"command": "pwd"})
        assert remote._daemon.post("/v1/observe", {"session": session.id, "action": _wire(action)}) == {"steps": 2}
    assert ran == ["ls"]


def _wire(action):
    return {"tool": action.tool, "args": dict(action.args), "kind": action.kind, "fields": dict(action.fields)}


def test_bad_input_is_the_callers_fault_and_silence_is_not(daemon, remote, tmp_path):
    with pytest.raises(BadInput, match="more than the"):
        remote.action("bash", {"command": "x" * 5_000_000})
    with pytest.raises(BadInput, match="neither unix"):
        Remote("ftp://example.com")
    silent = Remote(f"unix:{tmp_path}/none.sock")
    decision = silent.decide_from_thread(silent.action("bash", {"command": "ls"}))
    assert (decision.verdict, decision.allowed) == (Verdict.BLOCK, False)
    assert "none.sock: no answer" in decision.reason
    willing = Remote(f"unix:{tmp_path}/none.sock", on_failure=Verdict.FLAG)
    assert willing.decide_from_thread(remote.action("bash", {"command": "ls"})).verdict is Verdict.FLAG
    line = {"tool": "bash", "args": {"command": "ls"}, "id": 7}
    told = [anyio.run(each.decide_line, line) for each in (silent, willing)]
    assert [(each["id"], each["verdict"]) for each in told] == [(7, "block"), (7, "flag")]
    with pytest.raises(BadInput):
        anyio.run(willing.decide_line, {"tool": 7})


_ONCE = b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
_TWO = b"Content-Length: 2\r\n\r\n"
LIES = {
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "an endless head": (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 10_000, 431),
    "two lengths": (b"POST /v1/check" + _ONCE + b"Content-Length: 1\r\n" + _TWO + b"{}", 400),
    "a length below nothing": (b"POST /v1/check" + _ONCE + b"Content-Length: -5\r\n\r\n", 400),
    "no such route": (b"GET /../../etc/passwd" + _ONCE + b"\r\n", 404),
    "another method": (b"DELETE /health" + _ONCE + b"\r\n", 405),
    "no JSON": (b"POST /v1/decide" + _ONCE + _TWO + b"[[", 400),
    "no object": (b"POST /v1/observe" + _ONCE + _TWO + b"[]", 400),
    "no event": (b"POST /hook/claude" + _ONCE + _TWO + b"{}", 400),
    "too deep": (b"POST /v1/check" + _ONCE + b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000, 400),
}


@pytest.mark.parametrize(("sent", "status"), LIES.values(), ids=LIES.keys())
def test_a_client_that_lies_is_told_so(daemon, sent, status):
    assert daemon.exchange(sent).split(b" ", 2)[1] == str(status).encode()


def test_a_request_without_end_is_cut_off(daemon):
    megabyte = b"100000\r\n%b\r\n" % (b" " * 0x100000)
    with pytest.raises(ConnectionError):
        daemon.exchange(b"POST /v1/check" + _ONCE + b"Transfer-Encoding: chunked\r\n\r\n" + megabyte * 100)
    assert daemon.get("/health")["status"] == "ok"


def test_clients_that_hang_or_flood_hold_nobody_up(daemon, remote):
    """More connections than the daemon keeps, each in the middle of a request, and strangers that come and go."""
    hanging = [daemon.connect() for _ in range(MOST + 50)]
    for connection in hanging[::2]:
        connection.sendall(b"POST /v1/check HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
    over = threading.Event()

    def flood():
        while not over.is_set():
            with contextlib.suppress(OSError), daemon.connect() as connection:
                connection.sendall(b"POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n[]" * 20)

    flooding = threading.Thread(target=flood)
    flooding.start()
    try:
        action = remote.action("bash", {"command": "touch block"})
        with ThreadPoolExecutor(8) as agents:
            for decision in agents.map(remote.decide_from_thread, [action] * 100):
                assert decision.by == ("touches_block",)  # where nobody answers in time, nobody is named
    finally:
        over.set()
        flooding.join()
        for connection in hanging:
            connection.close()
    daemon.wait_until(lambda: int(_metrics(daemon).rpartition(b"supervisor_connections ")[2].split()[0]) < 10)


def _metrics(daemon) -> bytes:
    return daemon.exchange(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")


def test_the_documents_request_is_answered(daemon):
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    page = (Path(__file__).parents[2] / "docs" / "daemon.md").read_text()
    (request,) = re.findall(r"^```\n(curl .*?)^```", page, re.MULTILINE | re.DOTALL)
    request = request.replace("~/.local/state/supervisor/daemon.sock", str(daemon.socket)).replace(
        "rm -rf ~", "touch block"
    )
    told = subprocess.run(["sh", "-c", request], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(told.stdout)["verdict"] == "block"


def test_metrics_count_what_was_decided(daemon, remote):
    remote.decide_from_thread(remote.action("bash", {"command": "touch nudge"}))
    text = _metrics(daemon).decode()
    assert 'supervisor_decisions_total{kind="shell",verdict="nudge"}' in text
    assert 'supervisor_findings_total{specialist="touches_nudge",verdict="nudge"}' in text
    assert 'supervisor_decision_seconds_bucket{le="+Inf"}' in text


def test_a_reload_drops_no_decision_and_a_bad_file_keeps_the_old_version(daemon, remote):
    action = remote.action("bash", {"command": "touch block"})
    over, verdicts = threading.Event(), []

    def agent():
        own, session = Remote(daemon.url), Session(name="reloading")
        while not over.is_set():
            verdicts.append(own.decide_from_thread(action, session=session).verdict)
        own.close()

    agents = [threading.Thread(target=agent) for _ in range(3)]
    for each in agents:
        each.start()
    try:
        good, entry = daemon.tiny.policy.read_text(), daemon.tiny.entry("files/touches_flag")
        flagged = entry.read_text()
        daemon.tiny.policy.write_text("authority: {default: nothing}")
        daemon.reload()
        daemon.wait_until(lambda: daemon.get("/health")["status"] == "stale")
        assert "authority.default" in daemon.log
        assert remote.decide_from_thread(action).verdict is Verdict.BLOCK
        daemon.tiny.policy.write_text(good)
        entry.write_text("id: 7")
        daemon.reload()
        daemon.wait_until(lambda: entry.name in daemon.log)
        assert (daemon.get("/health")["status"], remote.decide_from_thread(action).verdict) == ("stale", Verdict.BLOCK)
        entry.write_text(flagged)
        daemon.tiny.policy.write_text(json.dumps(json.loads(good) | {"authority": {"default": "flag"}}))
        daemon.reload()
        daemon.wait_until(lambda: remote.decide_from_thread(action).verdict is Verdict.FLAG)
        daemon.tiny.policy.write_text(good)
        daemon.reload()
        daemon.wait_until(lambda: remote.decide_from_thread(action).verdict is Verdict.BLOCK)
    finally:
        over.set()
        for each in agents:
            each.join()
    assert set(verdicts) == {Verdict.BLOCK, Verdict.FLAG}
    assert daemon.get("/health")["status"] == "ok"


def test_there_is_one_daemon_a_socket(daemon):
    second = subprocess.run(daemon.command(), capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 2
    assert "another daemon serves here [already_served]" in second.stderr


def test_one_that_was_killed_leaves_nothing_in_the_way_and_learns_what_its_sessions_did(daemon, remote):
    guard = Guard(remote)
    first, second = (remote.action("bash", {"command": f"echo {each}"}) for each in "12")
    with guard.session() as other, guard.session(facts={"token_of_mine": "x"}) as session:
        for each in (session, other):
            remote.observe(each, first, "one")
        daemon.process.kill()
        daemon.process.wait()
        remote.observe(session, second, "two", failed=True)
        daemon.start()
        remote.observe(other, second, "two", failed=True)  # which is the first that the new one hears of this session
        assert guard.check("bash", {"command": "ls"}).verdict is Verdict.OK
        place = {"session": session.id, "action": _wire(first), "place": 1}
        assert remote._daemon.post("/v1/observe", place) == {"steps": 2}  # that place is taken
        assert guard.check("bash", {"command": "touch block"}).verdict is Verdict.BLOCK
        assert guard.check("bash", {"command": "ls"}, session=other).verdict is Verdict.OK
    nodes = {}
    for file in (daemon.folder / "records").glob("*.jsonl"):
        lines = map(json.loads, file.read_text().splitlines())
        nodes |= {line["sha256"]: line["content"] for line in lines if "sha256" in line}
    for each in (session, other):
        (history,) = {record.predicate["history"] for record in _decisions(daemon, each.id)}
        last = nodes[history]
        assert (last["step"]["output"], last["step"]["failed"]) == ("two", True)
        before = nodes[last["before"]]
        assert (before["step"]["output"], before["before"]) == ("one", None)


def _decisions(daemon, session):
    records = read_records(daemon.folder / "records")
    return [each for each in records if each.kind == "decision" and each.predicate["session"] == session]


def test_whatever_a_tool_returns_its_session_goes_on(remote):
    session, returned = Session(), ["\x01" * MAX_TEXT] * (MAX_CHARACTERS // MAX_TEXT)
    remote.observe(session, remote.action("bash", {"command": "cat noise"}), returned)
    assert remote.decide_from_thread(remote.action("bash", {"command": "ls"}), None, session).verdict is Verdict.OK
