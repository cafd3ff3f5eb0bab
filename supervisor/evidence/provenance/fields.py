# ruff: noqa: RUF001 - the marks of other scripts that separate parts of a line
"""The fields of the records in the tools' outputs, and whether a text keeps a value in a field or in a sentence.

A record is an object of JSON, or the lines `name: value` of a text. Who keeps records is the deployment or a service;
a sentence inside them may be anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.prose.passages import Passage, fold, holds, holds_number, plainly, unpacked
from supervisor.evidence.prose.scripts import UNSPACED
from supervisor.evidence.provenance.spellings import sort_of

LATEST = 40  # steps
MOST_FIELDS = 4_000
_MOST = 400  # records of one output, and fields of one record
_MOST_NODES = 2_000  # nested values of one output
_LONGEST = 120  # characters of a value; a longer one is a text
_MOST_TEXT = 32 * 1024  # characters of an output that is no JSON
_LABEL = 3  # words of a field's name; more of them are a sentence
_LABEL_LETTERS = 8  # of a field's name in a script without spaces
_SENTENCE = 3  # words beside a value in a sentence
_RUNNING = 2  # of these, words that are no names
_LABELLED = re.compile(r"[:：=]")
# What separates the parts of a line: a value from its neighbours in a row, a list or a quotation.
_BREAKS = re.compile(r"[,;|\t(){}\[\]<>*`、，；（）]|\s{2,}|\s[-–—]\s")
_CELLS = re.compile(r"[,;|\t]")
_COLUMNS = 2
_COLON = re.compile(r":\s|：")
_RUN = re.compile(f"[{UNSPACED}]")
_WORD = re.compile(r"[^\W\d_]\S{1,40}")  # with the marks of scripts whose vowels are no letters of their own


class Field(NamedTuple):
    """A value that a record keeps. `name` and `text` are folded; `written` is the value as it stands there, and `sort`
    its sort (`spellings.sort_of`)."""

    name: str
    text: str
    written: str
    sort: str


class Record(NamedTuple):
    """The fields of one thing. `step` is the number of the step whose tool returned it."""

    step: int
    fields: tuple[Field, ...]


class _Records(Growing):
    """The records of the outputs that were read last."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Record, ...]] = {}

    def take(self, number: int, step: Step) -> None:
        """Does nothing, since a step is read on first use."""

    def of(self, context: Context, number: int) -> tuple[Record, ...]:
        """The records of one step, kept for the next action."""
        found = self._known.get(number)
        if found is None:
            found = tuple(_records_of(number, context.history[number]))
            if len(self._known) >= 2 * LATEST:
                for oldest in sorted(self._known)[:-LATEST]:
                    self._known.pop(oldest, None)
            self._known[number] = found
        return found


def records(context: Context) -> list[Record]:
    """The records in the latest outputs, oldest first; of many fields the latest MOST_FIELDS."""
    known, end = grown(context, _Records), len(context.history)
    found: list[Record] = []
    room = MOST_FIELDS
    for number in range(end - 1, max(-1, end - 1 - LATEST), -1):
        step = known.of(context, number)
        room -= sum(len(record.fields) for record in step)
        if room < 0:
            break
        found[:0] = step
    return found


def _records_of(number: int, step: Step) -> Iterator[Record]:
    if step.failed:
        return
    try:
        text = plainly(step.output)
    except Unreadable:  # the readers of passages report it
        return
    output = unpacked(step.output) if isinstance(step.output, str) else step.output
    objects = [*islice(_objects(output), _MOST)]
    found = [tuple(_fields_of(each)) for each in objects] or [*_rows_of(text[:_MOST_TEXT])]
    yield from (Record(number, fields) for fields in found if fields)


def _objects(output: Any) -> Iterator[Mapping[str, Any]]:
    stack, left = [output], _MOST_NODES
    while stack and left > 0:
        node = stack.pop()
        left -= 1
        if isinstance(node, Mapping):
            yield node
            stack.extend(each for each in islice(node.values(), _MOST) if isinstance(each, (Mapping, list, tuple)))
        elif isinstance(node, (list, tuple)):
            stack.extend(each for each in node[:_MOST] if isinstance(each, (Mapping, list, tuple)))


