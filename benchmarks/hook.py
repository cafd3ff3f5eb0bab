"""The time that a hook adds to a tool call of a command-line agent: ours with a warm daemon, and other guards' hooks.

    python -m benchmarks.hook [--rounds N] [--peers DIR] [--install] [--json]

Each hook is run as a host runs it: a shell, the command from the settings, an event on stdin. Every round runs every
hook once with the same event, in turns with `sh -c true`, and reports the paired difference in milliseconds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.peers import PEERS, empty_repository, install_all
from benchmarks.report import machine
from supervisor.adapters.hooks import HOSTS, settings

HERE = Path(__file__).parent
COMMANDS = (
    "git status",
    "ls -la src | head -20",
    "npm test",
    "rm -rf build && make -j4",
    "git push --force origin main",
)
LIMIT_MS, LIMIT_SHARE = 15.0, 0.2
BESIDE = {peer.name: peer for peer in PEERS if peer.name in ("nah", "cc-safety-net")}
NOTHING = "sh -c true"


@dataclass
class Hook:
    """One hook: the command that a host would run, its durations, and the differences to `sh -c true`, by round."""

    name: str
    command: str
    home: Path
    took: list[float] = field(default_factory=list)
    added: list[float] = field(default_factory=list)

    def run(self, event: bytes, workspace: Path) -> float:
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.home)}
        started = time.perf_counter()
        subprocess.run(
            ["sh", "-c", self.command], input=event, env=environment, cwd=workspace, capture_output=True, check=False
        )
        return (time.perf_counter() - started) * 1000


@contextlib.contextmanager
def daemon(folder: Path) -> Iterator[Path]:
    """Runs our daemon with its records in `folder`; yields its socket."""
    place, home = folder / "daemon.sock", folder / "home"
    home.mkdir()
    command = [sys.executable, "-m", "supervisor", "serve", "--socket", str(place)]
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    environment = os.environ | {"HOME": str(home), "XDG_CACHE_HOME": cache}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        while not place.exists():
            time.sleep(0.05)
        yield place
        process.send_signal(signal.SIGTERM)


def hooks(folder: Path, place: Path, peers: Path) -> list[Hook]:
    """Our hook with and without perl, and the hooks of the installed peers."""
    ours = settings.command(HOSTS["claude"], "PreToolUse", place, "closed", None)
    client = Path(settings.__file__).with_name("client.py")
    slow = shlex.join([sys.executable, "-I", "-S", str(client), "ask", str(place), "claude", "closed"]) + " || exit 2"
    home = folder / "home"
    arms = [Hook(NOTHING, "true", home), Hook("supervisor", ours, home), Hook("supervisor, without perl", slow, home)]
    nah, net = peers / "python" / "bin" / "nah", peers / "node" / "node_modules" / "cc-safety-net"
    if nah.exists():
        arms.append(Hook("nah", f"{shlex.quote(str(nah))} _claude-hook", folder / "nah"))
    if net.exists() and (node := shutil.which("node")):
        script = net / "dist" / "bin" / "cc-safety-net.js"
        arms.append(Hook("cc-safety-net", shlex.join([node, str(script), "hook", "--claude-code"]), folder / "net"))
    for each in arms:
        each.home.mkdir(exist_ok=True)
    return arms


def measure(arms: list[Hook], rounds: int, workspace: Path) -> None:
    """Runs all hooks in turns. The first round is a warm-up, and the first hook changes with every round."""
    for number in range(-1, rounds):
        for words in COMMANDS:
            event = HOSTS["claude"].canary(words) | {"session_id": f"bench-{number}", "cwd": str(workspace)}
            raw = json.dumps(event).encode()
            turn = arms[number % len(arms) :] + arms[: number % len(arms)]
            took = {each.name: each.run(raw, workspace) for each in turn}
            for each in arms if number >= 0 else ():
                each.took.append(took[each.name])
                each.added.append(took[each.name] - took[NOTHING])


def report(arms: list[Hook]) -> dict[str, Any]:
    ours = statistics.median(arms[1].added)
    rows = {}
    for each in arms[1:]:
        added = sorted(each.added)
        rows[each.name] = {"p50": statistics.median(added), "p95": added[int(len(added) * 0.95)]}
    peers = {name: ours / row["p50"] for name, row in rows.items() if not name.startswith("supervisor")}
    return {
        "nothing_ms": statistics.median(arms[0].took),
        "added_ms": rows,
        "ours_as_share_of": peers,
        "beside": [peer.pin for name, peer in BESIDE.items() if name in rows],
        "absent": [name for name in BESIDE if name not in rows],
        "runs": len(arms[0].took),
        "machine": machine(),
    }


def show(figures: dict[str, Any]) -> None:
    print(f"{NOTHING}: {figures['nothing_ms']:.1f} ms; {figures['runs']} runs each; milliseconds on top of it:\n")
    print(f"{'hook':<28}{'p50':>8}{'p95':>8}   ours is")
    for name, row in figures["added_ms"].items():
        share = figures["ours_as_share_of"].get(name)
        print(f"{name:<28}{row['p50']:>8.1f}{row['p95']:>8.1f}   {f'1/{1 / share:.0f}' if share else ''}")
    for name in figures["absent"]:
        print(f"{name:<28}{'not installed: --install does':>16}")
    p50 = figures["added_ms"]["supervisor"]["p50"]
    held = p50 <= LIMIT_MS and all(share <= LIMIT_SHARE for share in figures["ours_as_share_of"].values())
    print(f"\nAt most {LIMIT_MS:.0f} ms, and a fifth of any other: {'holds' if held else 'DOES NOT HOLD'}")
    print(", ".join(figures["beside"]), figures["machine"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.hook", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20, help="times that every hook gets every event (20)")
    parser.add_argument(
        "--peers", type=Path, default=HERE.parent / ".venv-peers", metavar="DIR", help="folder of the other guards"
    )
    parser.add_argument("--install", action="store_true", help="install the peers there first, in pinned versions")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    if options.install:
        install_all(list(BESIDE.values()), options.peers.resolve())
    with tempfile.TemporaryDirectory() as made:
        folder, workspace = Path(made), empty_repository(Path(made, "repo"))
        with daemon(folder) as place:
            arms = hooks(folder, place, options.peers.resolve())
            measure(arms, options.rounds, workspace)
    if options.json:
        print(json.dumps(report(arms)))
    else:
        show(report(arms))


if __name__ == "__main__":
    main()
