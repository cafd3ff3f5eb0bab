"""The hook's own command, as a host runs it: what it refuses, and what it does where the guard itself fails."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from supervisor.adapters.hooks import HOSTS, answer, settings
from supervisor.engine.session import Session
from tests.service.daemons import Daemon, end_daemon

CLIENTS = ("perl", "python")


def command(host: str, event: str, where: Path, mode: str, client: str = "perl", policy: Path | None = None) -> str:
    with pytest.MonkeyPatch.context() as patch:
        if client == "python":
            patch.setattr(settings.shutil, "which", lambda _: None)
        return settings.command(HOSTS[host], event, where, mode, policy)


def ran(line: str, event: object, **environment: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a hook, run as hosts run it."""
    told = event if isinstance(event, bytes) else json.dumps(event).encode()
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=told, capture_output=True, env=os.environ | environment, timeout=60, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def shell(host: str, words: str, **more: object) -> dict[str, object]:
    return HOSTS[host].canary(words) | more


def event_before(host: str) -> str:
    return next(name for name, moment in HOSTS[host].events.items() if moment == "before")


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("host", HOSTS)
def test_a_refusal_is_exit_2_with_prose_on_stderr(daemon, host, client):
    line = command(host, event_before(host), daemon.socket, "closed", client)
    code, out, err = ran(line, shell(host, "touch block"))
    assert code == 2
    assert "Plan another way to the goal" in err
    if host == "cursor":
        assert json.loads(out)["permission"] == "deny"
    else:
        assert out == ""
        with pytest.raises(ValueError, match="Expecting value"):  # bare JSON would be a yes to Gemini CLI
            json.loads(err)
    for harmless in ("ls", "touch flag"):
        assert ran(line, shell(host, harmless)) == (0, "", "")


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    ("mode", "code", "said"), [("closed", 2, "so nothing runs"), ("open", 0, "unjudged"), ("observe", 1, "this event")]
)
def test_a_hook_that_its_package_has_left_behind_says_so(tmp_path, mode, code, said, client):
    """The package is uninstalled, its entry in the settings is not: in a real shell, whatever the path's characters."""
    file = tmp_path / 'it\'s "here" $HOME `x`' / "settings.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "_FOLDER", tmp_path / "site-packages" / "supervisor" / "adapters" / "hooks")
        if client == "python":
            patch.setattr(settings.shutil, "which", lambda _: None)
        line = settings.command(HOSTS["claude"], "PreToolUse", tmp_path / "d.sock", mode, None, file)
    ended, out, err = ran(line, shell("claude", "ls"))
    assert (ended, len(err.splitlines()), said in err) == (code, 1, True)
    assert err.startswith("Supervisor is not installed any more")
    assert err.endswith(f"Install it again, or remove its hooks from {file}\n")
    assert (list(json.loads(out)) if out else []) == (["systemMessage"] if mode == "open" else [])


def test_the_verb_does_the_same(run, daemon):
    for words, code in (("touch block", 2), ("ls", 0)):
        event = json.dumps(shell("codex", words))
        answered = run("hook", "codex", "--socket", daemon.socket, stdin=event)
        assert (answered.code, answered.out, bool(answered.err)) == (code, "", code == 2)


def test_a_session_remembers_what_it_was_asked_and_what_came_of_it(daemon):
    line = command("claude", "PreToolUse", daemon.socket, "closed")
    aloud = command("claude", "PostToolUse", daemon.socket, "observe")
    usual = {"session_id": "s1", "cwd": "/work"}
    assert ran(aloud, usual | {"hook_event_name": "UserPromptSubmit", "prompt": "tidy up"}) == (0, "", "")
    done = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}}
    assert ran(aloud, usual | {"hook_event_name": "PostToolUse"} | done) == (0, "", "")
    codes = [ran(line, shell("claude", "touch nudge", session_id="s1"))[2] for _ in range(3)]
    assert ["correction" in err for err in codes] == [True, True, False]  # the third time, patience is over
    assert "block:touches_nudge" in codes[2]
    assert "correction" in ran(line, shell("claude", "touch nudge", session_id="s2"))[2]


def test_what_an_agent_asks_its_sub_agent_are_not_the_users_words():
    session, told = Session(), {"session_id": "s", "hook_event_name": "UserPromptSubmit"}
    for words in ({"prompt": "tidy up"}, {"prompt": "delete all", "agent_type": "default"}, {"prompt": "and test"}):
        event = HOSTS["codex"].read(told | words)
        anyio.run(answer, HOSTS["codex"], event, None, session)
    assert session.task == "tidy up\n\nand test"


