"""Parsers for hosts' settings: whole files, and the parts that edits show."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf value with its dotted path; the items of a list have the list's path."""
    stack: list[tuple[str, Any]] = [(path, value)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, Mapping):
            stack += [(f"{path}.{name}" if path else str(name), each) for name, each in node.items()]
        elif isinstance(node, list) and (node or "hooks" not in path.lower()):  # `[]` of an event is a leaf
            stack += [(path, each) for each in node]
        elif path:
            yield path, node


def commands_of(settings: Any) -> Iterator[str]:
    """The commands of all hooks in settings."""
    hooks = settings.get("hooks") if isinstance(settings, Mapping) else None
    for path, value in leaves(hooks or {}):
        if path.rpartition(".")[2] == "command" and isinstance(value, str):
            yield value


def parsed(text: str) -> Any:
    """A whole settings file, parsed as JSON or TOML; None if it is neither."""
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else _toml(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else None


def _toml(text: str) -> Any:
    import tomllib

    return tomllib.loads(text)


def parsed_part(text: str) -> Any:
    """The members of an object that an edit shows (`"theme": "dark",`), or lines of TOML; None if it is neither."""
    stripped = _closed(text.strip().strip(",").strip())
    if not stripped:
        return {}
    for whole in (stripped, f"{{{stripped}}}"):
        if (found := parsed(whole)) is not None:
            return found
    return None


_REST = '"…"'  # stands for the items that an edit does not show
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


def _closed(text: str) -> str:
    """JSON with its open brackets closed, as of `"deny": [`; other texts unchanged."""
    open_: list[str] = []
    for found in _TOKEN.finditer(text):
        if found[0] in "[{":
            open_.append(found[0])
        elif found[0] in "]}" and (not open_ or "[{".index(open_.pop()) != "]}".index(found[0])):
            return text
    if not open_:
        return text
    text += "" if text.endswith(("[", "{")) else ", "
    text += _REST if open_[-1] == "[" else f"{_REST}: {_REST}"
    return text + "".join("]" if each == "[" else "}" for each in reversed(open_))
