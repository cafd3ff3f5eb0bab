"""What the threads of a Codex have cost, as it tells after each response of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.runtime.drivers.agents.observation import count, mapping, text
from supervisor.runtime.tasks.usage import Spent, Usage, summed


class Costs:
    """The totals of all threads, those of sub-agents included. A thread that is resumed tells its total at once, so
    `begin` says from where on it counts. `model` is the one that the main thread has."""

    def __init__(self) -> None:
        self.model = ""
        self._totals: dict[str, Spent] = {}
        self._before: Spent | None = None

    def begin(self, thread: str, *, anew: bool) -> None:
        """Counts from here on, or also what the thread was told to have cost by now."""
        self._before = Spent() if anew else self._totals.get(thread, Spent())

    def told(self, params: Mapping[str, Any]) -> Usage | None:
        """Takes in a total. Returns what the attempt has spent so far, if that counts by now."""
        whole = mapping(params, "tokenUsage", "total")
        read = (count(whole, "inputTokens"), count(whole, "cachedInputTokens"), count(whole, "outputTokens"))
        self._totals[text(params, "threadId")] = Spent(*read, stored=count(whole, "cacheWriteInputTokens"))
        return None if self._before is None else {self.model: summed(self._totals.values()).since(self._before)}
