"""Runs the tests of the frameworks that are too large for the usual suite, each in an environment of its own: they
exclude one another. What is small enough is part of the extra `dev`, and of every run of the tests. AgentDojo, which
tries agents, is one of them.

    python -m tests.adapters [host…]

The environments stay in .venv-adapters, so that a second run is quick. What cannot be installed is said and skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOMES = ROOT / ".venv-adapters"
SERVERS = ("@modelcontextprotocol/server-everything", "@modelcontextprotocol/server-filesystem", "mcp-remote")
HOSTS = {
    "agent_framework": ("agent-framework-core>=1.23",),
    "agentdojo": ("agentdojo==0.1.35",),
    "autogen": ("autogen-agentchat>=0.7.5", "autogen-ext>=0.7.5"),
    "claude_agent": ("claude-agent-sdk>=0.2",),
    "crewai": ("crewai>=1.15",),
    "google_adk": ("google-adk>=2.13",),
    "inspect_ai": ("inspect-ai>=0.3.285",),
    "llama_index": ("llama-index-core>=0.14",),
    "mcp": ("mcp>=2.3", "mcp-server-fetch", "mcp-server-git", "mcp-server-time"),
}


def main() -> int:
    failed = [host for host in sys.argv[1:] or HOSTS if not _passes(host)]
    print(f"failed: {', '.join(failed)}" if failed else "every host holds")
    return bool(failed)


def _passes(host: str) -> bool:
    print(f"== {host}", flush=True)
    python = HOMES / host / "bin" / "python"
    if not python.exists() and not _installed(host, python):
        print(f"skipped: {host} cannot be installed")
        return True
    tests = "tests/adapters/mcp" if host == "mcp" else f"tests/adapters/test_{host}.py"
    environment = {**os.environ, "MCP_SERVERS": str(HOMES / "node_modules")}
    command = [str(python), "-m", "pytest", "-q", "-rs", "-m", "", "-p", "no:cacheprovider", "-W", "default", tests]
    return subprocess.run([*command, "--disable-warnings"], cwd=ROOT, env=environment, check=False).returncode == 0


def _installed(host: str, python: Path) -> bool:
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(HOMES / host)], check=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    ended = subprocess.run([*install, "-e", ".", "pytest", "hypothesis", *HOSTS[host]], cwd=ROOT, check=False)
    if ended.returncode:
        python.unlink()  # the next run tries again
    elif host == "mcp" and shutil.which("npm"):
        subprocess.run(["npm", "install", "--silent", "--prefix", str(HOMES), *SERVERS], check=False)
    return ended.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
