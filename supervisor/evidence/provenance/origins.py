"""Where a value of an action was said first, and by whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property


class Source(StrEnum):
    """Who said a value first."""

    TASK = "task"
    EARLIER = "earlier turn"  # the user, before the task
    RECORD = "trusted record"  # the deployment, or a tool that it trusts
    ANSWER = "answer"  # a tool that was asked with the user's own words
    DATA = "data"  # a tool, among other things
    ORDER = "order"  # a tool's output, where it tells its reader what to do
    NOWHERE = "nowhere"  # nobody: the agent made it up


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was said first: by whom, in which step of the history, in what words."""

    source: Source
    step: int | None = None
    quote: str = ""


@dataclass(frozen=True)
class Value:
    """Something that an action's arguments say, and where it was said before.

    `sort` is what it looks like (`mail`, `url`, `path`, `account`, `phone`, `code`, `name`, `date`, `number`, `text`),
    `place` the argument it stands in. `whole`: it is an argument of its own, not a part of a longer text.
    `distinctive`: an address, URL, path or account number, which nobody comes by twice by chance. `in_task`: said by
    whom the deployment trusts. `passages`: indices into `Provenance.sources.passages`.
    """

    text: str
    sort: str
    place: str
    whole: bool
    distinctive: bool
    in_task: bool
    passages: tuple[int, ...]
    _trace: Callable[[], Origin] = field(compare=False, repr=False)

    @cached_property
    def origin(self) -> Origin:
        """Where it was said first. Looked for when somebody asks, however long ago that was."""
        return self._trace()

    @property
    def nowhere(self) -> bool:
        """Said by neither the user nor any tool: the agent's own."""
        return self.origin.source is Source.NOWHERE
