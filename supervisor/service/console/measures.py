"""How each specialist does: what it found, and what people and sessions say of that."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import Connection
from starlette.responses import Response

from supervisor.feedback import queries
from supervisor.feedback.agreement import Agreement
from supervisor.feedback.items import Week
from supervisor.feedback.misses import misses
from supervisor.feedback.times import stored_time, week_of
from supervisor.service.console.calls import Call
from supervisor.service.console.desk import NotThere
from supervisor.service.console.plots import Plot

_WEEKS = 12
_NEWEST = 20  # decisions
_PEOPLE = 6  # whose agreement is shown


class Plots(NamedTuple):
    """The measures of one specialist by week. `judged` is the share of its findings that people have judged."""

    findings: Plot
    judged: Plot
    precision: Plot
    recall: Plot
    heeded: Plot
    latency: Plot
    refusals: Plot


@dataclass(frozen=True, slots=True)
class Measured:
    """One specialist over the last weeks. `precision` is the share of its judged findings that people called right,
    `recall` the share of what people call its own that it found. Both speak of judged decisions alone; None if there
    are none. `heeded`, `p50_ms` and `p99_ms` are those of the newest week that has them. `plots` has all of it by
    week."""

    name: str
    found: int
    right: int
    wrong: int
    missed: int
    refusals: int
    heeded: float | None
    p50_ms: float | None
    p99_ms: float | None
    plots: Plots

    @property
    def precision(self) -> float | None:
        """See above."""
        return share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float | None:
        """See above."""
        return share(self.right, self.right + self.missed)

    @property
    def judged(self) -> float | None:
        """The share of its findings that people have judged."""
        return share(self.right + self.wrong, self.found)


def share(part: int, whole: int) -> float | None:
    """A share; None of nothing."""
    return part / whole if whole else None


def taxonomy(call: Call) -> Response:
    """Every failure mode in force, those that found most first."""
    names = last_weeks(datetime.now(UTC))
    with call.desk.store.reading() as connection:
        found = queries.weeks(connection, since=names[0])
        missed = _missed(connection, names[0])
        pairs = _agreements(connection)
    by_name: dict[str, list[Week]] = {}
    for week in found:
        by_name.setdefault(week.specialist, []).append(week)
    nameless = missed.pop("", Counter()).total()
    seen = by_name.keys() | missed.keys()
    rows = [_measured(name, by_name.get(name, []), missed[name], names) for name in seen]
    rows.sort(key=lambda row: (-row.found, row.name))
    catalog = call.desk.catalog
    return call.page(
        "taxonomy.html",
        rows=rows,
        quiet=[entry for name, entry in catalog.entries.items() if name not in seen],
        catalog=catalog,
        judged=sum(row.right + row.wrong > 0 for row in rows),
        nameless=nameless,
        weeks=_WEEKS,
        pairs=pairs,
    )


def specialist(call: Call) -> Response:
    """One failure mode: its plots, its cases, and its newest decisions. Raises NotThere."""
    name, names = call.path["name"], last_weeks(datetime.now(UTC))
    catalog = call.desk.catalog
    with call.desk.store.reading() as connection:
        found = queries.weeks(connection, name, names[0])
        missed = _missed(connection, names[0])[name]
        items = queries.items_of(connection, name, _NEWEST)
    if name not in catalog.entries and not items:
        raise NotThere("no such failure mode", place=name[:100])
    return call.page(
        "specialist.html",
        name=name,
        mode=catalog.failure_mode(name) if name in catalog.entries else None,
        measured=_measured(name, found, missed, names),
        weeks=found,
        missed=missed,
        items=items,
    )


def _missed(connection: Connection, since: str) -> defaultdict[str, Counter[str]]:
    """For each failure mode that people name, how much of it no specialist found, by week from `since` on; "" has what
    they name none of."""
    found = defaultdict[str, Counter[str]](Counter)
    for each in misses(connection):
        if (week := week_of(each.time)) >= since:
            found[each.entry][week] += 1
    return found


def _agreements(connection: Connection) -> list[tuple[str, str, Agreement]]:
    """How far each two of the people who have labelled most agree, where both have labelled the same decisions."""
    named = combinations(queries.people(connection, _PEOPLE), 2)
    found = [(one, other, queries.agreement(connection, one, other)) for one, other in named]
    return [each for each in found if each[2].items]


def last_weeks(now: datetime) -> list[str]:
    """The names of the last weeks, oldest first."""
    return [week_of(stored_time(now - timedelta(weeks=back))) for back in range(_WEEKS - 1, -1, -1)]


def _measured(name: str, weeks: Iterable[Week], missed: Counter[str], names: list[str]) -> Measured:
    found = sorted(weeks, key=lambda week: week.week)
    total = Counter[str]()
    for week in found:
        for part in ("stopped", "flagged", "labelled_right", "labelled_wrong", "refusals"):
            total[part] += getattr(week, part)
    newest = {
        part: next((value for week in reversed(found) if (value := getattr(week, part)) is not None), None)
        for part in ("heeded_rate", "p50_ms", "p99_ms")
    }
    right, wrong = total["labelled_right"], total["labelled_wrong"]
    plots = plots_of(found, missed, names)
    shown = (total["refusals"], newest["heeded_rate"], newest["p50_ms"], newest["p99_ms"], plots)
    return Measured(name, total["stopped"] + total["flagged"], right, wrong, missed.total(), *shown)


def plots_of(found: Iterable[Week], missed: Counter[str], names: list[str]) -> Plots:
    """The plots of one specialist."""
    by_week = {week.week: week for week in found}
    weeks = [by_week.get(name) for name in names]

    def values(part: str) -> list[float | None]:
        return [None if week is None else getattr(week, part) for week in weeks]

    findings = [None if week is None else week.stopped + week.flagged for week in weeks]
    rights = [0 if week is None else week.labelled_right for week in weeks]
    judged = [0 if week is None else week.labelled_right + week.labelled_wrong for week in weeks]
    own = [right + missed[name] for right, name in zip(rights, names, strict=True)]
    return Plots(
        Plot("Findings", names, findings, are_bars=True),
        _shares("Judged, of its findings", names, judged, [each or 0 for each in findings]),
        _shares("Precision, of what people judged", names, rights, judged),
        _shares("Recall, of what people call its own", names, rights, own),
        Plot("Nudges and blocks that were heeded", names, values("heeded_rate"), top=1.0, form="{:.0%}"),
        Plot("Latency (ms)", names, values("p50_ms"), values("p99_ms"), ("median", "99th percentile"), form="{:,.1f}"),
        Plot("Refusals", names, values("refusals"), are_bars=True),
    )


def _shares(title: str, names: list[str], parts: Sequence[int], wholes: Sequence[int]) -> Plot:
    return Plot(title, names, [share(*pair) for pair in zip(parts, wholes, strict=True)], top=1.0, form="{:.0%}")
