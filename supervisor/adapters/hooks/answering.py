"""From a host's event to what its agent is told."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import partial

import anyio
import orjson

from supervisor.action import Action, Context
from supervisor.adapters.hooks.host import Event, Host
from supervisor.decision.approval import SHORT, Approval
from supervisor.decision.decision import Decision
from supervisor.engine.offload import IN_THREAD
from supervisor.engine.protocol import Engine
from supervisor.engine.session import Session
from supervisor.intake.parsing import check
from supervisor.records.questions import NotAsked
from supervisor.records.queue import MAX_NOTE
from supervisor.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Reply:
    """What the hook's client does: hand on a text, or refuse with it. `echo` asks for it on stdout as well."""

    text: str = ""
    refused: bool = False
    echo: bool = False


_GO_ON = Reply()
_LATE = (0.05, 0.05, 0.1, 0.1, 0.2)  # seconds: a transcript is written a little later than what it tells


async def answer(host: Host, event: Event, supervisor: Engine, session: Session) -> tuple[Decision | None, Reply]:
    """The decision that an event asks for, if it asks for one, and what its agent is told. BadInput."""
    session.learn(workspace=event.cwd, **host.facts)
    await _hear_refusals(host, event, supervisor, session)
    if event.moment == "asked":
        if event.agent is None:  # what a sub-agent is asked are its agent's words, not the user's
            session.ask(event.text)
    elif event.moment == "after":
        observed = await _observe(host, event, supervisor, session, _action(supervisor, event))
        if name := session.resumed(event.call):
            await IN_THREAD.run(supervisor.resumed, name, host.name)
        return observed
    elif event.moment == "before":
        return await _decide(host, event, supervisor, session, _action(supervisor, event))
    elif event.moment == "finish" and event.text and not event.is_again:
        action = supervisor.action("finish", {"summary": event.text}, "finish")
        return await _decide(host, event, supervisor, session, action)
    return None, _GO_ON


async def _hear_refusals(host: Host, event: Event, supervisor: Engine, session: Session) -> bool:
    """What the host's own user has refused since the last event is denied, as it would be in the queue; whether there
    is any such thing."""
    awaited = session.awaited.keys() - {event.call}
    refused = await IN_THREAD.run(host.refused, event.transcript, awaited) if host.refused and awaited else []
    for call, note in refused:
        if name := session.resumed(call):
            told = partial(supervisor.relay, name, "denied", host.name, note[:MAX_NOTE])
            with contextlib.suppress(NotAsked):  # somebody has answered there
                await IN_THREAD.run(told)
    return bool(refused)


def _action(supervisor: Engine, event: Event) -> Action:
    check(event.tool, event.args, None)
    return supervisor.action(event.tool, event.args)


async def _decide(
    host: Host, event: Event, supervisor: Engine, session: Session, action: Action
) -> tuple[Decision, Reply]:
    decision = await supervisor.decide(action, _context(host, event, session), session)
    if decision.allowed:
        return decision, _GO_ON
    if host.pause and event.can_pause and decision.approval and decision.asks_host:
        if decision.approval.name in session.awaited.values():
            for pause in _LATE:
                await anyio.sleep(pause)
                if await _hear_refusals(host, event, supervisor, session):
                    return await _decide(host, event, supervisor, session, action)
        session.paused(event.call, decision.approval.name)
        return decision, Reply(orjson.dumps(host.pause(_question(decision, decision.approval))).decode())
    return decision, Reply(_refusal(host, decision), refused=True, echo=host.echoes)


def _question(decision: Decision, approval: Approval) -> str:
    """What the host's user is asked. It is also what the agent hears where there is no user."""
    return f"Supervisor: {decision.reason} It waits for approval: `supervisor approve {approval.name[:SHORT]}`."


async def _observe(
    host: Host, event: Event, supervisor: Engine, session: Session, action: Action
) -> tuple[Decision | None, Reply]:
    """An objection after the fact. Hosts show the agent what stands on stderr, with exit code 2, beside the result or
    instead of it; a block has the result withheld where the host can do that."""
    context = _context(host, event, session)
    decision = await supervisor.aobserve(session, action, event.output, failed=event.failed, context=context)
    if decision is None or decision.allowed:
        return decision, _GO_ON
    if host.echoes:
        return decision, Reply(orjson.dumps({"additional_context": decision.message()}).decode())
    if decision.verdict is Verdict.BLOCK and host.withhold and (told := host.withhold(event, decision.message())):
        return decision, Reply(orjson.dumps(told).decode())
    return decision, Reply(_refusal(host, decision), refused=True)


def _context(host: Host, event: Event, session: Session) -> Context:
    facts = {"cwd": event.cwd} if event.cwd else {}
    return session.joined(Context(facts=facts, agent=event.agent or host.name))


def _refusal(host: Host, decision: Decision) -> str:
    if not host.echoes:
        return f"Supervisor: {decision.message()}\n"  # Gemini CLI takes bare JSON, even on stderr, for its own answer
    told = {"permission": "deny", "user_message": decision.reason, "agent_message": decision.message()}
    return orjson.dumps(told).decode()
