"""An action and its context, encoded for a worker in the same JSON as in a record."""

from __future__ import annotations

from typing import Any

import orjson

from supervisor.action import Action, Context
from supervisor.engine.workers.history_sync import SentHistories
from supervisor.history import whole_history
from supervisor.records.codec import JSON_ALONE, action_to_json, scene_of


class Question:
    """One action and its context. Raises TypeError if they are not valid JSON."""

    def __init__(self, action: Action, context: Context) -> None:
        self._history = whole_history(context)
        fields = {"action": action_to_json(action), "scene": scene_of(context), "session": context.session}
        fields["stage"] = context.stage
        self._encoded = orjson.dumps(fields, option=JSON_ALONE)

    @property
    def size(self) -> int:
        """Bytes of everything that a specialist can read."""
        return len(self._encoded) + self._history.size

    def is_continued_by(self, sent: SentHistories) -> bool:
        """Whether a worker with the histories in `sent` has already received the beginning of this one."""
        return sent.knows(self._history)

    def encoded(self, sent: SentHistories, **options: Any) -> bytes:
        """The message for a worker that has the histories in `sent`. `options` are added to it."""
        return self._encoded[:-1] + b"," + orjson.dumps({**options, "history": sent.message(self._history)})[1:]
