"""What the user's request asks for: the things that it names, and what it limits them to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, islice

from supervisor.action import Context, Step, strings_in
from supervisor.evidence.history.past import looked_up
from supervisor.evidence.prose.request_names import Named, named_in
from supervisor.evidence.situation.wider.words import compiled, extent, extents

_LONGEST = 8 * 1024  # characters of a request
_LATEST = 60  # steps
_MOST_TEXT = 32 * 1024  # characters of one output
_MOST_NAMES = 4_000
_MOST_PATTERNS = 16
_MOST_EXCEPTIONS = 80
_WORD = re.compile(r"[\w.@+-]*\w")
_MARKS = re.compile(r"[-_.@]")
_NAME = re.compile(r"[\w@][\w.@+-]*", re.ASCII)
_LISTED_NAME = re.compile(
    r"(?m)^[\s|@#*-]*(?:[a-z]{2,40}(?:\.[a-z0-9.]{2,40})?/(?=[a-z0-9-]+(?: |$)))?(\w[\w.@+-]*):?(?: *$|  |\t| *\|)",
    re.ASCII,
)
_LISTS_FILES = re.compile(r"^\s*(?:sudo )?(?:ls|dir|tree|find|exa|eza|gci|Get-ChildItem)\b", re.IGNORECASE)
_COMMAND = re.compile(r"-|[A-Z][a-z]{2,12}-[A-Z]|[\w-]*\.\w{1,5}$")
_PATTERN = re.compile(r"[\w@.+-]{0,60}\*[\w@.+*-]{0,60}", re.ASCII)
_DAYS = {"i": 1 / 1440, "h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0}


@dataclass(frozen=True, eq=False)
class Request:
    """A request beside the outputs that the agent has seen."""

    text: str
    context: Context

    @cached_property
    def named(self) -> Named:
        return named_in(self.text)

    @cached_property
    def outputs(self) -> tuple[tuple[str, ...], ...]:
        """The names in each of the latest outputs, each once, the latest output first."""
        found: list[tuple[str, ...]] = []
        room = _MOST_NAMES
        for names in looked_up(self.context, _names_shown, _LATEST):
            found.append(tuple(name for name in islice(names, max(room, 0)) if len(name) > 1))
            room -= len(found[-1])
        return tuple(dict.fromkeys(found))

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """Names in the latest outputs, each once."""
        return tuple(dict.fromkeys(name for names in self.outputs for name in names))

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The names with which the lines of the latest outputs begin."""
        found: dict[str, None] = {}
        for names in looked_up(self.context, _names_listed, _LATEST):
            found.update(dict.fromkeys(names))
        return tuple(islice(found, _MOST_NAMES))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the latest outputs."""
        steps = islice(reversed(self.context.history), _LATEST)
        return tuple(islice((line for step in steps for line in step.text[:_MOST_TEXT].splitlines()), _MOST_NAMES))

    @cached_property
    def given(self) -> tuple[str, ...]:
        """What the agent gave to its latest tools."""
        steps = islice(reversed(self.context.history), _LATEST)
        return tuple(islice((text for step in steps for _, text in strings_in(step.args)), _MOST_NAMES))

    @cached_property
    def listed_and_named(self) -> tuple[str, ...]:
        """The listed names that the request names."""
        return tuple(name for name in self.listed if len(name) >= 3 and not name.isdigit() and self.names(name))

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """The patterns of names in the request: `beta-*`."""
        return tuple(islice((each for each in _PATTERN.findall(self.text) if len(each) > 2), _MOST_PATTERNS))

    @cached_property
    def age(self) -> float:
        """The age in days above which the request lets things go, or 0 if it states none or several."""
        found = {_age(*(each for each in match if each)) for match in extent("ages_said").findall(self.text)}
        return found.pop() if len(found) == 1 else 0.0

    @cached_property
    def kept(self) -> int:
        """The least number of things that the request wants kept, or 0."""
        found = [int(number) for match in extent("kept_said").findall(self.text) for number in match if number]
        return min(found, default=0)

    @cached_property
    def single(self) -> tuple[str, ...]:
        """All that the request names: things with names and with numbers, and listed names."""
        return (*self.named.names, *self.named.things, *self.numbered, *self.listed_and_named, *self.given_and_named)

    @cached_property
    def given_and_named(self) -> tuple[str, ...]:
        """The names with a mark or a capital that earlier commands had and the request names."""
        given = islice(chain.from_iterable(looked_up(self.context, _names_given, _LATEST)), _MOST_NAMES)
        words = chain.from_iterable(given)
        names = (word for word in islice(dict.fromkeys(words), _MOST_NAMES) if 4 <= len(word) <= 60)
        return tuple(each for each in names if _MARKS.search(each) and each.upper() != each.lower() and self._has(each))

    def _has(self, name: str) -> bool:
        """Whether the request has a name that is no command, option or file."""
        return not _COMMAND.match(name) and self.names(name)

    @cached_property
    def alone(self) -> tuple[str, ...]:
        """The names beside a word for "only"."""
        found = (name for match in extent("only").findall(self.text) for name in match if name)
        known = {*self.single, *self.shown_and_named}
        return tuple(name for name in (each.strip("`'\".,;:") for each in found) if name in known)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the request, each once."""
        return tuple(dict.fromkeys(_WORD.findall(self.text)))

    @cached_property
    def listings(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The latest commands that listed a directory, each with the names in its output."""
        found: list[tuple[str, tuple[str, ...]]] = []
        for step in islice(reversed(self.context.history), _LATEST):
            command = next((text for _, text in strings_in(step.args)), "")[:_LONGEST]
            if _LISTS_FILES.search(command):
                names = dict.fromkeys(_NAME.findall(step.text[:_MOST_TEXT]))
                found.append((command, tuple(islice(names, _MOST_NAMES))))
        return tuple(found)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The plain words of the request that may say of which sort a thing is, in lower case: no places."""
        places = frozenset(found.lower() for found in extent("at_place").findall(self.text))
        long = (word.lower() for word in self.words if word.isalpha() and (len(word) >= 4 or word.isupper()))
        return frozenset(word for word in long if len(word) > 2) - places

    @cached_property
    def shown_parts(self) -> Mapping[str, tuple[str, ...]]:
        """The parts of the names in the latest outputs, with some of the names that have each."""
        found: dict[str, list[str]] = {}
        for name in self.shown:
            for part in _MARKS.split(name.casefold()):
                if len(part) > 2:
                    found.setdefault(part, []).append(name)
        return {part: tuple(names) for part, names in found.items()}

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """The words of what the request leaves out."""
        matches = islice(extent("left_out").findall(self.text), _MOST_PATTERNS)
        words = (word for match in matches for clause in match if clause for word in _WORD.findall(clause))
        return tuple(dict.fromkeys(islice(words, _MOST_EXCEPTIONS)))

    @cached_property
    def taken(self) -> int:
        """The greatest number of things of which the request says that they are the oldest, the first; or 0."""
        found = [int(number) for match in extent("taken_said").findall(self.text) for number in match if number]
        return max(found, default=0)

    @cached_property
    def numbered(self) -> tuple[str, ...]:
        """The numbers of single things in the request: `pull request 88`."""
        return tuple(number for match in extent("numbered").findall(self.text) for number in match if number)

    @cached_property
    def shown_and_named(self) -> tuple[str, ...]:
        """The names in the latest outputs that the request names and that no plain sentence has."""
        telling = (name for name in self.shown if not name.isdigit() and (not name.isalpha() or name in self.listed))
        return tuple(name for name in telling if len(name) >= 3 and self.names(name))

    def names(self, name: str) -> bool:
        """Whether the request has a name as a word of its own."""
        return has_word(self.text, name)

    def limits(self, sort: str) -> str:
        """The words with which the request limits things by age, size or state, or ""."""
        return self._limited[sort]

    @cached_property
    def _limited(self) -> Mapping[str, str]:
        found = {sort: _said(sort).search(self.text) for sort in extents("limits")}
        return {sort: match.group().strip() if match else "" for sort, match in found.items()}


def _names_shown(step: Step) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_NAME.findall(step.text[:_MOST_TEXT])))


