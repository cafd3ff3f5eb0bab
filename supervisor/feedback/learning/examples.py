"""What people said of stopped actions, as examples to learn from, and the stops of the whole history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from supervisor.action import Action, Context
from supervisor.errors import BadRecord
from supervisor.evidence.actions.traits import Traits, traits_of
from supervisor.feedback.learning.acts import Act, acts_of, newest_acts
from supervisor.feedback.rows import summary_of
from supervisor.feedback.standing import standing
from supervisor.records.labels import KIND as LABEL
from supervisor.records.labels import Label, label_of
from supervisor.records.marks import Mark, Verified, trusted_keys, verified_after
from supervisor.records.verify import segment_paths

MOST_A_DAY = 50  # labels of a person that count; more is a script
MOST_A_KEY = 8  # of a person's labels about one sort of action: one person alone does not outweigh the others
_STOPS = ("nudge", "block")


@dataclass(frozen=True, slots=True)
class Stop:
    """A recorded action that was stopped. `by` are the specialists whose findings stop it, lifted or not."""

    record: str
    id: str
    time: datetime
    session: str
    by: tuple[str, ...]
    action: dict[str, Any]
    agent: str
    cwd: str
    environment: str
    traits: Traits | None
    is_denied: bool = False

    @property
    def summary(self) -> str:
        """The action on one line."""
        return summary_of(self.action)


@dataclass(frozen=True, slots=True)
class Example:
    """What one person said of one specialist's objection."""

    specialist: str
    stop: Stop
    traits: Traits
    is_false_alarm: bool
    by: str


@dataclass(slots=True)
class History:
    """A deployment's stops and the labels that count. `missed` are labels on what no specialist stopped, `acts` what
    they are about, and `newest` the newest decisions if there are any such labels."""

    stops: list[Stop] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    missed: list[Label] = field(default_factory=list)
    acts: dict[str, Act] = field(default_factory=dict)
    newest: list[Act] = field(default_factory=list)
    decisions: int = 0
    problems: list[BadRecord] = field(default_factory=list)


def read_history(folder: Path) -> History:
    """All stops and labels of a journal that verify. What cannot be read is a problem. Raises BadRecord if the folder
    is no journal."""
    history, stops, given, denied = History(), dict[str, Stop](), list[tuple[str, Label]](), set[str]()
    keys = trusted_keys(folder)
    for path in segment_paths(folder):
        try:
            for record in verified_after(path, keys, Mark()):
                if record.kind == "decision":
                    history.decisions += 1
                    if stop := _stop(record):
                        stops[stop.record] = stop
                elif record.kind == LABEL:
                    given.append((record.address, label_of(record.kind, record.predicate)))
                elif record.kind == "approval" and record.predicate.get("answer") == "denied":
                    denied.add(str(record.predicate.get("record")))
        except BadRecord as error:
            history.problems.append(error)
        except (KeyError, TypeError, ValueError, AttributeError) as error:  # any program with the key can write a line
            history.problems.append(BadRecord(f"a record is not whole: {error}", place=path.name))
    for label in standing(given):
        (history.labels if label.record in stops else history.missed).append(label)
    if wanted := {label.record for label in history.missed}:
        history.acts, history.newest = acts_of(folder, wanted), newest_acts(folder)
    history.stops = [_denied(stop) if stop.record in denied else stop for stop in stops.values()]
    return history


def _denied(stop: Stop) -> Stop:
    values = {name: getattr(stop, name) for name in Stop.__slots__}
    return Stop(**values | {"is_denied": True})


def _stop(record: Verified) -> Stop | None:
    told = record.predicate
    lifted = told.get("exemptions", {})
    if told["decision"]["verdict"] not in _STOPS and not lifted:
        return None
    objections = (each for each in told["opinions"] if each.get("verdict") in _STOPS)
    by = tuple(str(each["specialist"]) for each in objections)
    if not by:
        return None
    scene = orjson.loads(record.scenes.get(told["scene"], b"{}"))
    facts, agent = scene.get("facts") or {}, scene.get("agent") or ""
    found = traits_of(Action(**told["action"]), Context(facts=facts, agent=agent or None))
    time, session = datetime.fromisoformat(told["time"]), told["session"] or record.address
    cwd, environment = str(facts.get("cwd", "")), facts.get("environment")
    given = environment if isinstance(environment, str) else ""
    return Stop(record.address, told["id"], time, session, by, told["action"], agent, cwd, given, found)


def examples(history: History) -> list[Example]:
    """What people said of the objections that stopped an action, oldest first, bounded for each person by day and by
    sort of action."""
    stops = {stop.record: stop for stop in history.stops}
    said = sorted(history.labels, key=lambda label: label.time)
    return list(_bounded(each for label in said for each in _examples(label, stops[label.record])))


def _examples(label: Label, stop: Stop) -> Iterator[tuple[Label, Example]]:
    if stop.traits is None or label.word == "withdrawn":
        return
    is_false_alarm = label.word == "wrong" or label.verdict in ("ok", "flag")
    for name in stop.by:
        if label.entry in ("", name):
            yield label, Example(name, stop, stop.traits, is_false_alarm, label.by)


def _bounded(found: Iterable[tuple[Label, Example]]) -> Iterator[Example]:
    days: Counter[tuple[str, object]] = Counter()
    keys: Counter[tuple[str, str, str, bool]] = Counter()
    counted: set[tuple[str, str, str]] = set()
    for label, example in found:
        day, key = (label.by, label.time.date()), (label.by, example.specialist, example.traits.key)
        if label.subject not in counted:
            counted.add(label.subject)
            days[day] += 1
        keys[*key, example.is_false_alarm] += 1
        if days[day] <= MOST_A_DAY and keys[*key, example.is_false_alarm] <= MOST_A_KEY:
            yield example
