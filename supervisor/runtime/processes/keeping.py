"""This side of the keeper: starts it, and tells it which workers there are."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading

from supervisor.errors import SupervisorError
from supervisor.runtime.processes.tree import Tree

_ENDED = 10.0  # seconds for the keeper to end once nothing is left to kill


class NoKeeper(SupervisorError):
    """The keeper has ended: nobody would kill the workers if this process died."""

    code = "no_keeper"


class Keeper:
    """A running keeper. Everything that it holds is killed when this process dies, or gives no pulse for so long."""

    def __init__(self, seconds: float, clock: str) -> None:
        command = [sys.executable, "-P", "-m", "supervisor.runtime.processes.keeper", str(seconds), clock]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        self._lock = threading.Lock()
        self.pid = self._process.pid

    def hold(self, tree: Tree) -> None:
        """Kills this worker from now on, if need be. A tree that is already held is replaced. Raises NoKeeper."""
        self._say(f"hold {json.dumps(tree.to_json())}")

    def release(self, tree: Tree) -> None:
        """Forgets a worker. Raises NoKeeper."""
        self._say(f"release {tree.marker}")

    def pulse(self) -> None:
        """Says that this process lives. Raises NoKeeper."""
        self._say("pulse")

    def close(self) -> None:
        """Ends the keeper, which kills what it still holds."""
        with contextlib.suppress(BrokenPipeError), self._lock:
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._process.wait(_ENDED)

    def _say(self, line: str) -> None:
        pipe = self._process.stdin
        try:
            with self._lock:
                if pipe is None or pipe.closed:
                    raise NoKeeper("it is closed")
                pipe.write(f"{line}\n".encode())
                pipe.flush()
        except BrokenPipeError:
            raise NoKeeper("it has ended, and its executor does not go on without it") from None
