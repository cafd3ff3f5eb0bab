"""What earlier outputs show as records: rows of tables, blocks of `key: value` lines, objects of JSON.

A record is held as its cells and its words, so that a name of the request and an identifier of a command can be found
in the same record, or in two of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence import reader
from supervisor.evidence.history.past import looked_up

_LATEST = 40  # steps
_MOST_TEXT = 24 * 1024  # characters of one output
_MOST_ALL = 96 * 1024  # characters of all outputs
_MOST_LINE = 400
_MOST_ROWS = 200  # of one table
_MOST_TABLES = 60
_MOST_OBJECTS = 2_000  # visited in one JSON document
_MOST_VALUES = 60  # of one record
_COLUMNS = re.compile(r"\s*[|│]\s*|\t+|\s{2,}")
_PAIR = re.compile(
    r"^(?:[^:=]{0,60}?[\]>]\s?)?(?:\w[\w ]{0,30}:\s{1,4}(?=[\w.-]{1,40}:\s))?[\"'-]?\s?"
    r"([A-Za-z_][\w.()-]{0,40}(?: [\w.()-]{1,30}){0,4})[\"']?(?:\s{0,40}:\s{1,40}|\s{0,9}=\s{0,9})(\S.{0,300})$"
)
_RULE = re.compile(r"^[\s|+│─=*-]+$")
_MARKER = re.compile(r"^\s*(?:[*>•-]|->|→|[└├│─|`]+)\s")
_HEADER = re.compile(r"^[^a-z\d]*$")
_WORDS = re.compile(r"[a-z]+@\{\d+\}|[^\W_][\w.@:/+~%-]*|\d+")
_PARTS = re.compile(r"[/:=@]")
_PARTITION = re.compile(r"(r?disk\d+)s\d+|((?:sd|vd|hd)[a-z])\d+|(nvme\d+n\d+|mmcblk\d+)p\d+")


class Record(NamedTuple):
    """One record: its cells in order, and the words in them, in lower case."""

    cells: tuple[str, ...]
    words: frozenset[str]

    @property
    def text(self) -> str:
        """The record as one line."""
        return "  ".join(self.cells)


class Table(NamedTuple):
    """Records that one output lists beside one another."""

    records: tuple[Record, ...]
    is_aligned: bool  # whether cells at the same place are of the same sort
    source: str = ""  # the command that listed them


@reader
def tables(action: Action, context: Context) -> tuple[Table, ...]:
    """The tables in the latest outputs that have a word of the command, the latest first."""
    found: list[Table] = []
    given = [word for word in words_of(action.text("command")[:_MOST_TEXT]) if len(word) > 2 or word.isdigit()]
    left = _MOST_ALL
    for listing in looked_up(context, _Listing, _LATEST):
        folded = listing.folded
        if not listing.step.output or (folded and not any(word in folded for word in given)):
            continue
        left -= len(folded)
        if left < 0:
            break
        found += islice(listing.tables, _MOST_TABLES - len(found))
    return tuple(found)


class _Listing:
    """What one step shows, read once in a session."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.folded = step.text[:_MOST_TEXT].lower()

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        source = "\n".join(text[:_MOST_LINE] for _, text in islice(strings_in(self.step.args), 4))
        shown = _stashes(self.step, source) or _tables_of(self.step.output)
        return tuple(each._replace(source=source) for each in islice(shown, _MOST_TABLES))


def _stashes(step: Step, source: str) -> list[Table]:
    """The stashes with their numbers, which `git stash list --date` leaves out."""
    if "stash list" not in source:
        return []
    lines = step.text[:_MOST_TEXT].splitlines()[:_MOST_ROWS]
    rows = [_record([f"stash@{{{number}}}", line[:_MOST_LINE]]) for number, line in enumerate(lines)]
    return [Table(tuple(rows), is_aligned=True)] if len(rows) > 1 else []


def words_of(text: str) -> frozenset[str]:
    """The words of a text, in lower case: each as it stands, its parts, and the device of a partition."""
    found = set[str]()
    for word in _WORDS.findall(text.lower()):
        bare = word.rstrip(".:/+%~-")
        found.update((bare, *_PARTS.split(bare)))
    found.update(_device(word) for word in [*found] if _PARTITION.fullmatch(word))
    found.update(word[1:] for word in [*found] if re.fullmatch(r"rdisk\d+", word))
    found.discard("")
    return frozenset(found)


