"""Claude Code over stream-json: https://code.claude.com/docs/en/headless.

The guard is served over the same pipe, as a hook for every event of its host: one that no setting of the project can
switch off, and that ends with the executor. Before the task is told, a trial prompt shows that the hooks work: the hook
stops it, so that no model sees it.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.adapters.hooks.claude import CLAUDE
from supervisor.adapters.hooks.host import TIMEOUT
from supervisor.runtime.drivers.agents.channel import Message
from supervisor.runtime.drivers.agents.judging import Answer
from supervisor.runtime.drivers.agents.notes import masked, shown_call, write_private
from supervisor.runtime.drivers.agents.observation import (
    Kind,
    Observation,
    count,
    mapping,
    number,
    objects,
    text,
)
from supervisor.runtime.drivers.agents.talk import Talk
from supervisor.runtime.drivers.driver import Capabilities
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.usage import Spent

CAPABILITIES = Capabilities(reason_on_deny=True, quota=True, cost=True, tokens=True)
_STARTS = 120.0  # seconds to start, and to answer the trial prompt
_TRIAL = "Supervisor tries out whether this session is guarded. Answer with the one word `unguarded`."
_TOLD = 500  # characters of the agent's last words that are kept as the outcome
_LEAST_WAIT = 60.0  # seconds before another attempt where a limit does not say when it ends
_ASKS_A_PERSON = "No person is there to answer now. Decide it yourself as the task has it, say so, and go on."
_FLAGS = ("-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json")
_OWN = ("--permission-prompt-tool", "stdio", "--setting-sources", "", "--strict-mcp-config")
_QUIET = {"DISABLE_AUTOUPDATER": "1", "CLAUDECODE": ""}  # the latter says that one Claude Code runs inside another
_INSTRUCTIONS = "CLAUDE.md"  # not read by itself, since the project's settings are not


class ClaudeDialect:
    """One attempt with Claude Code."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._tries = False
        self._is_guarded = False
        self._proposed: set[str] = set()
        self._judged: set[str] = set()
        self._allowed: set[str] = set()
        self._unjudged = ""
        self._before: Spent | None = None

    def command(self) -> tuple[str, ...]:
        job, notes = self._talk.job, self._talk.notes
        settings = job.home / "settings.json"
        write_private(settings, json.dumps({"permissions": {"defaultMode": "default"}}))
        words = [*job.spec.command, *_FLAGS, *_OWN, "--settings", str(settings)]
        if (job.folder / _INSTRUCTIONS).is_file():
            words += ["--append-system-prompt", f"Read {_INSTRUCTIONS} first: the instructions of this project."]
        return (*words, "--resume", notes.session) if notes.session else tuple(words)

    def environment(self) -> Mapping[str, str]:
        return _QUIET

    async def converse(self) -> Outcome:
        talk = self._talk
        told = talk.notes.cut_off(talk.job.previous.reason if talk.job.previous else "") if talk.notes.session else ""
        talk.notes.session = ""  # until it has shown that it can be gone on with
        await self._initialize()
        if not await self._tried() and not talk.allows_unguarded:
            return Outcome(Ending.REFUSED, "claude would run unguarded: its hooks do not ask the guard")
        await talk.channel.send(_said("\n\n".join(filter(None, (told, talk.job.spec.prompt)))))
        return self._outcome(await talk.turn())

    async def _initialize(self) -> None:
        hooks = {name: [{"hookCallbackIds": [name], "timeout": TIMEOUT}] for name in CLAUDE.events}
        key = secrets.token_hex(8)
        asked = {"type": "control_request", "request_id": key, "request": {"subtype": "initialize", "hooks": hooks}}
        await self._talk.channel.request(key, asked, _STARTS)

    async def _tried(self) -> bool:
        """Whether the hook has stopped a trial prompt. Its result also tells what was spent before."""
        self._tries = True
        await self._talk.channel.send(_said(_TRIAL))
        await self._talk.turn(_STARTS)
        self._tries = False
        if self._is_guarded:
            self._before, self._talk.spent = self._talk.spent, Spent(cost=0.0)
        return self._is_guarded

    def _outcome(self, ended: Observation) -> Outcome:
        if self._unjudged and not self._talk.allows_unguarded:
            return Outcome(Ending.REFUSED, f"claude ran unguarded: no hook has asked about {self._unjudged}")
        told = masked(ended.text, _TOLD)
        if not ended.failed:
            return Outcome(Ending.SUCCEEDED, told, 0)
        until = self._talk.quota_until
        if until is not None:
            return Outcome(Ending.LIMITED, told, wait=max(_LEAST_WAIT, until - time.time()))
        return Outcome(Ending.FAILED, told)

    def observe(self, message: Message) -> Iterator[Observation]:
        read = _READERS.get(text(message, "type"))
        if read is not None:
            yield from read(self, message)

    def reply_to(self, message: Message) -> tuple[str, Message | None] | None:
        if text(message, "type") != "control_response":
            return None
        response = mapping(message, "response")
        is_error = text(response, "subtype") == "error"
        return text(response, "request_id"), None if is_error else mapping(response, "response")

    def asks(self, message: Message) -> bool:
        if text(message, "type") != "control_request":
            return False
        if text(message, "request", "input", "hook_event_name") == "PreToolUse":
            self._judged.add(text(message, "request", "input", "tool_use_id"))
        return True

    async def answer(self, message: Message) -> Message:
        asked = mapping(message, "request")
        if text(asked, "subtype") == "can_use_tool":
            given = await self._permission(asked)
        else:
            given = await self._hooked(mapping(asked, "input"))
        response = {"subtype": "success", "request_id": message.get("request_id"), "response": given}
        return {"type": "control_response", "response": response}

    async def _hooked(self, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._tries and text(payload, "hook_event_name") == "UserPromptSubmit":
            self._is_guarded = True
            return {"decision": "block", "reason": "It is guarded."}
        answer = await self._talk.guard.answer(payload)
        if answer.moment == "before" and not answer.refused:
            self._allowed.add(text(payload, "tool_use_id"))
        return hook_output(answer)

    async def _permission(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a question for permission. What the hook has let through may run; what no hook has seen is
        judged here."""
        call, args = text(asked, "tool_use_id"), mapping(asked, "input")
        if text(asked, "tool_name") in _FOR_PEOPLE:
            return {"behavior": "deny", "message": _ASKS_A_PERSON}
        if call not in self._allowed:
            about = {"hook_event_name": "PreToolUse", "tool_name": asked.get("tool_name"), "tool_use_id": call}
            answer = await self._talk.guard.answer({**about, "tool_input": args})
            if answer.refused or answer.output:
                return {"behavior": "deny", "message": answer.reason or _WAITS}
        return {"behavior": "allow", "updatedInput": args}

    def _began(self, message: Message) -> Iterator[Observation]:
        if text(message, "subtype") == "init":
            if not self._tries:
                yield Observation(Kind.SESSION_STARTED, text(message, "session_id"))
            yield Observation(Kind.TURN_STARTED)
        elif text(message, "level") == "warning":
            yield Observation(Kind.WARNING, text(message, "content"))

    def _spoke(self, message: Message) -> Iterator[Observation]:
        for part in objects(message, "message", "content"):
            if text(part, "type") == "text":
                yield Observation(Kind.MESSAGE, text(part, "text"))
            elif text(part, "type") == "tool_use":
                call = text(part, "id")
                self._proposed.add(call)
                yield Observation(Kind.TOOL_PROPOSED, shown_call(text(part, "name"), mapping(part, "input")), call)

    def _heard(self, message: Message) -> Iterator[Observation]:
        for part in objects(message, "message", "content"):
            if text(part, "type") == "tool_result":
                call, failed = text(part, "tool_use_id"), part.get("is_error") is True
                if not failed and call in self._proposed - self._judged:
                    self._unjudged = self._talk.notes.running.get(call, call)
                yield Observation(Kind.TOOL_FINISHED, call=call, failed=failed)

    def _limited(self, message: Message) -> Iterator[Observation]:
        told = mapping(message, "rate_limit_info") or message
        if text(told, "status") == "rejected":
            yield Observation(Kind.QUOTA, text(told, "rateLimitType"), until=number(told, "resetsAt") or 0.0)

    def _ended(self, message: Message) -> Iterator[Observation]:
        total = _total(message)
        self._talk.spent = total if self._before is None else total.since(self._before)
        yield Observation(Kind.USAGE, spent=self._talk.spent)
        subtype = text(message, "subtype")
        failed = message.get("is_error") is True or subtype.startswith("error")
        yield Observation(Kind.TURN_ENDED, text(message, "result") or subtype, failed=failed)


_READERS = {
    "system": ClaudeDialect._began,
    "assistant": ClaudeDialect._spoke,
    "user": ClaudeDialect._heard,
    "rate_limit_event": ClaudeDialect._limited,
    "result": ClaudeDialect._ended,
}
_FOR_PEOPLE = ("AskUserQuestion", "ExitPlanMode")
_WAITS = "It waits for a person."


def hook_output(answer: Answer) -> Mapping[str, Any]:
    """An answer of the guard as the output of a hook."""
    if answer.moment == "before" and (answer.refused or answer.output is None):
        word = {"permissionDecision": "deny" if answer.refused else "allow"}
        told = {"permissionDecisionReason": answer.reason} if answer.refused else {}
        return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **word, **told}}
    if answer.refused:
        return {"decision": "block", "reason": answer.reason}
    return answer.output or {}


def _said(words: str) -> Message:
    return {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": words}]}}


def _total(result: Message) -> Spent:
    """What a process, or all processes of a session so far, have spent: which of the two, depends on the version."""
    models = [each for each in mapping(result, "modelUsage").values() if isinstance(each, Mapping)]
    read = sum(count(each, "inputTokens") + count(each, "cacheCreationInputTokens") for each in models)
    cached = sum(count(each, "cacheReadInputTokens") for each in models)
    written = sum(count(each, "outputTokens") for each in models)
    return Spent(read + cached, cached, written, number(result, "total_cost_usd"))
