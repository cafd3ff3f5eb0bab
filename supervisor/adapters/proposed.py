"""A tool call in an adapter: the judgment before it ran, and the objection to its outcome."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from supervisor.decision.approval import Approval
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.intake.json_values import plain
from supervisor.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Proposed:
    """A judged tool call. `refusal` is the text for the agent if it must not run, else ""; `decision` is None if it
    could not be judged. `question` is for the host's own user; `was_asked` is whether that user has answered it."""

    session: Session
    refusal: str = ""
    decision: Decision | None = None
    question: Approval | None = None
    was_asked: bool = False

    def repeats(self, earlier: Proposed | None) -> bool:
        """Whether the earlier call has the same question, so that its answer holds for this one."""
        names = [each.question.name for each in (self, earlier) if each and each.question]
        return len(names) == 2 and names[0] == names[1]


@dataclass(frozen=True, slots=True)
class Objection:
    """An objection to the outcome of a call. A nudge's correction follows the result, a block withholds the result."""

    decision: Decision

    @property
    def message(self) -> str:
        """The text for the agent, beside the result."""
        return self.decision.message()

    @property
    def withholds(self) -> bool:
        """Whether the agent must not read the result."""
        return self.decision.verdict is Verdict.BLOCK

    def in_place_of(self, output: Any) -> str:
        """The text for the agent instead of the tool's output."""
        if self.withholds:
            return self.message
        text = output if isinstance(output, str) else orjson.dumps(plain(output)).decode()
        return f"{text}\n\n{self.message}"


class Same:
    """The identity of a host's object (such as a run or an agent), as a key. Holds a weak reference if the object
    allows one, and is unequal to a later object at the same address."""

    def __init__(self, it: object) -> None:
        self._id = id(it)
        self._it: Callable[[], object | None]
        try:
            self._it = weakref.ref(it)
        except TypeError:  # a list or a dictionary
            self._it = lambda: it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and (it := self._it()) is not None and other._it() is it

    def __hash__(self) -> int:
        return self._id
