"""Proposing hostile inputs, and holding the engine to what it promises whatever it is given.

A decision comes, or a BadInput with a stable code; in twice its deadline at most; no healthy specialist's verdict is
lost; the event loop is not held.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import orjson

from supervisor.action import Action, Context
from supervisor.decision.decision import Decision
from supervisor.engine.supervisor import Supervisor
from supervisor.engine.terms import terms_for
from supervisor.errors import BadInput
from supervisor.intake.documents import read_json
from supervisor.intake.parsing import MAX_REQUEST, action_from, context_from
from supervisor.verdict import Cause, Opinion, Refusal
from tests.hostile.deployment import Deployment
from tests.hostile.inputs import WEB, Input
from tests.hostile.specialists import CONTROLS, MARK

_TICK = 0.001  # seconds
_WORK, _USUAL = 400_000, 0.03  # numbers, and the seconds that their squares take on the machine of the bounds
_TOO_SLOW = 2.0
_NEVER = 30.0  # seconds after which a decision counts as never taken


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one input. Times in seconds; `gap` is the longest that something held the event loop."""

    input: Input
    code: str = ""  # of the BadInput
    decision: Decision | None = None
    deadline: float = 0.0
    elapsed: float = 0.0
    gap: float = 0.0
    raised: str = ""
    slowness: float = 1.0  # how many times longer than on the machine of the bounds fixed work took just then

    def problems(self, longest_gap: float) -> Iterator[str]:
        """Every promise that was broken, in a line."""
        if self.raised:
            yield f"raised {self.raised}"
        elif self.code != self.input.bad:
            yield f"met with BadInput {self.code!r}, not {self.input.bad!r}"
        if self.decision is not None and self.decision.record_error:
            yield f"not recorded: {self.decision.record_error}"
        yield from (f"the verdict of {name} was lost: {said}" for name, said in self._lost() if not _is_late(said))
        yield from self.late(longest_gap)

    def late(self, longest_gap: float) -> Iterator[str]:
        """The broken ones that a busy machine may break."""
        if self.elapsed > 2 * self.deadline * self.slowness:
            yield f"took {self.elapsed * 1000:,.0f} ms against a deadline of {self.deadline * 1000:,.0f} ms"
        if self.gap > longest_gap * self.slowness:
            yield f"held the event loop for {self.gap * 1000:,.0f} ms"
        if self.slowness < _TOO_SLOW:  # the engine's budgets do not know how slow a machine is
            yield from (f"the verdict of {name} was late: {said}" for name, said in self._lost() if _is_late(said))

    def _lost(self) -> Iterator[tuple[str, Opinion | None]]:
        """The healthy specialists that did not object to what they object to, and what they said instead."""
        if self.decision is None:
            return
        found = {name for name, _ in self.decision.findings}
        for healthy in [*CONTROLS.values(), *filter(None, [self.input.caught])]:
            if healthy not in found and healthy != self.input.spoils:
                yield healthy, dict(self.decision.opinions).get(healthy)


def _is_late(said: Opinion | None) -> bool:
    return isinstance(said, Refusal) and said.ended == "deadline"


async def judge(deployment: Deployment, input: Input) -> Judged:
    """Has one input decided, with a ticker beside it in the same event loop."""
    if not input.wire:
        return await _judge(deployment.supervisor, deployment, input)
    supervisor = deployment.with_database(input.wire)
    try:
        await anyio.to_thread.run_sync(supervisor.start)
        return await _judge(supervisor, deployment, input)
    finally:
        supervisor.close()


async def _judge(supervisor: Supervisor, deployment: Deployment, input: Input) -> Judged:
    try:
        action, context = _proposed(input, deployment.web)
    except BadInput as error:
        return Judged(input, error.code)
    deadline = max(terms.budget for terms in terms_for(action.kind, supervisor.catalog, supervisor.policy).values())
    slow = slowness()
    async with _ticking() as gaps:
        started = time.perf_counter()
        decision, code, raised = await _decided(supervisor, action, context)
        elapsed = time.perf_counter() - started
    slow = min(slow, slowness())  # what it leaves running excuses nothing
    return Judged(input, code, decision, deadline, elapsed, max(gaps, default=elapsed), raised, slow)


def slowness() -> float:
    """How many times longer a fixed piece of work takes now than on the machine of the bounds; 1 if it is faster."""
    started = time.perf_counter()
    sum(each * each for each in range(_WORK))
    return max(1.0, (time.perf_counter() - started) / _USUAL)


