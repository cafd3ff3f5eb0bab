"""Readings below a least value that the request sets: "only if the hit rate is above 90%"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from supervisor.action import Context
from supervisor.evidence.situation.warned import latest, pattern, pattern_in, table

_LIMIT = re.compile(r"\D{0,3}(\d{1,7}(?:[.,]\d{1,4})?)\s*(%|percent|prozent)?", re.IGNORECASE)
_READING = re.compile(r"(?<![\w.:-])(\d{1,9}(?:\.\d{1,9})?)\s*(%)?")
_CELLS = re.compile(r"\s{2,}|\t|\s*\|\s*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ALL = re.compile(r".*", re.DOTALL)
_TOKEN = re.compile(r"[\w.-]*\d[\w.-]*")
_MOST_ROWS = 40
Metric = Callable[[str], re.Match[str] | None]  # finds the metric's name in a text


def below_least(sentence: str, task: str, context: Context) -> str:
    """The line of the latest readings that is below a least value of the sentence; empty if none is."""
    limits = [
        found for found in (_LIMIT.match(sentence, each.end()) for each in pattern("above").finditer(sentence)) if found
    ]
    if not limits:
        return ""
    said = frozenset(_WORD.findall(sentence.lower()))
    known = (pattern_in("least_metrics", name) for name in table("least_metrics"))
    metrics: list[Metric] = [each.search for each in known if each.search(sentence)]
    metrics.append(partial(_is_said, said))
    for is_metric in metrics:
        for limit in limits:
            bound, is_share = float(limit[1].replace(",", ".")), bool(limit[2])
            for line, value, unit in _readings(is_metric, task, context):
                if is_share and not unit:
                    value = value * 100 if value <= 1 else value
                if value < bound:
                    return line
    return ""


def _is_said(said: frozenset[str], head: str) -> re.Match[str] | None:
    """The heading of a column if the sentence has all of its words, of which there are several: `crash_free`."""
    words = _WORD.findall(head.lower())
    return _ALL.match(head) if len(words) > 1 and said.issuperset(words) else None


def _readings(is_metric: Metric, task: str, context: Context) -> Iterator[tuple[str, float, str]]:
    """The latest readings of a metric: those of the first output that has one."""
    for past in latest(context):
        found = [*_in_columns(is_metric, task, past.lines), *_in_lines(is_metric, past.lines)]
        if found:
            yield from found
            return


def _in_columns(is_metric: Metric, task: str, lines: Sequence[str]) -> Iterator[tuple[str, float, str]]:
    """The cells below a heading with the metric, of the rows that the request names, or of the only row."""
    for at, line in enumerate(lines):
        heads = _CELLS.split(line.strip())
        column = next((place for place, head in enumerate(heads) if is_metric(head)), -1)
        if column < 1 or len(heads) < 2:
            continue
        rows = [row for row in islice(lines, at + 1, at + 1 + _MOST_ROWS) if row.strip()]
        named = [row for row in rows if set(_TOKEN.findall(row)[:2]) & set(_TOKEN.findall(task))]
        for row in named or (rows if len(rows) == 1 else []):
            cells = _CELLS.split(row.strip())
            reading = _READING.fullmatch(cells[column].strip()) if len(cells) == len(heads) else None
            if reading:
                yield row, float(reading[1]), reading[2] or ""


def _in_lines(is_metric: Metric, lines: Sequence[str]) -> Iterator[tuple[str, float, str]]:
    """The numbers behind the metric's name, in the lines that have it."""
    for line in lines:
        metric = is_metric(line)
        reading = _READING.search(line, metric.end()) if metric else None
        if reading:
            yield line, float(reading[1]), reading[2] or ""
