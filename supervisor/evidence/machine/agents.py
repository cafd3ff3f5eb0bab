"""Agents that run programs: the place of their settings, and the options and variables that disable their guard.

This module is only data, which an engine reads at start: it imports no parsers.
"""

from __future__ import annotations

from typing import NamedTuple


class Agent(NamedTuple):
    """The data of an agent's program.

    `folder`, in the home or in a project, contains the settings: `hooks` is the file with the hooks, `settings` are the
    files that permit actions without approval. `home` names the variable that moves the folder. `unattended` are the
    options that disable approval, `unhooked` those that disable hooks; `name=value` is an option with the one value
    that does so. `inline` are options whose value is settings.
    """

    folder: str = ""
    hooks: str = ""
    settings: tuple[str, ...] = ()
    home: str = ""
    unattended: str = ""
    unhooked: str = ""
    inline: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Every settings file in its folder."""
        return tuple(dict.fromkeys((self.hooks, *self.settings)))


AGENTS = {
    "claude": Agent(
        ".claude",
        "settings.json",
        ("settings.json", "settings.local.json"),
        "CLAUDE_CONFIG_DIR",
        "--dangerously-skip-permissions --permission-mode=bypassPermissions",
        "--bare --setting-sources=project --setting-sources=local --setting-sources=project,local --setting-sources=",
        ("--settings",),
    ),
    "codex": Agent(
        ".codex",
        "hooks.json",
        ("config.toml",),
        "CODEX_HOME",
        "--dangerously-bypass-approvals-and-sandbox --yolo --full-auto --ask-for-approval=never -a=never"
        " --sandbox=danger-full-access -s=danger-full-access",
        "--disable=hooks --disable=codex_hooks --ignore-user-config",
        ("-c", "--config"),
    ),
    "gemini": Agent(
        ".gemini",
        "settings.json",
        ("settings.json",),
        "GEMINI_CLI_HOME",
        "--yolo -y --approval-mode=yolo",
    ),
    "cursor-agent": Agent(
        ".cursor",
        "hooks.json",
        ("permissions.json", "cli.json", "cli-config.json"),
        "CURSOR_CONFIG_DIR",
        "--force -f",
    ),
    "qwen": Agent(unattended="--yolo -y --approval-mode=yolo"),
    "copilot": Agent(unattended="--allow-all-tools --yolo"),
    "amp": Agent(unattended="--dangerously-allow-all"),
    "aider": Agent(unattended="--yes-always --yes"),
    "crush": Agent(unattended="--yolo -y"),
    "droid": Agent(unattended="--skip-permissions-unsafe"),
    "goose": Agent(),
    "opencode": Agent(unattended="--dangerously-skip-permissions"),
    "openhands": Agent(unattended="--always-approve --yolo"),
    "kiro-cli": Agent(unattended="--trust-all-tools"),
    "q": Agent(unattended="--trust-all-tools"),
}
HOOKED = {name: agent for name, agent in AGENTS.items() if agent.hooks}
HOMES = {agent.home: agent.folder for agent in HOOKED.values()}
