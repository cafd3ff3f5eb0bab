"""Claude Agent SDK: hooks before and after every tool, also those of sub-agents, and around the user's permission.

    options = supervised(ClaudeAgentOptions(...))

The SDK runs the tool if a hook raises, so no hook here raises.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from claude_agent_sdk import CanUseTool, ClaudeAgentOptions, HookMatcher, PermissionResultAllow, PermissionResultDeny

from supervisor.adapters.calls import Calls, logger
from supervisor.adapters.function.guard import Guard
from supervisor.engine.session import Session
from supervisor.intake.results import WITHHELD, in_place_of, unwrapped

_HOST = "the Claude Agent SDK"
# In other modes "ask" lets the tool run: https://github.com/anthropics/claude-code/issues/77212.
_ASKING_MODES = ("default", "plan", "acceptEdits")


def supervised(options: ClaudeAgentOptions, guard: Guard | None = None, **about: Any) -> ClaudeAgentOptions:
    """The options with the guard's hooks after their own."""
    own, hooks = SupervisorHooks(guard, can_use_tool=options.can_use_tool, **about), dict(options.hooks or {})
    handlers = {
        "UserPromptSubmit": own.asked,
        "PreToolUse": own.before,
        "PostToolUse": own.after,
        "PostToolUseFailure": own.after,
    }
    for event, hook in handlers.items():
        hooks[event] = [*hooks.get(event, []), HookMatcher(hooks=[hook])]
    return replace(options, hooks=hooks, can_use_tool=own.answered if options.can_use_tool else None)


class SupervisorHooks:
    """The hooks, for options that are assembled by hand. If the policy asks a person, `can_use_tool` is called;
    `answered` replaces it in the options."""

    def __init__(self, guard: Guard | None = None, *, can_use_tool: CanUseTool | None = None, **about: Any) -> None:
        self._calls, self._ask = Calls(guard, **about), can_use_tool

    async def asked(self, payload: Any, tool_use_id: str | None, context: Any) -> Any:
        """UserPromptSubmit: adds the user's prompt to the session's task."""
        self._calls.session(payload["session_id"], [payload["prompt"]])
        return {}

    async def before(self, payload: Any, tool_use_id: str | None, context: Any) -> Any:
        """PreToolUse: a refusal is a deny with the correction."""
        proposed = None
        try:
            about = (payload["tool_name"], payload["tool_input"], self._session(payload))
            proposed = await self._calls.abefore(*about, waits="never")  # the host runs a tool if its hook takes long
            if not self._ask or payload.get("permission_mode") not in _ASKING_MODES:
                proposed = replace(proposed, question=None)
            refusal = self._calls.running(payload["tool_use_id"], proposed)
        except Exception:  # noqa: BLE001 - the host would run the tool
            logger.exception("a tool call could not be judged")
            refusal = '{"executed":false,"code":"not_judged","reason":"the guard failed; stop, and report that"}'
        if not refusal:
            return {}
        if proposed and proposed.question and proposed.decision:
            asked = {"permissionDecision": "ask", "permissionDecisionReason": f"Supervisor: {proposed.decision.reason}"}
            return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **asked}}
        denied = {"permissionDecision": "deny", "permissionDecisionReason": refusal}
        return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **denied}}

    async def answered(self, tool: str, args: dict[str, Any], context: Any) -> Any:
        """The answer of `can_use_tool`, recorded if the guard asked a question. Arguments that it has changed are
        judged as a new call."""
        if self._ask is None:
            return PermissionResultDeny(message="No user can be asked.")
        answer = await self._ask(tool, args, context)
        if (proposed := self._calls.ended(context.tool_use_id)) is None:
            return answer
        approved = isinstance(answer, PermissionResultAllow)
        about: dict[str, Any] = {"tool": tool, "args": args, "session": proposed.session}
        if approved and answer.updated_input not in (None, args):
            proposed = await self._calls.abefore(**about | {"args": answer.updated_input}, waits="never")
        elif proposed.question:
            note = "" if approved else answer.message
            proposed = await self._calls.aanswered(proposed, _HOST, approved, note, **about)
        refusal = self._calls.running(context.tool_use_id, proposed)
        return PermissionResultDeny(message=refusal) if approved and refusal else answer

    async def after(self, payload: Any, tool_use_id: str | None, context: Any) -> Any:
        """PostToolUse and PostToolUseFailure: judges the outcome. The agent reads an objection beside the result. A
        withheld result is replaced if its form is known."""
        if (proposed := self._calls.ended(payload["tool_use_id"])) is None:
            return {}
        event = payload["hook_event_name"]
        failed = event == "PostToolUseFailure"
        output = payload["error"] if failed else unwrapped(payload["tool_response"])
        objection = await self._calls.aafter(proposed, output, failed=failed)
        if objection is None:
            return {}
        hook_output = {"hookEventName": event, "additionalContext": objection.message}
        if (
            objection.withholds
            and not failed
            and (instead := in_place_of(payload["tool_response"], WITHHELD)) is not None
        ):
            hook_output["updatedToolOutput"] = instead
        return {"hookSpecificOutput": hook_output}

    def _session(self, payload: Any) -> Session:
        session = self._calls.session(payload["session_id"])
        session.learn(cwd=payload["cwd"])
        return session
