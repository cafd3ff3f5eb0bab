"""The variables for a user's configuration, cache and state directories (freedesktop.org, XDG Base Directory)."""

from __future__ import annotations

import re

_DEFAULTS = {"CONFIG": "$HOME/.config", "CACHE": "$HOME/.cache", "STATE": "$HOME/.local/state"}
_NAMED = re.compile(r"\$(?:XDG_(\w{5,6})_HOME\b|\{XDG_(\w{5,6})_HOME\})")


def with_defaults(text: str) -> str:
    """The text with each of these variables replaced by its default value."""
    return _NAMED.sub(lambda found: _DEFAULTS.get(found[1] or found[2], found[0]), text)