async def _decided(supervisor: Supervisor, action: Action, context: Context) -> tuple[Decision | None, str, str]:
    """The decision, the code of a BadInput, and whatever else was raised."""
    try:
        with anyio.fail_after(_NEVER):
            decision = await supervisor.decide(action, context)
            without = replace(decision, action=Action(action.tool, {}, action.kind))  # a thousand would fill memory
            return without, "", ""
    except BadInput as error:
        return None, error.code, ""
    except BaseException as error:  # noqa: BLE001 - that nothing is raised is what is asked
        return None, "", _told(error)[:600]


def _told(error: BaseException) -> str:
    """What was raised, with what a group is made of."""
    told = f"{type(error).__name__}: {error}"
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    where = traceback.extract_tb(error.__traceback__)[-1:]
    return " < ".join([told, *(f"{each.filename}:{each.lineno}" for each in where), *map(_told, inner)])


def _proposed(input: Input, web: str) -> tuple[Action, Context]:
    """The action as `supervisor check` would read it, the marker among its arguments."""
    value: Any = input.make()
    if input.engine == "http":
        value = orjson.dumps(value).replace(WEB.encode(), web.encode())
    if not isinstance(value, dict):
        value = read_json(value, limit=MAX_REQUEST)
    told = value if isinstance(value, dict) else {}
    context = told.pop("context", None)
    if isinstance(told.get("args"), dict):
        told["args"] |= MARK
    return action_from(value), context_from(context)


@asynccontextmanager
async def _ticking() -> AsyncIterator[list[float]]:
    """Gathers how long the event loop was held each time: how much later than asked a task of it is woken, less what
    the thread waited for a processor."""
    gaps: list[float] = []

    async def tick() -> None:
        while True:
            waited, before = _waited(), time.perf_counter()  # in this order: to ask takes time of its own
            await anyio.sleep(_TICK)
            gaps.append(time.perf_counter() - before - _TICK - (_waited() - waited))

    async with anyio.create_task_group() as group:
        group.start_soon(tick)
        await anyio.lowlevel.checkpoint()
        yield gaps
        await anyio.sleep(_TICK)  # a gap that is just ending counts as well
        group.cancel_scope.cancel()


def _waited() -> float:
    """Seconds that this thread has been ready to run while other programs ran."""
    return int(Path("/proc/thread-self/schedstat").read_bytes().split()[1]) / 1e9


async def reference_opinions(deployment: Deployment) -> dict[str, list[tuple[str, Opinion]]]:
    """What everybody says of benign actions of each kind that is attacked."""
    said = {}
    for tool, args in _BENIGN.items():
        told = orjson.loads(orjson.dumps(args).replace(WEB.encode(), deployment.web.encode()))
        for _ in range(_MOST_ASKED):  # a busy machine may not fetch a page in time
            said[tool] = await _opinions(deployment.supervisor, tool, told)
            if not any(isinstance(each, Refusal) and each.cause is Cause.INFRASTRUCTURE for _, each in said[tool]):
                break
    return said


async def _opinions(supervisor: Supervisor, tool: str, args: dict[str, Any]) -> list[tuple[str, Opinion]]:
    decision = await supervisor.decide(supervisor.action(tool, args), Context(task="Tidy up.", facts=_FACTS))
    return list(decision.opinions)


_MOST_ASKED = 10  # times
_FACTS = {"cwd": "/srv/shop", "budget": 100, "allowed_domains": ["example.org"]}
_BENIGN: dict[str, dict[str, Any]] = {
    "bash": {"command": "rm -rf node_modules && git status"},
    "python": {"code": "import json\nprint(json.loads('[1]'))"},
    "sql": {"query": "SELECT 1 FROM orders WHERE id = 1"},
    "write_file": {"path": "a.py", "content": "x = 1\n"},
    "edit_file": {"path": "a.py", "old_string": "x = 1", "new_string": "x = 2"},
    "http_get": {"url": "https://example.org/"},
    "click": {"url": "https://example.org/a"},
    "send_email": {"to": "a@example.org", "body": "Hello."},
    "pay": {"to": "DE00 1234", "amount": 5},
    "refund": {"order": "1", "amount": 5},
    "write_report": {"text": 'It says "the sky is made of green glass".', "citations": [f"{WEB}/behave/"]},
    "ask_user": {"question": "Which of the two?"},
    "note": {"text": "nothing"},
}