def _device(word: str) -> str:
    partition = _PARTITION.fullmatch(word)
    return (partition[1] or partition[2] or partition[3]) if partition else word


def _tables_of(output: Any) -> Iterator[Table]:
    if not isinstance(output, str):
        yield from _of_json(output)
        return
    text = output[:_MOST_TEXT]
    if text.lstrip()[:1] in ("[", "{") and (loaded := _loaded(text)) is not None:
        yield from _of_json(loaded)
        return
    blocks: list[Record] = []
    for lines in _paragraphs(text):
        records = _blocks(lines)
        blocks += records
        if not records:
            yield from _table(lines)
    if len(blocks) > 1:
        yield Table(tuple(blocks[:_MOST_ROWS]), is_aligned=False)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in islice(text.splitlines(), _MOST_ROWS) if line.strip()]
    except ValueError:
        return None


def _of_json(value: Any) -> Iterator[Table]:
    """A table of each list of objects, and of each object whose values are objects."""
    stack, visited = [value], 0
    while stack and visited < _MOST_OBJECTS:
        visited += 1
        node = stack.pop()
        rows = [*node.items()] if isinstance(node, dict) else [("", each) for each in node]
        rows = [(key, each) for key, each in rows[:_MOST_ROWS] if isinstance(each, (dict, list))]
        objects = [(key, each) for key, each in rows if isinstance(each, dict)]
        if len(objects) > 1:
            yield Table(tuple(_record([key, *_values(each)]) for key, each in objects), is_aligned=False)
        stack.extend(each for _, each in rows)


def _values(value: dict[str, Any]) -> Iterator[str]:
    stack: list[Any] = [value]
    for _ in range(_MOST_VALUES):
        if not stack:
            return
        node = stack.pop()
        if isinstance(node, (dict, list)):
            stack.extend(reversed([*(node.values() if isinstance(node, dict) else node)][:_MOST_VALUES]))
        elif node is not None:
            yield str(node)[:_MOST_LINE]


def _record(cells: list[str]) -> Record:
    kept = tuple(cell for cell in cells if cell)[:_MOST_VALUES]
    return Record(kept, words_of(" ".join(kept)))


def _paragraphs(text: str) -> Iterator[list[str]]:
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip():
            lines.append(line[:_MOST_LINE])
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _blocks(lines: list[str]) -> list[Record]:
    """The records of `key: value` lines. A key that occurs again begins the next record."""
    pairs = [found.groups() for line in lines if (found := _PAIR.match(line.strip()))]
    if len(pairs) < len(lines) or len({key for key, _ in pairs}) < 2:
        return []
    records: list[Record] = []
    cells: list[str] = []
    keys = set[str]()
    for key, value in pairs:
        if key in keys and key == pairs[0][0]:
            records.append(_record(cells))
            cells, keys = [], set()
        keys.add(key)
        cells.append(value.strip(" \"',"))
    return [*records, _record(cells)]


def _table(lines: list[str]) -> Iterator[Table]:
    rules = [number for number, line in enumerate(lines) if _RULE.match(line)]
    if (rules and rules[0] == 1) or (len(lines) > 2 and _HEADER.match(lines[0])):
        lines = lines[1:]
    rows = [line for line in lines[:_MOST_ROWS] if not _RULE.match(line)]
    if len(rows) > 1:
        rows = [_MARKER.sub("", row) for row in rows]
        wide = [_COLUMNS.split(row.strip(" |│\t")) for row in rows]
        is_wide = sum(len(row) > 1 for row in wide) * 2 > len(rows)
        split = wide if is_wide else [row.split() for row in rows]
        is_aligned = len({len(row) for row in split}) == 1
        if is_aligned and _is_headed(split):
            split = split[1:]
        if len(split) > 1:
            yield Table(tuple(_record(row) for row in split), is_aligned)


def _is_headed(rows: list[list[str]]) -> bool:
    """Whether the first row has a word above a column of numbers."""
    columns = zip(*rows, strict=True)
    return len(rows) > 2 and any(not cells[0].isdigit() and all(map(str.isdigit, cells[1:])) for cells in columns)
