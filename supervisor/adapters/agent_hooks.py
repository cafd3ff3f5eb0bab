"""AGENT-HOOKS 0.1 (`agent-hooks-sdk`): an interceptor for any host that speaks the contract.

    emitter.register(SupervisorInterceptor())

ok allows, flag allows with a warning, nudge and block deny, also after a tool ran. `reason` has the verdict and the
specialists, `message` the correction. Interception points other than those of tools are allowed; the user's input
becomes the session's task.
"""

from __future__ import annotations

from typing import Any

from agent_hooks import Decision, Verdict, Warning

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.proposed import Proposed
from supervisor.decision.decision import Decision as Ruling


class SupervisorInterceptor:
    """Judges `pre_tool_call`; judges and remembers `post_tool_call`."""

    def __init__(self, guard: Guard | None = None, **about: Any) -> None:
        self._calls = Calls(guard, **about)

    async def intercept(self, context: dict[str, Any], /) -> Verdict:
        name = (context["agent"]["id"], context["session"]["id"])
        point = context["interception_point"]
        if point == "input" and context["input"].get("role") == "user":
            self._calls.session(name, [str(context["input"]["content"])])
        elif point == "pre_tool_call":
            call = context["tool_call"]
            proposed = await self._calls.abefore(call["name"], call["args"], self._calls.session(name))
            self._calls.running((name, call["id"]), proposed)
            return _verdict(proposed)
        elif point == "post_tool_call" and (ran := self._calls.ended((name, context["tool_call"]["id"]))):
            result = context["tool_result"]
            if objection := await self._calls.aafter(ran, result["value"], failed=result["is_error"]):
                return Verdict.deny(reason=_by(objection.decision), message=objection.in_place_of(result["value"]))
        return Verdict.allow()


def _verdict(proposed: Proposed) -> Verdict:
    decision = proposed.decision
    if proposed.refusal:
        return Verdict.deny(reason=_by(decision) if decision else "not_judged", message=proposed.refusal)
    findings = decision.findings if decision else ()
    warnings = tuple(Warning(f"{finding.verdict.label}:{who}", finding.reason) for who, finding in findings)
    return Verdict(Decision.ALLOW, warnings=warnings)


def _by(decision: Ruling) -> str:
    return f"{decision.verdict.label}:{','.join(decision.by)}"
