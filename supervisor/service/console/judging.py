"""One step of a review, as the console and the terminal share it: why an item is shown, what is said, and undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import get_args

from supervisor.errors import BadInput
from supervisor.feedback.items import Item
from supervisor.records.labels import VERDICTS, Label, Word
from supervisor.service.console.desk import Desk
from supervisor.service.console.visits import Visit

_STOPS = ("nudge", "block")
_WORDS: Mapping[str, Word] = {word: word for word in get_args(Word)}


@dataclass(frozen=True, slots=True)
class Said:
    """A judgement: the label's word, the right verdict of `should_have_been`, the finding that is meant, a note."""

    word: Word
    verdict: str = ""
    entry: str = ""
    note: str = ""


def waiting_in(alike: Sequence[Item], record: str = "") -> list[Item]:
    """Those of alike decisions that wait for a judgement, without the decision `record`."""
    reviewable = (each for each in alike if each.verdict in (*_STOPS, "flag") and each.record != record)
    return [each for each in reviewable if each.label == ""]


def why(
    item: Item, alike: Sequence[Item], waiting: Sequence[Item], *, is_second: bool, is_sample: bool, is_watched: bool
) -> list[str]:
    """Why this is shown, in sentences. `is_second`: another person has judged it. `is_sample`: of what models found
    nothing wrong with, it is in the sample for people. `is_watched`: what its agent was refused before made it a
    flag."""
    told = ["It was stopped." if item.verdict in _STOPS else f"It ran, with the verdict {item.verdict}."]
    if is_second:
        told.append("Another person has judged it: two people judge a sample, and do not see each other's label.")
    if is_sample:
        told.append("A model has judged it, and people look at a sample of that.")
    if is_watched:
        told.append(
            "Its agent did not heed refusals in other sessions, so the policy has people look at what it changes."
        )
    judged = sum(each.label != "" for each in alike)
    if waiting:
        told.append(f"It stands for {len(waiting) + 1} that are alike and wait.")
    verb = "is" if judged < 2 else "are"
    told.append(f"Of all alike, {judged or 'none'} {verb} judged.")
    if item.heeded == "heeded":
        told.append("The agent then did it without what was objected to.")
    elif item.heeded == "repeated":
        told.append("The agent then proposed nearly the same again.")
    elif item.heeded == "given up":
        told.append("The agent then went on with other things.")
    return told


def judgement(text: str) -> tuple[Word, str]:
    """Word and verdict of a button or key: `right`, `should_have_been block`. Raises BadInput."""
    given, _, verdict = text.partition(" ")
    word = _WORDS.get(given)
    if word is None or (word == "should_have_been") != (verdict in VERDICTS):
        raise BadInput("no such label")
    return word, verdict


def judge(desk: Desk, visit: Visit, via: str, records: Sequence[str], said: Said) -> None:
    """Records the same judgement of each of these decisions, as one step. Raises what `Desk.label` raises."""
    now = datetime.now(UTC)
    parts = (visit.by, now, via, said.verdict, said.entry, said.note)
    visit.given.append(desk.label([Label(record, said.word, *parts) for record in records]))


def undo(desk: Desk, visit: Visit, via: str) -> str:
    """Takes back the newest step of a visit, by labels that say so. Returns its first record. Raises BadInput."""
    if not visit.given:
        raise BadInput("nothing was labelled in this visit, or all of it is taken back")
    given, now = visit.given.pop(), datetime.now(UTC)
    desk.label([Label(each.record, "withdrawn", each.by, now, via, entry=each.entry) for each in given])
    return given[0].record


def told(label: Label) -> str:
    """`should have been block`."""
    return f"{label.word.replace('_', ' ')} {label.verdict}".strip()
