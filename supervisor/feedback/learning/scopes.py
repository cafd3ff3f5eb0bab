"""Scopes that a person's *wrong* suggests: where a specialist's objection never holds. Asked before any weight.

Half of what reviewers know is a scope ("not production", "this folder is scratch"), not a weight. A scope becomes an
exemption, which has an end and is named in every decision that it changes.
"""

from __future__ import annotations

import heapq
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from supervisor.action import Action, Context
from supervisor.decision.exemptions import EXECUTES, SHORT, Exemption
from supervisor.evidence.actions.form import files_of, form_of
from supervisor.feedback.learning.examples import Example, Stop

_DEEP = 2  # folders: `/srv` alone is no scope
_TRIED = 1_000  # of the last stops of a specialist
_EXPIRES = "30d"
_ENOUGH = 2  # labels for a scope that is wider than one action


@dataclass(frozen=True, slots=True)
class Scope:
    """One proposal: the options of `supervisor allow` that would let the labelled actions run. `labels` of them were
    called a false alarm; `others` are further stopped actions that it would let run."""

    specialist: str
    options: tuple[str, ...]
    labels: tuple[Stop, ...]
    others: tuple[Stop, ...]

    def command(self) -> list[str]:
        """The command line that makes the exemption."""
        return ["supervisor", "allow", "--specialist", self.specialist, *self.options, "--expires", _EXPIRES]


def scopes(examples: Sequence[Example], stops: Sequence[Stop]) -> list[Scope]:
    """For each sort of action that people called a false alarm, the widest scope that lets nothing run of which
    anybody said otherwise, or one for each of its actions where none fits all of them; the scope with most labels
    first."""
    groups: dict[tuple[str, str], list[Example]] = defaultdict(list)
    for each in examples:
        if each.is_false_alarm:
            groups[each.specialist, each.traits.key].append(each)
    found, home = list[Scope](), str(Path.home())
    for (specialist, _), group in groups.items():
        objected = [stop for stop in stops if specialist in stop.by]
        newest = heapq.nlargest(_TRIED, objected, key=lambda stop: stop.time)
        right = {each.stop.record for each in examples if each.specialist == specialist and not each.is_false_alarm}
        against = [stop for stop in objected if stop.is_denied or stop.record in right]
        mine = [*{each.stop.record: each.stop for each in group}.values()]
        widest = _widest(specialist, mine, newest, against, home)
        found += [widest] if widest else _widest_of_each(specialist, mine, newest, against, home)
    return sorted(found, key=lambda scope: (-len(scope.labels), scope.specialist, scope.options))


def _widest(
    specialist: str, labelled: Sequence[Stop], stops: Sequence[Stop], against: Sequence[Stop], home: str
) -> Scope | None:
    """The widest scope that fits all labelled stops and none of `against`; None if there is none."""
    for options, draft in _drafts(specialist, labelled, home):
        if all(_fits(draft, stop) for stop in labelled) and not any(_fits(draft, stop) for stop in against):
            own = {stop.record for stop in labelled}
            others = tuple(stop for stop in stops if stop.record not in own and _fits(draft, stop))
            return Scope(specialist, options, tuple(labelled), others)
    return None


def _widest_of_each(
    specialist: str, labelled: Sequence[Stop], stops: Sequence[Stop], against: Sequence[Stop], home: str
) -> list[Scope]:
    """The same for each of several actions, those of one form together."""
    same: dict[tuple[str, str], list[Stop]] = defaultdict(list)
    for stop in labelled:
        same[stop.cwd, form_of(*_seen(stop))].append(stop)
    found = (_widest(specialist, part, stops, against, home) for part in same.values())
    return [scope for scope in found if scope is not None]


def _drafts(specialist: str, stops: Sequence[Stop], home: str) -> Iterator[tuple[tuple[str, ...], Exemption]]:
    """Exemptions that may fit all of these, from the widest to the narrowest, with their options: each also in the one
    environment that all of them were in, where the host states one."""
    environment = stops[0].environment if all(stop.environment == stops[0].environment for stop in stops) else ""
    for options, draft in _parts(specialist, stops, home):
        yield options, draft
        if environment:
            yield (*options, "--environment", environment), replace(draft, environment=environment)


def _parts(specialist: str, stops: Sequence[Stop], home: str) -> Iterator[tuple[tuple[str, ...], Exemption]]:
    one = stops[0]
    project = one.cwd if all(stop.cwd == one.cwd for stop in stops) else ""
    agent = one.agent if all(stop.agent == one.agent for stop in stops) else ""
    base = Exemption("", (specialist,), "", "", given=None, expires=None, agent=agent)
    of_agent = ("--agent", agent) if agent else ()
    if len(stops) >= _ENOUGH:
        if folder := _folder([path for stop in stops for path in _files(stop)]):
            yield ("--path", folder, *of_agent), replace(base, path=folder, home=home)
        if one.action["kind"] not in EXECUTES and all(stop.action["tool"] == one.action["tool"] for stop in stops):
            tool = one.action["tool"]
            yield ("--tool", tool, *of_agent), replace(base, tool=tool)
    action, context = _seen(one)
    form = form_of(action, context)
    draft = replace(base, form=form, project=project if action.kind in EXECUTES else "", agent="")
    yield ("--record", one.id[:SHORT]), draft


def _seen(stop: Stop) -> tuple[Action, Context]:
    facts = {"cwd": stop.cwd, "environment": stop.environment}
    known = {name: value for name, value in facts.items() if value}
    return Action(**stop.action), Context(facts=known, agent=stop.agent or None)


def _fits(draft: Exemption, stop: Stop) -> bool:
    return draft.fits(*_seen(stop))


def _files(stop: Stop) -> list[str]:
    return files_of(*_seen(stop)) or []


def _folder(paths: Iterable[str]) -> str:
    """The folder that all paths share; "" if it is too high up, or a path is not absolute."""
    known = list(paths)
    if not known or not all(os.path.isabs(path) and ".." not in path.split("/") for path in known):
        return ""
    shared = os.path.commonpath([os.path.dirname(path) for path in known])
    return shared if len(shared.strip("/").split("/")) >= _DEEP else ""
