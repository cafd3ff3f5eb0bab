"""The entries that an output lists beside one another: objects of JSON, rows of a table, lines of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.entries.words import pattern, row, values_in, words_in
from supervisor.evidence.history.past import looked_up
from supervisor.evidence.prose.passages import plainly, unpacked
from supervisor.evidence.reading.outputs import returned_values

LATEST = 40  # steps
LONGEST = 80  # characters of a value that names an entry
_MOST_TEXT = 16 * 1024  # characters of one output
_MOST_NODES = 1_000  # nested values of one output
_MOST_ENTRIES = 100  # of one listing
_MOST_FIELDS = 60  # of one entry
_MOST_CELL = 400  # characters
_COLUMNS = re.compile(r"\s*[|,;\t]\s*")
_PIECES = re.compile(r"[\s|,;()\[\]\"'<>]+")
_HEAD = re.compile(r"^\W{0,3}(\w{1,12})\s?:")
_LABEL = re.compile(r"^\s*[-*]?\s*[^\W\d][\w .()/-]{1,40}(?::\s|:$|;)")
_ON_PAGE = re.compile(
    r"(?i)\[ref=|\buid=|^\s*-?\s*(?:button|textbox|link|heading|checkbox|radio|combobox|option|text|row|spinbutton)\b"
    r"|^\s*\[\d+\] (?:button|link|toggle|textbox|checkbox)"
)
_ENDED = re.compile(r"[^\d\s][.!?]\s*$|。\s*$")  # a date may end with a full stop
_MOST_WORDS = 16  # of a line of a list; a longer one is a sentence


@dataclass(frozen=True)
class Entry:
    """One entry: its fields in order, each with its name ("" if it has none) and its text."""

    fields: tuple[tuple[str, str], ...]

    @cached_property
    def text(self) -> str:
        """The values as one line."""
        return "  ".join(value for _, value in self.fields)

    @cached_property
    def values(self) -> frozenset[str]:
        """The values, in lower case."""
        return frozenset(value.lower() for _, value in self.fields)

    @cached_property
    def pieces(self) -> frozenset[str]:
        """The whole values and what stands between spaces and marks in them, in lower case."""
        return frozenset(_PIECES.split(self.text.lower())) | self.values

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the values."""
        return frozenset(word for _, value in self.fields for word in words_in(value))

    @cached_property
    def people(self) -> frozenset[str]:
        """The values that name the person of a row: addresses, and fields that are ids or numbers of people."""
        return frozenset(
            value.lower()
            for name, value in self.fields
            if "@" in value or pattern("ids_of_people").fullmatch(" ".join(words_in(name)))
        )


class Listing(NamedTuple):
    """Entries that stand beside one another. `is_named`: their fields have names; else each entry is a line."""

    entries: tuple[Entry, ...]
    is_named: bool


