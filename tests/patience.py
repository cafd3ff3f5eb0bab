"""Budgets for tests that ask what specialists say: on a busy machine a late vote would be no vote."""

from __future__ import annotations

from supervisor.policy import Budgets

PATIENT = Budgets(pure_ms=60_000, doors_ms=60_000)
