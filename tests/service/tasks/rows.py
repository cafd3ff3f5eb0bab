"""Rows of tasks that no executor has seen."""

from __future__ import annotations

import json
from typing import Any

from supervisor.runtime.tasks.spec import Spec


def task_row(id: str) -> dict[str, Any]:
    """A task without a state."""
    spec = Spec(("true",), "/")
    plain = {"id": id, "title": "true", "pool": "default", "priority": 5, "attempt": 1, "failures": 0, "losses": 0}
    return {**plain, "excluded": "[]", "depth": 0, "spec": json.dumps(spec.to_json()), "reason": "", "created": 0.0}
