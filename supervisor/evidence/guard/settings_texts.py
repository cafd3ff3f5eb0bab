"""The texts of hosts' settings, whole or in the parts that edits show, as data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with the names above it; the items of a list have its name."""
    stack: list[tuple[str, Any]] = [(path, value)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, Mapping):
            stack += [(f"{path}.{name}" if path else str(name), each) for name, each in node.items()]
        elif isinstance(node, list) and (node or "hooks" not in path.lower()):  # an event without hooks is told
            stack += [(path, each) for each in node]
        elif path:
            yield path, node


def commands_of(settings: Any) -> Iterator[str]:
    """The commands of all hooks."""
    hooks = settings.get("hooks") if isinstance(settings, Mapping) else None
    for path, value in leaves(hooks or {}):
        if path.rpartition(".")[2] == "command" and isinstance(value, str):
            yield value


def parsed(text: str) -> Any:
    """A whole settings file: JSON, or TOML. None where it is neither."""
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else _toml(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else None


def _toml(text: str) -> Any:
    import tomllib

    return tomllib.loads(text)


def parsed_part(text: str) -> Any:
    """Members of an object, as edits show them: `"theme": "dark",`; or lines of TOML."""
    stripped = _closed(text.strip().strip(",").strip())
    if not stripped:
        return {}
    for whole in (stripped, f"{{{stripped}}}"):
        if (found := parsed(whole)) is not None:
            return found
    return None


_REST = '"…"'  # stands for what an edit leaves in what it opens
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


def _closed(text: str) -> str:
    """JSON that ends in what it opened, as `"deny": [`, with that closed again; other texts as they are."""
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
