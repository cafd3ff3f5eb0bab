"""A guard that objects to whatever says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from supervisor.engine import Supervisor
from supervisor.guarding import Guard
from supervisor.policy import Policy, Records
from tests.catalogs import catalog_of
from tests.guard.judging import SEEN, judges


@pytest.fixture
def guard() -> Iterator[Guard]:
    SEEN.clear()
    supervisor = Supervisor(Policy(records=Records(path=None), isolation="none"), catalog=catalog_of(judges))
    yield Guard(supervisor)
    supervisor.close()
