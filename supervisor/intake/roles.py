"""What an unknown tool does with its arguments, derived from their names, the tool's name, and what the values look
like.

An argument is taken for a command, code, a query or a patch if name, tool and shape together have `_LEAST` points. So
a support tool's `command` that is a word, a `query` that is a search, and a `code` that is a coupon are left alone.
Tools that move, copy, delete and write files are recognized by verb, object and argument pairs. The result is the kind
and the fields of an action.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from supervisor.intake import file_tools, shapes
from supervisor.intake.arguments import Argument, arguments_of, kinds_named
from supervisor.intake.call_kinds import fields_of, kind_from_words
from supervisor.intake.kinds import kind_of, words_of
from supervisor.intake.role_names import (
    ALSO_RUNS,
    ARGV,
    CLIENTS,
    DESCRIBES,
    FILED_ON_A_LINE,
    IS_PROSE,
    KIND_OF_LANGUAGE,
    LANGUAGES,
    MAIN,
    MAY_BE_PROSE,
    OF_ELEMENTS,
    ON_A_LINE,
    PLACES,
    PLURALS,
    PROSE_WORDS,
    ROLES,
    TOOL_WORDS,
    TYPE,
    TYPED_INTO,
)
from supervisor.pointers import MARK, UNREADABLE, either, plain

_MOST_FOUND = 256  # arguments that one call runs
_TOO_MANY = "more arguments than can be read"
_LEAST = 4  # points of name, tool and shape together


class Recognized(NamedTuple):
    """What a call is taken for: its kind, its fields, and the reason as text for people."""

    kind: str
    fields: Mapping[str, str]
    why: str


class _Surroundings(NamedTuple):
    """The context of each argument: `language_kind`, the kind that an argument such as `language` names; `words`, the
    argument with a program's arguments, by the pointer of its object; `host`, the pointer of the host; and whether an
    argument names an element of a page."""

    language_kind: str
    words: Mapping[str, Argument]
    host: str
    has_elements: bool


class _Found(NamedTuple):
    """An argument that may be what runs: `field` is its place, `points` the certainty, `why` the reason for people."""

    kind: str
    field: str
    points: int
    why: str


def recognize(tool: str, args: Mapping[str, Any], only: frozenset[str] | None = None) -> Recognized | None:
    """What a call of a tool without a kind is taken for; None if it runs nothing and touches no file. `only` are the
    tool's own parameters."""
    if not args:
        return None
    words = words_of(tool)
    arguments, has_more = arguments_of(args, only)
    if has_more:
        return Recognized("shell", {"command": UNREADABLE}, _TOO_MANY)
    filed = file_tools.recognize(words, _by_name(arguments))
    found = _running(words, arguments, only_sure=filed is not None and words.isdisjoint(ALSO_RUNS))
    if len(found) > _MOST_FOUND:
        return Recognized("shell", {"command": UNREADABLE}, _TOO_MANY)
    if filed is None:
        return _joined(found, arguments) if found else None
    kind, fields, why = filed
    if not found:
        return Recognized(kind, plain(fields), why)
    at = fields.get("command") or fields.get("path") or ""
    line = [_Found("shell", FILED_ON_A_LINE.get(kind, "") + at[1:], _LEAST, why)] if at else []
    return _joined([*line, *found], arguments)


