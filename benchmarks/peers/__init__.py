"""Other guards, each in a warm process of its own, for comparison.

They are installed in a separate environment (see `install`), because their dependencies may clash. Each uses the rules
that it ships, an empty home (no settings of this machine's user) and an empty git repository to work in.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Peer:
    """A peer. `pin` is the installed version, by npm if `node`, else by pip; `absent` is why it cannot be measured.

    `reads` is the form of its input: a shell command or a query as text, a file of code or of any text as
    `[path, text]`. `our_rules`: it ships no rules, so only its speed is measured; its judgement would be ours.
    """

    name: str
    pin: str
    about: str
    node: bool = False
    absent: str = ""
    reads: str = "shell"
    our_rules: bool = False


PEERS = (
    Peer("nah", "nah==0.11.0", "classify_command, under the tables it ships; parses the shell"),
    Peer(
        "cc-safety-net",
        "cc-safety-net@2.4.5",
        "checkCommand, under the rules it ships; parses the shell; timed inside node by performance.now()",
        node=True,
    ),
    Peer("edictum", "edictum[yaml]==0.19.0", "evaluate, under its coding-assistant-base (5 patterns), set to enforce"),
    Peer(
        "invariant",
        "invariant-ai==0.3.5",
        "LocalPolicy.analyze; it ships no rules for commands: eleven, like ours",
        our_rules=True,
    ),
    Peer(
        "progent",
        "secagent==0.0.1",
        "check_tool_call",
        absent="PyPI's secagent 0.0.1 and progent 0.0.1 are empty modules; its code has no release, on GitHub alone",
    ),
)
SCANNERS = (
    Peer("bandit", "bandit==1.9.4", "all its tests; medium and high stop, low flags", reads="code"),
    Peer("detect-secrets", "detect-secrets==1.5.0", "scan_file, its default plugins and filters", reads="secrets"),
    Peer("squawk", "squawk-cli==2.70.0", "default rules; any but a syntax error stops, as in CI", reads="sql"),
)


def install(peer: Peer, folder: Path) -> str:
    """Installs a peer into `folder`. Returns why that failed, or an empty string."""
    if peer.absent:
        return peer.absent
    return _npm_install(folder, peer.pin) if peer.node else pip_install(folder, peer.pin)


def install_all(peers: Sequence[Peer], folder: Path) -> dict[str, str]:
    """Installs peers. Returns, by name, why an installation failed, or an empty string."""
    failed = {}
    for peer in peers:
        failed[peer.name] = install(peer, folder)
        print(f"{peer.name}: {failed[peer.name] or 'installed'}", file=sys.stderr)
    return failed


def pip_install(folder: Path, pin: str) -> str:
    """Installs a package into the environment of `folder`. Returns why that failed, or an empty string.

    Uses the base interpreter's pip, because an environment need not have one of its own.
    """
    python = _python(folder)
    if not python.exists():
        venv.create(folder / "python", with_pip=False)
    base = Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}")
    return _ran([str(base), "-m", "pip", "--python", str(python), "install", "--quiet", pin], reason=-1)


def _npm_install(folder: Path, pin: str) -> str:
    return _ran(["npm", "install", "--loglevel=error", "--no-save", "--prefix", str(folder / "node"), pin], reason=0)


def _ran(command: list[str], reason: int) -> str:
    """An empty string, or the line of stderr with the reason of a failure: npm's first, pip's last."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return f"{command[0]} is not on this machine"
    lines = done.stderr.strip().splitlines() or [f"{Path(command[0]).name} ended with status {done.returncode}"]
    return lines[reason] if done.returncode else ""


def _python(folder: Path) -> Path:
    return folder / "python" / "bin" / "python"


def empty_repository(folder: Path) -> Path:
    """An empty git repository: some guards judge a path by the repository around it."""
    folder.mkdir()
    if git := shutil.which("git"):
        subprocess.run([git, "init", "--quiet", str(folder)], check=True)
    return folder


class PeerGone(Exception):
    """The peer is not installed, or its process has ended; the message is the reason."""


class Asked:
    """A peer's process. A pipe takes batches of inputs and returns answers with times measured inside the process."""

    def __init__(self, peer: Peer, folder: Path, workspace: Path) -> None:
        if peer.absent:
            raise PeerGone(peer.absent)
        self._process = subprocess.Popen(
            _program(peer, folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=workspace,
            env={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(_home(folder))},
        )
        ready = self._line()
        if "absent" in ready:
            self.close()
            raise PeerGone(ready["absent"])
        self.version = ready["version"]

    def __call__(self, batch: Sequence[Any]) -> list[tuple[float, str]]:
        """The time in microseconds and the answer for each input. Raises PeerGone."""
        try:
            print(json.dumps(list(batch)), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise PeerGone("its process has ended") from None
        return [(took, answer) for took, answer in self._line()]

    def close(self) -> None:
        self._process.kill()  # it has no state to clean up
        self._process.communicate()

    def _line(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise PeerGone(f"its process has ended with status {self._process.wait()}")
        return json.loads(line)


def _program(peer: Peer, folder: Path) -> list[str]:
    place = folder / "node" / "node_modules" / peer.name if peer.node else _python(folder)
    if not place.exists():
        raise PeerGone("not installed; --install does it")
    if not peer.node:
        return [str(place), "-I", str(HERE / "answer.py"), peer.name]
    if node := shutil.which("node"):
        return [node, str(HERE / "answer.mjs"), str(place)]
    raise PeerGone("node is not on this machine")


def _home(folder: Path) -> Path:
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    return home
