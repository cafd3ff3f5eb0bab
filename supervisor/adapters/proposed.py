"""What an adapter holds of a tool call: what was said of it before it ran, and of what came of it."""

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
    """A tool call that was looked at. `refusal` is what the agent is told instead of running it, empty where it may
    run; `decision` is None where none could be had. `question` is what the host's own user is to be asked,
    and `was_asked` tells that it was answered."""

    session: Session
    refusal: str = ""
    decision: Decision | None = None
    question: Approval | None = None
    was_asked: bool = False

    def repeats(self, earlier: Proposed | None) -> bool:
        """Whether the earlier call asked what this one asks: what was said to that is said to this."""
        names = [each.question.name for each in (self, earlier) if each and each.question]
        return len(names) == 2 and names[0] == names[1]


@dataclass(frozen=True, slots=True)
class Objection:
    """What came of a call may not stand as it is. A nudge's correction follows the result, a block withholds it."""

    decision: Decision

    @property
    def message(self) -> str:
        """What the agent is told beside the result."""
        return self.decision.message()

    @property
    def withholds(self) -> bool:
        """Whether the agent is not to read the result."""
        return self.decision.verdict is Verdict.BLOCK

    def in_place_of(self, output: Any) -> str:
        """What the agent is told instead of what the tool said."""
        if self.withholds:
            return self.message
        said = output if isinstance(output, str) else orjson.dumps(plain(output)).decode()
        return f"{said}\n\n{self.message}"


class Same:
    """Stands for one object of a host, a run or an agent say, where the host has no name for it. Keeps it alive only
    where it must, and takes no later object at the same address for it."""

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
