"""Stands in for an agent, runs the real one, and writes down what is said in both directions: a golden transcript.

    python -m tests.runtime.drivers.agents.recording FILE PROGRAM ARGUMENT…

`{"in": …}` is what the agent is told, `{"out": …}` what it says, in the order of time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import IO, Any


def main(file: str, *command: str) -> int:
    lock = threading.Lock()
    with (
        open(file, "a", encoding="utf-8") as transcript,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as agent,
    ):

        def copy(source: IO[bytes], target: IO[bytes], direction: str) -> None:
            for line in source:
                with lock:
                    transcript.write(json.dumps({direction: json.loads(line)}) + "\n")
                target.write(line)
                target.flush()

        def told() -> None:
            assert agent.stdin is not None
            copy(sys.stdin.buffer, agent.stdin, "in")
            agent.stdin.close()

        threading.Thread(target=told, daemon=True).start()
        assert agent.stdout is not None
        copy(agent.stdout, sys.stdout.buffer, "out")
        return agent.wait()


def scrubbed(value: Any, **replaced: str) -> Any:
    """A transcript without what belongs to one machine, and with long texts and lists cut."""
    if isinstance(value, dict):
        return {scrubbed(name, **replaced): scrubbed(each, **replaced) for name, each in value.items()}
    if isinstance(value, list):
        return [scrubbed(each, **replaced) for each in value[:5]]
    if isinstance(value, str):
        for old, new in replaced.items():
            value = value.replace(old, new)
        return value[:500]
    return value


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
