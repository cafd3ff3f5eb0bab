"""Answers for one peer, warm, inside the peers' own environment. Started by `benchmarks.peers`, never imported by it.

    python -I answer.py nah

First line out: `{"version": …}` once the peer is ready, or `{"absent": why}`. Then, for each line in (a JSON list of
what it reads), one line out: `[[microseconds, what it said], …]`. The clock runs around the peer's own call alone.
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
    """Its template for coding assistants, which only observes as shipped: `from_template(…, mode="enforce")` leaves the
    rules observing, so the switch is turned in the template's text, where its comment says to."""
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
    """Its manager on one file. It asks of a line whether it is worth a look; what it calls low is flagged here."""
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
        said = {issue.severity for issue in manager.get_issue_list(package.LOW, package.LOW)}
        return "issue" if said & {"MEDIUM", "HIGH"} else "flag" if said else "ok"

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
    """Its program, once a query: it reads PostgreSQL's migrations, and what it cannot read it does not judge."""
    program = Path(sys.executable).with_name("squawk")

    def decide(query: str) -> str:
        done = subprocess.run([program, "--reporter", "Json"], input=query, capture_output=True, text=True, check=False)
        return "violation" if {each["rule_name"] for each in json.loads(done.stdout)} - {"syntax-error"} else "ok"

    return decide


def _written(folder: str, path: str, text: str) -> str:
    """The file inside the folder, at the place where the agent would write it."""
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
        said = str(decide(given))
    except Exception as error:  # noqa: BLE001 - an exception is what this peer says to this
        said = f"raised {type(error).__name__}"
    return (time.perf_counter() - started) * 1e6, said


def main() -> None:
    distribution, load = PEERS[sys.argv[1]]
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever a peer prints is not an answer
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
