"""The queue: one decision, one judgement, the next one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from supervisor.errors import BadInput
from supervisor.records.labels import Label
from supervisor.records.parts import parts_of
from supervisor.service.console import judging
from supervisor.service.console.calls import Call
from supervisor.service.console.visits import Visit

_RECENT = 10  # labels that stay in sight
_DIGITS = 64  # of an address


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
    waiting = judging.waiting_in(alike, record)
    is_second = call.desk.is_second_look(found, call.visit.by)
    found = replace(found, labels=()) if is_second else found
    return call.page(
        "decision.html",
        found=found,
        item=found.item,
        stored=stored,
        alike=waiting,
        parts=parts_of(stored.record) if stored else None,
        why=judging.why(
            found.item,
            alike,
            waiting,
            is_second=is_second,
            is_sample=call.desk.is_sample(stored),
            is_watched=call.desk.is_watched(stored),
        ),
        held=found.holder is not None and found.holder != call.visit.by,
        known=sorted(call.desk.catalog.known),
        is_queue=is_queue,
        recent=_recent(call.visit),
        replayed=replayed,
    )


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
    word, verdict = judging.judgement(call.text("word"))
    entry = call.text("missed") if word == "should_have_been" and call.text("missed") else call.text("entry")
    said = judging.Said(word, verdict, entry, call.text("note"))
    judging.judge(call.desk, call.visit, "console", records, said)
    return call.to("/queue")


def alike(call: Call) -> Response:
    """The list of what is like a decision, to judge all of it at once."""
    record = _address(call.path["record"])
    found = call.desk.whole(record)
    items = judging.waiting_in(call.desk.alike(record))
    return call.page("alike.html", found=found, item=found.item, items=items, known=sorted(call.desk.catalog.known))


def skip(call: Call) -> Response:
    """Puts an item last, and lets go of it."""
    record = _address(call.path["record"])
    call.visit.skip(record)
    call.desk.release(record, call.visit.by)
    return call.to("/queue")


def undo(call: Call) -> Response:
    """Takes back the newest step of this visit, by labels that say so, and shows its item again."""
    return call.to(f"/record/{judging.undo(call.desk, call.visit, 'console')}")


def _recent(visit: Visit) -> list[tuple[str, Label, int]]:
    """The newest steps, the newest first: what was said, the first of the labels, and how many there are."""
    steps: Iterable[tuple[Label, ...]] = reversed(visit.given)
    return [(judging.told(step[0]), step[0], len(step)) for step, _ in zip(steps, range(_RECENT), strict=False)]


def _address(text: str) -> str:
    """The address of a record. Raises BadInput."""
    if len(text) != _DIGITS or not text.isalnum():
        raise BadInput("no address of a record")
    return text
