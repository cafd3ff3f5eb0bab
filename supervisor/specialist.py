"""The contract of a specialist, and everything that a specialist file imports.

    from supervisor.specialist import Action, Context, Opinion, block, ok, specialist

    @specialist("click")
    def click_outside_allowed_domains(action: Action, context: Context) -> Opinion:
        ...

A plain `def` sees the action and the context's data only: it is pure. An `async def` may use the context's doors.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from supervisor.action import Action, Answer, Context, Page, Step
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

__all__ = [
    "Action",
    "Answer",
    "Cause",
    "Context",
    "Fact",
    "Finding",
    "Opinion",
    "Page",
    "Refusal",
    "Specialist",
    "Step",
    "block",
    "flag",
    "nudge",
    "ok",
    "refuse",
    "specialist",
]

Judge = Callable[[Action, Context], Opinion | Awaitable[Opinion]]
EVERY_KIND = "*"
# Kinds of action that may write commands which something runs later.
PLANTING_KINDS = frozenset({"file_edit", "file_write", "javascript", "python", "shell"})
# What a past may show (`supervisor.methods.quiet_past`): an output may have dictated the action, the last output may
# imitate the user or the system, or one of the last steps may be the same call.
DICTATED, IMITATED, REPEATED = "dictated", "imitated", "repeated"
PAST_SIGNS = frozenset({DICTATED, IMITATED, REPEATED})


class Fact(NamedTuple):
    """A fact that a specialist reads from `context.facts`: its name, its meaning in one sentence, the Python type of
    its value as JSON (`list[str]`; pydantic checks a policy's value against it), and an example of a value. `also` are
    other names under which it is looked up."""

    name: str
    meaning: str
    shape: Any
    example: Any
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Specialist:
    """One narrow judge. `id` is also the name of its file, of its function and of its taxonomy entry.

    The conditions below decide whether the specialist is asked; where one is not met, its opinion is ok. `about`: the
    action has one of these acts (`supervisor.evidence.effects.Act`); empty for every action of its kinds. `needs_past`:
    the session has earlier steps. `past`: these show one of `PAST_SIGNS`; a past that shows none of them is not sent to
    a worker, and there the specialist must be content. `needs_facts`: the context has one of these facts. `marks`
    (after an action ran): the outcome's text contains one of these strings.

    `facts` are the facts that it reads itself: names of docs/facts.md, or a `Fact` for one that is not there.
    """

    id: str
    kinds: frozenset[str]
    judge: Judge
    uses_doors: bool
    about: frozenset[str] = frozenset()
    needs_past: bool = False
    needs_facts: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    facts: tuple[str | Fact, ...] = ()
    past: frozenset[str] = frozenset()
    judges_planted: bool = field(init=False)  # whether it also judges commands that an action plants to run later

    def __post_init__(self) -> None:
        object.__setattr__(self, "judges_planted", bool(self.about) and self.covers("shell"))

    def __call__(self, action: Action, context: Context) -> Opinion | Awaitable[Opinion]:
        return self.judge(action, context)

    def covers(self, kind: str) -> bool:
        """Whether actions of this kind are in its domain."""
        return kind in self.kinds or EVERY_KIND in self.kinds


def specialist(
    *kinds: str,
    about: Iterable[str] = (),
    needs_past: bool = False,
    needs_facts: Iterable[str] = (),
    marks: Iterable[str] = (),
    facts: Iterable[str | Fact] = (),
    past: Iterable[str] = (),
) -> Callable[[Judge], Specialist]:
    """Declares a specialist and its domain: the kinds of action that it judges (`"*"` for all), narrowed by the
    conditions that `Specialist` explains. `facts` are those that it reads. Raises TypeError if no kind is named, or for
    a sign of the past that nobody looks for."""
    if not kinds or not all(isinstance(kind, str) for kind in kinds):
        raise TypeError('name at least one kind of action: @specialist("shell")')

    signs = frozenset(past)
    if not signs <= PAST_SIGNS:
        raise TypeError(f"the past shows {', '.join(sorted(PAST_SIGNS))}, not {', '.join(sorted(signs - PAST_SIGNS))}")

    def declare(judge: Judge) -> Specialist:
        uses_doors = inspect.iscoroutinefunction(judge)
        needs = (frozenset(about), needs_past, frozenset(needs_facts), frozenset(marks), tuple(facts), signs)
        return Specialist(judge.__name__, frozenset(kinds), judge, uses_doors, *needs)

    return declare


_SURE = Finding(Verdict.OK)


def ok(confidence: float = 1.0) -> Finding:
    """The action does not show this specialist's failure mode."""
    return _SURE if confidence == 1.0 else Finding(Verdict.OK, confidence)


def flag(reason: str, *, confidence: float = 1.0, evidence: tuple[str, ...] = ()) -> Finding:
    """Let it run, and have a person look."""
    return Finding(Verdict.FLAG, confidence, reason, evidence=evidence)


def nudge(
    reason: str, *, correction: str, sharper: str = "", confidence: float = 1.0, evidence: tuple[str, ...] = ()
) -> Finding:
    """Do not run it; tell the agent what to do instead."""
    return Finding(Verdict.NUDGE, confidence, reason, correction, sharper, evidence)


def block(reason: str, *, confidence: float = 1.0, evidence: tuple[str, ...] = ()) -> Finding:
    """Do not run it; no small change would make it acceptable."""
    return Finding(Verdict.BLOCK, confidence, reason, evidence=evidence)


def refuse(reason: str, cause: Cause = Cause.DOMAIN) -> Refusal:
    """The action is outside this specialist's domain, or cannot be judged."""
    return Refusal(reason, cause)
