"""The guard of one agent: it answers the events of the agent's hooks, whoever carries them."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread

from supervisor.action import Context
from supervisor.adapters.hooks import Host, answer
from supervisor.adapters.hooks.host import WITHIN, Moment
from supervisor.decision.decision import Decision
from supervisor.engine.protocol import Engine
from supervisor.engine.session import Session
from supervisor.errors import SupervisorError
from supervisor.records.questions import NotAsked
from supervisor.runtime.drivers.agents.asking import closing_question
from supervisor.runtime.drivers.agents.notes import masked, shown_call, write_private
from supervisor.runtime.drivers.driver import Job
from supervisor.runtime.tasks.question import ALLOW, DENY, Given, Question, digest_of

_log = logging.getLogger(__name__)
_URGED = 3  # times that an agent is told to go on which does nothing in between
_SHOWN = 1_000  # characters of a call in a question


@dataclass(frozen=True, slots=True)
class Answer:
    """What the guard says to an event: a refusal with its `reason`, or else `output`, an answer in the host's own form.
    `decision` is None where no decision was needed, or none was reached. `question` is what a person has to answer
    before the call, which is refused until then, or before the agent goes on after its turn."""

    moment: Moment
    refused: bool
    reason: str = ""
    output: Mapping[str, Any] | None = None
    decision: Decision | None = None
    question: Question | None = None


class AgentGuard:
    """Judges what one agent does, in a session of its own, which knows its task from the beginning. A fault of the
    guard refuses. `grant` is a person's answer to what an earlier attempt has asked. `may_go_on` says why nothing more
    may be done for now, whatever it is; empty if it may."""

    def __init__(self, host: Host, engine: Engine, session: Session, grant: Grant) -> None:
        self._host, self._engine, self.session, self._grant = host, engine, session, grant
        self._urged = 0
        self.may_go_on: Callable[[], Awaitable[str]] = _always

    async def answer(self, payload: Any) -> Answer:
        """The answer to a hook's event."""
        try:
            with anyio.fail_after(WITHIN):
                return await self._asking(payload)
        except TimeoutError:
            return self._failed(payload, f"no decision within {WITHIN} s")
        except SupervisorError as error:
            return self._failed(payload, f"{error.code}: {error}")
        except Exception as error:  # noqa: BLE001 - an error as an answer would let the action run
            _log.exception("answering a hook of %s", self._host.name)
            return self._failed(payload, f"{type(error).__name__}: {error}")

    def remember(self, file: Path) -> None:
        """Stores what the guard knows of the session, for the attempt that goes on with it. Raises OSError."""
        write_private(file, json.dumps(self.session.to_json()))

    def hears(self, text: str) -> None:
        """A person has said something to the agent: it belongs to its task from now on."""
        self.session.ask(text)

    async def granted(self, digest: str) -> Given | None:
        """A person's answer for the call with this digest; None if there is none, or it was used before."""
        return await to_thread.run_sync(self._grant.take, digest)

    async def _asking(self, payload: Any) -> Answer:
        """The answer, after a person's where the policy wants one."""
        answer = await self._answer(payload)
        asked = answer.decision
        if asked is None or asked.approval is None or not asked.is_asked:
            return answer
        action = asked.action
        digest = digest_of(action.tool, action.args)
        given = await self.granted(digest)
        if given is None:
            shown = masked(shown_call(action.tool, action.args), _SHOWN)
            told = masked(f"May this run? {shown}\n{asked.reason}", 2 * _SHOWN)
            return replace(answer, refused=True, question=Question(told, (ALLOW, DENY), digest, shown))
        word = "approved" if given.answer == ALLOW else "denied"
        with contextlib.suppress(NotAsked):  # somebody has answered in the guard's own queue meanwhile
            await to_thread.run_sync(self._engine.answer, asked.approval.name, word, given.by, given.note)
        return await self._answer(payload)

    async def _answer(self, payload: Any) -> Answer:
        """The host itself is never told to ask: nobody sits before it."""
        payload = {**payload, "permission_mode": ""} if isinstance(payload, Mapping) else payload
        event = self._host.read(payload if isinstance(payload, Mapping) else {})
        if event.moment == "asked":  # the session knows the task; the agent is told other things as well
            return Answer("asked", refused=False)
        if event.moment in ("before", "after") and (why := await self.may_go_on()):
            return Answer(event.moment, event.moment == "before", f"Supervisor: {why}")
        if event.moment == "before":
            self._urged = 0
        if event.moment == "finish" and not event.agent and (asked := closing_question(event.text)):
            return await self._stopped_to_ask(asked)
        decision, reply = await answer(self._host, event, self._engine, self.session)
        output = None if reply.refused or not reply.text else json.loads(reply.text)
        return Answer(event.moment, reply.refused, reply.text.strip() if reply.refused else "", output, decision)

    async def _stopped_to_ask(self, asked: str) -> Answer:
        """What an agent hears that ends its turn with a question: to go on, if the guard finds it needless, as often as
        it does something in between. Any other question is a person's."""
        action = self._engine.action("ask_user", {"question": asked}, "ask_user")
        context = self.session.joined(Context(agent=self._host.name))
        decision = await self._engine.decide(action, context, self.session)
        if not decision.allowed and self._urged < _URGED:
            self._urged += 1
            return Answer("finish", refused=True, reason=f"Supervisor: {decision.message()}", decision=decision)
        told = masked(asked, _SHOWN)
        question = Question(told, (), digest_of("ask_user", {"question": asked}), told)
        return Answer("finish", refused=False, decision=decision, question=question)

    def _failed(self, payload: Any, problem: str) -> Answer:
        """A refusal, except of what can no longer be prevented."""
        name = payload.get("hook_event_name") if isinstance(payload, Mapping) else None
        moment = self._host.events.get(name, "before") if isinstance(name, str) else "before"
        _log.error("the guard of %s has failed: %s", self._host.name, problem)
        reason = f"Supervisor: guard_failed: {problem}. Nothing runs unjudged; report this."
        return Answer(moment, moment == "before", reason)


async def _always() -> str:
    return ""


class Grant:
    """A person's answer, which one call may use, once, whatever asks for it at the same time."""

    def __init__(self, given: Given | None, use: Callable[[str], bool]) -> None:
        self._given, self._use = given, use
        self._lock = threading.Lock()

    def take(self, digest: str) -> Given | None:
        """The answer, if it is for this call and was not used before."""
        with self._lock:
            given = self._given
            if given is None or given.digest != digest:
                return None
            self._given = None
            return given if self._use(given.id) else None


def agent_guard(host: Host, engine: Engine, job: Job, remembered: Path) -> AgentGuard:
    """The guard of the agent of a task. What an earlier attempt has `remembered` in that file goes on; a file that
    cannot be read is begun anew. Raises SupervisorError."""
    session = _session_in(remembered)
    if session is None:
        facts = {"cwd": str(job.folder), "workspace": str(job.folder)}
        session = Session(host.name, job.spec.prompt, facts, f"task:{job.task}")
    return AgentGuard(host, engine, session, Grant(job.given, job.use))


def _session_in(file: Path) -> Session | None:
    try:
        return Session.of_json(json.loads(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, SupervisorError) as error:
        _log.warning("%s: what the guard remembered is lost: %s", file, error)
        return None
