"""The report of a backtest: plots of failure modes, projects and weeks, worst first, on the page and at a terminal."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.cli.backtest import _show
from supervisor.feedback.backtest.report import page, widths
from supervisor.feedback.backtest.tally import Item, Tally, rows, stopped

ITEM = Item(
    verdict="block",
    entries=("recursive_delete_outside_workspace",),
    place="s.jsonl:6",
    time="2026-11-02T10:00:00Z",
    project="/srv/a",
    tool="bash",
    action="rm -rf ~",
    reason="It deletes the home.",
    said="Remove my home",
    after="ran",
    then="oh no",
    asked=True,
    severity=4,
)


class Plots(HTMLParser):
    """The rows of each table, with the widths of the bars in them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: dict[str, list[tuple[str, float, float]]] = {}
        self._rows: list[tuple[str, float, float]] = []
        self._bars: list[float] = []
        self._cells: list[str] = []
        self._reads = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._reads = tag in ("td", "th")
        if tag == "tr":
            self._cells, self._bars = [], []
        elif tag == "rect":
            self._bars.append(float(dict(attrs)["width"] or 0))

    def handle_data(self, data: str) -> None:
        if self._reads:
            self._cells.append(data)
            self._reads = False

    def handle_endtag(self, tag: str) -> None:
        if tag == "thead":
            self._rows = self.tables.setdefault(self._cells[0], [])
        elif tag == "tr" and self._bars:
            self._rows.append((self._cells[0], *self._bars))


@pytest.fixture
def tally() -> Tally:
    made = Tally(sources=1, sessions=2, actions=30, items=[ITEM])
    made.verdicts = Counter(ok=20, block=8, flag=2)
    made.entries = Counter({("one", "block"): 2, ("two", "block"): 6, ("two", "flag"): 2, ("two", "asked"): 3})
    made.projects = Counter({("/srv/a", "nudge"): 1, ("/srv/b", "flag"): 4, ("/srv/c", "actions"): 9})
    made.weeks = Counter({("2026-W45", "block"): 1, ("2026-W46", "block"): 7, ("2026-W44", "flag"): 2})
    return made


def test_the_page_plots_failure_modes_projects_and_weeks_worst_first(tally: Tally) -> None:
    assert Plots(page(tally, 2.0)).tables == {
        "failure mode": [("two", 75.0, 25.0), ("one", 25.0, 0.0)],
        "project": [("/srv/a", 25.0, 0.0), ("/srv/b", 0.0, 100.0), ("/srv/c", 0.0, 0.0)],
        "week": [("2026-W46", 100.0, 0.0), ("2026-W45", 14.3, 0.0), ("2026-W44", 0.0, 28.6)],
    }


def test_the_page_also_plots_weeks_in_the_order_of_time(tally: Tally) -> None:
    shown = page(tally, 2.0)
    places = [shown.index(f"<title>2026-W{week}: ") for week in (44, 45, 46)]
    assert places == sorted(places)


def test_a_terminal_plots_the_same(tally: Tally, capsys: pytest.CaptureFixture[str]) -> None:
    _show(tally, 2.0, [])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    bars = {line[0]: line[1] for line in lines if len(line) > 1 and set(line[1]) <= set("█░")}
    assert bars == {
        "two": "█" * 18 + "░" * 6,
        "one": "█" * 6,
        "/srv/a": "█" * 6,
        "/srv/b": "░" * 24,
        "2026-W46": "█" * 24,
        "2026-W45": "█" * 4,
        "2026-W44": "░" * 7,
    }
    assert list(bars) == ["two", "one", "/srv/a", "/srv/b", "2026-W46", "2026-W45", "2026-W44"]


def test_each_of_the_worst_has_the_words_before_it_and_what_came_after(
    tally: Tally, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = page(tally, 2.0)
    for text in ("“Remove my home”", "at least half of its words stand in these", "ran; “oh no”"):
        assert text in shown
    _show(tally, 2.0, [])
    told = "after the words “Remove my home”; which asked for it; the call ran; then “oh no”"
    assert told in capsys.readouterr().out


verdicts = st.sampled_from(["flag", "nudge", "block", "ok", "actions"])


@given(st.dictionaries(st.tuples(st.sampled_from("abcd"), verdicts), st.integers(0, 9)))
def test_bars_are_in_proportion(counts: dict[tuple[str, str], int]) -> None:
    found = rows(Counter(counts))
    sums = [stopped(numbers) + numbers.get("flag", 0) for _, numbers in found]
    drawn = [sum(pair) for pair in widths(found, 24)]
    assert drawn == pytest.approx([24 * each / (max(sums) or 1) for each in sums] if sums else [])
