"""Claude Code over stream-json: https://code.claude.com/docs/en/headless.

The guard is served over the same pipe, as a hook for every event of its host: one that no setting of the project can
switch off, and that ends with the executor. Before the task is told, a trial prompt shows that the hooks work: the hook
stops it, so that no model sees it.

A call that waits for a person is deferred, and its process ends. Claude Code makes exactly that call again as soon as
the session is resumed, before it knows of hooks from here. So its settings have a hook of their own then, a command
that knocks at a door of the executor.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import anyio

from supervisor.adapters.hooks.claude import CLAUDE
from supervisor.adapters.hooks.host import TIMEOUT
from supervisor.runtime.drivers.agents import door
from supervisor.runtime.drivers.agents.channel import Message
from supervisor.runtime.drivers.agents.claude_hooks import ClaudeHooks
from supervisor.runtime.drivers.agents.notes import masked, shown_call, write_private
from supervisor.runtime.drivers.agents.observation import Kind, Observation, count, mapping, number, objects, text
from supervisor.runtime.drivers.agents.parking import answered
from supervisor.runtime.drivers.agents.talk import Talk
from supervisor.runtime.drivers.driver import Capabilities
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.usage import Spent

CAPABILITIES = Capabilities(reason_on_deny=True, park=True, quota=True, cost=True, tokens=True)
_STARTS = 120.0  # seconds to start, and to answer the trial prompt
_RESUMES = 30.0  # seconds in which a resumed session makes its deferred call, unless it was made before
_TRIAL = "Supervisor tries out whether this session is guarded. Answer with the one word `unguarded`."
_TOLD = 500  # characters of the agent's last words that are kept as the outcome
_LEAST_WAIT = 60.0  # seconds before another attempt where a limit does not say when it ends
_FLAGS = ("-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json")
_OWN = ("--permission-prompt-tool", "stdio", "--setting-sources", "", "--strict-mcp-config")
_SETTINGS = {"permissions": {"defaultMode": "default"}}
_QUIET = {"DISABLE_AUTOUPDATER": "1", "CLAUDECODE": ""}  # the latter says that one Claude Code runs inside another
_INSTRUCTIONS = "CLAUDE.md"  # not read by itself, since the project's settings are not


class ClaudeDialect:
    """One attempt with Claude Code."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._hooks = ClaudeHooks(talk.guard)
        self._proposed: set[str] = set()
        self._unjudged = ""
        self._before: Spent | None = None
        self._turn_output = 0

    @property
    def _settings(self) -> Path:
        return self._talk.job.home / "settings.json"

    @contextlib.asynccontextmanager
    async def ready(self) -> AsyncIterator[None]:
        if not self._talk.notes.deferred:
            write_private(self._settings, json.dumps(_SETTINGS))
            yield
            return
        self._hooks.deferred = self._talk.notes.deferred
        async with door.opened(self._talk.job.home, self._hooks.knock) as socket:
            hooks = {"PreToolUse": [CLAUDE.entry("PreToolUse", door.command_of(socket, refuses=True))]}
            write_private(self._settings, json.dumps({**_SETTINGS, "hooks": hooks}))
            yield

    def command(self) -> tuple[str, ...]:
        job, notes = self._talk.job, self._talk.notes
        words = [*job.spec.command, *_FLAGS, *_OWN, "--settings", str(self._settings)]
        if (job.folder / _INSTRUCTIONS).is_file():
            words += ["--append-system-prompt", f"Read {_INSTRUCTIONS} first: the instructions of this project."]
        return (*words, "--resume", notes.session) if notes.session else tuple(words)

    def environment(self) -> Mapping[str, str]:
        return _QUIET

    async def converse(self) -> Outcome:
        talk, hooks = self._talk, self._hooks
        told = self._told()
        talk.notes.session = talk.notes.deferred = ""  # until it has shown that it can be gone on with
        await self._initialize()
        if hooks.deferred and await self._goes_on():
            return self._outcome(await self._turn_after_deferral())
        if not await self._tried() and not talk.allows_unguarded:
            return Outcome(Ending.REFUSED, "claude would run unguarded: its hooks do not ask the guard")
        await talk.channel.send(_said("\n\n".join(filter(None, (told, talk.job.spec.prompt)))))
        return self._outcome(await talk.turn())

    def _told(self) -> str:
        """What an agent is told that goes on with a session."""
        job = self._talk.job
        if not self._talk.notes.session:
            return ""
        return answered(job.given) or self._talk.notes.cut_off(job.previous.reason if job.previous else "")

    async def _initialize(self) -> None:
        hooks = {name: [{"hookCallbackIds": [name], "timeout": TIMEOUT}] for name in CLAUDE.events}
        key = secrets.token_hex(8)
        asked = {"type": "control_request", "request_id": key, "request": {"subtype": "initialize", "hooks": hooks}}
        await self._talk.channel.request(key, asked, _STARTS)
        self._hooks.are_known = True

    async def _goes_on(self) -> bool:
        """Whether the session makes its deferred call, and goes on by itself."""
        with anyio.move_on_after(_RESUMES):
            await self._hooks.knocked.wait()
        return self._hooks.knocked.is_set()

    async def _turn_after_deferral(self) -> Observation:
        """The end of that turn. What was spent before it is known only from what was told then: some versions count on,
        others begin anew. At least this turn's own tokens are new."""
        ended = await self._talk.turn()
        total, before = self._talk.spent or Spent(), self._talk.notes.total
        self._talk.spent = total.since(before) if total.output - before.output >= self._turn_output else total
        return ended

    async def _tried(self) -> bool:
        """Whether the hook has stopped a trial prompt. Its result also tells what was spent before."""
        self._hooks.tries, self._hooks.have_asked = True, False
        await self._talk.channel.send(_said(_TRIAL))
        await self._talk.turn(_STARTS)
        self._hooks.tries = False
        if self._hooks.have_asked:
            self._before, self._talk.spent = self._talk.spent, Spent(cost=0.0)
        return self._hooks.have_asked

    def _outcome(self, ended: Observation) -> Outcome:
        if self._unjudged and not self._talk.allows_unguarded:
            return Outcome(Ending.REFUSED, f"claude ran unguarded: no hook has asked about {self._unjudged}")
        if parked := self._hooks.parked:
            return Outcome(Ending.PARKED, parked.text, question=parked)
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
            self._hooks.judged.add(text(message, "request", "input", "tool_use_id"))
        return True

    async def answer(self, message: Message) -> Message:
        asked = mapping(message, "request")
        is_permission = text(asked, "subtype") == "can_use_tool"
        given = await (self._hooks.permission(asked) if is_permission else self._hooks.hooked(mapping(asked, "input")))
        response = {"subtype": "success", "request_id": message.get("request_id"), "response": given}
        return {"type": "control_response", "response": response}

    def _began(self, message: Message) -> Iterator[Observation]:
        if text(message, "subtype") == "init":
            if not self._hooks.tries:
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
                if not failed and call in self._proposed - self._hooks.judged:
                    self._unjudged = self._talk.notes.running.get(call, call)
                yield Observation(Kind.TOOL_FINISHED, call=call, failed=failed)

    def _limited(self, message: Message) -> Iterator[Observation]:
        told = mapping(message, "rate_limit_info") or message
        if text(told, "status") == "rejected":
            yield Observation(Kind.QUOTA, text(told, "rateLimitType"), until=number(told, "resetsAt") or 0.0)

    def _ended(self, message: Message) -> Iterator[Observation]:
        total, self._turn_output = _total(message), count(message, "usage", "output_tokens")
        self._talk.spent = total if self._before is None else total.since(self._before)
        yield Observation(Kind.USAGE, spent=self._talk.spent)
        if text(message, "stop_reason") == "tool_deferred":
            self._talk.notes.deferred = text(message, "deferred_tool_use", "id")
            self._talk.notes.total = total
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


def _said(words: str) -> Message:
    return {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": words}]}}


def _total(result: Message) -> Spent:
    """What a process, or all processes of a session so far, have spent: which of the two, depends on the version."""
    models = [each for each in mapping(result, "modelUsage").values() if isinstance(each, Mapping)]
    read = sum(count(each, "inputTokens") + count(each, "cacheCreationInputTokens") for each in models)
    cached = sum(count(each, "cacheReadInputTokens") for each in models)
    written = sum(count(each, "outputTokens") for each in models)
    return Spent(read + cached, cached, written, number(result, "total_cost_usd"))
