"""End to end: the real programs, our real hooks and daemon, and a model that follows a script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from supervisor.records.read import read_records
from tests.hosts.agents import Agent, agent
from tests.hosts.model_server import Call, Model, Turn, model
from tests.service.daemons import Daemon

pytestmark = pytest.mark.thorough

# What a shell tool is called and how it is asked, by host; then the same for an MCP server's tool, for a sub-agent, and
# for writing a file.
SHELL = {
    "claude": lambda command: Call("Bash", {"command": command}),
    "codex": lambda command: Call("exec_command", {"cmd": command}),
    "gemini": lambda command: Call("run_shell_command", {"command": command}),
}
MCP = {
    "claude": Call("mcp__runner__run_command", {"command": "touch block"}),
    "codex": Call("run_command", {"command": "touch block"}, namespace="mcp__runner"),
    "gemini": Call("mcp_runner_run_command", {"command": "touch block"}),
}
SUB_AGENT = {
    "claude": Call("Agent", {"description": "d", "prompt": "delegate this", "subagent_type": "general-purpose"}),
    "codex": Call("spawn_agent", {"message": "delegate this"}, namespace="multi_agent_v1"),
    "gemini": Call("invoke_agent", {"agent_name": "generalist", "prompt": "delegate this"}),
}
WRITES = {
    "claude": lambda file: Call("Write", {"file_path": str(file), "content": "eval(input())\n"}),
    "codex": lambda file: Call(
        "apply_patch", {"input": f"*** Begin Patch\n*** Add File: {file.name}\n+eval(input())\n*** End Patch\n"}
    ),
    "gemini": lambda file: Call("write_file", {"file_path": str(file), "content": "eval(input())\n"}),
}


@pytest.fixture(params=["claude", "codex", "gemini"])
def driven(request: pytest.FixtureRequest, tmp_path: Path, daemon: Daemon) -> Agent:
    """A host with our hooks in its settings, as `supervisor install` writes them."""
    made = agent(request.param, tmp_path)
    if made is None:
        pytest.skip(f"{request.param} is not on this machine")
    install = [sys.executable, "-m", "supervisor", "install", made.name, "--yes", "--socket", str(daemon.socket)]
    subprocess.run(install, env=os.environ | {"HOME": str(made.home)}, check=True, cwd=made.work, capture_output=True)
    return made


def test_a_host_is_guarded(driven: Agent, daemon: Daemon) -> None:
    """One run in which everything is tried, and one in which nothing answers where the daemon should."""
    shell = SHELL[driven.name]
    script: list[Turn] = [
        *(shell(words) for words in ("touch block", "touch nudge", "touch right", "touch flag")),
        *(MCP[driven.name], SUB_AGENT[driven.name], WRITES[driven.name](driven.work / "written.py")),
        shell("echo it is heard"),
        shell("sleep 2"),  # a sub-agent may work beside its agent
    ]
    with model(tidy=script, delegate=[shell("touch block; touch delegated")]) as scripted:
        done = driven.does("please tidy up", scripted)
    assert done.returncode == 0, done.stderr
    _a_blocked_command_never_runs_and_the_agent_hears_why(driven, scripted)
    _a_nudge_reaches_the_model_and_its_next_command_runs(driven, scripted)
    _a_flag_runs_and_stands_in_the_queue(driven, daemon)
    _tools_of_mcp_servers_and_sub_agents_are_covered(driven, daemon)
    _what_is_written_into_files_is_seen(driven, daemon)
    _the_users_words_and_the_outputs_reach_the_specialists(driven, daemon)
    _without_a_daemon_nothing_runs(driven, daemon)


def _a_blocked_command_never_runs_and_the_agent_hears_why(driven: Agent, scripted: Model) -> None:
    assert not (driven.work / "block").exists()
    assert "Plan another way to the goal" in scripted.heard


def _a_nudge_reaches_the_model_and_its_next_command_runs(driven: Agent, scripted: Model) -> None:
    assert not (driven.work / "nudge").exists()
    assert "Leave it out." in scripted.heard
    assert (driven.work / "right").exists()


def _a_flag_runs_and_stands_in_the_queue(driven: Agent, daemon: Daemon) -> None:
    assert (driven.work / "flag").exists()
    assert _decisions(daemon, driven, "touch flag")[0]["decision"]["review"]


def _tools_of_mcp_servers_and_sub_agents_are_covered(driven: Agent, daemon: Daemon) -> None:
    assert not driven.ran.exists()
    assert not (driven.work / "delegated").exists()
    assert _decisions(daemon, driven, "touch delegated")[0]["decision"]["verdict"] == "block"


def _what_is_written_into_files_is_seen(driven: Agent, daemon: Daemon) -> None:
    (decision,) = _decisions(daemon, driven, "eval(input())")
    assert decision["action"]["kind"] in ("file_write", "file_edit")
    assert (driven.work / "written.py").read_text().strip() == "eval(input())"


def _the_users_words_and_the_outputs_reach_the_specialists(driven: Agent, daemon: Daemon) -> None:
    contents = {
        line["sha256"]: line["content"]
        for file in (daemon.folder / "records").glob("*.jsonl")
        for line in map(json.loads, file.read_text().splitlines())
        if "sha256" in line
    }
    last = _decisions(daemon, driven, "sleep 2")[0]
    assert contents[last["scene"]]["task"] == "please tidy up"
    assert contents[last["scene"]]["facts"]["workspace"] == str(driven.work)
    steps = [content["step"] for content in contents.values() if isinstance(content, dict) and "step" in content]
    outputs = [step["output"] for step in steps if "echo it is heard" in str(step["args"])]
    assert outputs
    assert all(isinstance(output, str) and "it is heard" in output for output in outputs)


def _without_a_daemon_nothing_runs(driven: Agent, daemon: Daemon) -> None:
    ours = (file for file in driven.home.rglob("*.json") if "client.p" in file.read_text())
    settings = next(file for file in ours if file.name != "installed.json")
    settings.write_text(settings.read_text().replace(str(daemon.socket), "/dev/null/none.sock"))
    with model(tidy=[SHELL[driven.name]("touch unguarded")]) as scripted:
        driven.does("please tidy up", scripted)
    assert not (driven.work / "unguarded").exists()
    assert "guard_failed" in scripted.heard


def _decisions(daemon: Daemon, driven: Agent, words: str) -> list[dict[str, Any]]:
    """The recorded decisions on this host's actions that hold these words."""
    found = [record.predicate for record in read_records(daemon.folder / "records") if record.kind == "decision"]
    ours = [each for each in found if str(each["session"]).startswith(f"{driven.name}:")]
    return [each for each in ours if words in json.dumps(each["action"])]
