"""The hook's command if the fast client (client.pl) gets no plain answer: stdlib alone, run by its path.

    python -I -S client.py ask SOCKET HOST closed|open|observe SECONDS [POLICY]

It starts a daemon if there is none. If the guard fails, `closed` refuses (exit code 2, the reason on stderr, nothing on
stdout), `open` lets the action run with a message, `observe` (for events that cannot be refused) writes a message.
It ends within SECONDS: a host that waits for longer treats the hook as failed, and may run the action.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from types import ModuleType

STARTING = 30.0  # seconds for a daemon to start: its first start may verify a taxonomy
MOST_STARTS = 2
WITHIN = 50.0  # seconds, if the command has none
_SAID = os.environ.get("SUPERVISOR_PATIENCE", "")
ANSWERING = float(_SAID) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]*)?", _SAID) else 20.0
_OTHERS = ("PYTHON", "PERL", "LD_", "DYLD_")  # variables that make an interpreter or the linker load other code
_RETRY = 0.05
_INSTALLED = os.path.normpath(os.path.join(os.path.abspath(__file__), *[os.pardir] * 4))  # contains `supervisor`


class Failed(Exception):
    """The guard itself failed."""


def main(how: str, where: str, host: str, mode: str, *rest: str) -> int:
    """Sends the event on stdin to the daemon, and returns the exit code. `how` is `ask`, or `late` if client.pl has
    used up the time. `rest` are the seconds left, and the policy of this hook's settings, which the daemon combines
    with the user's: it is no policy for a daemon that is started here, because an agent may write those settings."""
    has_seconds = bool(rest) and re.fullmatch(r"[0-9]+", rest[0]) is not None
    within, policy = (float(rest[0]), rest[1:]) if has_seconds else (WITHIN, rest)
    try:
        with _ending(within, where):
            if how == "late":
                raise Failed(f"the daemon at {where} did not answer in time")
            event = sys.stdin.buffer.read()
            status, head, body = _ask_or_start(where, host, event, policy[0] if policy else None)
        _check(where, status, head, body)
    except Exception as error:  # noqa: BLE001 - every failure has an exit code of its mode
        return _fail(mode, f"{error}" or type(error).__name__)
    return _say(mode, status, head, body)


@contextlib.contextmanager
def _ending(seconds: float, where: str) -> Iterator[None]:
    """Raises Failed in the body after this time, whatever it waits for."""

    def late(*_: object) -> None:
        raise Failed(f"the daemon at {where} did not answer in time")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1.0))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _check(where: str, status: int, head: bytes, body: bytes) -> None:
    """Raises Failed or ValueError if it is not a daemon's answer to a hook."""
    if status not in (200, 400, 403):
        raise Failed(f"the daemon at {where} answered {status}: {body[:500].decode(errors='replace')}")
    if status == 200 and b"\r\nsupervisor-policy:" not in head.lower():
        raise Failed(f"what answered at {where} is no Supervisor")
    if status == 200 and body and not isinstance(json.loads(body), dict):
        raise Failed(f"the daemon at {where} answered with something other than a JSON object")


def _say(mode: str, status: int, head: bytes, body: bytes) -> int:
    """Writes the answer for the host, and returns the exit code. Input that cannot be judged (400) is refused: that is
    no failure of the guard."""
    if status == 200 or b"\r\nsupervisor-echo:" in head.lower():
        sys.stdout.buffer.write(body)
    if status == 400:
        print(f"Supervisor: this cannot be judged: {body.decode(errors='replace')}", file=sys.stderr)
    elif status == 403:  # without a reason, Codex treats the hook as failed, and runs the action
        sys.stderr.buffer.write(body if body.strip() else b"Supervisor: refused\n")
    if status == 400 and mode == "observe":
        return 1
    return 0 if status == 200 else 2


def _ask_or_start(where: str, host: str, event: bytes, policy: str | None) -> tuple[int, bytes, bytes]:
    deadline, daemon, ended = time.monotonic() + STARTING, None, 0
    while time.monotonic() < deadline:
        try:
            return _ask(where, host, event, policy)
        except (FileNotFoundError, ConnectionRefusedError):
            pass  # no daemon listens; another one may be starting or ending
        if not _is_claimed(where):
            if daemon is None:
                daemon = start(where)
            elif daemon.poll() is not None:
                daemon, ended = None, ended + 1
        if ended == MOST_STARTS:
            raise Failed(f"no daemon could be started; see {_log_of(where)}")
        time.sleep(_RETRY)
    raise Failed(f"no daemon listens at {where} after {STARTING:g} seconds; see {_log_of(where)}")


def _is_claimed(where: str) -> bool:
    """Whether a daemon runs, even if its socket does not exist yet."""
    try:
        lock = _files().open_file(f"{where}.lock", os.O_RDONLY, own=True)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _files() -> ModuleType:
    """Our module for files that an agent may have created. Isolated Python (-I) needs its path added."""
    if _INSTALLED not in sys.path:
        sys.path.append(_INSTALLED)
    from supervisor.intake import files

    return files


def _ask(where: str, host: str, event: bytes, policy: str | None) -> tuple[int, bytes, bytes]:
    """The answer's status, head and body. Raises Failed if there is none, or an incomplete one."""
    deadline = time.monotonic() + ANSWERING
    answer = b""
    named = f"Supervisor-Policy-File: {_quoted(policy)}\r\n" if policy else ""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as daemon:
        daemon.settimeout(ANSWERING)
        try:
            _connect(daemon, where, deadline)
            daemon.sendall(
                f"POST /hook/{host} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{named}"
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


def _quoted(path: str) -> str:
    """A path in a header, percent-encoded (RFC 3986, section 2.1)."""
    return re.sub(rb"[^A-Za-z0-9/._~-]", lambda found: b"%%%02X" % found[0][0], os.fsencode(path)).decode()


def _connect(daemon: socket.socket, where: str, deadline: float) -> None:
    """Connects, and retries while the daemon's queue is full: a socket with a timeout fails at once then."""
    while True:
        try:
            return daemon.connect(where)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise TimeoutError from None
            time.sleep(_RETRY)


def start(where: str) -> subprocess.Popen[bytes]:
    """Starts the daemon of this installation, under the user's policy. It outlives the agent. It runs in the root
    directory, without the variables that load other code: it imports nothing that an agent has written."""
    folder = os.path.dirname(where)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    _files().check_folder(folder)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OTHERS)}
    command = [sys.executable, "-P", "-m", "supervisor", "serve", "--socket", where]
    opened = _files().open_file(_log_of(where), os.O_WRONLY | os.O_APPEND | os.O_CREAT, own=True)
    with os.fdopen(opened, "ab") as log:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={**kept, "PYTHONPATH": _INSTALLED},
            start_new_session=True,
        )


def _log_of(where: str) -> str:
    return f"{where}.log"


def _fail(mode: str, why: str) -> int:
    if mode == "open":
        message = f"Supervisor could not judge this action, and it runs unjudged, as the policy says: {why}"
        json.dump({"systemMessage": message}, sys.stdout)
        print(message, file=sys.stderr)
        return 0
    if mode == "observe":
        print(f"Supervisor did not receive this event: {why}", file=sys.stderr)
        return 1
    cure = "The action is not at fault: the guard has failed. Stop, and report that; `supervisor doctor` says more."
    refusal = {"executed": False, "code": "guard_failed", "reason": why, "next": cure}
    print(f"Supervisor: {json.dumps(refusal)}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
