"""Deployments of a test's own, whose specialists do what their words say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from supervisor.action import Context
from supervisor.decision.decision import Decision
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Policy, Records
from supervisor.verdict import Refusal
from tests.catalog import taxonomies
from tests.patience import PATIENT

ISOLATIONS = ["fork", pytest.param("spawn", marks=pytest.mark.thorough)]  # what is spawned takes long to be born
_FIRST = '    if "'
_MISDEED = """\
    if "{word}" in action.text("command"):
        {what}
"""


def add(folder: Path, id: str, word: str = "", what: str = "", objects_to: str = "forbidden") -> None:
    """Adds a specialist that blocks `objects_to`, and on a word does something else."""
    _, judge = taxonomies.add(folder, id, word=objects_to)
    if word:
        misdeed = _MISDEED.format(word=word, what=what)
        judge.write_text(judge.read_text().replace(_FIRST, misdeed + _FIRST, 1))


@contextmanager
def supervisor(folder: Path, **policy: object) -> Iterator[Supervisor]:
    """A warm supervisor whose taxonomy is that of the folder."""
    own = {"records": Records(None), "taxonomy": taxonomies.alone(folder), "budgets": PATIENT}
    opened = Supervisor(Policy(**own | policy))  # type: ignore[arg-type]
    opened.start()
    try:
        yield opened
    finally:
        opened.close()


def decide(opened: Supervisor, command: str, **facts: object) -> Decision:
    """The decision on a shell command."""
    return opened.decide_from_thread(opened.action("bash", {"command": command}), Context(facts=facts))


def ended(decision: Decision) -> dict[str, str]:
    """Which specialists were cut short, and by what."""
    return {name: said.ended for name, said in decision.opinions if isinstance(said, Refusal) and said.ended}