def _fields_of(record: Mapping[str, Any]) -> Iterator[Field]:
    for name, value in islice(record.items(), _MOST):
        for each in value[:_MOST] if isinstance(value, (list, tuple)) else (value,):
            if isinstance(each, (str, int, float)) and not isinstance(each, bool) and len(str(each)) <= _LONGEST:
                yield _field(str(name), str(each))


def _field(name: str, value: str) -> Field:
    return Field(fold(name.replace("_", " ")), fold(value), value, sort_of(value))


def _rows_of(text: str) -> Iterator[tuple[Field, ...]]:
    """The rows of a table whose first line names the columns; else the lines `name: value` as one record."""
    lines = [line for line in islice(text.split("\n"), _MOST) if line.strip(" |-+")]
    cells = [[cell.strip() for cell in _CELLS.split(line.strip(" |"))] for line in lines]
    head = cells[0] if cells else []
    if len(head) < _COLUMNS or len(cells) == 1 or any(len(row) != len(head) for row in cells) or not _are_labels(head):
        yield tuple(_lines_of(text))
        return
    for row in cells[1:]:
        yield tuple(_field(name, cell) for name, cell in zip(head, row, strict=True) if cell)


def _are_labels(cells: Sequence[str]) -> bool:
    return all(cell and _is_label(cell) and not any(map(str.isdigit, cell)) for cell in cells)


def _lines_of(text: str) -> Iterator[Field]:
    for line in islice(text.split("\n"), _MOST):
        name, *rest = _LABELLED.split(line[: 2 * _LONGEST], maxsplit=1)
        value = rest[0].strip() if rest else ""
        label = name.strip(" \t>*#|-").replace("_", " ")
        if label and 0 < len(value) <= _LONGEST and _is_label(label):
            yield _field(label, value)


def _is_label(text: str) -> bool:
    return len(text.split()) <= _LABEL and len(_RUN.findall(text)) <= _LABEL_LETTERS


def is_stated(text: str, spellings: tuple[str, ...]) -> bool:
    """Whether a passage states a value in a sentence, and does not just keep it: in a field, a row or a list."""
    return any(_is_sentence(part, spellings) for part in _parts(text, spellings))


def squeezed_sentences(passages: Iterable[Passage]) -> str:
    """The passages that may be sentences, as one text without spaces: whatever `is_stated` finds is in there."""
    some = (each for each in passages if each.folded.count(" ") >= _SENTENCE - 1 or not each.text.isascii())
    return "\n".join(each.folded.replace(" ", "") for each in some if _is_sentence(each.text, ()))


def _parts(text: str, spellings: tuple[str, ...]) -> list[str]:
    """The parts of a passage that contain a value; the whole passage if the value goes over several of them."""
    parts = [part for label in _BREAKS.split(text) for part in _without_label(label)]
    return [part for part in parts if _holds(part, spellings)] or [text]


def _without_label(text: str) -> list[str]:
    """The name and the value of a field apart. The words before a colon are no name if they are a sentence."""
    colon = _COLON.search(text)
    return [text[: colon.start()], text[colon.end() :]] if colon and _is_label(text[: colon.start()]) else [text]


def _holds(text: str, spellings: tuple[str, ...]) -> bool:
    folded = fold(text)
    return any(holds(folded, each) or holds_number(folded, each) for each in spellings)


def _is_sentence(part: str, spellings: tuple[str, ...]) -> bool:
    own = {word for each in spellings for word in each.split()}
    unspaced = 0 if part.isascii() else len(_RUN.findall(part)) // 2  # two letters count as a word
    words = _WORD.findall(_RUN.sub(" ", part) if unspaced else part)
    if own:
        words = [word for word in words if fold(word) not in own]
    if len(words) + unspaced < _SENTENCE:
        return False
    return sum(not word[0].isupper() for word in words) + unspaced >= _RUNNING
