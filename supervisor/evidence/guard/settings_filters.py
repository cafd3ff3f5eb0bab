"""The settings that `jq` changes in a host's file, through a copy or a pipe: `jq '.a = 1' FILE > copy && mv copy FILE`.

A filter that only sets plain paths to literal values shows what it changes. With any other filter the change counts as
one that does not show.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.effects import Act, Effect, effects, effects_of_script
from supervisor.evidence.effects.effect import Ground
from supervisor.evidence.guard.settings_names import is_about_else, is_narrowing
from supervisor.evidence.guard.settings_texts import leaves
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command, code_in, read_script

Setting = tuple[list[str], Any]

_CARRIES = frozenset({"cp", "mv", "sponge", "tee", "jq", "cat", "mkdir", "chmod", "mktemp"})
_FORMATS = frozenset("-e -M -S -r -c --tab --sort-keys --exit-status --compact-output --monochrome-output".split())
_JQ = frozenset({"jq", "/usr/bin/jq", "/usr/local/bin/jq", "/opt/homebrew/bin/jq"})
# What changes the meaning of a script's words: functions, aliases, PATH, IFS.
_REDEFINES = re.compile(
    r"\(\)\s*[{(]|\bPATH=|(?:^|[;&|({\n]|\b(?:do|then|else|builtin|command)\b)\s*"
    r"(?:(?:function|alias|source|read|mapfile|readarray|hash|enable)\s|\.\s+[\w/~$\"'.]|IFS=)"
)
_RUNS_OTHERS = frozenset({"xargs", "find", "parallel", "fd", "fdfind"})
_LONGEST = 4096


def filtered_settings(effect: Effect, action: Action, context: Context) -> list[Setting] | None:
    """The settings that a `jq` filter changes if the file gets its output and nothing else; otherwise None."""
    if action.kind != "shell" or effect.command is None:
        return None
    read = script(action, context)
    ran = [command for command in read.commands if command.program]
    carried = [command for command in ran if command.argv[0] in _JQ and _is_carried(command, effect)]
    if _REDEFINES.search(action.text("command")):
        return None
    if len(carried) != 1 or any(True for _ in code_in(read)) or not _is_alone(carried[0], effect, action, context, ran):
        return None
    words = carried[0].operands()
    if len(words) != 2 or carried[0].path(words[1]) != effect.target or len(words[0]) > _LONGEST:
        return None
    if effect.verb == "extend" or not _FORMATS.issuperset(carried[0].flags()):
        return None
    changed = settings_of(words[0])
    return None if changed is None or any(_acts(each, context) for each in changed) else changed


def _acts(setting: Setting, context: Context) -> bool:
    """Whether a setting is a command (for example of a status line) that does more than read."""
    names, value = setting
    if names[-1] != "command":
        return False
    done = effects_of_script(read_script(str(value), context.cwd), Ground(context.workspace))
    return any(each.act is not Act.READ for each in done)


def _is_carried(filtered: Command, effect: Effect) -> bool:
    """Whether the file gets the filter's output: through a pipe, or through a copy."""
    command = effect.command
    if command is None or command.program not in ("cp", "mv"):
        return command is not None and command.upstream == (filtered,)
    return {command.path(word) for word in command.operands()[:-1]} == _copies(filtered)


def _copies(filtered: Command) -> set[str]:
    return {filtered.path(each.target) for each in filtered.redirects if each.operator == ">"}


def _is_alone(filtered: Command, effect: Effect, action: Action, context: Context, ran: list[Command]) -> bool:
    """Whether no other command changes the copy."""
    copies = _copies(filtered) if effect.command is not None and effect.command.program in ("cp", "mv") else set()
    writes = [each for each in effects(action, context).of(Act.WRITE) if _is_above(each.target, copies)]
    if len(writes) != len(copies) or (any(HOLE in copy for copy in copies) and not _is_one_name(action, ran)):
        return False
    return not any(_may_reach(command, copies) for command in ran if command.program not in _CARRIES)


def _is_above(target: str, copies: set[str]) -> bool:
    """Whether a target is a copy, or a directory above one, into which a command may write."""
    return any(f"{copy}/".startswith(f"{target.rstrip('/')}/") for copy in copies)


_EXPANDS = re.compile(r"\$(?:\{(\w+)\}|(\w+)|(.))|(`)", re.DOTALL)


def _is_one_name(action: Action, ran: list[Command]) -> bool:
    """Whether the script's only value that is unknown before it runs is the name that `mktemp` prints."""
    found = [next(filter(None, each.groups())) for each in _EXPANDS.finditer(action.text("command"))]
    names = {name for name in found if name not in ("(", "HOME")}
    return sum(each.program == "mktemp" for each in ran) == 1 == len(names) == found.count("(") and "`" not in names


def _may_reach(command: Command, copies: set[str]) -> bool:
    """Whether a command names a copy, its folder, or a name that is unknown before it runs."""
    marks = {part for copy in copies for part in (copy.rpartition("/")[2], copy.rpartition("/")[0]) if part}
    words = [*command.args, *(each.target for each in command.redirects)]
    named = any(mark in word for mark in (*marks, HOLE, "*", "?", "[") for word in words)
    return command.program in _RUNS_OTHERS or named


