"""YAML, JSON and TOML as plain trees, whole or as the part of a file that an edit brings.

YAML is read with every scalar as its text: whether `off` or `22:22` is a number depends on a version of YAML that only
the reading program knows. Placeholders of templates (`{{ .Values.x }}`) stand as they are.
"""

from __future__ import annotations

import json
import re
import textwrap
import tomllib

import orjson
import yaml

from supervisor.errors import Unreadable

MOST_TEXT = 256 * 1024  # characters of one file
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_TEMPLATE_LINE = re.compile(r"^[ \t]*(?:\{\{.*\}\}|\{%.*%\})[ \t]*$", re.MULTILINE)
_TEMPLATE = re.compile(r"\{\{[^{}\n]{0,300}\}\}")
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|,(?=\s*[}\]])')
_MEMBER = re.compile(r'^[ \t]*"(?:[^"\\\n]|\\.)*"[ \t]*:')


def yaml_trees(text: str) -> list[object]:
    """The documents of a YAML text; those after a fault of its syntax are lost. Raises Unreadable if it nests deeper
    than it can be read."""
    text = text.replace("\t", "  ") if "\t" in text else text
    trees = _documents(text)
    if (trees is None and "{{" in text) or "{%" in text:
        trees = _documents(_TEMPLATE.sub("template", _TEMPLATE_LINE.sub("", text)))
    if trees is None:
        trees = _documents(textwrap.dedent(text))
    return _lenient(text) if trees is None else trees


def _documents(text: str) -> list[object] | None:
    try:
        return list(yaml.load_all(text, _LOADER))
    except RecursionError:
        raise Unreadable("the configuration nests too deeply") from None
    except (yaml.YAMLError, ValueError, TypeError):
        return None


def _lenient(text: str) -> list[object]:
    """The parts of a text that no parser accepts as a whole: each part begins at the least indented lines."""
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    least = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    parts: list[list[str]] = []
    for line in lines:
        if len(line) - len(line.lstrip()) <= least or not parts:
            parts.append([])
        parts[-1].append(line)
    found = [_documents(textwrap.dedent("\n".join(part))) for part in parts[:2_000]]
    return [tree for each in found if each for tree in each]


def json_trees(text: str) -> list[object]:
    """The value of a JSON text, which may have comments, or the members that a part of one has."""
    for attempt in (text, _COMMENT.sub(lambda found: found[1] or "", text)):
        try:
            return [orjson.loads(attempt)]
        except orjson.JSONDecodeError:
            continue
    part = text.strip().rstrip(",")
    if _MEMBER.match(part):
        part = part + "}" * (part.count("{") - part.count("}")) if part.count("{") > part.count("}") else part
        try:
            return [json.loads(f"{{{part}}}", strict=False)]
        except (ValueError, RecursionError):
            return yaml_trees(text)
    return yaml_trees(text) if part else []  # JSON is YAML, and its reader tells the parts apart


def toml_trees(text: str) -> list[object]:
    """The value of a TOML text; of a part, what its lines assign."""
    try:
        return [tomllib.loads(text)]
    except (tomllib.TOMLDecodeError, RecursionError):
        return [assigned(text)]


_ASSIGNED = re.compile(r"^[ \t]*[\"']?([\w.@/-]{1,100})[\"']?[ \t]*=[ \t]*(.*)$")
_SWITCH = re.compile(r"^[ \t]*[a-z][a-z_-]{3,60}[ \t]*$")
_SECTION = re.compile(r"^[ \t]*\[{1,2}([^\]\n]{1,200})\]{1,2}[ \t]*$")


def assigned(text: str) -> dict[str, object]:
    """`name = value` of each line, below the `[section]` that it stands in; a name that repeats has a list,
    and one without a value is on."""
    root: dict[str, object] = {}
    here = root
    for line in text.split("\n"):
        if section := _SECTION.match(line):
            below = root.setdefault(section[1].strip(" \"'"), {})
            here = below if isinstance(below, dict) else root
        elif found := _ASSIGNED.match(line):
            put(here, found[1], _value(found[2]))
        elif _SWITCH.match(line):
            put(here, line.strip(), "on")
    return root


def put(values: dict[str, object], key: str, value: object) -> None:
    """Adds a value to what a key has already."""
    if key not in values:
        values[key] = value
    elif isinstance(before := values[key], list):
        before.append(value)
    else:
        values[key] = [before, value]


_TAIL = re.compile(r"[ \t]+[#;].*$")


def _value(text: str) -> object:
    text = text.strip()
    if text.startswith(("'", '"')) and (end := text.find(text[0], 1)) > 0:
        return text[1:end]
    if text.startswith(("[", "{")):
        try:
            return tomllib.loads(f"x = {text}")["x"]
        except tomllib.TOMLDecodeError:
            return text
    return _TAIL.sub("", text)