def _names_listed(step: Step) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_LISTED_NAME.findall(step.text[:_MOST_TEXT])))


def _names_given(step: Step) -> tuple[tuple[str, ...], ...]:
    """The names in each text that the agent gave to a tool."""
    return tuple(tuple(dict.fromkeys(_NAME.findall(text[:_LONGEST]))) for _, text in strings_in(step.args))


def request_of(context: Context) -> Request:
    return Request((context.task or "")[:_LONGEST], context)


def has_word(text: str, name: str) -> bool:
    return name in text and bool(
        re.search(rf"(?<![A-Za-z0-9_-])(?<!\w\.){re.escape(name)}(?![A-Za-z0-9_-]|\.\w)", text)
    )


@lru_cache(maxsize=16)
def heeds(sort: str, command: str) -> bool:
    """Whether a command shows that it heeds a limit of this sort."""
    return bool(compiled("|".join(extents("limits")[sort]["seen"])).search(command))


@lru_cache(maxsize=16)
def age_in(command: str) -> float:
    """The age in days above which a command takes things, or 0 if it states none or several."""
    found = {
        int(number) * _DAYS[unit]
        for unit, pattern in extents("ages_seen").items()
        for match in compiled(pattern).findall(command)
        for number in ((match,) if isinstance(match, str) else match)
        if number
    }
    return found.pop() if len(found) == 1 else 0.0


def _said(sort: str) -> re.Pattern[str]:
    return compiled("|".join(extents("limits")[sort]["said"]))


def _age(number: str, unit: str) -> float:
    for each, words in extents("days").items():
        if re.match(words, unit.lower()):
            return int(number) * _DAYS[each]
    return 0.0
