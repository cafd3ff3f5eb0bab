"""Sessions by name, and decisions on actions that name one: what `supervisor check` and the daemon share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput
from supervisor.intake.parsing import MAX_NAME, action_from, context_from, outcome_from

MAX_SESSIONS = 10_000  # remembered at a time
MAX_BYTES = 512 * 1024 * 1024  # that all of them have been told, together


class Sessions:
    """Sessions that several actions name. The longest unused are forgotten where there are too many of them, or where
    together they have been told too much."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Session, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def named(self, name: Any, told: int = 0) -> Session:
        """The session called so, begun where there is none. `told` is how many bytes it is about to be told. BadInput
        for what is no name."""
        if not isinstance(name, str) or len(name) > MAX_NAME:
            raise BadInput(f"a session's name is a string of at most {MAX_NAME:,} characters", place="session")
        session, size = self._known.pop(name) if name in self._known else (Session(name=name), 0)
        self._known[name] = session, size + told
        self._bytes += told
        while len(self._known) > MAX_SESSIONS or (self._bytes > MAX_BYTES and len(self._known) > 1):
            self._bytes -= self._known.popitem(last=False)[1][1]
        return session


async def decide_line(supervisor: Supervisor, value: Any, sessions: Sessions, size: int = 0) -> Decision:
    """The decision on one line of `supervisor check --jsonl`: on the action that it proposes or, where it brings the
    outcome of one, on that. Lines that name no session are independent; an action of a session that may run is taken
    to have run. `size` is what the line has in bytes. BadInput."""
    action = action_from(value, supervisor.policy.tools)
    context = context_from(value.get("context"))
    name = value.get("session", context.session)
    context = replace(context, ran=outcome_from(value.get("outcome"), action))
    if name is None:
        return await supervisor.decide(action, context)
    session = sessions.named(name, size)
    decision = await supervisor.decide(action, session.joined(context), session)
    if context.ran is not None:
        supervisor.remember(session, action, context.ran.output, failed=context.ran.failed)
    elif decision.allowed:
        supervisor.remember(session, action)
    return decision


def line_of(value: Mapping[str, Any], decision: Decision) -> dict[str, Any]:
    """What is answered to a line: the decision, under the line's own id where it has one."""
    told = decision.to_json()
    return told | {"id": value["id"]} if value.get("id") is not None else told
