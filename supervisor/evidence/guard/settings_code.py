"""The settings that code changes in a host's file that it reads and writes back: `s = json.load(…); s["theme"] =
"dark"; json.dump(s, …)`.

The parsed object is followed by its variable. If every use reads it or sets literal keys, those keys and their values
are the change. With any other use the change counts as one that does not show.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from supervisor.evidence.guard.settings_names import is_about_else, is_narrowing
from supervisor.evidence.guard.settings_texts import leaves
from supervisor.evidence.reading.paths import HOLE

Setting = tuple[list[str], Any]

_PARSED = re.compile(
    r"(?:^|[;{(,\s])(?:const\s+|let\s+|var\s+)?([A-Za-z_$][\w$]*)\s*=\s*(?:await\s+)?"
    r"(?:json\.loads?|orjson\.loads|ujson\.loads?|JSON\.parse|tomllib\.loads?|tomlkit\.(?:load|parse)|require(?=\s*\([^)]*\.json))\s*\("
)
_INTO = re.compile(r"(?:json\.dumps?|orjson\.dumps|JSON\.stringify|tomlkit\.dumps?)\s*\(\s*$")
_LOOKS = re.compile(r"(?:print|console\.log|len|pprint|pprint\.pprint|isinstance|type|Object\.keys)\s*\(\s*$")
_ALIAS = re.compile(r"(?:^|[;\n{(,])\s*(?:const\s+|let\s+|var\s+)?([A-Za-z_$][\w$]*)\s*=\s*$")
_TEXT = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_STEP = re.compile(
    rf"\[\s*(?P<key>{_TEXT})\s*\]"
    rf"|\.(?:setdefault|get)\(\s*(?P<name>{_TEXT})\s*(?:,\s*(?:\{{\s*\}}|\[\s*\]|dict\(\)|list\(\)|None|{_TEXT}))?\s*\)"
    r"|\??\.(?P<member>[A-Za-z_$][\w$]*)(?![\w$]*\s*\()"
)
_SETS = re.compile(r"\s*(?:\?\?=|\|\|=|=(?![=>]))\s*")
_ADDS = re.compile(r"\s*\.(?:append|push|add)\(\s*")
_UPDATES = re.compile(r"\s*\.update\(\s*")
_TAKES = re.compile(rf"\s*\.pop\(\s*(?P<key>{_TEXT})")
_REMOVES = re.compile(r"\s*\.(?:remove|discard)\(")
_READS = re.compile(
    r"\s*(?:[);,\]}:\n]|$|\.(?:items|keys|values|copy|get|includes|index|length|join)\b|==|!=|not\b|in\b|and\b|or\b|if\b|else\b|\|\||&&|\?)"
)
_DELETES = re.compile(r"\b(?:del|delete)\s+$")
_WORDS = re.compile(r"True|False|None")
_IN_JSON = {"True": "true", "False": "false", "None": "null"}
_CALLED = re.compile(r"[\w$\])]\s*\(\s*$")
_COPY = re.compile(r"^\s*\.\.\.")
_WRITES = re.compile(
    r"(?:write_text|write_bytes|writeFile(?:Sync)?|\.write|\.writelines|writeTextFile(?:Sync)?|Bun\.write)\s*\("
)
_DUMPED = re.compile(r"(?:json\.dumps?|orjson\.dumps|JSON\.stringify|tomlkit\.dumps?)\s*\(\s*([^\s,()]*)")
_LINE_END = re.compile(r"\s*(?:\"\\n\"|'\\n')\s*\)")
_MOST_USES = 64


class _Use(NamedTuple):
    """One use of the parsed object: the offsets of the expression, and the keys that it names."""

    start: int
    end: int
    names: list[str]


def settings_in_code(source: str) -> list[Setting] | None:
    """The settings that code changes in the file that it parses; None if it may change others."""
    objects = {found[1] for found in _PARSED.finditer(source)}
    if len(objects) != 1 or not _writes_back(source, *objects):
        return None
    settings: list[Setting] = []
    leads: dict[str, list[str]] = {objects.pop(): []}
    for name in leads:
        found = _changes(source, name, leads)
        if found is None:
            return None
        settings += found
    return settings


def _writes_back(source: str, name: str) -> bool:
    """Whether the object is written, and nothing else is."""
    dumped = list(_DUMPED.finditer(source))
    if not dumped or any(each[1] != name for each in dumped):
        return False
    written = (source[found.end() :] for found in _WRITES.finditer(source))
    return all(_LINE_END.match(rest) or _DUMPED.search(rest.partition("\n")[0]) for rest in written)


def _changes(source: str, name: str, leads: dict[str, list[str]]) -> list[Setting] | None:
    settings: list[Setting] = []
    places = list(re.finditer(rf"(?<![\w.$\"'-]){re.escape(name)}(?![\w$\"'])", source))
    if len(places) > _MOST_USES:
        return None
    for place in places:
        use = _use_at(source, place.start(), place.end(), leads[name])
        found = _of_use(source, use, is_whole=not leads[name])
        if found is None:
            return None
        settings += found
    return settings


def _use_at(source: str, start: int, end: int, above: list[str]) -> _Use:
    names = [*above]
    while found := _STEP.match(source, end):
        key = found["key"] or found["name"]
        names.append(key[1:-1] if key else found["member"])
        end = found.end()
    return _Use(start, end, names)


def _of_use(source: str, use: _Use, is_whole: bool) -> list[Setting] | None:
    """What one use changes; None if it may change more than shows."""
    before = source[max(0, use.start - 200) : use.start]
    if _DELETES.search(before):
        return _removed(use.names)
    if found := _SETS.match(source, use.end):
        return _set(source, use, found.end(), is_whole)
    if found := _ADDS.match(source, use.end):
        return _added(use.names, _value(source, found.end()))
    if found := _UPDATES.match(source, use.end):
        return _merged(use.names, _value(source, found.end()))
    if found := _TAKES.match(source, use.end):
        return _removed([*use.names, found["key"][1:-1]])
    if _REMOVES.match(source, use.end):
        return None if is_narrowing(use.names) or not use.names else []
    if _COPY.match(before[-4:]) or _INTO.search(before) or _LOOKS.search(before):
        return []
    if _ALIAS.search(before):
        return None  # a second variable for a part of it
    return [] if _READS.match(source, use.end) and _is_copied(use.names, before) else None


def _is_copied(names: list[str], before: str) -> bool:
    """Whether a read concerns no hooks, and passes nothing to a function that might change it."""
    return bool(names) and not any("hook" in name.lower() for name in names) and _CALLED.search(before) is None


def _set(source: str, use: _Use, at: int, is_whole: bool) -> list[Setting] | None:
    if not use.names:  # the assignment of the parsed object
        return [] if is_whole and _is_parsed(source, use) else None
    path = source[use.start : use.end]
    copied = re.match(rf"\{{\s*\.\.\.\s*\(?{re.escape(path)}(?:\s*(?:\|\||\?\?)\s*\{{\s*\}}\s*\))?\s*,?", source[at:])
    if copied:
        return _merged(use.names, _value(source, at + copied.end() - 1, "{"))
    value = _value(source, at)
    if value is HOLE and is_about_else(use.names):
        return [(use.names, HOLE)]
    return None if value is HOLE else _replaced(use.names, value)


def _is_parsed(source: str, use: _Use) -> bool:
    return any(found.start(1) == use.start for found in _PARSED.finditer(source))


def _replaced(names: list[str], value: Any) -> list[Setting] | None:
    """A value that replaces another. None if it replaces a list or an object, whose items may be lost."""
    if isinstance(value, (dict, list)):
        if not is_about_else(names):
            return None
        return [(path.split("."), each) for path, each in leaves(value, ".".join(names))]
    return [(names, value)]


def _merged(names: list[str], value: Any) -> list[Setting] | None:
    if not isinstance(value, dict):
        return None
    settings: list[Setting] = []
    for name, each in value.items():
        found = _replaced([*names, str(name)], each)
        if found is None:
            return None
        settings += found
    return settings


def _added(names: list[str], value: Any) -> list[Setting] | None:
    return None if not names or value is HOLE else [(names, value)]


def _removed(names: list[str]) -> list[Setting] | None:
    """What a removal changes: nothing if it removes a permission or an unrelated setting; None for any other."""
    if not names:
        return None
    return [] if is_about_else(names) or names[-1] in ("allow", "allowedTools", "autoApprove") else None


def _value(source: str, at: int, opened: str = "") -> Any:
    """The literal value at an offset; HOLE if it is known only at run time."""
    text = opened + source[at : at + 4_000].lstrip() if not opened else opened + source[at + 1 : at + 4_000]
    text = text.lstrip()
    if (quoted := re.match(_TEXT, text)) is not None:
        return quoted[0][1:-1]
    spelt = _WORDS.sub(lambda found: _IN_JSON[found[0]], text)
    spelt = re.sub(r"'((?:[^'\\\n]|\\.)*)'", lambda found: json.dumps(found[1]), spelt)
    spelt = re.sub(r"([{,]\s*)([A-Za-z_$][\w$]*)\s*:", r'\1"\2":', spelt)
    spelt = re.sub(r",\s*([}\]])", r"\1", spelt)
    try:
        return json.JSONDecoder().raw_decode(spelt)[0]
    except (ValueError, RecursionError):
        return HOLE
