"""`supervisor review --label`: the review queue at a terminal, one key a judgement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadInput, SupervisorError

if TYPE_CHECKING:
    from supervisor.cli.terminal import Keys
    from supervisor.feedback.items import Item, Whole
    from supervisor.records.located import Located
    from supervisor.service.console.desk import Desk

_JUDGEMENTS = {"a": "right", "x": "wrong"} | {
    key: f"should_have_been {verdict}" for key, verdict in zip("1234", ("ok", "flag", "nudge", "block"), strict=True)
}
_KEYS = (
    "a right  x wrong  1 2 3 4 should have been ok, flag, nudge, block\n"
    "n note  e finding  l all alike  s all that was seen  space skip  u undo  q end\n"
)
_END_KEYS = "Nothing waits.  u undo  space look again  q end\n"
_EXTRA = "the review queue needs {}: pip install 'supervisor-guard[feedback]'"


def review_labels(policy: Path | None, records: Path | None, by: str) -> int:
    """Shows decision after decision until the person ends it, or none waits and there is no step to take back. Returns
    how many steps were recorded and not taken back. Raises MayNotAnswer without a terminal, BadInput without the
    packages of the index."""
    try:
        from supervisor.service.console.desk import Deployed, Desk
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("sqlalchemy", "alembic"):
            raise
        raise BadInput(_EXTRA.format(error.name), place="--label", code="missing_extra") from None
    from supervisor.cli.deployment import Deployment, must_be_here
    from supervisor.cli.index import index_url
    from supervisor.cli.terminal import Keys
    from supervisor.engine.session import must_be_outside

    must_be_here()
    must_be_outside()
    deployment = Deployment.of(policy, records)
    deployed = Deployed(deployment.policy, deployment.records, deployment.signer(), index_url())
    with Keys() as keys:
        desk = Desk(deployed)
        try:
            return Reviewing(desk, keys, by).run()
        finally:
            desk.close()


class Reviewing:
    """One person's review. `run` shows the queue."""

    def __init__(self, desk: Desk, keys: Keys, by: str) -> None:
        from supervisor.service.console.visits import Visit

        self._desk, self._keys, self._visit = desk, keys, Visit(by)
        self._note, self._entry, self._is_all = "", "", False
        self._steps = 0  # a visit keeps only its newest ones

    def run(self) -> int:
        """Shows what waits until the person ends it, or nothing waits and no step can be taken back. Returns how many
        steps stand."""
        self._desk.refresh()
        if self._desk.problem:
            self._keys.show(f"{self._desk.problem}\n")
        item = self._next()
        while item is not None:
            shown = item.record
            try:
                item = self._after(item)
            except BaseException:
                self._desk.release(shown, self._visit.by)
                raise
        return self._steps

    def _next(self) -> Item | None:
        """The item to show next; None at the end."""
        while (item := self._waiting()) is None:
            if not self._visit.given:
                self._keys.show("Nothing waits.\n")
                return None
            self._keys.forget()
            self._keys.show(_END_KEYS)
            pressed = self._keys.key()
            if pressed in ("q", ""):
                return None
            if pressed == "u" and (earlier := self._undone()) is not None:
                return earlier
        return item

    def _waiting(self) -> Item | None:
        self._desk.refresh()
        return self._desk.next_item(self._visit.by, self._visit.skipped)

    def _after(self, item: Item) -> Item | None:
        """The item after this one, which is shown and judged, skipped or left; None at the end."""
        found = self._desk.whole(item.record)
        stored = self._desk.located(item)
        if stored is None:  # of another folder: no label of it would count
            self._visit.skip(item.record)
            self._desk.release(item.record, self._visit.by)
            following = self._next()
            return None if following is None or following.record in self._visit.skipped else following
        self._note, self._entry, self._is_all = "", "", False
        self._show(found, stored)
        while True:
            pressed = self._keys.key()
            if pressed in ("q", ""):
                self._desk.release(item.record, self._visit.by)
                return None
            if pressed == " ":
                self._visit.skip(item.record)
                self._desk.release(item.record, self._visit.by)
                return self._next()
            if pressed == "u" and (earlier := self._undone()) is not None:
                if earlier.record != item.record:
                    self._desk.release(item.record, self._visit.by)
                return earlier
            if pressed in _JUDGEMENTS and self._judged(item, _JUDGEMENTS[pressed]):
                return self._next()
            self._prepare(pressed, item, stored)

    def _show(self, found: Whole, stored: Located) -> None:
        from supervisor.cli.shown_decision import item_sheet
        from supervisor.service.console.judging import waiting_in, why

        alike = self._desk.alike(found.item.record)
        is_second = self._desk.is_second_look(found, self._visit.by)
        found = replace(found, labels=()) if is_second else found
        waiting, is_sample = waiting_in(alike, found.item.record), self._desk.is_sample(stored)
        is_watched = self._desk.is_watched(stored)
        told = why(found.item, alike, waiting, is_second=is_second, is_sample=is_sample, is_watched=is_watched)
        self._keys.forget()
        self._keys.show("\n" + "\n".join(item_sheet(found, stored, told, self._keys.columns)) + f"\n{_KEYS}")

    def _prepare(self, pressed: str, item: Item, stored: Located) -> None:
        """What a key does that says nothing yet."""
        if pressed == "n":
            self._note = self._keys.line("Note:")
        elif pressed == "e":
            self._entry = self._asked_entry(stored.record.predicate)
        elif pressed == "l":
            self._is_all = not self._is_all
            number = len(self._records(item))
            self._keys.show(
                f"The next judgement is of {f'all {number} alike' if self._is_all else 'this one alone'}.\n"
            )
        elif pressed == "s":
            from supervisor.cli.shown_decision import seen_sheet

            self._keys.show("\n".join(seen_sheet(stored, self._keys.columns)) + "\n")
        elif pressed == "?":
            self._keys.show(_KEYS)

    def _asked_entry(self, record: Any) -> str:
        """The finding that the next judgement is of; "" for the decision as a whole."""
        from supervisor.cli.shown_decision import objections

        names = [str(each["specialist"]) for each in objections(record)]
        shown = "".join(f"  {number} {name}\n" for number, name in enumerate(names, 1))
        question = "Number of a finding, or the failure mode that should have objected (empty: the decision):"
        typed = self._keys.line(shown + question)
        return names[int(typed) - 1] if typed.isdecimal() and 0 < int(typed) <= len(names) else typed

    def _records(self, item: Item) -> list[str]:
        from supervisor.service.console.judging import waiting_in

        if not self._is_all:
            return [item.record]
        others = waiting_in(self._desk.alike(item.record), item.record)
        return [item.record, *(each.record for each in others)]

    def _judged(self, item: Item, text: str) -> bool:
        """Records a judgement. Returns False if it is refused; the reason is shown."""
        from supervisor.service.console.judging import Said, judge, judgement, told

        word, verdict = judgement(text)
        try:
            judge(
                self._desk, self._visit, "terminal", self._records(item), Said(word, verdict, self._entry, self._note)
            )
        except BadInput as error:
            self._keys.show(f"{error}\n")
            return False
        self._steps += 1
        step = self._visit.given[-1]
        number = f" (all {len(step)} alike)" if len(step) > 1 else ""
        self._keys.show(f"-> {told(step[0])}{number}\n")
        return True

    def _undone(self) -> Item | None:
        """Takes back the newest step. Returns its item, which is held and shown again; None if there is no step, or
        somebody else holds the item: the reason is shown."""
        from supervisor.service.console.judging import undo

        try:
            record = undo(self._desk, self._visit, "terminal")
            self._steps -= 1
            self._keys.show("-> taken back\n")
            self._desk.hold(record, self._visit.by)
        except SupervisorError as error:
            self._keys.show(f"{error}\n")
            return None
        return self._desk.whole(record).item