class Shown:
    """What one step showed, read once in a session."""

    def __init__(self, step: Step) -> None:
        self.step = step

    @cached_property
    def text(self) -> str:
        """The output as plain text; "" for one that cannot be read, which other readers report."""
        try:
            return plainly(self.step.output)[:_MOST_TEXT]
        except Unreadable:
            return ""

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(words_in(self.text))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The values that the step looked up or acted on, in lower case."""
        return frozenset(value.lower() for _, value in values_in(self.step.args, LONGEST))

    @cached_property
    def output(self) -> Any:
        """The output, decoded if it is JSON."""
        values = returned_values(self.step.output)
        if values is not None:
            return values
        output = self.step.output
        return unpacked(output.strip()) if isinstance(output, str) else output

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The named values of the output, without what the step asked for; empty for text that is in no format."""
        return tuple(field for each in islice(_objects(self.output), _MOST_ENTRIES) for field in _fields(each))

    @cached_property
    def listings(self) -> tuple[Listing, ...]:
        """The listings of two entries or more."""
        found = _of_lines(self.output) if isinstance(self.output, str) else _of_json(self.output)
        return tuple(each for each in found if len(each.entries) > 1)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry with named fields, also one that stands alone, each with what the step asked for."""
        asked = tuple(values_in(self.step.args, LONGEST))
        if isinstance(self.output, str):
            return tuple(entry for each in self.listings if each.is_named for entry in each.entries)
        return tuple(Entry((*_fields(each), *asked)) for each in islice(_objects(self.output), _MOST_ENTRIES))


def shown(context: Context) -> Iterator[Shown]:
    """What the latest steps showed, the last step first."""
    return looked_up(context, Shown, LATEST)


def is_labelled(line: str) -> bool:
    """Whether a line is a field of a form: a name, a colon and a value."""
    return _LABEL.match(line) is not None


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    for node in _nodes(value):
        if isinstance(node, Mapping):
            yield node


def _nodes(value: Any) -> Iterator[Any]:
    stack = [value]
    for _ in range(_MOST_NODES):
        if not stack:
            return
        node = stack.pop()
        yield node
        inside = list(node.values()) if isinstance(node, Mapping) else node if isinstance(node, (list, tuple)) else ()
        stack.extend(each for each in reversed(inside[:_MOST_NODES]) if isinstance(each, (Mapping, list, tuple)))


def _of_json(value: Any) -> Iterator[Listing]:
    for node in _nodes(value):
        if isinstance(node, (list, tuple)):
            objects = [each for each in node[:_MOST_ENTRIES] if isinstance(each, Mapping)]
            yield Listing(tuple(Entry(tuple(_fields(each))) for each in objects), is_named=True)
            texts = [each for each in node[:_MOST_ENTRIES] if isinstance(each, str)]
            yield from _of_plain([each[:_MOST_CELL] for each in texts])
        elif isinstance(node, Mapping) and len(node) > 1 and all(isinstance(each, Mapping) for each in node.values()):
            keyed = islice(node.items(), _MOST_ENTRIES)
            yield Listing(tuple(Entry((("", str(key)), *_fields(each))) for key, each in keyed), is_named=True)


def _fields(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The plain values of an object, of the objects in it, and of its lists of plain values."""
    stack: list[tuple[str, Any]] = [("", record)]
    for _ in range(_MOST_FIELDS):
        if not stack:
            return
        name, value = stack.pop()
        if isinstance(value, Mapping):
            stack.extend((str(key), each) for key, each in reversed(list(value.items())[:_MOST_FIELDS]))
        elif isinstance(value, (list, tuple)):
            plain = [each for each in value[:_MOST_FIELDS] if not isinstance(each, (Mapping, list, tuple))]
            stack.extend((name, each) for each in reversed(plain))
        elif value is not None:
            yield name, str(value)[:_MOST_CELL]


def _of_lines(text: str) -> Iterator[Listing]:
    lines = [line[:_MOST_CELL] for line in islice(text[:_MOST_TEXT].splitlines(), _MOST_ENTRIES) if line.strip(" |-+=")]
    table = _table(lines)
    if table is not None:
        yield table
    else:
        yield from _of_plain(lines)


def _table(lines: Sequence[str]) -> Listing | None:
    """The rows of a table whose first line names its columns."""
    cells = [_COLUMNS.split(line.strip(" |")) for line in lines]
    head = cells[0] if cells else []
    rows = [each for each in cells[1:] if len(each) == len(head)]
    if len(head) < 2 or not rows or len(rows) < len(cells) - 2 or any(map(str.isdigit, "".join(head))):
        return None
    return Listing(tuple(Entry(tuple(zip(head, each, strict=True))) for each in rows), is_named=True)


def _of_plain(lines: Sequence[str]) -> Iterator[Listing]:
    """The lines of a list. A letter, a form, an outline, a page and prose are none."""
    if len(lines) < 2 or any(_ON_PAGE.search(line) for line in lines):
        return
    heads = (_HEAD.match(line) for line in lines)
    if any(head and head[1].lower() in row("heads") for head in heads):
        return
    if any(map(is_labelled, lines)) or len({len(line) - len(line.lstrip()) for line in lines}) > 1:
        return
    ended = sum(_ENDED.search(line) is not None for line in lines)
    if ended * 2 >= len(lines) or any(len(words_in(line)) > _MOST_WORDS for line in lines):
        return
    yield Listing(tuple(Entry((("", line.strip()),)) for line in lines), is_named=False)
