"""`supervisor task morning`: the page for whoever comes back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from supervisor.cli.log.times import moment
from supervisor.cli.output import AsJson, console, print_json, styled
from supervisor.cli.task_views import Database, masked, opened

_SHOWN = 20  # tasks of a list
_TOLD = 300  # characters of a question, a title or a reason


def morning(
    since: Annotated[str, typer.Option(help="How far back to look, such as 8h or yesterday.", metavar="TIME")] = "12h",
    database: Database = "",
    json: AsJson = False,
) -> None:
    """Show what was done while you were away: what you have to decide, what has failed, what is finished, and what it
    cost."""
    from supervisor.runtime.store.morning import morning as morning_of

    begin = moment(since, "--since", datetime.now(UTC)).timestamp()
    with opened(database) as store:
        found = masked(morning_of(store, begin))
    if json:
        print_json(found)
        return
    for line in page(found):
        console().print(line)


def page(found: dict[str, Any]) -> list[str]:
    """The lines of the page."""
    return [line for part in (_decisions, _failed, _finished, _costs) for line in part(found)]


def _decisions(found: dict[str, Any]) -> list[str]:
    asked = found["decisions"]
    if not asked:
        return [styled("Nothing to decide.", "bold")]
    lines = [styled(f"To decide: {len(asked)}", "bold")]
    for each in asked:
        ids, offered = each["tasks"], " or ".join(each["choices"]) or "your answer"
        others = f"; {len(ids)} tasks ask the same" if len(ids) > 1 else ""
        lines.append(f"  {styled(_line(each['text']), 'yellow')}")
        lines.append(f"    `supervisor task answer {ids[0]}` {offered}{others}")
    return lines


def _failed(found: dict[str, Any]) -> list[str]:
    return _listed("Failed", found["failed"], lambda each: f": {_line(each['reason'])}")


def _finished(found: dict[str, Any]) -> list[str]:
    return _listed("Finished", found["finished"], lambda each: "")


def _listed(name: str, tasks: list[dict[str, Any]], why: Callable[[dict[str, Any]], str]) -> list[str]:
    if not tasks:
        return []
    shown = [f"  {each['id']}  {styled(_line(each['title']) + why(each), '')}" for each in tasks[:_SHOWN]]
    more = [f"  and {len(tasks) - _SHOWN} more"] if len(tasks) > _SHOWN else []
    return [styled(f"{name}: {len(tasks)}", "bold"), *shown, *more]


def _costs(found: dict[str, Any]) -> list[str]:
    spent = found["spent"]
    endings = ", ".join(f"{number} {ending}" for ending, number in found["endings"].items()) or "none"
    money = "" if spent["cost"] is None else f"${spent['cost']:.2f}, "
    tokens = f"{spent['input_tokens']:,} tokens read, {spent['output_tokens']:,} written, "
    left = ", ".join(f"{number} {state}" for state, number in found["left"].items()) or "nothing"
    cost = f"{money}{tokens}{spent['seconds'] / 3600:.1f} hours of work"
    return [f"{styled('Cost:', 'bold')} {cost}", f"Attempts: {endings}", f"Left: {left}"]


def _line(text: str) -> str:
    return " ".join(text.split())[:_TOLD]
