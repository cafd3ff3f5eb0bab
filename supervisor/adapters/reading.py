"""What hosts hand over, in the forms that several of them share."""

from __future__ import annotations

import inspect
from typing import Any


async def settled(setting: Any, *about: Any) -> bool:
    """What a setting comes to that is a truth value, or a function or a coroutine function of one."""
    said = setting(*about) if callable(setting) else setting
    return bool(await said if inspect.isawaitable(said) else said)


def text_of(content: Any) -> str:
    """The text of a message's content, which is text or a list of parts."""
    parts = content if isinstance(content, list) else [{"text": content}]
    return " ".join(str(part.get("text") or "") for part in parts if isinstance(part, dict))
