"""The tools that a server lists: their descriptions now, and when they were approved."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeGuard

from supervisor.intake.files import read_file
from supervisor.intake.json_values import clean
from supervisor.intake.kinds import kind_of, rivals
from supervisor.intake.parsing import MAX_TOOL_NAME

MAX_TOOLS = 4_096  # of a server; further ones are ignored
MAX_LISTED = 256  # tools in the fact `tools`
MAX_SEEN = 32  # tools that every specialist reads, however long the list is
MAX_DESCRIPTION = 16 * 1024  # characters
MAX_ALL = 256 * 1024  # characters of all descriptions in the fact `tools`; every decision reads them
APPROVED = "~/.local/state/supervisor/mcp"
_MOST_BYTES = 64 * 1024 * 1024  # of such a file
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_KINDS = {"command": "shell", "cmd": "shell", "sql": "sql"}  # the kind that an argument's name implies


class Tools:
    """A server's tools. A tool is approved with its first description, in this run or an earlier one."""

    def __init__(self, approved: Approved) -> None:
        self._approved = approved
        self._known = approved.read()
        self._first: dict[str, str] = {}  # as first listed on this connection
        self._listed: dict[str, dict[str, Any]] = {}
        self._kinds: dict[str, str | None] = {}
        self.schemas: dict[str, Any] = {}  # input schemas, as listed last

    def listed(self, tools: Any) -> None:
        """Reads a page of a listing."""
        fresh = {}
        for tool in islice(tools if isinstance(tools, list) else (), MAX_TOOLS):
            if isinstance(tool, Mapping) and _is_name(name := tool.get("name")):
                text = described(tool)
                fresh[name] = self._known.get(name, text)
                self._kinds[name], self.schemas[name] = inferred_kind(tool), tool.get("inputSchema")
                self._first.setdefault(name, text)
                if name in self._listed or len(self._listed) < MAX_TOOLS:
                    self._listed[name] = self._row(name, text, tool.get("annotations"))
        if fresh.keys() - self._known.keys():
            self._known |= fresh
            self._approved.write(self._known)

    def facts(self) -> list[dict[str, Any]]:
        """The fact `tools`. A tool whose description has changed has the earlier one as `approved`, and `changed` is
        since when: `connected` (in this run) or `approved` (in an earlier run). Text beyond MAX_ALL is cut."""
        room, rows = MAX_ALL, list[dict[str, Any]]()
        for tool in islice(self._listed.values(), MAX_LISTED):
            texts = {key: str(tool[key])[:room] for key in ("description", "approved") if key in tool}
            room -= sum(map(len, texts.values()))
            rows.append(tool | texts)
        return rows

    def called(self, name: str) -> bool:
        """Moves a tool that is about to be called to the front of a long list, where specialists read it. Returns
        whether the fact `tools` has changed."""
        if name not in self._listed or name in set(islice(self._listed, MAX_SEEN)):
            return False
        self._listed = {name: self._listed.pop(name), **self._listed}
        return True

    def kind(self, name: str) -> str | None:
        """The kind from the tool's listing; None if its name has one, or the listing has none."""
        return self._kinds.get(name)

    def _row(self, name: str, text: str, annotations: Any) -> dict[str, Any]:
        row: dict[str, Any] = {"name": name, "description": text}
        if isinstance(annotations, Mapping):
            row["annotations"] = {key: annotations[key] for key in _HINTS if isinstance(annotations.get(key), bool)}
        if text != self._first[name]:
            return row | {"approved": self._first[name], "changed": "connected"}
        if text != self._known.get(name, text):
            return row | {"approved": self._known[name], "changed": "approved"}
        return row


class Approved:
    """The approved descriptions of one server's tools, in a file named after the server."""

    def __init__(self, server: Sequence[str], folder: str | os.PathLike[str] = APPROVED) -> None:
        name = hashlib.sha256(json.dumps(list(server)).encode()).hexdigest()
        self._file = Path(folder).expanduser() / f"{name}.json"
        self._server = list(server)

    def read(self) -> dict[str, str]:
        """The descriptions, by tool. Raises ValueError if the file is damaged: the damage may be an attack, so the
        tools are not approved anew."""
        try:
            content = json.loads(read_file(self._file, _MOST_BYTES))["tools"]
        except FileNotFoundError:
            return {}
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{self._file}: the file is damaged; remove it to approve the tools anew") from None
        return {str(name): str(text) for name, text in content.items()}

    def write(self, tools: Mapping[str, str]) -> None:
        """Replaces the file."""
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self._file.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps({"server": self._server, "tools": dict(tools)}, indent=1), encoding="utf-8")
        fresh.replace(self._file)

    def forget(self) -> None:
        """Removes the file, so that the next listing is approved."""
        self._file.unlink(missing_ok=True)


def described(tool: Mapping[str, Any]) -> str:
    """All text of a tool that an agent reads: its description, and its parameters with theirs."""
    texts = [tool.get("description")] if isinstance(tool.get("description"), str) else []
    texts += _parameters(tool.get("inputSchema"))
    return clean("\n".join(map(str, texts))[:MAX_DESCRIPTION])


def _is_name(name: Any) -> TypeGuard[str]:
    """Whether a tool can be called by that name. Calls by any other name are refused."""
    return isinstance(name, str) and 0 < len(name) <= MAX_TOOL_NAME and clean(name) == name


def _parameters(schema: Any) -> Iterator[str]:
    """The parameters of a schema. Without recursion, since a hostile schema may be deep."""
    pending = [("", schema)]
    while pending:
        name, node = pending.pop()
        if isinstance(node, Mapping):
            if name:
                about = node.get("description")
                yield f"{name}: {about}" if isinstance(about, str) else name
            for key in ("properties", "$defs", "definitions"):
                if isinstance(inner := node.get(key), Mapping):
                    pending.extend((str(each), inner[each]) for each in sorted(inner, reverse=True))
            pending.extend(("", node[key]) for key in ("items", "additionalProperties") if key in node)
            for key in ("anyOf", "oneOf", "allOf"):
                pending.extend(("", each) for each in (node[key] if isinstance(node.get(key), list) else ()))


def inferred_kind(tool: Mapping[str, Any]) -> str | None:
    """The kind of a tool, from its title or its arguments; None if its name has a kind. A server's claims only add
    checks: a tool that claims to be read-only is judged like any other."""
    name, annotations, schema = str(tool.get("name")), tool.get("annotations"), tool.get("inputSchema")
    if kind_of(name) != "tool":
        return None
    annotated = annotations.get("title") if isinstance(annotations, Mapping) else None
    for title in (tool.get("title"), annotated):
        if isinstance(title, str) and (kind := kind_of("_".join(title.split()))) != "tool":
            return kind
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    for argument, kind in _KINDS.items():
        about = properties.get(argument) if isinstance(properties, Mapping) else None
        if isinstance(about, Mapping) and about.get("type") == "string" and "enum" not in about:
            return None if rivals(kind, properties or {}) else kind
    return None
