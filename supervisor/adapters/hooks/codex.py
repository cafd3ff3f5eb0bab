"""Codex CLI: https://developers.openai.com/codex/hooks. Its events have the form of Claude Code's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from supervisor.adapters.hooks import claude
from supervisor.adapters.hooks.host import Event, Host, Moment

_EVENTS: dict[str, Moment] = {
    "UserPromptSubmit": "asked",
    "PreToolUse": "before",
    "PostToolUse": "after",
    "Stop": "finish",
    "SubagentStop": "finish",
}


def read(payload: Mapping[str, Any]) -> Event:
    """An event of Codex. A patch arrives as the `command` of `apply_patch`."""
    event = claude.read(payload)
    if event.tool == "apply_patch" and "command" in event.args:
        rest = {name: value for name, value in event.args.items() if name != "command"}
        return replace(event, args={"patch": event.args["command"], **rest})
    return event


CODEX = Host(
    "codex",
    "Codex CLI",
    read,
    ".codex",
    "hooks.json",
    _EVENTS,
    claude.entry,
    claude.canary,
    home="CODEX_HOME",
    facts={"typed_input_unseen": True},  # https://github.com/openai/codex/issues/46372
    note="Codex runs a new hook only once you have trusted it: enter /hooks in Codex. Until then nothing is guarded.",
)
