"""Claude Agent SDK: hooks before and after every tool, also those of sub-agents, and around the user's permission.

    options = supervised(ClaudeAgentOptions(...))

The SDK runs the tool where a hook raises, so nothing here does.
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
# In other modes a tool runs whose hook says "ask": https://github.com/anthropics/claude-code/issues/77212.
_ASKING_MODES = ("default", "plan", "acceptEdits")


def supervised(options: ClaudeAgentOptions, guard: Guard | None = None, **about: Any) -> ClaudeAgentOptions:
    """The options with the guard's hooks on top of those they have."""
    own, hooks = SupervisorHooks(guard, can_use_tool=options.can_use_tool, **about), dict(options.hooks or {})
    told = {
        "UserPromptSubmit": own.asked,
        "PreToolUse": own.before,
        "PostToolUse": own.after,
        "PostToolUseFailure": own.after,
    }
    for event, hook in told.items():
        hooks[event] = [*hooks.get(event, []), HookMatcher(hooks=[hook])]
    return replace(options, hooks=hooks, can_use_tool=own.answered if options.can_use_tool else None)


class SupervisorHooks:
    """The hooks, for whoever puts them into the options by hand. `can_use_tool` is asked where the policy has a person
    asked; `answered` belongs into the options in its place."""

    def __init__(self, guard: Guard | None = None, *, can_use_tool: CanUseTool | None = None, **about: Any) -> None:
        self._calls, self._ask = Calls(guard, **about), can_use_tool

    async def asked(self, told: Any, tool_use_id: str | None, context: Any) -> Any:
        """UserPromptSubmit: what the user wants, said so far."""
        self._calls.session(told["session_id"], [told["prompt"]])
        return {}

    async def before(self, told: Any, tool_use_id: str | None, context: Any) -> Any:
        """PreToolUse: a refusal is a deny with the correction."""
        proposed = None
        try:
            about = (told["tool_name"], told["tool_input"], self._session(told))
            proposed = await self._calls.abefore(*about, waits="never")  # the host runs a tool whose hook takes long
            if not self._ask or told.get("permission_mode") not in _ASKING_MODES:
                proposed = replace(proposed, question=None)
            refusal = self._calls.running(told["tool_use_id"], proposed)
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
        """What `can_use_tool` says: an answer, where the guard has it asked. Arguments that it has changed were never
        proposed, and are judged as they are."""
        if self._ask is None:
            return PermissionResultDeny(message="Nobody can be asked.")
        said = await self._ask(tool, args, context)
        if (proposed := self._calls.ended(context.tool_use_id)) is None:
            return said
        approved = isinstance(said, PermissionResultAllow)
        about: dict[str, Any] = {"tool": tool, "args": args, "session": proposed.session}
        if approved and said.updated_input not in (None, args):
            proposed = await self._calls.abefore(**about | {"args": said.updated_input}, waits="never")
        elif proposed.question:
            note = "" if approved else said.message
            proposed = await self._calls.aanswered(proposed, _HOST, approved, note, **about)
        refusal = self._calls.running(context.tool_use_id, proposed)
        return PermissionResultDeny(message=refusal) if approved and refusal else said

    async def after(self, told: Any, tool_use_id: str | None, context: Any) -> Any:
        """PostToolUse and PostToolUseFailure. The agent hears of an objection beside the result, which is replaced
        where it is withheld and has a form that we know."""
        if (proposed := self._calls.ended(told["tool_use_id"])) is None:
            return {}
        event = told["hook_event_name"]
        failed = event == "PostToolUseFailure"
        output = told["error"] if failed else unwrapped(told["tool_response"])
        objection = await self._calls.aafter(proposed, output, failed=failed)
        if objection is None:
            return {}
        said = {"hookEventName": event, "additionalContext": objection.message}
        if objection.withholds and not failed and (instead := in_place_of(told["tool_response"], WITHHELD)) is not None:
            said["updatedToolOutput"] = instead
        return {"hookSpecificOutput": said}

    def _session(self, told: Any) -> Session:
        session = self._calls.session(told["session_id"])
        session.learn(cwd=told["cwd"])
        return session
