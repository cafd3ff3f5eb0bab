"""A guard that objects to whatever says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from supervisor.adapters.function.guard import Guard
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Policy, Records
from tests.adapters.function.judging import SEEN, judges
from tests.catalog.catalogs import catalog_of
from tests.patience import PATIENT


@pytest.fixture
def guard() -> Iterator[Guard]:
    SEEN.clear()
    supervisor = Supervisor(
        Policy(records=Records(path=None), isolation="none", budgets=PATIENT), catalog=catalog_of(judges)
    )
    yield Guard(supervisor)
    supervisor.close()
