"""Inspect AI: an approver, for evaluations of agents that are guarded as in production.

    eval(task, approval=[ApprovalPolicy(supervisor(), "*")])

An approver does not receive a tool's result, and a reviewer cannot change it. A hook receives the model's input: there
results are judged, and replaced if refused. The sample's log keeps the tool's output.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from inspect_ai.approval import Approval, Approver, approver
from inspect_ai.hooks import BeforeModelGenerate, Hooks, hooks
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import ToolCall, ToolCallView

from supervisor.adapters.calls import MAX_CALLS, Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.proposed import Proposed, Same

_HOST = "Inspect AI"
_APPROVERS: weakref.WeakSet[_Supervisor] = weakref.WeakSet()


@approver(name="supervisor")
def supervisor(guard: Guard | None = None, human: Approver | None = None, **about: Any) -> Approver:
    """Approves allowed calls, and rejects the others with the correction. A sample is a session. If the policy asks a
    person, `human` is asked, such as Inspect's `human_approver()`."""
    return _Supervisor(Calls(guard, **about), human)


class _Supervisor:
    def __init__(self, calls: Calls, human: Approver | None) -> None:
        self._calls, self._human = calls, human
        self._instead: OrderedDict[Hashable, str] = OrderedDict()  # the text that replaces a call's result
        _APPROVERS.add(self)

    async def __call__(self, message: str, call: ToolCall, view: ToolCallView, history: list[ChatMessage]) -> Approval:
        session = self._calls.session(Same(transcript()), [each.text for each in history if each.role == "user"])
        about = {"tool": call.function, "args": call.arguments, "session": session}
        proposed = await self._calls.abefore(**about, waits="queue" if self._human else "always")
        if proposed.question and self._human:
            why = proposed.decision.reason if proposed.decision else ""
            answer = await self._human(f"Supervisor: {why}\n\n{message}", call, view, history)
            if answer.decision in ("reject", "terminate"):
                await self._calls.adenied(proposed, _HOST, answer.explanation or "")
                return answer
            if answer.decision == "approve":  # other decisions change the call, or leave it open
                proposed = await self._calls.aanswered(proposed, _HOST, True, answer.explanation or "", **about)
        refusal = self._calls.running((Same(transcript()), call.id), proposed)
        return Approval(decision="reject", explanation=refusal) if refusal else Approval(decision="approve")

    async def show(self, messages: list[ChatMessage]) -> None:
        """Judges the results that the model has not read yet, and replaces those that are refused."""
        for place, message in enumerate(messages):
            if isinstance(message, ChatMessageTool):
                call = Same(transcript()), message.tool_call_id
                if ran := self._calls.ended(call):
                    await self._judge(call, ran, message)
                if call in self._instead:
                    messages[place] = message.model_copy(update={"content": self._instead[call], "error": None})

    async def _judge(self, call: Hashable, ran: Proposed, message: ChatMessageTool) -> None:
        output = message.error.message if message.error else message.text
        if objection := await self._calls.aafter(ran, output, failed=message.error is not None):
            self._instead[call] = objection.in_place_of(output)
            if len(self._instead) > MAX_CALLS:
                self._instead.popitem(last=False)


@hooks(name="supervisor", description="Judges what tools return, before the model reads it.")
class SupervisorHooks(Hooks):
    """Registered once a process, for all approvers."""

    async def on_before_model_generate(self, data: BeforeModelGenerate) -> None:
        """Changes `data.input`, which Inspect then sends to the model."""
        for each in list(_APPROVERS):
            await each.show(data.input)
