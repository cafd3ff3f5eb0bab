"""Answers a host's events."""

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
from supervisor.decision.exemptions import how_to_allow
from supervisor.engine.offload import IN_THREAD
from supervisor.engine.protocol import Engine
from supervisor.engine.session import Session
from supervisor.errors import SupervisorError
from supervisor.intake.parsing import check
from supervisor.records.questions import NotAsked
from supervisor.records.queue import MAX_NOTE
from supervisor.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to the hook's client: a text to pass on, or to refuse with. `echo` writes it to stdout as well."""

    text: str = ""
    refused: bool = False
    echo: bool = False


_GO_ON = Reply()
_SHOWN = 100  # characters of a stopped action
_LATE = (0.05, 0.05, 0.1, 0.1, 0.2)  # seconds between reads: a transcript is written a little after the event


async def answer(host: Host, event: Event, supervisor: Engine, session: Session) -> tuple[Decision | None, Reply]:
    """The decision on an event, if it needs one, and the reply. Raises BadInput."""
    session.learn(workspace=event.cwd, **host.facts)
    await _record_refusals(host, event, supervisor, session)
    decision, reply = await _answer(host, event, supervisor, session)
    if event.moment == "finish" and not (event.agent or reply.text) and host.tell and (stopped := session.stopped()):
        return decision, Reply(orjson.dumps(host.tell("\n".join(["Supervisor stopped:", *stopped]))).decode())
    return decision, reply


async def _answer(host: Host, event: Event, supervisor: Engine, session: Session) -> tuple[Decision | None, Reply]:
    if event.moment == "asked":
        if event.agent is None:  # a sub-agent's prompt comes from its agent, not from the user
            session.ask(event.text)
    elif event.moment == "after":
        outcome = await _observe(host, event, supervisor, session, _action(supervisor, event))
        if name := session.resumed(event.call):
            await IN_THREAD.run(supervisor.resumed, name, host.name)
        return outcome
    elif event.moment == "before":
        return await _decide(host, event, supervisor, session, _action(supervisor, event))
    elif event.moment == "finish" and event.text and not event.is_again:
        action = supervisor.action("finish", {"summary": event.text}, "finish")
        return await _decide(host, event, supervisor, session, action)
    return None, _GO_ON


async def _record_refusals(host: Host, event: Event, supervisor: Engine, session: Session) -> bool:
    """Records as denied what the host's own user has refused since the last event. Returns whether there was any."""
    awaited = session.awaited.keys() - {event.call}
    asked = dict.fromkeys(awaited, "")
    refused = await IN_THREAD.run(host.refused, event.transcript, asked) if host.refused and asked else []
    for call, note in refused:
        if name := session.resumed(call):
            deny = partial(supervisor.relay, name, "denied", host.name, note[:MAX_NOTE])
            with contextlib.suppress(NotAsked):  # a person has answered in the queue already
                await IN_THREAD.run(deny)
    return bool(refused)


def unusable(host: Host, event: Event, problem: SupervisorError) -> Reply | None:
    """The refusal of an action under a policy that cannot be used; None for events that cannot be refused. It is a
    refusal, and no failure of the guard, which some policies let pass: an agent may be able to spoil that policy."""
    if event.moment != "before":
        return None
    cure = "The action is not at fault: the policy is. Stop, and report that; a person has to mend the file."
    refusal = {"executed": False, "code": problem.code, "reason": f"its policy cannot be used: {problem}", "next": cure}
    text = orjson.dumps(refusal).decode()
    if not host.echoes:
        return Reply(f"Supervisor: {text}\n", refused=True)
    denial = {"permission": "deny", "user_message": refusal["reason"], "agent_message": text}
    return Reply(orjson.dumps(denial).decode(), refused=True, echo=True)


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
                if await _record_refusals(host, event, supervisor, session):
                    return await _decide(host, event, supervisor, session, action)
        session.paused(event.call, decision.approval.name)
        return decision, Reply(orjson.dumps(host.pause(_question(decision, decision.approval))).decode())
    if decision.exemptible and decision.record and decision.approval is None:
        session.stop(f"{_shown(decision.action)}: {decision.reason} {how_to_allow(decision.record)}")
    return decision, Reply(_refusal(host, decision), refused=True, echo=host.echoes)


def _question(decision: Decision, approval: Approval) -> str:
    """The question to the host's user. Without a user, the agent reads it."""
    return f"Supervisor: {decision.reason} It waits for approval: `supervisor approve {approval.name[:SHORT]}`."


async def _observe(
    host: Host, event: Event, supervisor: Engine, session: Session, action: Action
) -> tuple[Decision | None, Reply]:
    """Judges an outcome. Hosts show the agent the text on stderr, with exit code 2, beside the result or instead of it;
    a block withholds the result if the host can do that."""
    context = _context(host, event, session)
    decision = await supervisor.aobserve(session, action, event.output, failed=event.failed, context=context)
    if decision is None or decision.allowed:
        return decision, _GO_ON
    if host.echoes:
        return decision, Reply(orjson.dumps({"additional_context": decision.message()}).decode())
    if decision.verdict is Verdict.BLOCK and host.withhold and (withheld := host.withhold(event, decision.message())):
        return decision, Reply(orjson.dumps(withheld).decode())
    return decision, Reply(_refusal(host, decision), refused=True)


def _context(host: Host, event: Event, session: Session) -> Context:
    facts = {"cwd": event.cwd} if event.cwd else {}
    return session.joined(Context(facts=facts, agent=event.agent or host.name))


def _shown(action: Action) -> str:
    """The beginning of an action, for the host's user."""
    text = " ".join(str(value) for value in action.args.values())
    return f"{action.tool} {' '.join(text[:_SHOWN].split())}"


def _refusal(host: Host, decision: Decision) -> str:
    if not host.echoes:
        return f"Supervisor: {decision.message()}\n"  # Gemini CLI reads bare JSON, even on stderr, as an answer
    told = f"{decision.reason} {how_to_allow(decision.record)}" if decision.exemptible else decision.reason
    denial = {"permission": "deny", "user_message": told, "agent_message": decision.message()}
    return orjson.dumps(denial).decode()
