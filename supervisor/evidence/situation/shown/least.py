"""Readings below a least value that the request sets: "only if crash-free users are above 99.5%"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from supervisor.action import Context
from supervisor.evidence.situation.warned import latest, pattern, pattern_in, table

_LIMIT = re.compile(r"\D{0,3}(\d{1,7}(?:[.,]\d{1,4})?)\s*(%|percent|prozent)?", re.IGNORECASE)
_READING = re.compile(r"(?<![\w.:-])(\d{1,9}(?:\.\d{1,9})?)\s*(%)?")
_CELLS = re.compile(r"\s{2,}|\t|\s*\|\s*")
_TOKEN = re.compile(r"[\w.-]*\d[\w.-]*")
_MOST_ROWS = 40


def below_least(sentence: str, task: str, context: Context) -> str:
    """The line of the latest readings that is below a least value of the sentence; empty if none is."""
    for name in table("least_metrics"):
        if not pattern_in("least_metrics", name).search(sentence):
            continue
        for found in pattern("above").finditer(sentence):
            limit = _LIMIT.match(sentence, found.end())
            if limit is None:
                continue
            bound, is_share = float(limit[1].replace(",", ".")), bool(limit[2])
            for line, value, unit in _readings(name, task, context):
                if is_share and not unit:
                    value = value * 100 if value <= 1 else value
                if value < bound:
                    return line
    return ""


def _readings(name: str, task: str, context: Context) -> Iterator[tuple[str, float, str]]:
    """The latest readings of a metric: those of the first output that has one."""
    for past in latest(context):
        found = [*_in_columns(name, task, past.lines), *_in_lines(name, past.lines)]
        if found:
            yield from found
            return


def _in_columns(name: str, task: str, lines: Sequence[str]) -> Iterator[tuple[str, float, str]]:
    """The cells below a heading with the metric, of the rows that the request names, or of the only row."""
    for at, line in enumerate(lines):
        heads = _CELLS.split(line.strip())
        column = next((place for place, head in enumerate(heads) if pattern_in("least_metrics", name).search(head)), -1)
        if column < 1 or len(heads) < 2:
            continue
        rows = [row for row in islice(lines, at + 1, at + 1 + _MOST_ROWS) if row.strip()]
        named = [row for row in rows if set(_TOKEN.findall(row)[:2]) & set(_TOKEN.findall(task))]
        for row in named or (rows if len(rows) == 1 else []):
            cells = _CELLS.split(row.strip())
            reading = _READING.fullmatch(cells[column].strip()) if len(cells) == len(heads) else None
            if reading:
                yield row, float(reading[1]), reading[2] or ""


def _in_lines(name: str, lines: Sequence[str]) -> Iterator[tuple[str, float, str]]:
    """The numbers behind the metric's name, in the lines that have it."""
    for line in lines:
        metric = pattern_in("least_metrics", name).search(line)
        reading = _READING.search(line, metric.end()) if metric else None
        if reading:
            yield line, float(reading[1]), reading[2] or ""
