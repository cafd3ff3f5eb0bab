"""Asking one specialist. An error, a late vote or an invalid opinion becomes a refusal."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import anyio

from supervisor.action import Action, Context, Step, strings_in
from supervisor.errors import CutOff, Deadline, DoorFailed, Unreadable
from supervisor.evidence.reading.slices import ahead_of_loop, going_on
from supervisor.specialist import PLANTING_KINDS, Specialist, ok
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

if TYPE_CHECKING:
    from supervisor.evidence.effects import Effects


def ask(specialist: Specialist, action: Action, context: Context, budget: float) -> Opinion:
    """Asks a specialist that uses no doors. A vote after more than `budget` seconds does not count.

    Whatever the specialist raises becomes a refusal; only KeyboardInterrupt reaches the caller.
    """
    started = time.perf_counter()
    try:
        opinion = _judged(specialist, action, context)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a specialist raises is a refusal, SystemExit included
        return refusal_for(error)
    if time.perf_counter() - started > budget:
        return late(budget, Cause.INPUT)
    return checked(opinion)


def _judged(specialist: Specialist, action: Action, context: Context) -> Any:
    """A specialist's opinion on an action. If it does not stop the action, the opinion on the commands that the action
    plants counts, where that one stops it."""
    covers = specialist.covers(action.kind)
    opinion: Any = specialist.judge(action, context) if covers and _concerns(specialist, action, context) else _OK
    later = _planted(action, context) if specialist.judges_planted else None
    if later is None or _stops(opinion) or not _concerns(specialist, later, context):
        return opinion
    second: Any = specialist.judge(later, context)
    if not _stops(second):
        return opinion
    return replace(second, reason=f"It writes a file whose commands something runs later. {second.reason}")


def _stops(opinion: Any) -> bool:
    return is_opinion(opinion) and isinstance(opinion, Finding) and opinion.verdict.stops


def _planted(action: Action, context: Context) -> Action | None:
    """The commands that an action plants in a file, as a shell action; None if there are none."""
    return _readers()[1](action, context) if action.kind in PLANTING_KINDS and not context.ran else None


def concerns(specialist: Specialist, action: Action, context: Context) -> bool:
    """Whether an action, or what it plants, concerns a specialist. Raises Unreadable if the action cannot be parsed."""
    if specialist.covers(action.kind) and _concerns(specialist, action, context):
        return True
    later = _planted(action, context) if specialist.judges_planted else None
    return later is not None and _concerns(specialist, later, context)


def _concerns(specialist: Specialist, action: Action, context: Context) -> bool:
    """Whether an action may have an effect that a specialist judges, and comes with the past, the facts and the outcome
    that the specialist needs. Raises Unreadable if the action cannot be parsed."""
    if specialist.marks and context.ran and not any(has_mark(context.ran, mark) for mark in specialist.marks):
        return False
    if specialist.needs_past and not context.history:
        return False
    if specialist.needs_facts and specialist.needs_facts.isdisjoint(context.facts):
        return False
    if not specialist.about or not _OWN.isdisjoint(specialist.about):
        return True
    return not specialist.about.isdisjoint(_readers()[0](action, context).acts)


@functools.cache
def _readers() -> tuple[Callable[[Action, Context], Effects], Callable[[Action, Context], Action | None]]:
    """`effects` and `planted`. They import parsers, which a process that does not judge must not load."""
    from supervisor.evidence.changes.planted import planted
    from supervisor.evidence.effects import effects

    return effects, planted


def has_mark(ran: Step, mark: str) -> bool:
    """Whether any string of an outcome contains a mark."""
    if isinstance(ran.output, str):
        return mark in ran.output
    return any(mark in text for _, text in strings_in(ran.output))


class Begun(NamedTuple):
    """The coroutine of a specialist that waits for an event loop, and the seconds that it has taken so far."""

    coroutine: Coroutine[Any, Any, Any]
    taken: float


def begin_through_doors(specialist: Specialist, action: Action, context: Context, budget: float) -> Opinion | Begun:
    """The opinion of a specialist that may use doors, if it comes to one without an event loop: most ask nothing about
    most actions. Else what it has begun, for `ask_through_doors`."""
    started = time.perf_counter()
    coroutine: Any = specialist.judge(action, context)  # `uses_doors` means a coroutine
    try:
        ahead_of_loop(coroutine)
        return Begun(coroutine, time.perf_counter() - started)
    except StopIteration as ended:
        opinion = ended.value
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a specialist raises is a refusal, as above
        return refusal_for(error)
    return late(budget, Cause.INFRASTRUCTURE) if time.perf_counter() - started > budget else checked(opinion)


async def ask_through_doors(
    specialist: Specialist, action: Action, context: Context, budget: float, begun: Begun | None = None
) -> Opinion:
    """Asks a specialist that uses doors, or goes on with what it has begun. A vote after more than `budget` seconds
    does not count."""
    opinion: Any = None
    with anyio.move_on_after(budget - begun.taken if begun else budget) as deadline:
        try:
            judged: Any = going_on(begun.coroutine) if begun else specialist.judge(action, context)
            opinion = await judged
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a specialist raises is a refusal, as above
            if anyio.current_effective_deadline() == -math.inf:
                raise  # the caller cancelled; a specialist that raises the same by itself gets a refusal
            opinion = refusal_for(error)
    if deadline.cancelled_caught or anyio.current_time() > deadline.deadline:
        return late(budget, Cause.INFRASTRUCTURE)
    return checked(opinion)


def late(budget: float, cause: Cause) -> Refusal:
    """The refusal of a specialist that missed its deadline. `budget` is in seconds."""
    return Refusal(f"did not answer within its deadline of {budget * 1000:g} ms", cause, ended="deadline")


def refusal_for(error: BaseException) -> Refusal:
    """The refusal that an exception becomes."""
    if isinstance(error, DoorFailed):
        return Refusal(str(error), Cause.INFRASTRUCTURE)
    if isinstance(error, CutOff):
        return Refusal(str(error), Cause.INPUT, ended="deadline")
    if isinstance(error, Unreadable):
        return Refusal(str(error), Cause.INPUT)
    if isinstance(error, Deadline):
        return late(error.args[0], Cause.INPUT)
    if isinstance(error, RecursionError):
        return Refusal("nested too deeply", Cause.INPUT)
    if isinstance(error, MemoryError):
        return Refusal("needed more memory than there is for it", Cause.INPUT, ended="memory")
    return Refusal(f"crashed with {_described(error)}", Cause.INPUT)


def _described(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:500].encode(errors="replace").decode()
    except Exception:  # noqa: BLE001 - the exception's own `__str__` raised
        return type(error).__name__


def checked(opinion: Any) -> Opinion:
    """The specialist's opinion if it is valid, otherwise a refusal."""
    if opinion is _OK:
        agreed: Opinion = opinion  # by far the most common opinion
        return agreed
    if not is_opinion(opinion):
        return Refusal(f"answered with {type(opinion).__name__!r}, which is no opinion", Cause.INFRASTRUCTURE)
    if isinstance(opinion, Refusal) and opinion.ended:
        return replace(opinion, ended="")  # only this module sets `ended`
    return opinion


def is_opinion(opinion: Any) -> TypeGuard[Opinion]:
    """Whether a value is an opinion that can be counted and recorded."""
    if type(opinion) is Refusal:
        return _is_text(opinion.reason) and isinstance(opinion.cause, Cause) and _is_text(opinion.ended)
    return opinion is _OK or (type(opinion) is Finding and _is_well_formed(opinion))


def _is_well_formed(finding: Finding) -> bool:
    words: Any = (finding.reason, finding.correction, finding.sharper, finding.evidence)
    return (
        type(finding.verdict) is Verdict
        and type(finding.confidence) in (float, int)
        and math.isfinite(finding.confidence)
        and type(words[3]) is tuple
        and all(map(_is_text, words[:3] + words[3]))
    )


def _is_text(value: Any) -> bool:
    """Whether a value is text that a record can contain: no surrogates."""
    return type(value) is str and (value.isascii() or value.encode(errors="replace").decode() == value)


_OK = ok()
# `Act.DEED`, `Act.EMPTY`, `Act.SETTING`, `Act.UNREAD`, `Act.WIDE`: only the specialist's own reading can find them
_OWN = frozenset({"deed", "empty", "setting", "unread", "wide"})
