"""The report of a backtest: as JSON for programs, and as one HTML page that needs nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from supervisor.errors import SupervisorError
from supervisor.feedback.backtest.tally import Tally, rows, stopped
from supervisor.version import VERSION

_MOST_BARS = 40  # projects, weeks
_MOST_WEEKS = 60  # in the order of time


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
        entries=_bars(rows(tally.entries)),
        projects=_bars(rows(tally.projects)[:_MOST_BARS]),
        weeks=_bars(rows(tally.weeks)[:_MOST_BARS]),
        line=(line := _line(tally)),
        most=max((week["stopped"] + week["flag"] for week in line), default=0),
        changed=[(name, numbers) for name, numbers in rows_changed(tally)],
    )


def rows_changed(tally: Tally) -> list[tuple[str, dict[str, int]]]:
    """The entries by which another version stops or lets through other actions, most changes first."""
    named = _named(tally.changed)
    return sorted(named.items(), key=lambda row: (-sum(row[1].values()), row[0]))


def widths(found: Sequence[tuple[str, Mapping[str, int]]], wide: float) -> list[tuple[float, float]]:
    """The widths of a row's two bars, stopped and flagged; the longest row is `wide`."""
    counts = [(stopped(numbers), numbers.get("flag", 0)) for _, numbers in found]
    most = max((sum(pair) for pair in counts), default=0) or 1
    return [(wide * stops / most, wide * flags / most) for stops, flags in counts]


def _bars(found: Sequence[tuple[str, Mapping[str, int]]]) -> list[dict[str, Any]]:
    """The rows of a table with a bar in each, in percent of the longest."""
    parts = zip(found, widths(found, 100), strict=True)
    return [
        {
            "name": name,
            "stopped": stopped(numbers),
            "flag": numbers.get("flag", 0),
            **_others(numbers),
            "bar": _bar(*bar),
        }
        for (name, numbers), bar in parts
    ]


def _bar(stops: float, flags: float) -> dict[str, float]:
    return {"stopped": round(stops, 1), "flag": round(flags, 1)}


def _others(numbers: Mapping[str, int]) -> dict[str, int]:
    return {name: numbers.get(name, 0) for name in ("actions", "asked", "ran")}


def _line(tally: Tally) -> list[dict[str, Any]]:
    """The newest weeks in the order of time, each with a bar."""
    return _bars(sorted(row for row in rows(tally.weeks) if row[0] != "unknown")[-_MOST_WEEKS:])
