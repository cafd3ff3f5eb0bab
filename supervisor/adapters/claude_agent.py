"""Claude Agent SDK: hooks before and after every tool, also those of sub-agents.

    options = supervised(ClaudeAgentOptions(...))

The SDK runs the tool where a hook raises, so nothing here does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

from supervisor.adapters.calls import Calls, logger
from supervisor.guarding import Guard
from supervisor.session import Session

# In other modes a tool runs whose hook says "ask": https://github.com/anthropics/claude-code/issues/77212.
_ASKING_MODES = ("default", "plan", "acceptEdits")


def supervised(options: ClaudeAgentOptions, guard: Guard | None = None, **about: Any) -> ClaudeAgentOptions:
    """The options with the guard's hooks on top of those they have."""
    own, hooks = SupervisorHooks(guard, pauses=options.can_use_tool is not None, **about), dict(options.hooks or {})
    told = {
        "UserPromptSubmit": own.asked,
        "PreToolUse": own.before,
        "PostToolUse": own.after,
        "PostToolUseFailure": own.after,
    }
    for event, hook in told.items():
        hooks[event] = [*hooks.get(event, []), HookMatcher(hooks=[hook])]
    return replace(options, hooks=hooks)


class SupervisorHooks:
    """The hooks, for whoever puts them into the options by hand. `pauses`: the options have a `can_use_tool`, which is
    asked where the policy has a person asked."""

    def __init__(self, guard: Guard | None = None, *, pauses: bool = False, **about: Any) -> None:
        self._calls, self._pauses = Calls(guard, **about), pauses

    async def asked(self, told: Any, tool_use_id: str | None, context: Any) -> Any:
        """UserPromptSubmit: what the user wants, said so far."""
        self._calls.session(told["session_id"], [told["prompt"]])
        return {}

    async def before(self, told: Any, tool_use_id: str | None, context: Any) -> Any:
        """PreToolUse: a refusal is a deny with the correction."""
        proposed = None
        try:
            session = self._session(told)
            about = (told["tool_name"], told["tool_input"], session)
            proposed = await self._calls.abefore(*about, waits="never")  # the host runs a tool whose hook takes long
            if not self._pauses or told.get("permission_mode") not in _ASKING_MODES:
                proposed = replace(proposed, question=None)
            refusal = self._calls.running((session.id, told["tool_use_id"]), proposed)
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

    async def after(self, told: Any, tool_use_id: str | None, context: Any) -> Any:
        """PostToolUse and PostToolUseFailure. What the host takes instead of a result has to be of the tool's own form,
        which is known of MCP's; elsewhere the agent hears of it beside the result."""
        proposed = self._calls.ended((self._session(told).id, told["tool_use_id"]))
        if proposed is None:
            return {}
        proposed = await self._calls.aresumed(proposed, "the Claude Agent SDK")
        event = told["hook_event_name"]
        failed = event == "PostToolUseFailure"
        output = _text(told["error"] if failed else told["tool_response"])
        objection = await self._calls.aafter(proposed, output, failed=failed)
        if objection is None:
            return {}
        if told["tool_name"].startswith("mcp__") and not failed:
            said = {"updatedMCPToolOutput": objection.in_place_of(output)}
        else:
            said = {"additionalContext": objection.message}
        return {"hookSpecificOutput": {"hookEventName": event, **said}}

    def _session(self, told: Any) -> Session:
        session = self._calls.session(told["session_id"])
        session.learn(cwd=told["cwd"])
        return session


def _text(output: Any) -> Any:
    """What an MCP tool said, where that is all there is."""
    parts = output.get("content") if isinstance(output, dict) else output
    if isinstance(parts, list) and parts and all(isinstance(part, dict) and "text" in part for part in parts):
        return "\n".join(str(part["text"]) for part in parts)
    return output
