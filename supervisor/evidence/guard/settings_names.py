"""The purpose of hosts' settings by their names: those that narrow what runs without approval, and unrelated ones."""

from __future__ import annotations

import re

# Settings that permit less without approval, and settings that have nothing to do with approval.
_NARROWING = re.compile(r"deny|ask|disable_?bypass_?permissions_?mode|exclude(?:d_?)?tools|denied_?\w*|block\w*", re.I)
_NEUTRAL = re.compile(
    r"\$schema|theme|model\w*|editor\w*|vim_?mode|font\w*|color\w*|language|locale|output_?style|status_?line|verbose"
    r"|spinner\w*|notif\w*|auto_?updates?(?:_?channel)?|cleanup_?period_?days|include_?co_?authored_?by|attribution"
    r"|commit|pr|history|persistence|max_bytes|telemetry|ui|hide_?\w*|show_?\w*|tui|file_?opener|preferred_?\w*"
    r"|reasoning_?\w*|effort\w*|personality|version|type|padding|name|description|display|terminal\w*|prompt_?\w*"
    r"|always_?thinking_?enabled|context(?:_?\w+)?|file_?name|checkpointing|usage\w*|privacy|profile|general|feedback"
    r"|service_?tier|fallback_?model|prefers_?reduced_?motion|max_?\w*",
    re.IGNORECASE,
)
SWITCHES = re.compile(r"disabled?|enabled?|notifications", re.IGNORECASE)


def is_narrowing(names: list[str]) -> bool:
    """Whether a setting, by the names in its path, permits less without approval."""
    return any(_NARROWING.fullmatch(name) for name in names)


def is_about_else(names: list[str]) -> bool:
    """Whether a setting has nothing to do with approval, or switches such a setting on or off."""
    named = names[:-1] if len(names) > 1 and SWITCHES.fullmatch(names[-1]) else names
    return all(_NEUTRAL.fullmatch(name) for name in named)
