"""Sessions by name, and decisions on actions that name one, for `supervisor check` and the daemon."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson

from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput
from supervisor.intake.parsing import MAX_NAME, action_from, context_from, outcome_from

MAX_SESSIONS = 10_000
MAX_BYTES = 512 * 1024 * 1024  # received for all sessions together


class Sessions:
    """Sessions that several actions name. Beyond the limits, the least recently used are dropped."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Session, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def named(self, name: Any, size: int = 0) -> Session:
        """The session with this name, created if there is none. `size` is the number of bytes that it is about to
        receive. Raises BadInput if the name is invalid."""
        if not isinstance(name, str) or len(name) > MAX_NAME:
            raise BadInput(f"a session's name is a string of at most {MAX_NAME:,} characters", place="session")
        session, received = self._known.pop(name) if name in self._known else (Session(name=name), 0)
        self._known[name] = session, received + size
        self._bytes += size
        while len(self._known) > MAX_SESSIONS or (self._bytes > MAX_BYTES and len(self._known) > 1):
            self._bytes -= self._known.popitem(last=False)[1][1]
        return session

    def to_json(self) -> bytes:
        """All sessions, the least recently used first, for a process that goes on with them."""
        known = ({"name": name, "bytes": size, **session.to_json()} for name, (session, size) in self._known.items())
        return orjson.dumps(list(known))

    @classmethod
    def of_json(cls, content: bytes) -> Sessions:
        """The sessions that another process has remembered. Raises ValueError if the content is malformed."""
        sessions = cls()
        try:
            for value in orjson.loads(content):
                sessions.named(value["name"], int(value["bytes"]))
                sessions._known[value["name"]] = Session.of_json(value), int(value["bytes"])
        except (AttributeError, KeyError, TypeError, BadInput) as error:
            raise ValueError(f"no sessions: {type(error).__name__}: {error}") from None
        return sessions


def name_of(host: str, session: str, project: str | None) -> str:
    """The name of a host's session. A host that has hooks of the user and of a project runs both at each event, so the
    hooks with a project's policy have a session of their own."""
    if project is None:
        return f"{host}:{session}"
    return f"{host}:{session}@{hashlib.sha256(os.fsencode(project)).hexdigest()[:12]}"


async def decide_line(supervisor: Supervisor, value: Any, sessions: Sessions, size: int = 0) -> Decision:
    """The decision on one line of `supervisor check --jsonl`: on the action that it proposes, or on its outcome if the
    line has one. Lines without a session are independent; an allowed action of a session counts as run. `size` is the
    length of the line in bytes. Raises BadInput."""
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
    """The answer to a line: the decision, with the line's own id if it has one."""
    answer = decision.to_json()
    return answer | {"id": value["id"]} if value.get("id") is not None else answer
