"""The queue: one decision, one judgement, the next one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, get_args

from starlette.responses import Response

from supervisor.errors import BadInput
from supervisor.feedback.items import Item
from supervisor.records.labels import VERDICTS, Label, Word
from supervisor.records.parts import parts_of
from supervisor.service.console.calls import Call
from supervisor.service.console.visits import Visit

_RECENT = 10  # labels that stay in sight
_DIGITS = 64  # of an address
_STOPS = ("nudge", "block")


def queue(call: Call) -> Response:
    """The next item."""
    item = call.desk.next_item(call.visit.by, call.visit.skipped)
    if item is None:
        return call.page("empty.html", recent=_recent(call.visit))
    return decision_page(call, item.record, is_queue=True)


def decision_page(call: Call, record: str, *, is_queue: bool = False, replayed: Any = None) -> Response:
    """The page of one decision: what its specialists saw, what they said, what people said of it."""
    found = call.desk.whole(record)
    stored = call.desk.located(found.item)
    alike = call.desk.alike(record)
    waiting = [each for each in alike if each.label == "" and each.record != record and _is_reviewable(each)]
    return call.page(
        "decision.html",
        found=found,
        item=found.item,
        stored=stored,
        alike=waiting,
        parts=parts_of(stored.record) if stored else None,
        why=_why(found.item, alike, waiting),
        held=found.holder is not None and found.holder != call.visit.by,
        known=sorted(call.desk.catalog.known),
        is_queue=is_queue,
        recent=_recent(call.visit),
        replayed=replayed,
    )


def _is_reviewable(item: Item) -> bool:
    return item.verdict in (*_STOPS, "flag")


def _why(item: Item, alike: list[Item], waiting: list[Item]) -> list[str]:
    """Why this is shown, in sentences."""
    told = ["It was stopped." if item.verdict in _STOPS else f"It ran, with the verdict {item.verdict}."]
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


def label(call: Call) -> Response:
    """Records a judgement of one decision, and goes on with the next."""
    return _label(call, [_address(call.path["record"])])


def label_alike(call: Call) -> Response:
    """Records the same judgement of all that are ticked."""
    records = list(dict.fromkeys(map(_address, call.form.get("record", []))))
    if not records:
        raise BadInput("nothing is ticked")
    return _label(call, records)


def _label(call: Call, records: list[str]) -> Response:
    word, verdict = _judgement(call.text("word"))
    entry = call.text("missed") if word == "should_have_been" and call.text("missed") else call.text("entry")
    now, note = datetime.now(UTC), call.text("note")
    drafts = [Label(record, word, call.visit.by, now, "console", verdict, entry, note) for record in records]
    call.visit.given.append(call.desk.label(drafts))
    return call.to("/queue")


def _judgement(text: str) -> tuple[Word, str]:
    """Word and verdict of a button: `right`, `should_have_been block`. Raises BadInput."""
    word, _, verdict = text.partition(" ")
    if word not in get_args(Word) or (word == "should_have_been") != (verdict in VERDICTS):
        raise BadInput("no such label")
    found: Word = word  # type: ignore[assignment]
    return found, verdict


def alike(call: Call) -> Response:
    """The list of what is like a decision, to judge all of it at once."""
    record = _address(call.path["record"])
    found = call.desk.whole(record)
    items = [each for each in call.desk.alike(record) if each.label == "" and _is_reviewable(each)]
    return call.page("alike.html", found=found, item=found.item, items=items, known=sorted(call.desk.catalog.known))


def skip(call: Call) -> Response:
    """Puts an item last, and lets go of it."""
    record = _address(call.path["record"])
    call.visit.skip(record)
    call.desk.release(record, call.visit.by)
    return call.to("/queue")


def undo(call: Call) -> Response:
    """Takes back the newest step of this visit, by labels that say so, and shows its item again."""
    if not call.visit.given:
        raise BadInput("nothing was labelled in this visit, or all of it is taken back")
    given = call.visit.given.pop()
    now = datetime.now(UTC)
    call.desk.label([Label(each.record, "withdrawn", each.by, now, "console", entry=each.entry) for each in given])
    return call.to(f"/record/{given[0].record}")


def _recent(visit: Visit) -> list[tuple[str, Label, int]]:
    """The newest steps, the newest first: what was said, the first of the labels, and how many there are."""
    steps: Iterable[tuple[Label, ...]] = reversed(visit.given)
    return [(told(step[0]), step[0], len(step)) for step, _ in zip(steps, range(_RECENT), strict=False)]


def told(label: Label) -> str:
    """`should have been block`."""
    return f"{label.word.replace('_', ' ')} {label.verdict}".strip()


def _address(text: str) -> str:
    """The address of a record. Raises BadInput."""
    if len(text) != _DIGITS or not text.isalnum():
        raise BadInput("no address of a record")
    return text
