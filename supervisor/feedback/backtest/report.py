"""The report of a backtest: as JSON for programs, and as one HTML page that needs nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from supervisor.errors import SupervisorError
from supervisor.feedback.backtest.tally import Tally, rows, stopped
from supervisor.version import VERSION


class NoTemplates(SupervisorError):
    """Jinja2 is not installed."""

    code = "no_jinja2"


def as_json(tally: Tally, minutes: float) -> dict[str, Any]:
    """The report as JSON values: counts, the worst actions, and what another version judges otherwise."""
    return {
        "supervisor": VERSION,
        **{name: getattr(tally, name) for name in ("sources", "sessions", "actions")},
        "stopped": tally.stopped,
        "flagged": tally.verdicts["flag"],
        "minutes_of_interruption": round(tally.stopped * minutes, 1),
        "entries": _named(tally.entries),
        "projects": _named(tally.projects),
        "weeks": dict(sorted(_named(tally.weeks).items())),
        "could_not_be_asked": dict(tally.unasked.most_common()),
        "worst": [_plain(each) for each in tally.items],
        "changed": _named(tally.changed),
        "changes": [_plain(each) for each in tally.changes],
        "problems": [{"place": place, "problem": why} for place, why in tally.problems],
        "problem_count": tally.problem_count,
    }


def _named(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    return dict(rows(counts))


def _plain(item: Any) -> dict[str, Any]:
    return {name: getattr(item, name) for name in item.__slots__}


def page(tally: Tally, minutes: float) -> str:
    """The report as an HTML page without scripts, whose every text from an agent is escaped. Raises NoTemplates."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise NoTemplates(
            "the HTML report needs Jinja2: pip install 'supervisor-guard[report]'", place="--html"
        ) from None
    loader = PackageLoader("supervisor.feedback.backtest", "templates")
    templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return templates.get_template("report.html").render(
        version=VERSION,
        tally=tally,
        minutes=round(tally.stopped * minutes, 1),
        each=minutes,
        entries=[_bar(name, numbers) for name, numbers in rows(tally.entries)],
        projects=[_bar(name, numbers) for name, numbers in rows(tally.projects)[:40]],
        weeks=(weeks := _weeks(tally)),
        most=max((week["stopped"] + week["flag"] for week in weeks), default=0),
        changed=[(name, numbers) for name, numbers in rows_changed(tally)],
    )


def rows_changed(tally: Tally) -> list[tuple[str, dict[str, int]]]:
    """The entries by which another version stops or lets through other actions, most changes first."""
    named = _named(tally.changed)
    return sorted(named.items(), key=lambda row: (-sum(row[1].values()), row[0]))


def _bar(name: str, numbers: Mapping[str, int]) -> dict[str, Any]:
    return {"name": name, "stopped": stopped(numbers), "flag": numbers.get("flag", 0), **_others(numbers)}


def _others(numbers: Mapping[str, int]) -> dict[str, int]:
    return {name: numbers.get(name, 0) for name in ("actions", "asked", "ran")}


def _weeks(tally: Tally) -> list[dict[str, Any]]:
    """The bars of a plot, one a week, in order: the shares of the highest bar in percent."""
    found = sorted((name, numbers) for name, numbers in rows(tally.weeks) if name != "unknown")[-60:]
    most = max((stopped(numbers) + numbers.get("flag", 0) for _, numbers in found), default=0) or 1
    bars = []
    for place, (name, numbers) in enumerate(found):
        high, low = 100 * stopped(numbers) / most, 100 * numbers.get("flag", 0) / most
        bar = {"x": place * 14, "stopped": round(high, 1), "flag": round(low, 1)}
        bars.append({**_bar(name, numbers), "bar": bar})
    return bars
