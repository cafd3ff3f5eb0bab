"""What `sed -i` and `perl -pi -e` make of a text: their substitutions and the lines that they delete.

Where the text of a file is not known, the same script on typical lines shows what it does to lines of that sort.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import re2

_MOST_COMMANDS = 20
_COMMAND = re.compile(
    r"\s*;?\s*(?P<address>(?:\d+|\$)(?:,(?:\d+|\$))?|/(?P<where>(?:\\.|[^/\\\n])*)/)?\s*(?P<not>!)?\s*"
    r"(?:(?P<delete>d)\s*(?=[;}]|$)|s(?P<mark>[/|#,!@:])(?P<old>(?:\\.|(?!(?P=mark))[^\\\n])*)(?P=mark)"
    r"(?P<new>(?:\\.|(?!(?P=mark))[^\\\n])*)(?P=mark)(?P<flags>[gIiepm\d]*))"
)
_SWAPPED = re.compile(r"\\([(){}+?|])|([(){}+?|])|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\\.")
_TO_GROUP = re.compile(r"\\([1-9&\\/|nt])|\$\{?([1-9])\}?|(&)|\\(.)")


class _Change(NamedTuple):
    where: Callable[[int, int, str], bool]
    old: re.Pattern[str] | None  # None deletes the line
    new: Callable[[re.Match[str]], str]
    every: bool


def substituted(args: Sequence[str], text: str, *, perl: bool = False) -> str | None:
    """The text after a command with these arguments; None if its script does more than substitute and delete."""
    changes = _changes(args, perl=perl)
    if not changes:
        return None
    lines = text.split("\n")
    last = len(lines) - (lines[-1:] == [""])
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        result: str | None = line
        for change in changes:
            if result is not None and number <= last and change.where(number, last, result):
                result = None if change.old is None else change.old.sub(change.new, result, 0 if change.every else 1)
        if result is not None:
            kept.append(result)
    return "\n".join(kept)


def _changes(args: Sequence[str], *, perl: bool) -> list[_Change]:
    found: list[_Change] = []
    extended = perl or any(re.fullmatch(r"-[A-Za-z]*[Er]\w*|--regexp-extended", word) for word in args)
    for script in _scripts(args):
        place = 0
        while place < len(script) and len(found) < _MOST_COMMANDS:
            command = _COMMAND.match(script, place)
            if command is None or command.end() == place:
                if script[place:].strip(" ;\n"):
                    return []
                break
            change = _change(command, extended=extended, perl=perl)
            if change is None:
                return []
            found.append(change)
            place = command.end()
    return found


def _scripts(args: Sequence[str]) -> list[str]:
    """The scripts of `-e`, or the first word that is no option."""
    given = [args[at + 1] for at, word in enumerate(args[:-1]) if re.fullmatch(r"-(?:[a-zA-Z]*e|-expression)", word)]
    if given:
        return given
    return [next((word for word in args if not word.startswith("-")), "")]


def _change(command: re.Match[str], *, extended: bool, perl: bool) -> _Change | None:
    where = _where(command, extended=extended)
    if command["delete"]:
        return _Change(where, None, str, every=False) if where is not None and command["address"] else None
    old = _pattern(command["old"], extended=extended, fold="i" in command["flags"].lower())
    if old is None or where is None or (perl and "e" in command["flags"]):
        return None
    return _Change(where, old, _replacement(command["new"]), "g" in command["flags"])


def _where(command: re.Match[str], *, extended: bool) -> Callable[[int, int, str], bool] | None:
    address, refused = command["address"], bool(command["not"])
    if not address:
        return lambda number, last, line: True
    if address.startswith("/"):
        pattern = _pattern(command["where"], extended=extended, fold=False)
        return None if pattern is None else lambda number, last, line: bool(pattern.search(line)) != refused
    first, _, final = address.partition(",")

    def is_in(number: int, last: int, line: str) -> bool:
        ends = [last if each == "$" else int(each) for each in (first, final or first)]
        return (ends[0] <= number <= ends[1]) != refused

    return is_in


def _pattern(text: str, *, extended: bool, fold: bool) -> re.Pattern[str] | None:
    text = text.replace("\\<", "\\b").replace("\\>", "\\b").replace("\\/", "/")
    text = text if extended else _SWAPPED.sub(_of_basic, text)
    try:
        return re2.compile(f"(?i){text}" if fold else text)  # type: ignore[no-any-return]
    except re2.error:
        return None


def _of_basic(found: re.Match[str]) -> str:
    """The brackets of a basic expression, which count with a backslash."""
    return found[1] or (f"\\{found[2]}" if found[2] else found[0])


def _replacement(text: str) -> Callable[[re.Match[str]], str]:
    def of(found: re.Match[str]) -> str:
        def put(piece: re.Match[str]) -> str:
            if piece[3] or piece[1] == "&":
                return str(found[0]) if piece[3] else "&"
            group = piece[1] if piece[1] and piece[1].isdigit() else piece[2]
            if group:
                return str(found[int(group)] or "") if int(group) <= len(found.groups()) else ""
            return {"n": "\n", "t": "\t"}.get(piece[1] or "", piece[1] or piece[4] or "")

        return _TO_GROUP.sub(put, text)

    return of
