"""The first source of a value of an action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property


class Source(StrEnum):
    """The first source of a value."""

    TASK = "task"
    EARLIER = "earlier turn"  # the user's text before the task
    RECORD = "trusted record"  # a fact of the deployment, or the output of a trusted tool
    ANSWER = "answer"  # the output of a tool that was called with the user's own words
    DATA = "data"  # other output of a tool
    ORDER = "order"  # an order in a tool's output to its reader
    NOWHERE = "nowhere"  # no source: the agent made the value up


@dataclass(frozen=True, slots=True)
class Origin:
    """The first occurrence of a value: its source, its step in the history, and its sentence."""

    source: Source
    step: int | None = None
    quote: str = ""


@dataclass(frozen=True)
class Value:
    """A value in an action's arguments, and its earlier occurrences.

    `sort` is its form (`mail`, `url`, `path`, `account`, `phone`, `code`, `name`, `date`, `number`, `text`) and `place`
    its argument. `whole` means that it is a whole argument, not a part of a longer text. `distinctive` values are
    addresses, URLs, paths and account numbers, which do not recur by chance. `in_task` means that a trusted source
    contains it. `passages` are indices into `Provenance.sources.passages`.
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
        """The first occurrence. It is searched for on first use, in the whole history."""
        return self._trace()

    @property
    def nowhere(self) -> bool:
        """Whether neither the user nor any tool is the source, so that the value is the agent's own."""
        return self.origin.source is Source.NOWHERE
