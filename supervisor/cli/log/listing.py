"""Decisions as a list: a heading for each session, then one decision a row. Text wraps; only long text is shortened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from supervisor.cli.decisions import SHORT, lost_line
from supervisor.cli.output import COLOURS, print_block, print_json, printable
from supervisor.decision.decision import why_watched
from supervisor.decision.lost_votes import lost_votes_of
from supervisor.records.newest import Found, Scenes

if TYPE_CHECKING:
    from rich.text import Text

_LONGEST = 400  # characters of an action, of a reason, and of a lost vote in a row
_MOST_LINES = 6  # objections and lost votes in a row


def as_json(record: Found, scenes: Scenes) -> None:
    """Prints a record on one line."""
    agent = scenes.agent(record) or None
    print_json(
        {"record": record.address, "place": record.place, "kind": record.kind, "agent": agent, **record.predicate}
    )


class Listing:
    """Prints decisions under headings. A heading is repeated when day, session or agent change."""

    def __init__(self, scenes: Scenes) -> None:
        self._scenes = scenes
        self._heading = ""

    def show(self, records: Iterable[Found]) -> None:
        """Prints the rows of these decisions."""
        for record in records:
            heading = self._heading_of(record)
            if heading != self._heading:
                self._heading = heading
                print_block(_text(heading, "dim"))
            _print_row(record)

    def _heading_of(self, record: Found) -> str:
        agent = self._scenes.agent(record)
        parts = [f"{record.time[:10]} UTC", agent and f"agent {agent}"]
        parts.append(f"session {session}" if (session := record.predicate["session"]) else "no session")
        return " · ".join(printable(each) for each in parts if each)


def _print_row(record: Found) -> None:
    from rich.table import Table

    decision = record.predicate["decision"]
    row = Table.grid(padding=(0, 1, 0, 0))
    for width in (8, SHORT, 5):
        row.add_column(width=width, no_wrap=True)
    row.add_column(overflow="fold")
    texts = [_text(shortened(called(record)), ""), *_objections(record), *_lost(record)]
    whole = texts[0]
    for text in texts[1:]:
        whole.append("\n").append_text(text)
    label = decision["verdict"]
    when = _text(record.time[11:19], "dim")
    row.add_row(when, printable(record.predicate["id"][:SHORT]), _text(label, COLOURS[label]), whole)
    print_block(row)


def called(record: Found) -> str:
    """The tool and its arguments, on one line."""
    action: dict[str, Any] = record.predicate["action"]
    ran = " (after it ran)" if record.kind == "outcome" else ""
    return f"{action['tool']}{ran} {' '.join(_plain(value) for value in action['args'].values())}"


def _plain(value: object) -> str:
    return str(value)[: _LONGEST * 4]


def shortened(text: str, longest: int = _LONGEST) -> str:
    """Text on one line; of a longer one, the beginning and how much is left out."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest]}… ({len(line) - longest:,} more characters)"


def _objections(record: Found) -> list[Text]:
    """Who decided, and why; and what a person or the guard itself has to do with it."""
    predicate = record.predicate
    reasons = {each["specialist"]: each.get("reason", "") for each in predicate["opinions"]}
    lines = [f"{name}: {reasons.get(name) or 'no reason'}" for name in predicate["decision"]["by"]]
    if state := predicate.get("approval", {}).get("state"):
        by = predicate["approval"].get("by")
        lines.append(f"approval: {state}" + (f" by {by}" if by else ""))
    for name, exemption in predicate.get("exemptions", {}).items():
        lines.append(f"{name} was overruled: allowed by exemption {str(exemption.get('id'))[:SHORT]}")
    if unheeded := predicate.get("unheeded"):
        lines.append(why_watched(unheeded))
    if problem := predicate.get("unjudged"):
        lines.append(f"not judged: {problem}")
    style = COLOURS[predicate["decision"]["verdict"]]
    return [_text(shortened(line), style) for line in lines[:_MOST_LINES]] + _rest(lines)


def _lost(record: Found) -> list[Text]:
    lines = [f"! {lost_line(each)}" for each in lost_votes_of(record.predicate["opinions"])]
    return [_text(shortened(line), "yellow") for line in lines[:_MOST_LINES]] + _rest(lines)


def _rest(lines: list[str]) -> list[Text]:
    more = len(lines) - _MOST_LINES
    return [_text(f"and {more} more; `supervisor log show` has all", "dim")] if more > 0 else []


def _text(text: str, style: str) -> Text:
    from rich.text import Text

    return Text(printable(text), style=style)
