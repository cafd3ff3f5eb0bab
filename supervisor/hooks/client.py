"""The hook's command where the fast one gets no plain answer: stdlib alone, run by its path.

    python -I -S client.py ask SOCKET HOST closed|open|observe [POLICY]

It starts a daemon where there is none. Where the guard fails: `closed` refuses (exit code 2, the reason on stderr,
nothing on stdout), `open` lets the action run and says so, `observe` (for events that cannot be refused) says so.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import time

STARTING = 30.0  # seconds that a daemon has to come up: its first start may have to verify a taxonomy
MOST_STARTS = 2
ANSWERING = float(os.environ.get("SUPERVISOR_PATIENCE", "20"))
_RETRY = 0.05
_INSTALLED = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Failed(Exception):
    """The guard itself failed; the message says how."""


def main(how: str, where: str, host: str, mode: str, policy: str | None = None) -> int:
    """Asks with what is on stdin; the exit code. `how` is `ask`, or `late` where that has been tried for too long."""
    try:
        event = sys.stdin.buffer.read()
        if how == "late":
            raise Failed(f"the daemon at {where} did not answer within {ANSWERING:g} seconds")
        status, head, body = _ask_or_start(where, host, event, policy)
        if status not in (200, 400, 403):
            raise Failed(f"the daemon at {where} answered {status}: {body[:500].decode(errors='replace')}")
    except (Failed, OSError, ValueError) as error:
        return _fail(mode, f"{error}")
    if status == 200 or b"\r\nsupervisor-echo:" in head.lower():
        sys.stdout.buffer.write(body)
    if status == 400:
        print(f"Supervisor: this cannot be judged: {body.decode(errors='replace')}", file=sys.stderr)
    elif status == 403:
        sys.stderr.buffer.write(body)
    if status == 400 and mode == "observe":
        return 1
    return 0 if status == 200 else 2  # what cannot be read cannot be judged, and that is no fault of the guard


def _ask_or_start(where: str, host: str, event: bytes, policy: str | None) -> tuple[int, bytes, bytes]:
    deadline, daemon, ended = time.monotonic() + STARTING, None, 0
    while time.monotonic() < deadline:
        try:
            return _ask(where, host, event)
        except (FileNotFoundError, ConnectionRefusedError):
            pass  # nobody listens; another daemon may be about to, or about to end
        if not _is_claimed(where):
            if daemon is None:
                daemon = start(where, policy)
            elif daemon.poll() is not None:
                daemon, ended = None, ended + 1
        if ended == MOST_STARTS:
            raise Failed(f"no daemon could be started; see {_log_of(where)}")
        time.sleep(_RETRY)
    raise Failed(f"no daemon listens at {where} after {STARTING:g} seconds; see {_log_of(where)}")


def _is_claimed(where: str) -> bool:
    """Whether a daemon is there, with its socket or yet without."""
    try:
        with open(f"{where}.lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _ask(where: str, host: str, event: bytes) -> tuple[int, bytes, bytes]:
    """The answer's status, head and body. Failed where there is none, or no whole one."""
    deadline = time.monotonic() + ANSWERING
    answer = b""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as daemon:
        daemon.settimeout(ANSWERING)
        try:
            _connect(daemon, where, deadline)
            daemon.sendall(
                f"POST /hook/{host} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                f"Content-Length: {len(event)}\r\n\r\n".encode()
                + event
            )
            while more := daemon.recv(65536):
                answer += more
                daemon.settimeout(max(deadline - time.monotonic(), 0.001))
        except TimeoutError:
            raise Failed(f"the daemon at {where} did not answer within {ANSWERING:g} seconds") from None
    head, found, body = answer.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    if not found or not words[0].startswith(b"HTTP/1.") or length != [b"content-length: %d" % len(body)]:
        raise Failed(f"what answered at {where} is no daemon, or it was cut short")
    return int(words[1]), head, body


def _connect(daemon: socket.socket, where: str, deadline: float) -> None:
    """Where the daemon's queue is full, which is an error at once for a socket that has a timeout, tries again."""
    while True:
        try:
            return daemon.connect(where)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise TimeoutError from None
            time.sleep(_RETRY)


def start(where: str, policy: str | None) -> subprocess.Popen[bytes]:
    """Starts the daemon of this installation, which outlives the agent. It runs in the root directory: what an agent
    has put into its own shall not be imported."""
    os.makedirs(os.path.dirname(where), mode=0o700, exist_ok=True)
    command = [sys.executable, "-P", "-m", "supervisor", "serve", "--socket", where]
    with open(_log_of(where), "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as log:
        return subprocess.Popen(
            command + (["--policy", policy] if policy else []),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (_INSTALLED, os.environ.get("PYTHONPATH"))))},
            start_new_session=True,
        )


def _log_of(where: str) -> str:
    return f"{where}.log"


def _fail(mode: str, why: str) -> int:
    if mode == "open":
        told = f"Supervisor could not judge this action, and it runs unjudged, as the policy says: {why}"
        json.dump({"systemMessage": told}, sys.stdout)
        print(told, file=sys.stderr)
        return 0
    if mode == "observe":
        print(f"Supervisor was not told of this: {why}", file=sys.stderr)
        return 1
    cure = "The action is not at fault: the guard has failed. Stop, and report that; `supervisor doctor` says more."
    refusal = {"executed": False, "code": "guard_failed", "reason": why, "next": cure}
    print(f"Supervisor: {json.dumps(refusal)}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
