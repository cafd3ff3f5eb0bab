"""What earlier outputs of a session say against an act: words and patterns of `warnings.yaml`, and the steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from itertools import islice
from typing import Any, NamedTuple, TypeVar, cast

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.vietnamese import glossed
from supervisor.evidence.commands.acts import sort_of_words, words
from supervisor.evidence.commands.hints import compiled
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.shell import Command

LATEST = 40  # steps
_MOST_TEXT = 32 * 1024  # characters of one output
_MOST_IN_ALL = 200 * 1024  # characters of all outputs
_MOST_LINES = 1_500
_LONGEST_LINE = 400
_LONGEST_TASK = 8 * 1024
_MOST_COMMANDS = 64
_PART = re.compile(r"\[(?:\\.|[^\]\\])*\]|\\.")  # of an expression: a class, or an escaped character
_CLASS = re.compile(r"\\[wds]")
_OTHER_ALPHABETS = r"\x{80}-\x{10ffff}"
_MOST_TEXTS = 16  # scripts within one another
_LONGEST_SCRIPT = 16 * 1024
T = TypeVar("T")


class Warned(NamedTuple):
    """What speaks against an act, the act, and the line that says so."""

    what: str
    act: str
    line: str


class Past:
    """One earlier step: its command and its output, bounded. What every later action asks is looked up once."""

    def __init__(self, step: Step) -> None:
        self.command = "\n".join(text[:_LONGEST_SCRIPT] for _, text in islice(strings_in(step.args), 20))
        self._step = step
        self._found: dict[tuple[str, ...], bool] = {}
        self._read: dict[Callable[..., Any], object] = {}

    @property
    def output(self) -> str:
        if self._step.text:
            return self._step.text[:_MOST_TEXT]
        return "\n".join(text for _, text in islice(strings_in(self._step.output), 200))[:_MOST_TEXT]

    @property
    def lines(self) -> list[str]:
        return [line[:_LONGEST_LINE] for line in self.output.split("\n")[:_MOST_LINES]]

    @cached_property
    def size(self) -> int:
        """The characters of both."""
        return len(self.output) + len(self.command)

    @cached_property
    def is_document(self) -> bool:
        """Whether its command shows a document that people wrote for others."""
        return pattern("document").search(self.command) is not None

    @cached_property
    def is_help(self) -> bool:
        """Whether its command asks a program for its help."""
        return pattern("help").search(self.command) is not None

    def once(self, read: Callable[[Past], T]) -> T:
        """What a function reads in this step, which it does once in a session."""
        if read not in self._read:
            self._read[read] = read(self)
        return cast(T, self._read[read])

    def may_hold(self, *names: str) -> bool:
        """`may_find` in its output."""
        known = self._found.get(names)
        if known is None:
            known = self._found[names] = may_find(self.output, *names)
        return known


class _Latest:
    """The latest steps before an action, the last of them first."""

    def __init__(self, end: int, steps: tuple[Past, ...]) -> None:
        self.end = end
        self.steps = steps

    @cached_property
    def documents(self) -> tuple[Past, ...]:
        return tuple(past for past in self.steps if past.is_document)

    @cached_property
    def helps(self) -> tuple[Past, ...]:
        return tuple(past for past in self.steps if past.is_help)


class _Pasts(Growing):
    """The steps of a session, each read when it is first asked for."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._pasts: list[Past | None] = []
        self._latest: _Latest | None = None  # all that asks within one decision asks for the same steps

    def take(self, number: int, step: Step) -> None:
        self._steps[number : number + 1] = [step]
        self._pasts[number : number + 1] = [None]
        self._latest = None

    def before(self, end: int) -> _Latest:
        """The latest steps of the first `end`, bounded in number and in size, the last of them first."""
        if self._latest is None or self._latest.end != end:
            self._latest = _Latest(end, tuple(self._bounded(end)))
        return self._latest

    def _bounded(self, end: int) -> Iterator[Past]:
        left = _MOST_IN_ALL
        for number in range(min(end, len(self._steps)) - 1, max(-1, end - LATEST - 1), -1):
            past = self._pasts[number]
            if past is None:
                past = self._pasts[number] = Past(self._steps[number])
            if left <= 0:
                return
            left -= past.size
            yield past


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of `warnings.yaml`."""
    given = table_beside(__file__, "warnings.yaml")[name]
    patterns = [given] if isinstance(given, str) else given
    return re.compile("|".join(f"(?:{each})" for each in patterns), re.IGNORECASE | re.MULTILINE)


def may_find(text: str, *names: str) -> bool:
    """Whether one of some patterns of `warnings.yaml` may be found in a text, in linear time: where this is false, none
    is. Raises re2.error for a pattern with a condition on what stands around it."""
    return _linear(names).search(text) is not None


@cache
def _linear(names: tuple[str, ...]) -> Any:
    """Patterns as one for RE2 that finds at least what they find. RE2 knows the classes of ASCII alone, so every other
    character counts as one of a class that is not negated; ends of words are left out."""
    return compiled([f"(?m){_PART.sub(_widened, pattern(name).pattern)}" for name in names])


def _widened(part: re.Match[str]) -> str:
    text = part[0]
    if text == r"\b":
        return ""
    if text.startswith("[^") or not _CLASS.search(text):
        return text
    return f"[{text.removeprefix('[').removesuffix(']')}{_OTHER_ALPHABETS}]"


def table(name: str) -> Mapping[str, Any]:
    """A table of `warnings.yaml`."""
    found: Mapping[str, Any] = table_beside(__file__, "warnings.yaml")[name]
    return found


def word_list(name: str) -> str:
    """Words of `warnings.yaml`, with spaces between."""
    return str(table_beside(__file__, "warnings.yaml")[name])


@cache
def pattern_in(name: str, key: str) -> re.Pattern[str]:
    """A pattern in a table of `warnings.yaml`."""
    return re.compile(table(name)[key], re.IGNORECASE)


def said(context: Context) -> str:
    """The request, bounded."""
    return glossed(context.task or "")[:_LONGEST_TASK]


def script_text(action: Action, context: Context) -> str:
    """The text of a shell action that does something, bounded, and its commands as the shell runs them: without quotes
    and variables.

    Raises Unreadable and NoReader as `script` does.
    """
    if action.kind != "shell":
        return ""
    commands = script(action, context).commands[:_MOST_COMMANDS]
    if not any(map(_acts, commands)):
        return ""  # it only mentions what its text says
    text, *inner = texts_run(action, context)
    run = (" ".join((*_environment(each), *each.argv)) for each in commands if each.argv)
    return "\n".join(dict.fromkeys([text, *(part for part in (*inner, *run) if part not in text)]))[
        : 2 * _LONGEST_SCRIPT
    ]


def texts_run(action: Action, context: Context) -> tuple[str, ...]:
    """The text of a shell action and those of the scripts within it, decoded, each bounded.

    Raises Unreadable and NoReader as `script` does.
    """
    texts = (action.text("command"), *script(action, context).texts[:_MOST_TEXTS])
    return tuple(dict.fromkeys(each[:_LONGEST_SCRIPT] for each in texts))


def run_text(action: Action, context: Context) -> str:
    """The commands of a shell action, a line each, without the texts among their words: a text only mentions."""
    lines = []
    for each in script(action, context).commands[:_MOST_COMMANDS]:
        keeps = each.program in _EDITORS and (each.program != "perl" or any(map(_IN_PLACE.match, each.args)))
        given = [word for word in each.argv if keeps or not _BLANK.search(word)]
        written = [f"{'>' if one.writes else '<'} {one.target}" for one in each.redirects]
        lines.append(" ".join([*_environment(each), *given, *written])[:_LONGEST_SCRIPT])
    return "\n".join(lines)


def _environment(command: Command) -> Iterator[str]:
    return (f"{name}={value}" for name, value in command.environment if not _BLANK.search(value))


def _acts(command: Command) -> bool:
    """Whether a command does more than to read, to count, or to keep a text: a comment, a note, a commit's message."""
    if not command.argv or command.program in _KEEPS_TEXT:
        return False
    if command.program == "tee" and all(word.endswith(_NOTES) for word in command.operands()):
        return False
    if command.program == "git" and not _TEXTS_OF_GIT.isdisjoint(command.args[:2]):
        return False
    if command.program in ("gh", "glab") and not _TEXTS_OF_HOSTS.isdisjoint(command.args[:3]):
        return False
    if command.program == "find" and sort_of_words("find", command.args):
        return True
    return command.program not in words("reads") or any(
        each.writes and each.target.rpartition(".")[2] not in ("md", "txt", "rst") for each in command.redirects
    )


_IN_PLACE = re.compile(r"-[a-z]*[ip]")
_BLANK = re.compile(r"\s")
_EDITORS = frozenset(
    "sed gsed perl awk yq jq crudini augtool psql mysql mongosh redis-cli helm kubectl sysctl tee ansible".split()
)
_KEEPS_TEXT = frozenset({":", "[", "[[", "export", "declare", "local", "wc", "pytest", "rg", "history"})
_NOTES = (".md", ".txt", ".rst")
_TEXTS_OF_GIT = frozenset({"commit", "notes", "tag", "log", "grep"})
_TEXTS_OF_HOSTS = frozenset({"comment", "note"})


def latest(context: Context) -> tuple[Past, ...]:
    """The latest steps, the last of them first."""
    return _latest(context).steps


def documents(context: Context) -> tuple[Past, ...]:
    """Those of the latest steps that show what people wrote for others."""
    return _latest(context).documents


def helps(context: Context) -> tuple[Past, ...]:
    """Those of the latest steps that ask a program for its help."""
    return _latest(context).helps


_NONE = _Latest(0, ())


def _latest(context: Context) -> _Latest:
    return grown(context, _Pasts).before(len(context.history)) if context.history else _NONE
