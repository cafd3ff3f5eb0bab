"""The drivers that there are."""

from __future__ import annotations

from supervisor.runtime.drivers.agents import acp, claude, codex
from supervisor.runtime.drivers.agents.running import AgentDriver
from supervisor.runtime.drivers.driver import Capabilities, Driver
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.shell import ShellDriver

CAPABILITIES = {
    "shell": Capabilities(),
    "claude": claude.CAPABILITIES,
    "codex": codex.CAPABILITIES,
    "acp": acp.CAPABILITIES,
}
STEERABLE = frozenset(name for name, can in CAPABILITIES.items() if can.steer)


def drivers_of(guard: CommandGuard) -> dict[str, Driver]:
    """All drivers, by their names. Agents ask the guard."""
    return {
        "shell": ShellDriver(is_needless=guard.is_needless),
        "claude": AgentDriver(claude.ClaudeDialect, "claude", claude.CAPABILITIES, guard),
        "codex": AgentDriver(codex.CodexDialect, "codex", codex.CAPABILITIES, guard),
        "acp": AgentDriver(acp.AcpDialect, "claude", acp.CAPABILITIES, guard),  # its actions are put into that form
    }
