"""The user's login to Codex: a subscription, or an API key (https://developers.openai.com/codex/auth)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from supervisor.runtime.drivers.agents.observation import mapping, text

KEY = "OPENAI_API_KEY"


def login_of(environment: Mapping[str, str]) -> Path:
    """The file with the user's login."""
    own, home = environment.get("CODEX_HOME"), environment.get("HOME") or "/"
    return (Path(own) if own else Path(home) / ".codex") / "auth.json"


def has_subscription(environment: Mapping[str, str]) -> bool:
    """Whether the user's login is that of a subscription, and no API key."""
    login = _read(environment)
    return bool(login) and not text(login, KEY)


def login_key(environment: Mapping[str, str]) -> dict[str, str]:
    """The API key of the user's login, as a variable; nothing if the login is none or a subscription."""
    key = text(_read(environment), KEY)
    return {KEY: key} if key else {}


def _read(environment: Mapping[str, str]) -> Mapping[str, Any]:
    """The login; empty if there is none that can be read: Codex itself says what is wrong with it."""
    try:
        return mapping(json.loads(login_of(environment).read_bytes()))
    except (OSError, ValueError, RecursionError):
        return {}
