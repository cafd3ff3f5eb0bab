"""Inspect AI: an approver, for evaluations of agents that are guarded as in production.

    eval(task, approval=[ApprovalPolicy(supervisor(), "*")])

An approver is not told what a tool returned; the outputs are taken from the conversation when the next call comes, and
judged then: an objection stands in the records, and the agent has long read the result.
"""

from __future__ import annotations

from typing import Any

from inspect_ai.approval import Approval, Approver, approver
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import ToolCall, ToolCallView

from supervisor.adapters.calls import Calls
from supervisor.adapters.proposed import Same
from supervisor.guarding import Guard


@approver(name="supervisor")
def supervisor(guard: Guard | None = None, **about: Any) -> Approver:
    """Approves what may run, and rejects the rest with the correction. A sample is a session."""
    calls = Calls(guard, **about)

    async def approve(message: str, call: ToolCall, view: ToolCallView, history: list[ChatMessage]) -> Approval:
        asked = [each.text for each in history if each.role == "user"]
        session = calls.session(Same(transcript()), asked)
        for said in history:
            if isinstance(said, ChatMessageTool) and (ran := calls.ended((session.id, said.tool_call_id))):
                await calls.aafter(ran, said.error.message if said.error else said.text, failed=said.error is not None)
        proposed = await calls.abefore(call.function, call.arguments, session)
        refusal = calls.running((session.id, call.id), proposed)
        return Approval(decision="reject", explanation=refusal) if refusal else Approval(decision="approve")

    return approve
