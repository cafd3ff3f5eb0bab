"""A machine with records, and its console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.feedback.journals import Machine
from tests.service.console.people import Console


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def console(machine: Machine) -> Iterator[Console]:
    made = Console(machine)
    yield made
    made.close()


@pytest.fixture
def make_console(machine: Machine) -> Iterator[Callable[[str], Console]]:
    """Makes consoles with databases of tasks of their own."""
    made: list[Console] = []

    def making(runtime: str) -> Console:
        made.append(Console(machine, runtime=runtime))
        return made[-1]

    yield making
    for each in made:
        each.close()
