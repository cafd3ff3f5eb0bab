"""The readers of requests, histories and scripts do work in proportion to hostile texts: it is counted, not timed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from supervisor.action import Action, Context
from supervisor.errors import NoReader, Unreadable
from supervisor.evidence.session.bounds import beyond_bounds
from supervisor.evidence.session.rights import more_rights_than_asked
from supervisor.evidence.situation.exposed.disclosure import disclosed, swept
from supervisor.evidence.situation.exposed.protections import weakened_protection
from supervisor.evidence.situation.stated.conditions import unmet_condition
from supervisor.evidence.situation.stated.purpose import unchecked_deletion, undone_purpose
from supervisor.intake.parsing import context_from
from tests.evidence.effort import MOST, assert_linear, steps

_READERS = (
    beyond_bounds,
    more_rights_than_asked,
    unmet_condition,
    disclosed,
    swept,
    weakened_protection,
    unchecked_deletion,
    undone_purpose,
)
_TEXTS: dict[str, Callable[[int], str]] = {
    "a substitution": lambda size: "sed -i 's/" + "a\\/" * size + "/b/' x.yml retention=1 " + "verify " * (size // 8),
    "many substitutions": lambda size: "sed -i " + "s/a/b/;" * (size // 2) + " auth audit",
    "many folders": lambda size: "rm -rf " + " ".join(f"d{number}/*" for number in range(size // 10)),
    "open brackets": lambda size: "(" * size + " -replace 'a" + ", " * size,
    "a sweep": lambda size: "git add -A && echo " + "keep " * size + "/var/www/ " + "seq 1 " * (size // 6),
}


def judged(given: tuple[Action, Context]) -> None:
    for read in _READERS:
        with contextlib.suppress(Unreadable, NoReader):
            read(*given)


def situation(text: str, size: int) -> tuple[Action, Context]:
    """A command, after a request and an output that grow with it."""
    task = "Keep " * (size // 10) + "older than 30 days, " * (size // 30) + "in table a.b " * (size // 15)
    step: dict[str, Any] = {
        "tool": "bash",
        "args": {"command": "git status " + text[:500]},
        "output": "keep d1 retention: 100h ?? .env\n" * (size // 6),
    }
    given = {"task": task + "restore test 'x' before check 5 EUR", "cwd": "/srv", "history": [step]}
    return Action("bash", {"command": text}, kind="shell"), context_from(given)


@pytest.mark.parametrize("make", _TEXTS.values(), ids=_TEXTS)
def test_work_grows_no_faster_than_the_texts(make: Callable[[int], str]) -> None:
    assert_linear(judged, lambda size: situation(make(size), size), counted=1_000, ended=100_000)


@pytest.mark.parametrize("make", _TEXTS.values(), ids=_TEXTS)
def test_no_text_takes_much_work(make: Callable[[int], str]) -> None:
    assert steps(judged, situation(make(4_000), 4_000)) < MOST
