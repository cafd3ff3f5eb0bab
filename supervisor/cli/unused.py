"""Names in a policy that had no effect in the last days, found in the records: a tool that nobody calls, a fact that
nobody was asked about. They are valid, so only their disuse shows a typo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord, SupervisorError
from supervisor.intake.json_values import shown
from supervisor.policy import Policy, expanded
from supervisor.policy.checks import Problem
from supervisor.suggestions import did_you_mean

if TYPE_CHECKING:
    from supervisor.catalog.catalog import Catalog
    from supervisor.records.read import Record

_DAYS = 7  # whose records are read
_LEAST = timedelta(days=1)  # of records, before disuse says anything
_MOST_BYTES = 64 * 1024 * 1024  # of segments that are read, newest first
_BY_ENGINE = frozenset({"policy_file", "business"})


@dataclass(slots=True)
class Used:
    """What the records of the last days show: since when, the tools that were called, the specialists in whose domain
    an action was."""

    since: datetime
    tools: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)


def without_effect(policy: Policy) -> list[Problem]:
    """The names in a policy that the last days' records never show, as warnings; and the tables and columns that its
    database does not have. None if the catalogue cannot be read, which is a problem of its own."""
    import anyio

    from supervisor.catalog.catalog import in_force
    from supervisor.catalog.policy_tables import of_tables

    try:
        return [*unused(policy, in_force(policy)), *anyio.run(of_tables, policy)]
    except SupervisorError:
        return []


def unused(policy: Policy, catalog: Catalog) -> Iterator[Problem]:
    """The names in a policy without an effect in the last days, as warnings. None if the records cover less than a
    day."""
    used = _used(expanded(policy.records.path)) if policy.records.path is not None else None
    if used is None or datetime.now(UTC) - used.since < _LEAST:
        return
    since = f"since {used.since:%Y-%m-%d}"
    for place, tools in (("tools",), policy.tools), (("business", "tools"), policy.business.tools):
        for tool in tools:
            if tool not in used.tools:
                hint = did_you_mean(tool, used.tools)
                yield Problem((*place, tool), f"no action {since} has called it{hint}", is_warning=True)
    for number, tool in enumerate(policy.trusted_tools):
        if tool not in used.tools:
            hint = did_you_mean(tool, used.tools)
            message = f"no action {since} has called {shown(tool)}{hint}"
            yield Problem(("trusted_tools", number), message, is_warning=True)
    readers = _readers(catalog)
    for name in policy.facts:
        if name not in _BY_ENGINE and readers.get(name) and used.asked.isdisjoint(readers[name]):
            message = f"no action {since} was of a kind that a reader of this fact judges"
            yield Problem(("facts", name), message, is_warning=True)


def _readers(catalog: Catalog) -> Mapping[str, set[str]]:
    """By every name of a fact, the specialists that read it."""
    from supervisor.catalog.facts import names

    known, readers = names(), dict[str, set[str]]()
    for entry in catalog.entries.values():
        for name in entry.facts:
            readers.setdefault(known.get(name, name), set()).add(entry.id)
    return {**readers, **{name: readers[first] for name, first in known.items() if first in readers}}


def _used(folder: Path) -> Used | None:
    """What the newest segments show; None if there are no decisions in them."""
    from supervisor.records.read import records_in

    used: Used | None = None
    seen: set[str] = set()
    for path in _newest(folder):
        for record in records_in(path):
            if record.kind == "decision" and (time := _time(record.predicate.get("time"))):
                used = used or Used(time)
                used.since = min(used.since, time)
                _add(used, record, seen)
    return used


def _add(used: Used, record: Record, seen: set[str]) -> None:
    action, asked = record.predicate.get("action"), record.predicate.get("asked")
    if isinstance(action, Mapping) and isinstance(action.get("tool"), str):
        used.tools.add(action["tool"])
    if isinstance(asked, str) and asked not in seen:
        seen.add(asked)
        try:
            used.asked.update(each for each in record.content(asked) if isinstance(each, str))
        except (BadRecord, TypeError):  # `verify` reports it
            return


def _newest(folder: Path) -> Iterator[Path]:
    """The segments that were written in the last days, newest first, of at most _MOST_BYTES together."""
    from supervisor.records.verify import segment_paths

    try:
        found = [(path.stat(), path) for path in segment_paths(folder)]
    except (BadRecord, OSError):  # no folder, or none that can be read: the check of the records reports it
        return
    oldest, left = (datetime.now(UTC) - timedelta(days=_DAYS)).timestamp(), _MOST_BYTES
    for status, path in sorted(found, key=lambda each: -each[0].st_mtime):
        left -= status.st_size
        if status.st_mtime < oldest or left < 0:
            return
        yield path


def _time(stated: Any) -> datetime | None:
    try:
        time = datetime.fromisoformat(stated)
    except (TypeError, ValueError):
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
