"""Journals to write to and to look into."""

from __future__ import annotations

from pathlib import Path

import orjson

from supervisor.history import address_of
from supervisor.records.journal import Journal
from supervisor.records.verify import Report


def write(journal: Journal, count: int, start: int = 0) -> list[str]:
    addresses = []
    for number in range(start, start + count):
        content = orjson.dumps({"scene": number // 3})
        predicate = {"number": number, "scene": address_of(content)}
        line = journal.append("decision", predicate, "0" * 64, [(address_of(content), content)])
        addresses.append(address_of(line))
    return addresses


def segment(folder: Path) -> Path:
    return next(iter(sorted(folder.glob("*.jsonl"))))


def codes(report: Report) -> set[str]:
    return {problem.code for problem in report.problems}