@pytest.mark.parametrize(
    "event",
    [
        b"",
        b"{",
        b"[]",
        b'{"hook_event_name": "PreToolUse"}',
        b'{"hook_event_name": "PreToolUseV2", "tool_name": "Bash", "tool_input": {"command": "ls"}}',
        json.dumps(shell("claude", "ls\0")).encode(),
        json.dumps(shell("claude", "ls", tool_input="ls")).encode(),
        b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "l", "command": "s"}}',
    ],
)
@pytest.mark.parametrize("mode", ["closed", "open"])
def test_an_event_that_cannot_be_judged_is_refused(daemon, event, mode):
    code, out, err = ran(command("claude", "PreToolUse", daemon.socket, mode), event)
    assert (code, out) == (2, "")
    assert err.startswith("Supervisor: this cannot be judged: ")


@contextmanager
def answering(where: Path, answer: bytes | None) -> Iterator[None]:
    """Something at the socket that is no daemon: it says this to whoever connects, or nothing at all."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(where))
        listener.listen()
        kept: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                kept.append(connection)
                if answer is not None:
                    connection.recv(65536)
                    connection.sendall(answer)
                    connection.shutdown(socket.SHUT_RDWR)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in kept:
                connection.close()


OURS = b"HTTP/1.1 200 OK\r\nSupervisor-Policy: p\r\nContent-Length: %d\r\n\r\n%s"
WRONG = {
    "silence": None,
    "a yes of another server": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "a yes that is no JSON": OURS % (3, b"yes"),
    "a yes that is broken JSON": OURS % (3, b"{,}"),
    "a yes that is no object": OURS % (4, b"[{}]"),
    "another status": b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    "too many at once": b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n",
    "nothing": b"",
    "noise": b"\x00\xff yes",
    "half an answer": b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
    "a yes without a length": b"HTTP/1.1 200 OK\r\n\r\n",
    "an error": b"HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops",
}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_where_the_guard_fails_the_policy_says_what_happens(tmp_path, answer, client):
    where = tmp_path / "x.sock"
    with answering(where, answer):
        results = {
            mode: ran(
                command("claude", "PreToolUse", where, mode, client), shell("claude", "ls"), SUPERVISOR_PATIENCE="1"
            )
            for mode in ("closed", "open")
        }
        aloud = command("claude", "PostToolUse", where, "observe", client)
        results["observe"] = ran(aloud, shell("claude", "ls"), SUPERVISOR_PATIENCE="1")
    code, out, err = results["closed"]
    assert (code, out) == (2, "")
    assert "guard_failed" in err
    code, out, err = results["open"]
    assert (code, "runs unjudged" in json.loads(out)["systemMessage"], "runs unjudged" in err) == (0, True, True)
    code, out, err = results["observe"]
    assert (code, out, err.startswith("Supervisor did not receive this event")) == (1, "", True)


@pytest.mark.parametrize("answer", ["nothing", "a yes of another server", "a yes that is broken JSON", "an error"])
@pytest.mark.parametrize("host", HOSTS)
def test_by_default_every_host_is_told_no(tmp_path, host, answer):
    """In the one form that all of them take for a no: exit code 2, words on stderr, nothing on stdout."""
    where = tmp_path / "x.sock"
    with answering(where, WRONG[answer]):
        code, out, err = ran(command(host, event_before(host), where, "closed"), shell(host, "ls"))
    assert (code, out, "guard_failed" in err) == (2, "", True)


REFUSED = {
    "a refusal without a reason": b"HTTP/1.1 403 No\r\nSupervisor-Policy: p\r\nContent-Length: 0\r\n\r\n",
    "a refusal with blanks": b"HTTP/1.1 403 No\r\nSupervisor-Policy: p\r\nContent-Length: 2\r\n\r\n \n",
    "bad input without a word": b"HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n",
}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("answer", REFUSED.values(), ids=REFUSED)
def test_a_refusal_says_something_whatever_the_daemon_says(tmp_path, answer, client):
    """Codex runs the action where a hook ends with 2 and says nothing."""
    where = tmp_path / "x.sock"
    with answering(where, answer):
        code, out, err = ran(command("codex", "PreToolUse", where, "closed", client), shell("codex", "ls"))
    assert (code, out, err.startswith("Supervisor: ")) == (2, "", True)


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_a_client_answers_before_its_host_gives_up(host, tmp_path):
    """By what stands in the settings: the entry says how long the host waits, the command how long the client may."""
    for event in host.events:
        line = command(host.name, event, tmp_path / "x.sock", "closed")
        entry = host.entry(event, line)
        declared = entry.get("hooks", [entry])[0]["timeout"]
        seconds = declared / 1000 if host.name == "gemini" else declared  # the only one that counts milliseconds
        (within,) = re.findall(r" (?:closed|observe) (\d+) ", line + " ")
        assert int(within) + 10 <= seconds


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("patience", ["100000", "inf", "1e9"])
def test_no_patience_outlasts_the_host(tmp_path, client, patience):
    """Nothing answers, and the seconds are few: the client speaks within them, whatever the environment says."""
    where = tmp_path / "x.sock"
    line = command("claude", "PreToolUse", where, "closed", client).replace(" closed 50 ", " closed 1 ")
    with answering(where, None):
        code, out, err = ran(line, shell("claude", "ls"), SUPERVISOR_PATIENCE=patience)
    assert (code, out, "did not answer in time" in err) == (2, "", True)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_host_that_does_not_end_its_event_gets_a_refusal(tmp_path, client):
    line = command("claude", "PreToolUse", tmp_path / "x.sock", "closed", client).replace(" closed 50 ", " closed 1 ")
    hook = subprocess.Popen(["/bin/sh", "-c", line], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert hook.stdin
    assert hook.stderr
    hook.stdin.write(b"{")
    hook.stdin.flush()
    if client == "python":  # which is not handed what another has read
        assert (hook.wait(30), b"did not answer in time" in hook.stderr.read()) == (2, True)
    hook.stdin.close()
    assert hook.wait(30) == 2
    hook.stderr.close()
    if client == "perl":  # hands over to the Python client, which starts a daemon
        end_daemon(tmp_path / "x.sock")


@pytest.mark.parametrize("client", ["perl", pytest.param("python", marks=pytest.mark.thorough)])
def test_the_alarm_ends_with_the_question(tmp_path, tiny, client):
    """A client that starts a daemon takes longer than the question that found none."""
    running = Daemon(tmp_path, tiny)
    line = command("claude", "PreToolUse", running.socket, "closed", client, tiny.policy)
    slow = tmp_path / "python"
    slow.write_text(f"#!/bin/sh\nsleep 2\nexec '{sys.executable}' \"$@\"\n")
    slow.chmod(0o700)
    try:
        code, _, err = ran(
            line.replace(sys.executable, str(slow)),
            shell("claude", "ls"),
            SUPERVISOR_PATIENCE="1",
            SUPERVISOR_POLICY=str(tiny.policy),
        )
        assert (code, err) in ((0, ""), (2, err))
        assert "hook has failed" not in err
        assert "killed" not in err
    finally:
        end_daemon(running.socket)


def test_a_command_of_an_earlier_version_still_holds(daemon):
    """Who has not installed again since is guarded all the same."""
    folder = settings._FOLDER
    for words in (
        ["perl", folder / "client.pl", sys.executable],
        [sys.executable, "-I", "-S", folder / "client.py", "ask"],
    ):
        for more in ([], [daemon.tiny.policy]):
            line = shlex.join(map(str, [*words, daemon.socket, "claude", "closed", *more])) + " || exit 2"
            code, _, err = ran(line, shell("claude", "touch block"))
            assert (code, "block:touches_block" in err) == (2, True)
            assert ran(line, shell("claude", "ls")) == (0, "", "")


def test_a_client_that_is_missing_or_killed_refuses(tmp_path):
    line = command("claude", "PreToolUse", tmp_path / "x.sock", "closed")
    assert ran(line.replace("client.pl", "gone.pl"), shell("claude", "ls"))[:2] == (2, "")
    assert ran(line.replace(sys.executable, "/nonesuch/python"), shell("claude", "ls"))[:2] == (2, "")
    for signal in (9, 15):
        killed = tmp_path / "perl"
        killed.write_text(f"#!/bin/sh\nkill -{signal} $$\n")
        killed.chmod(0o700)
        code, out, err = ran(line.replace(" /usr/bin/perl ", f" {killed} "), shell("claude", "ls"))
        assert (code, out, "nothing runs" in err) == (2, "", True)  # Codex runs the action where stderr is empty


@pytest.mark.parametrize("client", CLIENTS)
def test_hooks_start_the_one_daemon_that_is_not_there(tmp_path, tiny, client):
    running, own = Daemon(tmp_path, tiny), {"SUPERVISOR_POLICY": str(tiny.policy)}
    line = command("claude", "PreToolUse", running.socket, "closed", client, tiny.policy)
    try:
        with ThreadPoolExecutor(3) as hosts:
            for code, _, err in hosts.map(lambda _: ran(line, shell("claude", "touch block"), **own), range(3)):
                assert (code, "block:touches_block" in err) == (2, True)
        assert ran(line, shell("claude", "ls")) == (0, "", "")
        assert (tmp_path / "d.sock.log").stat().st_mode & 0o777 == 0o600
    finally:
        pid = int((tmp_path / "d.sock.lock").read_text())
        os.kill(pid, 15)
        running.wait_until(lambda: not running.socket.exists())


def test_a_daemon_that_cannot_start_refuses(tmp_path, tiny):
    tiny.policy.write_text("authority: nothing")
    line = command("claude", "PreToolUse", tmp_path / "d.sock", "closed", "perl", tiny.policy)
    code, out, err = ran(line, shell("claude", "ls"), SUPERVISOR_POLICY=str(tiny.policy))
    assert (code, out) == (2, "")
    assert "no daemon could be started; see" in err
    assert "authority" in (tmp_path / "d.sock.log").read_text()
