"""AGENT-HOOKS 0.1, with the contract's own test kit."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("agent_hooks.ctk.reference", reason="agent-hooks-sdk[ctk] is not installed")

from agent_hooks import AgentContextBuilder, InterceptionBlocked
from agent_hooks.ctk import load_vectors, run_vector
from agent_hooks.ctk.reference import ReferenceHarness

from supervisor.adapters.agent_hooks import SupervisorInterceptor
from tests.adapters.contract import TASK, Contract, Played, _open, made


class TestAgentHooks(Contract):
    knows_tools = False

    def play(self, *texts: str) -> Played:
        played = Played()
        builder = AgentContextBuilder(agent_id="scribe", framework="tests", session_id=f"session {id(played)}")
        emitter = made("agent_hooks")["emitter"]

        async def run() -> None:
            await emitter.emit(builder.input(content=TASK))
            for number, text in enumerate(texts):
                call: dict[str, Any] = {"call_id": f"call_{number}", "name": "note", "args": {"text": text}}
                try:
                    await emitter.emit(builder.pre_tool_call(**call))
                except InterceptionBlocked as blocked:
                    played.told.append(str(blocked.result.verdict.message))
                    continue
                try:
                    value, failed = played.note(text), False
                except ValueError as error:
                    value, failed = str(error), True
                try:
                    await emitter.emit(builder.post_tool_call(**call, value=value, is_error=failed))
                    played.told.append(value)
                except InterceptionBlocked as blocked:
                    played.told.append(str(blocked.result.verdict.message))

        asyncio.run(run())
        return played


def test_verdicts_keep_their_difference() -> None:
    """ok, flag, nudge and block can be told apart by a program."""
    interceptor, builder = (
        SupervisorInterceptor(_open()),
        AgentContextBuilder(agent_id="scribe", framework="tests", session_id="1"),
    )

    async def verdict(text: str) -> dict[str, Any]:
        context = builder.pre_tool_call(call_id="1", name="note", args={"text": text})
        return dict((await interceptor.intercept(context)).to_wire())

    ok, flag, nudge, block = (asyncio.run(verdict(text)) for text in ("fine", "FLAG", "NUDGE", "BLOCK"))
    assert ok == {"decision": "allow"}
    assert flag == {"decision": "allow", "warnings": [{"reason": "flag:judges", "message": "It says FLAG."}]}
    assert (nudge["decision"], nudge["reason"]) == ("deny", "nudge:judges")
    assert json.loads(nudge["message"])["correction"] == "Say please."
    assert (block["decision"], block["reason"]) == ("deny", "block:judges")


class Guarded(ReferenceHarness):
    """The contract's reference host, in which the guard sees every context before a vector's own interceptor does."""

    def setup(self, scenario: Any, interceptors: Any, *rest: Any, **more: Any) -> None:
        guard = SupervisorInterceptor(_open())
        super().setup(scenario, [_Both(guard, each) for each in interceptors], *rest, **more)


class _Both:
    def __init__(self, guard: SupervisorInterceptor, own: Any) -> None:
        self._guard, self._own = guard, own

    async def intercept(self, context: dict[str, Any]) -> Any:
        verdict = await self._guard.intercept(context)
        return self._own.intercept(context) if verdict.decision.permits else verdict


@pytest.mark.parametrize("vector", load_vectors(), ids=lambda vector: vector["id"])
def test_conformance(vector: dict[str, Any]) -> None:
    result = asyncio.run(run_vector(Guarded(), vector))
    if result.status == "skip":
        pytest.skip(result.detail)
    assert result.status == "pass", result.failures
