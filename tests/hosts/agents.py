"""The real programs: where they are, and how each is told of its model, its MCP server and its trust."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.hosts.model_server import Model

_SERVER = Path(__file__).with_name("mcp_server.py")


@dataclass(frozen=True)
class Agent:
    """One program in a folder of its own: a home, and a workspace to work in."""

    name: str
    program: str
    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def work(self) -> Path:
        return self.folder / "work"

    @property
    def ran(self) -> Path:
        """What the MCP server has run."""
        return self.folder / "ran"

    @property
    def server(self) -> list[str]:
        return [sys.executable, str(_SERVER), str(self.ran)]

    def does(self, task: str, model: Model) -> subprocess.CompletedProcess[str]:
        """Runs the program with a task until it is done."""
        command, environment = setup_of(self, task, model)
        usual = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        return subprocess.run(
            [self.program, *command],
            env=usual | environment,
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )


def agent(name: str, folder: Path) -> Agent | None:
    """The program called `name`, if it is on this machine: on the PATH, or where SUPERVISOR_AGENTS says."""
    places = os.pathsep.join(filter(None, (os.environ.get("SUPERVISOR_AGENTS"), os.environ["PATH"])))
    program = shutil.which(name, path=places)
    if program is None:
        return None
    made = Agent(name, program, folder)
    for each in (made.home, made.work):
        each.mkdir(parents=True, exist_ok=True)
    return made


_Setup = tuple[list[str], Mapping[str, str]]


def _claude(agent: Agent, task: str, model: Model) -> _Setup:
    servers = agent.folder / "mcp.json"
    servers.write_text(json.dumps({"mcpServers": {"runner": _mcp(agent)}}))
    command = ["-p", task, "--output-format", "stream-json", "--verbose", "--mcp-config", str(servers)]
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    return [*command, "--allowedTools", "Bash,Write,Edit,Agent,Task,mcp__runner__run_command"], {
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        **quiet,
    }


def _codex(agent: Agent, task: str, model: Model) -> _Setup:
    home = agent.home / ".codex"
    home.mkdir(exist_ok=True)
    server = _mcp(agent)
    (home / "config.toml").write_text(
        f"""\
model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "{model.url}/v1"
wire_api = "responses"
env_key = "NO_KEY"
[mcp_servers.runner]
command = {json.dumps(server["command"])}
args = {json.dumps(server["args"])}
"""
    )
    command = ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", task]
    return command, {"NO_KEY": "none"}


def _gemini(agent: Agent, task: str, model: Model) -> _Setup:
    file = agent.home / ".gemini" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    settings: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    settings |= {"security": {"auth": {"selectedType": "gemini-api-key"}}, "mcpServers": {"runner": _mcp(agent)}}
    settings |= {"privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}
    file.write_text(json.dumps(settings))
    environment = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    return ["-p", task, "--approval-mode", "yolo", "-m", "gemini-2.5-pro"], environment


def _mcp(agent: Agent) -> dict[str, Any]:
    return {"command": agent.server[0], "args": agent.server[1:]}


def setup_of(agent: Agent, task: str, model: Model) -> _Setup:
    """The words of its command line that have it do a task without a user, and its environment."""
    return _SETUPS[agent.name](agent, task, model)


_SETUPS: dict[str, Callable[[Agent, str, Model], _Setup]] = {"claude": _claude, "codex": _codex, "gemini": _gemini}
