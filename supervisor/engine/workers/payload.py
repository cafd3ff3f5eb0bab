"""What a worker is told of one action: the same JSON that a record holds."""

from __future__ import annotations

from typing import Any

import orjson

from supervisor.action import Action, Context
from supervisor.engine.workers.history_sync import Told
from supervisor.history import all_told
from supervisor.records.codec import JSON_ALONE, action_to_json, scene_of


class Question:
    """One action and its context. Raises TypeError where they hold what JSON cannot."""

    def __init__(self, action: Action, context: Context) -> None:
        self._history = all_told(context)
        told = {"action": action_to_json(action), "scene": scene_of(context), "session": context.session}
        told["stage"] = context.stage
        self._told = orjson.dumps(told, option=JSON_ALONE)

    @property
    def size(self) -> int:
        """Bytes of everything that a specialist could look at."""
        return len(self._told) + self._history.size

    def encoded(self, told: Told, **how: Any) -> bytes:
        """For a worker that has been `told` some histories already; `how` it is to be judged goes along."""
        return self._told[:-1] + b"," + orjson.dumps({**how, "history": told.tell(self._history)})[1:]
