"""`supervisor task cost`: what tasks have spent, day by day, and what the caps still allow."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import AsJson, console, print_json, print_table, table
from supervisor.cli.task_views import Database, opened, spent_json, spent_told

if TYPE_CHECKING:
    from supervisor.policy.spending import Cap, SpendingPolicy
    from supervisor.runtime.tasks.caps import Sum

_KEY = ("day", "provider", "model")
_DAY = 24 * 3600


def cost(
    days: Annotated[int, typer.Option(help="Today and the days before it, so many in all.", min=1, max=3650)] = 1,
    policy: PolicyFile = None,
    database: Database = "",
    json: AsJson = False,
) -> None:
    """Tell what tasks have spent, by day (UTC), provider and model, and how much of each day's cap is left."""
    from supervisor.policy import SpendingPolicy, read_policy
    from supervisor.runtime.store.ledger import spent_by_day
    from supervisor.runtime.tasks.caps import day_of

    now, caps = time.time(), read_policy(policy).spending if policy else SpendingPolicy()
    with opened(database) as store:
        found = spent_by_day(store, day_of(now - (days - 1) * _DAY))
    left = _left(caps, {key: spent for key, spent in found.items() if key[0] == day_of(now)})
    if json:
        rows = [dict(zip(_KEY, key, strict=True)) | spent_json(spent) for key, spent in found.items()]
        print_json({"spent": rows, "caps": left})
        return
    drawn = table("day", "provider", "model", "spent", names=True)
    for key, spent in found.items():
        drawn.add_row(*key, spent_told(spent))
    if found:
        print_table(drawn)
    else:
        console().print("nothing was spent")
    for each in left:
        console().print(_told(each))


def _left(policy: SpendingPolicy, today: dict[tuple[Any, ...], Sum]) -> list[dict[str, Any]]:
    """The caps of the day, each with what was spent under it."""
    caps: list[tuple[str, Cap, list[Sum]]] = [("everything", policy.day, list(today.values()))]
    for name, cap in policy.providers.items():
        caps.append((name, cap, [spent for key, spent in today.items() if key[1] == name]))
    found = []
    for whose, cap, sums in caps:
        spent = {"tokens": sum(each.tokens for each in sums), "dollars": sum(each.dollars for each in sums)}
        for unit, most in (("dollars", cap.dollars), ("tokens", cap.tokens)):
            if most is not None:
                found.append({"of": whose, "unit": unit, "cap": most, "spent": spent[unit]})
    return found


def _told(cap: dict[str, Any]) -> str:
    from supervisor.runtime.tasks.caps import money

    amounts = [money(each) if cap["unit"] == "dollars" else f"{each:,} tokens" for each in (cap["spent"], cap["cap"])]
    return f"{cap['of']} today: {amounts[0]} of {amounts[1]}"
