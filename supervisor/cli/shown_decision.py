"""A decision as lines of a terminal, for a person who judges it.

Whatever comes from the agent stands behind a gutter, in pieces that fit the screen: no text of it can look like a line
of this program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson
from rich.cells import chop_cells

from supervisor.cli.output import counted, printable
from supervisor.feedback.items import Whole
from supervisor.records.located import Located
from supervisor.records.parts import Parts, parts_of

_GUTTER = "  | "
_SHOWN = 4_000  # characters of a value


class Sheet:
    """Lines for a screen of this width. With `whole`, no text is cut."""

    def __init__(self, columns: int, *, whole: bool = False) -> None:
        self._width, self._whole = max(columns - len(_GUTTER), 8), whole
        self.lines = list[str]()

    def own(self, text: str) -> None:
        """A line of this program; names in it are one line."""
        self.lines.append(printable(text))

    def quoted(self, value: Any) -> None:
        """A value of the agent or of a record."""
        text = value if isinstance(value, str) else orjson.dumps(value, default=str).decode()
        shown = text if self._whole else text[:_SHOWN]
        for line in printable(shown, keep="\n").split("\n"):
            self.lines += [_GUTTER + each for each in chop_cells(line, self._width) or [""]]
        if len(shown) < len(text):
            self.own(f"    and {len(text) - len(shown):,} characters more; s shows them")

    def named(self, values: Mapping[str, Any]) -> None:
        """Values with their names."""
        for name, value in values.items():
            self.quoted(f"{name}:" if isinstance(value, str) and "\n" in value else f"{name}: {_one(value)}")
            if isinstance(value, str) and "\n" in value:
                self.quoted(value)


def _one(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value, default=str).decode()


def item_sheet(found: Whole, stored: Located, why: Iterable[str], columns: int) -> list[str]:
    """What is to be judged: the action, why it is shown, every objection, and what was said of it."""
    sheet, item, record = Sheet(columns), found.item, stored.record.predicate
    sheet.own(f"{item.verdict}  {item.id[:8]}  {item.time[:16].replace('T', ' ')}  {_where(found)}")
    sheet.own(f"Why you see this: {' '.join(why)}")
    if stored.problem:
        sheet.own(f"Its record does not verify: {stored.problem}")
    sheet.own("Proposed" if item.stage == "before" else "Ran")
    sheet.named({"tool": record["action"]["tool"], **record["action"]["args"]})
    for each in objections(record):
        sheet.own(f"{each['verdict']} by {each['specialist']} ({each['confidence']:.2f})")
        sheet.quoted(each["reason"])
        if each.get("correction"):
            sheet.quoted(f"told the agent: {_one(each['correction'])}")
    for label in found.labels:
        about = f" ({label['entry']})" if label["entry"] else ""
        sheet.own(f"{label['by']} said: {label['word'].replace('_', ' ')} {label['verdict']}".rstrip() + about)
        if label["note"]:
            sheet.quoted(label["note"])
    return sheet.lines


def objections(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The findings of a decision's record that object."""
    return (each for each in record["opinions"] if each.get("verdict", "ok") != "ok")


def _where(found: Whole) -> str:
    item = found.item
    agent = f"agent {item.agent}" if item.agent else "an agent without a name"
    session = f", session {item.session}" if item.session else ""
    return agent + session + (f", in {item.project}" if item.project else "")


def seen_sheet(stored: Located, columns: int) -> list[str]:
    """Everything that the specialists saw, whole."""
    sheet, record, parts = Sheet(columns, whole=True), stored.record.predicate, parts_of(stored.record)
    for each in parts.missing:
        sheet.own(f"Not readable: {each}")
    sheet.own("Action")
    sheet.named({"tool": record["action"]["tool"], **record["action"]["args"]})
    sheet.own("Task")
    sheet.quoted(parts.task or "none was given")
    _add_steps(sheet, parts)
    sheet.own(counted(len(parts.facts), "fact"))
    sheet.named(parts.facts)
    for name, answers in parts.answers.items():
        sheet.own(f"What doors answered {name}")
        sheet.quoted(answers)
    lost = [each for each in record["opinions"] if "cause" in each]
    sheet.own(f"{len(lost)} could not judge")
    sheet.named({str(each["specialist"]): each["reason"] for each in lost})
    sheet.own(f"{counted(len(parts.asked), 'specialist')} asked")
    sheet.quoted(", ".join(parts.asked))
    return sheet.lines


def _add_steps(sheet: Sheet, parts: Parts) -> None:
    sheet.own(counted(len(parts.history), "earlier step"))
    for number, step in enumerate(parts.history, 1):
        sheet.own(f"{number}{' (failed)' if step.failed else ''}")
        sheet.named({"tool": step.tool, **step.args})
        if step.output is not None:
            sheet.named({"output": step.output})
