"""Runs one peer, warm, inside the peers' own environment. Started by `benchmarks.peers`, never imported.

    python -I answer.py nah

First line out: `{"version": …}` once the peer is ready, or `{"absent": reason}`. Then, for each line in (a JSON list of
inputs), one line out: `[[microseconds, answer], …]`. Only the peer's own call is timed.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

Decide = Callable[[Any], str]


def nah() -> Decide:
    """Its classifier of commands, with its built-in tables; "ask" stops the command until a person agrees."""
    from nah.bash import classify_command

    return lambda command: classify_command(command).final_decision


def edictum() -> Decide:
    """Its template for coding assistants. As shipped it only observes, and `from_template(…, mode="enforce")` leaves
    the rules observing, so the mode is changed in the template's text, as its comment says."""
    import edictum

    template = Path(edictum.__file__).parent / "yaml_engine" / "templates" / "coding-assistant-base.yaml"
    guard = edictum.Edictum.from_yaml_string(template.read_text().replace("mode: observe", "mode: enforce", 1))
    return lambda command: guard.evaluate("Bash", {"command": command}).decision


def invariant() -> Decide:
    """Its local engine on a trace of one tool call, under the rules beside this file."""
    from invariant.analyzer import LocalPolicy

    policy = LocalPolicy.from_string(Path(__file__).with_name("shell.invariant").read_text())

    def decide(command: str) -> str:
        call = {"id": "1", "type": "function", "function": {"name": "bash", "arguments": {"command": command}}}
        found = policy.analyze([{"role": "assistant", "content": "", "tool_calls": [call]}])
        return "violation" if found.errors else "allow"

    return decide


def bandit() -> Decide:
    """Its manager on one file. Issues of low severity count as flagged."""
    import bandit as package
    from bandit.core.config import BanditConfig
    from bandit.core.manager import BanditManager

    def decide(file: list[str]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            manager = BanditManager(BanditConfig(), "file")
            manager.discover_files([_written(folder, *file)])
            manager.run_tests()
        if manager.get_skipped():
            return "raised on a file that it cannot read"
        severities = {issue.severity for issue in manager.get_issue_list(package.LOW, package.LOW)}
        return "issue" if severities & {"MEDIUM", "HIGH"} else "flag" if severities else "ok"

    return decide


def detect_secrets() -> Decide:
    """Its scan of one file."""
    from detect_secrets.core.scan import scan_file
    from detect_secrets.settings import default_settings

    def decide(file: list[str]) -> str:
        with tempfile.TemporaryDirectory() as folder, default_settings():
            return "secret" if any(scan_file(_written(folder, *file))) else "ok"

    return decide


def squawk() -> Decide:
    """Its program, once for each query. It reads PostgreSQL migrations and does not judge what it cannot parse."""
    program = Path(sys.executable).with_name("squawk")

    def decide(query: str) -> str:
        done = subprocess.run([program, "--reporter", "Json"], input=query, capture_output=True, text=True, check=False)
        return "violation" if {each["rule_name"] for each in json.loads(done.stdout)} - {"syntax-error"} else "ok"

    return decide


def _written(folder: str, path: str, text: str) -> str:
    """Writes the file below the folder, at the agent's path."""
    file = Path(folder, path.lstrip("/"))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return str(file)


PEERS = {
    "nah": ("nah", nah),
    "edictum": ("edictum", edictum),
    "invariant": ("invariant-ai", invariant),
    "bandit": ("bandit", bandit),
    "detect-secrets": ("detect-secrets", detect_secrets),
    "squawk": ("squawk-cli", squawk),
}


def timed(decide: Decide, given: Any) -> tuple[float, str]:
    started = time.perf_counter()
    try:
        answer = str(decide(given))
    except Exception as error:  # noqa: BLE001 - an exception counts as this peer's answer
        answer = f"raised {type(error).__name__}"
    return (time.perf_counter() - started) * 1e6, answer


def main() -> None:
    distribution, load = PEERS[sys.argv[1]]
    answers, sys.stdout = sys.stdout, sys.stderr  # a peer's own output is not an answer
    try:
        ready, decide = {"version": version(distribution)}, load()
    except Exception as error:  # noqa: BLE001 - any failure to start is the reason why it is absent
        print(json.dumps({"absent": f"{type(error).__name__}: {error}"}), file=answers, flush=True)
        return
    print(json.dumps(ready), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps([timed(decide, given) for given in json.loads(line)]), file=answers, flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        main()
