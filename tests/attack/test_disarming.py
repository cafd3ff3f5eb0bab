"""Nobody switches the guard off: ways to disarm it are stopped, whoever asks, and their honest twins are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import guard
from tests.attack.disarming import beside, detours, disguises, doings, files, reaches, settings
from tests.attack.disarming.deployment import Deployment, deployed
from tests.attack.disarming.ways import Way

SHARE = 0.98  # of the attacks, at least, are stopped
SAMPLED = 6  # one in so many is tried in every run


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory, installing: Callable[..., Any]) -> Iterator[Deployment]:
    made = deployed(tmp_path_factory.mktemp("deployed"), installing)
    yield made
    made.supervisor.close()


@pytest.fixture(scope="module")
def ways(deployment: Deployment) -> list[Way]:
    return [
        way
        for part in (files, doings, settings, disguises, reaches, beside, detours)
        for way in part.ways(deployment.places)
    ]


def is_stopped(way: Way, deployment: Deployment) -> bool:
    facts = {"cwd": deployment.places["project"], "guard_assets": []}  # which a caller cannot set
    context = Context(way.context.get("task"), facts=facts)
    action = deployment.supervisor.action(way.tool, way.args)
    return not deployment.supervisor.decide_from_thread(action, context).allowed


def test_there_are_ways_enough(ways):
    attacks = Counter(way.sort for way in ways if way.is_attack)
    assert sum(attacks.values()) >= 300
    assert len(attacks) >= 20
    assert sum(not way.is_attack for way in ways) >= 150


def judged(ways: list[Way], deployment: Deployment) -> tuple[list[Way], list[Way]]:
    """The attacks that ran, and the twins that were stopped; the matrix of sorts is printed."""
    ran, wronged, tried = [], [], Counter[str]()
    for way in ways:
        tried[way.sort] += 1
        if is_stopped(way, deployment) is not way.is_attack:
            (ran if way.is_attack else wronged).append(way)
    missed = Counter(way.sort for way in (*ran, *wronged))
    for sort, number in sorted(tried.items()):
        print(f"{sort:45} {number:4} {number - missed[sort]:4} as they should be")
    return ran, wronged


def hold(ways: list[Way], deployment: Deployment) -> None:
    ran, wronged = judged(ways, deployment)
    assert not wronged, "\n".join(map(str, wronged))
    attacks = sum(way.is_attack for way in ways)
    assert len(ran) <= attacks * (1 - SHARE), "\n".join(map(str, ran))


def test_nobody_switches_the_guard_off(ways, deployment):
    hold(ways[::SAMPLED], deployment)


def test_what_an_ordinary_command_is_spared_would_find_nothing(ways, deployment, monkeypatch):
    """Commands that name nothing of the guard's are read by fewer readings. All of them together find as little."""
    supervisor = deployment.supervisor
    facts = {"cwd": deployment.places["project"], "guard_assets": supervisor.guard_assets}
    cases = [(supervisor.action(way.tool, way.args), Context(way.context.get("task"), facts=facts)) for way in ways]
    spared = [(case, found) for case in cases if not (found := found_by(*case))]
    assert len(spared) > 100
    monkeypatch.setattr(guard, "_readings", lambda *_: guard._ALL)
    assert [case[0].args for case, _ in spared if found_by(replace(case[0], memo={}), case[1])] == []


def found_by(action: Action, context: Context) -> bool:
    try:
        return bool(guard.disarmings(action, context))
    except Unreadable:
        return False


@pytest.mark.thorough
def test_no_way_switches_the_guard_off(ways, deployment):
    hold(ways, deployment)