# A filter: stages between `|`, each of which sets, adds or merges

_TOKEN = re.compile(r"\s*(\"(?:[^\"\\]|\\[^(])*\"|\|=|\+=|\*=|-=|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|[.|=+*{}\[\](),:])\s*")
_NAME = re.compile(r"[A-Za-z_]\w*")
_LESS = frozenset({"allow", "allowedTools", "allowed_tools", "coreTools", "autoApprove", "trusted"})
_MERGES = {"+": "add", "+=": "add", "*": "merge", "*=": "merge"}


def settings_of(text: str) -> list[Setting] | None:
    """The settings that a filter changes; None if it does anything else."""
    try:
        return [each for names, value, how in _Filter(text).stages() for each in _set(names, value, how)]
    except (ValueError, RecursionError):
        return None


class _Filter:
    """A recursive-descent parser of filters. Raises ValueError at anything but the setting of a plain path."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise ValueError(text)
            self.tokens.append(found[1])
            place = found.end()
        self.tokens.reverse()

    def next(self, *wanted: str) -> str:
        token = self.tokens.pop() if self.tokens else ""
        if wanted and token not in wanted:
            raise ValueError(token)
        return token

    def seen(self, *wanted: str) -> bool:
        return bool(self.tokens) and self.tokens[-1] in wanted

    def stages(self) -> Iterator[tuple[list[str], Any, str]]:
        yield from self._stage()
        while self.tokens:
            self.next("|")
            yield from self._stage()

    def _stage(self) -> Iterator[tuple[list[str], Any, str]]:
        if self.seen("del"):
            yield self._deleted(), None, "less"
            return
        names = self._path()
        while not names and self.seen("+", "*"):
            yield names, *self._merged()
        if not names:
            return
        operator = self.next("=", "|=", "+=", "*=", "-=")
        if operator in _MERGES:
            yield names, self._value(), _MERGES[operator]
        elif operator == "-=":
            yield names, self._value(), "less"
        elif operator == "|=" and self.seen("(", "."):
            yield names, *self._updated()
        else:
            yield names, self._value(), "set"

    def _deleted(self) -> list[str]:
        self.next("del")
        self.next("(")
        names = self._path()
        self.next(")")
        return names

    def _updated(self) -> tuple[Any, str]:
        """`(. + {…})`, with or without the parentheses."""
        closes = self.seen("(") and self.next("(")
        self.next(".")
        merged = self._merged()
        if closes:
            self.next(")")
        return merged

    def _merged(self) -> tuple[Any, str]:
        how = _MERGES[self.next("+", "*")]
        return self._value(), how

    def _path(self) -> list[str]:
        names: list[str] = []
        self.next(".")
        while self.tokens and (self.seen(".", "[") or not names):
            if self.seen("|", "+", "*"):
                break
            if self.seen(".") and names:
                self.next(".")
            names.append(self._name())
        return names

    def _name(self) -> str:
        if self.seen("["):
            self.next("[")
            name = self.next()
            self.next("]")
            return _text(name)
        name = self.next()
        return name if _NAME.fullmatch(name) else _text(name)

    def _value(self) -> Any:
        """A JSON value, with or without quotes around the keys of objects."""
        token = self.next()
        if token == "{":
            return dict(self._listed("}", self._member))
        if token == "[":
            return list(self._listed("]", self._value))
        if _NAME.fullmatch(token) and token not in ("true", "false", "null"):
            raise ValueError(token)
        return json.loads(token)

    def _listed(self, end: str, item: Any) -> Iterator[Any]:
        while not self.seen(end):
            yield item()
            if not self.seen(end):
                self.next(",")
        self.next(end)

    def _member(self) -> tuple[str, Any]:
        name = self._name()
        self.next(":")
        return name, self._value()


def _text(token: str) -> str:
    found = json.loads(token)
    if not isinstance(found, str) or "." in found:
        raise ValueError(token)
    return found


def _set(names: list[str], value: Any, how: str) -> Iterator[Setting]:
    """The single settings. Raises ValueError if the change may lose the previous value."""
    if how == "less":
        if not names or not (is_about_else(names) or names[-1] in _LESS):
            raise ValueError(names)
    elif isinstance(value, Mapping) and how != "set":
        for name, each in value.items():
            deeper = how == "merge" and isinstance(each, Mapping)
            yield from _set([*names, name], each, "merge" if deeper else "set")
    elif isinstance(value, list) and how == "add" and (is_narrowing(names) or is_about_else(names)):
        yield from ((names, each) for each in value)
    elif how != "set" or not names:
        raise ValueError(how)
    elif isinstance(value, (Mapping, list)) and is_about_else(names):
        yield from ((path.split("."), each) for path, each in leaves(value, ".".join(names)))
    elif isinstance(value, (Mapping, list)) or value is None or names == ["env"] or is_narrowing(names):
        raise ValueError(names[-1])
    else:
        yield names, value
