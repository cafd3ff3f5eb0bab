"""What the user said and what the outputs of a session show, as values in their fields and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from supervisor.action import Context, Step
from supervisor.evidence.business.words import words
from supervisor.evidence.changes.word import said_by_user
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.relations.atoms import LONGEST, Atom, atoms_in, folded

_MOST_FIELDS = 600  # of one output
_LABEL = re.compile(r"^\s*[-*•>\d.)]{0,4}\s*([^\W\d][\w \-/()]{1,40}?)\s*[:=]\s+(\S.*)$")
_CELLS = re.compile(r"\s*\|\s*|\t|;\s?|,(?=\S)")


@dataclass(frozen=True, slots=True)
class Shown:
    """A value in an output: the words of its field, the record that it belongs to, and its line."""

    atom: Atom
    label: frozenset[str]
    record: int
    step: int
    line: str


@dataclass(slots=True)
class Source:
    """What one text or output holds."""

    text: str = ""
    lines: list[str] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    keys: set[tuple[str, str]] = field(default_factory=set)


class _Outputs(Growing):
    """What each step showed, and the values of its arguments."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.given: list[set[tuple[str, str]]] = []

    def take(self, number: int, step: Step) -> None:
        self.sources[number : number + 1] = [source_of(step.output, number)]
        given = {(atom.sort, atom.key) for _, text in leaves(step.args) for atom in atoms_in(text)}
        self.given[number : number + 1] = [given]


@dataclass(frozen=True, slots=True)
class Known:
    """The user's words and the outputs so far."""

    task: Source
    outputs: tuple[Source, ...]
    given: frozenset[tuple[str, str]]

    @property
    def keys(self) -> frozenset[tuple[str, str]]:
        return frozenset().union(*(each.keys for each in self.outputs)) if self.outputs else frozenset()

    def shown(self) -> Iterator[Shown]:
        for source in self.outputs:
            yield from source.shown

    def lines(self) -> Iterator[str]:
        for source in self.outputs:
            yield from source.lines


def known(context: Context) -> Known:
    """The sources of a decision."""
    outputs = grown(context, _Outputs)
    end = len(context.history)
    facts = source_of({name: value for name, value in context.facts.items() if name != "earlier_requests"}, -1)
    sources = (*outputs.sources[:end], facts) if facts.keys or facts.lines else tuple(outputs.sources[:end])
    given = frozenset().union(*outputs.given[:end]) if end else frozenset()
    return Known(source_of(said_by_user(context), -1), sources, given)


def source_of(value: Any, step: int) -> Source:
    """The values of an output in any form."""
    found = Source()
    parsed = value
    if isinstance(value, str):
        text = value.strip()
        parsed = None
        if text[:1] in "{[" and len(text) < 4 * LONGEST:
            try:
                parsed = orjson.loads(text)
            except orjson.JSONDecodeError:
                parsed = None
        if parsed is None:
            _read_text(text[:LONGEST], found, step, frozenset(), 0)
    if parsed is not None and not isinstance(parsed, str):
        _read_json(parsed, found, step)
    found.keys = {(each.atom.sort, each.atom.key) for each in found.shown}
    found.text = "\n".join(found.lines)
    return found


def leaves(value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """The texts, numbers and switches of a JSON value, each with the names above it."""
    stack: list[tuple[tuple[str, ...], Any]] = [((), value)]
    seen = 0
    while stack and seen < _MOST_FIELDS:
        path, node = stack.pop()
        seen += 1
        if isinstance(node, Mapping):
            stack.extend(((*path, str(name)[:80]), each) for name, each in reversed(list(node.items())[:200]))
        elif isinstance(node, (list, tuple)):
            stack.extend((path, each) for each in reversed(node[:200]))
        elif isinstance(node, bool):
            yield path, "true" if node else "false"
        elif isinstance(node, (str, int, float)):
            yield path, str(node)[:LONGEST]


def _read_json(value: Any, found: Source, step: int) -> None:
    """Each object is a record; an object within one belongs to a record of its own and keeps the names above."""
    stack: list[tuple[tuple[str, ...], Any, int]] = [((), value, 0)]
    records = 0
    while stack and len(found.shown) < _MOST_FIELDS:
        path, node, record = stack.pop()
        if isinstance(node, Mapping):
            records += 1
            number = records
            pairs = [(str(name)[:80], each) for name, each in list(node.items())[:200]]
            flat = [f"{name}: {each}" for name, each in pairs if isinstance(each, (str, int, float))]
            line = ", ".join(flat)[:400]
            for name, each in pairs:
                if isinstance(each, (str, int, float)) and not isinstance(each, bool):
                    text = str(each)
                    if "\n" in text or len(text) > 120:
                        _read_text(text[:LONGEST], found, step, frozenset(words(name)), number)
                    else:
                        found.lines.append(f"{name}: {text}")
                        _atoms(
                            text,
                            found,
                            step,
                            frozenset(words(name)) | frozenset(words(" ".join(path[-1:]))),
                            number,
                            line,
                        )
                elif isinstance(each, bool) or each is None:
                    found.lines.append(f"{name}: {str(each).lower()}")
            stack.extend(
                (((*path, name), each, number) for name, each in reversed(pairs) if isinstance(each, (Mapping, list)))
            )
        elif isinstance(node, list):
            plain = [str(each) for each in node[:200] if isinstance(each, (str, int, float))]
            for text in plain:
                _read_text(text[:LONGEST], found, step, frozenset(words(" ".join(path[-1:]))), record)
            stack.extend((path, each, record) for each in reversed(node[:200]) if isinstance(each, (Mapping, list)))


def _read_text(text: str, found: Source, step: int, label: frozenset[str], record: int) -> None:
    """Lines; a line `name: value` names the field of its values; a table's first row names those of its cells."""
    header: list[frozenset[str]] = []
    number = record or 1
    for line in text.split("\n")[:400]:
        bare = line.strip()
        if not bare:
            number += 1000
            header = []
            continue
        found.lines.append(bare[:600])
        cells = (
            [each.strip() for each in _CELLS.split(bare.strip("|"))]
            if ("|" in bare or "\t" in bare or bare.count(",") > 1 or bare.count(";") > 1)
            else []
        )
        if len(cells) > 2 and not header and not any(letter.isdigit() for letter in bare):
            header = [frozenset(_words(cell)) for cell in cells]
            continue
        if header and len(cells) == len(header):
            number += 1
            for cell, names in zip(cells, header, strict=True):
                _atoms(cell, found, step, names, number, bare[:400])
            continue
        for part in re.split(r"\s/\s|(?<=\w)[.;]\s", bare) if len(bare) > 80 else [bare]:
            match = _LABEL.match(part)
            names = frozenset(_words(match[1])) if match else label
            _atoms(part, found, step, names, number, part[:400])


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))[:8]


def _atoms(text: str, found: Source, step: int, label: frozenset[str], record: int, line: str) -> None:
    for atom in atoms_in(text):
        found.shown.append(Shown(atom, label, record, step, line))
