"""A person's judgement of a decision: what a label's record says, and whether a journal's labels hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from supervisor.records.questions import PERSON

KIND = "label"  # of a record
Word = Literal["right", "wrong", "should_have_been", "withdrawn"]
VERDICTS = ("ok", "flag", "nudge", "block")
_DECISIONS = ("decision", "outcome")


@dataclass(frozen=True, slots=True)
class Label:
    """A person's judgement.

    `record` is the address of the decision's record. `entry` names the specialist whose finding is meant, or, with
    `should_have_been`, the one that should have objected; empty: the decision as a whole. `verdict` is the one that it
    should have been. `withdrawn` takes back the person's earlier label. `via` is how it was given.
    """

    record: str
    word: Word
    by: str
    time: datetime
    via: str
    verdict: str = ""
    entry: str = ""
    note: str = ""

    @property
    def subject(self) -> tuple[str, str, str]:
        """Of the labels with the same subject, only the newest counts: one person has one opinion of one thing."""
        return self.record, self.by, self.entry

    def to_json(self) -> dict[str, Any]:
        """The predicate of the label's record."""
        values = asdict(self) | {"time": self.time.isoformat()}
        return {"label": values.pop("word"), **values}


def label_of(kind: str, predicate: Mapping[str, Any]) -> Label:
    """The label in a record. Raises KeyError, TypeError or ValueError if there is none."""
    texts = {name: _text(predicate, name) for name in ("record", "by", "via", "verdict", "entry", "note")}
    word: Any = _text(predicate, "label")
    label = Label(word=word, time=datetime.fromisoformat(predicate["time"]), **texts)
    if kind != KIND or label.word not in get_args(Word) or label.via not in PERSON:
        raise ValueError("no label of a person")
    if (label.verdict in VERDICTS) != (label.word == "should_have_been") or label.time.tzinfo is None:
        raise ValueError("not a whole label")
    return label


def _text(predicate: Mapping[str, Any], name: str) -> str:
    if not isinstance(value := predicate[name], str):
        raise TypeError(name)
    return value


class LabelCheck:
    """Collects a journal's records as they are read, in any order; `problems` then lists every label that is none, or
    that judges no decision."""

    def __init__(self) -> None:
        self._decisions: set[str] = set()
        self._others: set[str] = set()
        self._labels: list[tuple[str, str]] = []
        self._wrong: list[tuple[str, str, str]] = []

    def note(self, place: str, kind: str, predicate: Mapping[str, Any], address: str) -> None:
        """Adds one verified record."""
        (self._decisions if kind in _DECISIONS else self._others).add(address)
        if kind == KIND:
            try:
                self._labels.append((place, label_of(kind, predicate).record))
            except (KeyError, TypeError, ValueError):
                self._wrong.append((place, "bad_label", "it is no label that a person has given"))

    def problems(self, *, is_pruned: bool) -> Iterator[tuple[str, str, str]]:
        """Place, code and message of each. If segments were pruned, a decision may be gone and its label still here."""
        yield from self._wrong
        for place, record in self._labels:
            if record in self._others or not (is_pruned or record in self._decisions):
                yield place, "label_of_nothing", "the decision that it judges is not there"
