"""The command that an agent runs as a hook: hands the event to the executor, and does what the answer says.

    python -I -S hook.py SOCKET

Only the standard library, and little of it: this runs at every call of a tool. If the executor is gone, an action is
refused: exit code 2, with the reason on stderr.
"""

from __future__ import annotations

import json
import socket
import sys

_WITHIN = 55.0  # seconds; the agent waits for longer


def ask(where: str, event: bytes) -> tuple[int, str, str]:
    """The exit code, and what to print to stdout and stderr. Raises OSError, ValueError or KeyError."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.settimeout(_WITHIN)
        door.connect(where)
        door.sendall(event)
        door.shutdown(socket.SHUT_WR)
        answer = b""
        while more := door.recv(65536):
            answer += more
    told = json.loads(answer)
    return int(told["exit"]), str(told["stdout"]), str(told["stderr"])


def main(where: str) -> int:
    try:
        code, out, error = ask(where, sys.stdin.buffer.read())
    except (OSError, ValueError, KeyError) as problem:
        code, out, error = 2, "", f"Supervisor: guard_failed: no answer from the executor ({problem}); nothing runs"
    sys.stdout.write(out)
    if error:
        print(error, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
