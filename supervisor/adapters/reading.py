"""Reads values in the forms that several hosts share."""

from __future__ import annotations

import inspect
from typing import Any


async def resolved(setting: Any, *args: Any) -> bool:
    """The truth value of a setting, which may also be a function or a coroutine function that returns one."""
    value = setting(*args) if callable(setting) else setting
    return bool(await value if inspect.isawaitable(value) else value)


def text_of(content: Any) -> str:
    """The text of a message's content, which is a string or a list of parts."""
    parts = content if isinstance(content, list) else [{"text": content}]
    return " ".join(str(part.get("text") or "") for part in parts if isinstance(part, dict))
