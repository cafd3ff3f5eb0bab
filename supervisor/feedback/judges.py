"""The sample of what models judged: how much of it people are shown, and what they say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, case, func, select

from supervisor.decision.sampling import has_asked, is_sampled
from supervisor.errors import BadRecord
from supervisor.feedback.schema import decisions
from supervisor.feedback.times import stored_time
from supervisor.records.codec import answers_of
from supervisor.records.read import Record, records_in
from supervisor.records.verify import segment_paths


@dataclass(frozen=True, slots=True)
class LetThrough:
    """An action that a model judged and nothing objected to. `rate` is the share of these that the policy of its
    decision shows to people, `is_shown` whether it is among them, `is_due` whether its id says so."""

    rate: float
    is_shown: bool
    is_due: bool


def let_through(folder: Path, since: datetime) -> Iterator[LetThrough]:
    """Those of a journal since a time. What cannot be read is left out: `verify` reports it."""
    begin, rates = stored_time(since), dict[str, float]()
    for path in segment_paths(folder):
        if path.stat().st_mtime >= since.timestamp():
            yield from _in_segment(records_in(path), begin, rates)


def _in_segment(records: Iterable[Record], begin: str, rates: dict[str, float]) -> Iterator[LetThrough]:
    for record in records:
        try:
            if found := _let_through(record, begin, rates):
                yield found
        except (BadRecord, KeyError, TypeError, ValueError, AttributeError):  # any program can write a line
            continue


def _let_through(record: Record, begin: str, rates: dict[str, float]) -> LetThrough | None:
    told = record.predicate
    if record.kind not in ("decision", "outcome") or not told["answers"] or told["decision"]["verdict"] != "ok":
        return None
    is_late = stored_time(datetime.fromisoformat(told["time"])) >= begin
    if not is_late or not has_asked(answers_of(told["answers"], record.content)):
        return None
    policy = str(told["policy"])
    if policy not in rates:
        rates[policy] = _rate(record.content(policy))
    rate = rates[policy]
    return LetThrough(rate, bool(told["decision"]["review"]), is_sampled(str(told["id"]), rate))


def _rate(policy: Any) -> float:
    return float(policy.get("review", {}).get("judges", 0))


@dataclass(frozen=True, slots=True)
class Sample:
    """What was let through: all of it, what people are shown, what of it was decided under the audited policy's rate,
    and what of that they should be shown and are not."""

    judged: int
    shown: int
    ruled: int
    lacking: int


def sample_of(found: Iterable[LetThrough], rate: float) -> Sample:
    """The counts of what was let through, against the rate of a policy."""
    counts = Counter[str]()
    for each in found:
        is_ruled = each.rate == rate
        counts += Counter(
            judged=1,
            shown=int(each.is_shown),
            ruled=int(is_ruled),
            lacking=int(is_ruled and each.is_due > each.is_shown),
        )
    return Sample(counts["judged"], counts["shown"], counts["ruled"], counts["lacking"])


def labelled_weeks(connection: Connection) -> list[tuple[str, int, int]]:
    """For each week, how many of the sample people call rightly let through, and how many wrongly."""
    right, wrong = (decisions.c.label == "right"), decisions.c.label.in_(("wrong", "should_have_been"))
    counts = (func.sum(case((which, 1), else_=0)) for which in (right, wrong))
    is_of_sample = (decisions.c.verdict == "ok", decisions.c.is_reviewable == 1)  # nothing else is shown and ok
    asked = select(decisions.c.week, *counts).where(*is_of_sample).group_by(decisions.c.week)
    return [(week, int(rights), int(wrongs)) for week, rights, wrongs in connection.execute(asked)]
