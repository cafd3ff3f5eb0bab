"""What Claude Code's hooks and its questions for permission are answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import anyio

from supervisor.runtime.drivers.agents import door
from supervisor.runtime.drivers.agents.judging import AgentGuard, Answer
from supervisor.runtime.drivers.agents.notes import masked
from supervisor.runtime.drivers.agents.observation import mapping, objects, text
from supervisor.runtime.drivers.agents.parking import WAITS
from supervisor.runtime.tasks.question import Question, digest_of

_QUESTION, _PLAN = "AskUserQuestion", "ExitPlanMode"  # tools that need a person, whatever a hook says
_NO_PLAN = "Nobody approves plans here: every action is judged by itself. Go on with the task."
_ASKED = 4_000  # characters of a question


class ClaudeHooks:
    """Answers for one attempt. `tries` is set while a trial prompt runs, `deferred` is the call that a resumed session
    makes by itself, and `are_known` says whether Claude Code knows of the hooks from here. Afterwards, `have_asked`
    says whether any hook has, `judged` are the calls that one was about, and `parked` is what waits for a person."""

    def __init__(self, guard: AgentGuard) -> None:
        self._guard = guard
        self.tries = False
        self.deferred = ""
        self.are_known = False
        self.have_asked = False
        self.knocked = anyio.Event()
        self.judged: set[str] = set()
        self.waiting: set[str] = set()
        self.parked: Question | None = None
        self._allowed: set[str] = set()
        self._one = anyio.Lock()
        self._answer: Mapping[str, Any] | None = None

    async def hooked(self, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        """The output of a hook."""
        self.have_asked = True
        name = text(payload, "hook_event_name")
        if self.tries and name == "UserPromptSubmit":
            return {"decision": "block", "reason": "It is guarded."}
        if name != "PreToolUse":
            answer = await self._guard.answer(payload)
            self.parked = self.parked or answer.question
            return hook_output(answer)
        if text(payload, "tool_use_id") != self.deferred:
            return await self._before(payload)
        self.knocked.set()
        async with self._one:  # it may be asked about in both ways
            self._answer = self._answer or await self._before(payload)
        return self._answer

    async def knock(self, payload: Mapping[str, Any]) -> door.Exit:
        """The end of the command that is a hook as well. Once the hooks from here are known, it has no say on any but
        the deferred call."""
        if self.are_known and text(payload, "tool_use_id") != self.deferred:
            return door.Exit()
        return door.Exit(stdout=json.dumps(await self.hooked(payload)))

    async def permission(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a question for permission. What the hook has let through may run; what no hook has seen is
        judged here."""
        call, args = text(asked, "tool_use_id"), mapping(asked, "input")
        if call in self.waiting:
            return {"behavior": "deny", "message": WAITS}
        if text(asked, "tool_name") == _PLAN:
            return {"behavior": "deny", "message": _NO_PLAN}
        if call not in self._allowed:
            about = {"hook_event_name": "PreToolUse", "tool_name": asked.get("tool_name"), "tool_use_id": call}
            answer = await self._guard.answer({**about, "tool_input": args})
            if answer.refused or answer.output:
                self.parked = self.parked or answer.question
                return {"behavior": "deny", "message": WAITS if answer.question else answer.reason}
        return {"behavior": "allow", "updatedInput": args}

    async def _before(self, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer before a call."""
        call = text(payload, "tool_use_id")
        answer = await self._guard.answer(payload)
        if not answer.refused and text(payload, "tool_name") == _QUESTION:
            return await self._asked(call, mapping(payload, "tool_input"))
        if answer.question is not None:
            return self._park(call, answer.question)
        if not answer.refused:
            self._allowed.add(call)
        return hook_output(answer)

    async def _asked(self, call: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a question of the agent's own: a person's, if there is one."""
        digest = digest_of(_QUESTION, args)
        given = await self._guard.granted(digest)
        if given is None:
            told = masked(_question(args), _ASKED)
            return self._park(call, Question(told, (), digest, told))
        self._allowed.add(call)
        answers = {text(each, "question"): given.answer for each in objects(args, "questions")}
        return hook_word("allow", updatedInput={**args, "answers": answers})

    def _park(self, call: str, question: Question) -> Mapping[str, Any]:
        """Ends the turn with the call undone. Where several calls are made at once, Claude Code defers none of them,
        and asks for permission."""
        self.parked = self.parked or question
        self.waiting.add(call)
        return hook_word("defer")


def hook_output(answer: Answer) -> Mapping[str, Any]:
    """An answer of the guard as the output of a hook."""
    if answer.moment == "before" and answer.refused:
        return hook_word("deny", permissionDecisionReason=answer.reason)
    if answer.moment == "before" and answer.output is None:
        return hook_word("allow")
    if answer.refused:
        return {"decision": "block", "reason": answer.reason}
    return answer.output or {}


def hook_word(word: str, **more: Any) -> Mapping[str, Any]:
    """The output of a hook before a call."""
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word, **more}}


def _question(args: Mapping[str, Any]) -> str:
    """The agent's question for a person, with the answers that it offers."""
    lines = []
    for each in objects(args, "questions"):
        lines.append(text(each, "question"))
        lines += [f"- {text(option, 'label')}: {text(option, 'description')}" for option in objects(each, "options")]
    return "\n".join(lines)
