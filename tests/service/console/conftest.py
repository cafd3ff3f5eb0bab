"""A machine with records, and its console."""

from __future__ import annotations

from collections.abc import Iterator
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