def shape_of(tool: str, args: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    """The kind of a call for which none is declared, and the fields that differ from the usual argument names."""
    kind = kind_of(tool)
    if kind != "tool":
        return kind, {}
    taken = recognize(tool, args)
    if taken is not None:
        return taken.kind, taken.fields
    kind = kind_from_words(tool, args)
    return (kind, fields_of(kind, args)) if kind else ("tool", {})


def parts_missing(kind: str, args: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a call with a known kind but without a known name for its main argument."""
    arguments, _ = arguments_of(args, None)
    if kind in file_tools.PATHED:
        return plain(file_tools.fields_of(kind, _by_name(arguments)))
    role, surroundings = ROLES.get(kind, {}), _surroundings(arguments)
    for sure in (2, 1):
        main = [each for each in arguments if each.name in role.get(sure, ()) and _holds_text(each.value)]
        if main:
            return plain(
                {MAIN[kind]: either([_field(kind, each, surroundings, ()) for each in main]), **_place(arguments)}
            )
    return {}


def _holds_text(value: object) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(each, str) for each in value)


def _running(words: frozenset[str], arguments: Sequence[Argument], *, only_sure: bool = False) -> list[_Found]:
    """The arguments that may be what runs, each with its most likely kind. `only_sure`: only arguments with unambiguous
    names, for a tool that also takes a file's text."""
    surroundings = _surroundings(arguments)
    best: list[_Found] = []
    for each in arguments:
        if len(best) > _MOST_FOUND:  # the caller treats more as unreadable
            break
        kinds = kinds_named(each.name)
        if only_sure:
            kinds = tuple((kind, points) for kind, points in kinds if points > 1 and kind != "file_edit")
        if not kinds or not _holds_text(each.value):
            continue
        weighed = [_weighed(kind, points, each, words, surroundings) for kind, points in kinds]
        most = max(weighed, key=lambda found: found.points)
        if most.points >= _LEAST:
            best.append(most)
    beside = {word for each in best for word in each.field.split() if word.startswith("+")}
    return [each for each in best if f"+{each.field}" not in beside]


def _by_name(arguments: Sequence[Argument]) -> dict[str, tuple[str, Any]]:
    """The nearest argument of each name."""
    return {each.name: (each.at, each.value) for each in reversed(arguments)}


def _surroundings(arguments: Sequence[Argument]) -> _Surroundings:
    held = [each for each in reversed(arguments) if each.name in ARGV and _holds_text(each.value)]
    host = next((each.at for each in arguments if each.name in ("host", "hostname", "server", "target_host")), "")
    words = {each.at.rpartition("/")[0]: each for each in held}
    return _Surroundings(_language_kind(arguments), words, host, any(each.name in OF_ELEMENTS for each in arguments))


def _language_kind(arguments: Sequence[Argument]) -> str:
    """The kind that an argument such as `language` names; empty if there is none."""
    languages = (each.value for each in arguments if each.name in LANGUAGES and isinstance(each.value, str))
    return next(
        (
            KIND_OF_LANGUAGE[word]
            for value in languages
            if (word := value.strip().lower().rstrip("0123456789. ")) in KIND_OF_LANGUAGE
        ),
        "",
    )


def _weighed(kind: str, role: int, argument: Argument, words: frozenset[str], surroundings: _Surroundings) -> _Found:
    shape, language_kind = _shape(kind, argument.value), surroundings.language_kind
    if kind == "shell" and (beside := _argv_beside(argument, surroundings)):
        role, shape = 2, shapes.of_command([str(argument.value), *_listed(beside.value)])
    elif kind == "shell" and _client(words) and (role == 2 or argument.name in ARGV):
        role, shape = 2, max(shape, 1)
    tool = 2 if not words.isdisjoint(TOOL_WORDS[kind]) else 0
    tool -= 0 if words.isdisjoint(PROSE_WORDS) else MAY_BE_PROSE if words.isdisjoint(DESCRIBES) else IS_PROSE
    tool = max(tool, 2) if kind == language_kind else tool
    points = role + tool + shape
    if not shape or (language_kind and language_kind != kind) or (role == 1 and (shape < 2 or tool < (kind != "sql"))):
        points = 0  # an ambiguous name counts only if tool and shape both have points
    if kind == "shell" and role == 1 and (_types(words) or surroundings.has_elements):
        points = 0  # text that is typed into a page, or into a program that already runs
    why = f"`{argument.name}` ({role}), the tool's name ({tool}), what it looks like ({shape})"
    return _Found(kind, _field(kind, argument, surroundings, words), points, why)


def _types(words: frozenset[str]) -> bool:
    """Whether a tool types into a terminal: its text may be an answer to a program and not a command."""
    return not words.isdisjoint(TYPE) and not words.isdisjoint(TYPED_INTO)


def _argv_beside(argument: Argument, surroundings: _Surroundings) -> Argument | None:
    """The argument that contains a program's arguments: `args` in `{"program": "rm", "args": ["-rf", "~"]}`."""
    if not isinstance(argument.value, str) or len(argument.value.split()) != 1 or argument.name in ARGV:
        return None
    return surroundings.words.get(argument.at.rpartition("/")[0])


def _listed(value: object) -> list[str]:
    return value.split() if isinstance(value, str) else [str(each) for each in value] if isinstance(value, list) else []


def _shape(kind: str, value: object) -> int:
    if kind == "shell":
        return shapes.of_command(value)
    text = "\n".join(value) if isinstance(value, (list, tuple)) else str(value)
    if kind == "file_edit":
        return 3 if _PATCH.search(text) else 0
    return {"python": shapes.of_python, "javascript": shapes.of_javascript, "sql": shapes.of_sql}[kind](text)


_PATCH = re.compile(
    r"^[ \t]*\*\*\* (?:Begin Patch|(?:Add|Delete|Update) File: )|^diff --git |^--- [^\n]+\r?\n\+\+\+ |^<{5,} ?SEARCH",
    re.MULTILINE,
)


def _client(words: frozenset[str]) -> str:
    """The program after which a tool is named; the tool's command is then this program's arguments."""
    return next(iter(sorted(words & CLIENTS)), "")


def _field(kind: str, argument: Argument, surroundings: _Surroundings, words: Sequence[str] | frozenset[str]) -> str:
    """The place of what runs, as a field without its mark."""
    at, value = argument.at, argument.value
    if kind != "shell" or not isinstance(value, (str, list, tuple)):
        return at if not isinstance(value, (list, tuple)) else f";{at}"
    if isinstance(value, (list, tuple)):
        if client := _client(frozenset(words)) if argument.name in ARGV else "":
            return f"{client} +{at}"
        return f";{at}" if argument.name in PLURALS or (value and " " in str(value[0])) else at
    if beside := _argv_beside(argument, surroundings):
        return f"{at} +{beside.at}"
    client = _client(frozenset(words))
    if client and value.split()[0] != client and not shapes.is_known_program(value.split()[0]):
        return f"{client} +{at}"
    if "ssh" in words:
        return f"ssh {surroundings.host or 'remote'} {at}"
    return at


def _place(arguments: Sequence[Argument]) -> dict[str, str]:
    """The field `cwd`, if an argument names a directory."""
    places = {each.name: each.at for each in arguments if each.name in PLACES and shapes.is_path(each.value)}
    at = next((places[name] for name in PLACES if name in places), "")
    return {"cwd": MARK + at} if at else {}


def _joined(found: Sequence[_Found], arguments: Sequence[Argument]) -> Recognized:
    """One action for all arguments that may run: of their kind if there is only one, else a shell action."""
    why = "; ".join(dict.fromkeys(each.why for each in found))
    if len(found) == 1 or {each.kind for each in found} == {"shell"}:
        kind = found[0].kind
        place = _place(arguments) if kind == "shell" else {}
        return Recognized(kind, plain({MAIN[kind]: either([each.field for each in found]), **place}), why)
    fields = either([ON_A_LINE[each.kind] + each.field for each in found])
    return Recognized("shell", {"command": fields, **_place(arguments)}, why)
