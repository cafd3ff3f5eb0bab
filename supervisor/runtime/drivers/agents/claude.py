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
import os
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import anyio

from supervisor.adapters.hooks.claude import CLAUDE
from supervisor.adapters.hooks.host import TIMEOUT
from supervisor.runtime.drivers.agents import door
from supervisor.runtime.drivers.agents.channel import Message, NoReply
from supervisor.runtime.drivers.agents.claude_hooks import ClaudeHooks
from supervisor.runtime.drivers.agents.notes import masked, shown_call, words_for, write_private
from supervisor.runtime.drivers.agents.observation import Kind, Observation, count, mapping, number, objects, text
from supervisor.runtime.drivers.agents.quota import limited
from supervisor.runtime.drivers.agents.talk import Talk
from supervisor.runtime.drivers.driver import Capabilities, worker_environment
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.said import Said
from supervisor.runtime.tasks.usage import Meter, Spent, Usage, total, usage_since

CAPABILITIES = Capabilities(reason_on_deny=True, park=True, steer=True, quota=True, cost=True, tokens=True)
_STARTS = 120.0  # seconds to start, and to answer the trial prompt
_RESUMES = 30.0  # seconds in which a resumed session makes its deferred call, unless it was made before
_TRIAL = "Supervisor tries out whether this session is guarded. Answer with the one word `unguarded`."
_TOLD = 500  # characters of the agent's last words that are kept as the outcome
_STOPS = 10.0  # seconds to answer an interrupt
_SYNTHETIC = "<synthetic>"  # the model of messages that are Claude Code's own
_TOO_MANY = 429  # the status of a limit
# Variables that lead Claude Code to the models of a cloud, past the gateway.
_CLOUDS = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")
_FLAGS = ("-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json")
_OWN = ("--permission-prompt-tool", "stdio", "--setting-sources", "", "--strict-mcp-config", "--replay-user-messages")
_SETTINGS = {"permissions": {"defaultMode": "default"}}
_QUIET = {"DISABLE_AUTOUPDATER": "1", "CLAUDECODE": ""}  # the latter says that one Claude Code runs inside another
CLAUDE_PROVIDER = "anthropic"
_INSTRUCTIONS = "CLAUDE.md"  # not read by itself, since the project's settings are not


class ClaudeDialect:
    """One attempt with Claude Code."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._hooks = ClaudeHooks(talk.guard)
        self._proposed: set[str] = set()
        self._unjudged = ""
        self._before: Usage | None = None
        self._finished: Usage = {}
        self._turn = Meter()
        self._model = ""  # of the turn that runs; a session that is resumed may repeat its messages before there is one

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

    @property
    def provider(self) -> str:
        job = self._talk.job
        environment = worker_environment(os.environ, job)
        is_routed = CLAUDE_PROVIDER in job.routes and not any(environment.get(name) for name in _CLOUDS)
        return "" if is_routed else CLAUDE_PROVIDER

    async def interrupt(self) -> None:
        key = secrets.token_hex(8)
        asked = {"type": "control_request", "request_id": key, "request": {"subtype": "interrupt"}}
        await self._talk.channel.request(key, asked, _STOPS)

    async def converse(self) -> Outcome:
        talk, hooks = self._talk, self._hooks
        words = words_for(talk.job, talk.notes)
        talk.notes.session = talk.notes.deferred = ""  # until it has shown that it can be gone on with
        await self._initialize()
        if hooks.deferred and await self._goes_on():
            return self._outcome(await self._turns())
        if not await self._tried() and not talk.allows_unguarded:
            return Outcome(Ending.REFUSED, "claude would run unguarded: its hooks do not ask the guard")
        await talk.channel.send(_said(words))
        talk.notes.told = True
        return self._outcome(await self._turns())

    async def _turns(self) -> Observation:
        talk = self._talk
        return await talk.steering.through(talk.turn, self.steer, lambda: self._hooks.parked is None)

    async def steer(self, said: Said) -> None:
        """Claude Code hands a message on between two calls, or begins a turn with it, and tells when it does."""
        if self._hooks.parked is not None:
            raise NoReply("a message would take the place of the call that waits")
        self._talk.steering.awaited.add(said.id)
        await self._talk.channel.send({**_said(said.text), "uuid": said.id})

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

    async def _tried(self) -> bool:
        """Whether the hook has stopped a trial prompt. Its result also tells what was spent before."""
        self._hooks.tries, self._hooks.have_asked = True, False
        await self._talk.channel.send(_said(_TRIAL))
        await self._talk.turn(_STARTS)
        self._hooks.tries = False
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
            return limited(told, until, time.time())
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
            self._model = "" if self._hooks.tries else text(message, "model")
            if not self._hooks.tries:
                yield Observation(Kind.SESSION_STARTED, text(message, "session_id"))
            yield Observation(Kind.TURN_STARTED)
        elif text(message, "subtype") == "api_retry" and message.get("error_status") == _TOO_MANY:
            yield Observation(Kind.QUOTA, until=time.time() + (number(message, "retry_delay_ms") or 0.0) / 1000)
        elif text(message, "level") == "warning":
            yield Observation(Kind.WARNING, text(message, "content"))

    def _spoke(self, message: Message) -> Iterator[Observation]:
        spent = _read_so_far(mapping(message, "message", "usage"))
        if self._model and spent.tokens:
            self._turn.note(text(message, "message", "id"), self._model, spent)
            yield Observation(Kind.USAGE, usage=self._so_far())
        for part in objects(message, "message", "content"):
            if text(part, "type") == "text":
                is_own = text(message, "message", "model") == _SYNTHETIC
                yield Observation(Kind.WARNING if is_own else Kind.MESSAGE, text(part, "text"))
            elif text(part, "type") == "tool_use":
                call = text(part, "id")
                self._proposed.add(call)
                yield Observation(Kind.TOOL_PROPOSED, shown_call(text(part, "name"), mapping(part, "input")), call)

    def _heard(self, message: Message) -> Iterator[Observation]:
        if (id := text(message, "uuid")) in self._talk.steering.awaited:
            self._talk.steering.hears(id)
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
        usage = _usage_of(message)
        if self._before is None:
            self._before = self._spent_before(usage, message)
        self._finished = usage_since(usage, self._before)
        self._turn.clear()
        self._model = ""
        yield Observation(Kind.USAGE, usage=self._so_far())
        if message.get("api_error_status") == _TOO_MANY and self._talk.quota_until is None:
            yield Observation(Kind.QUOTA, until=0.0)
        if text(message, "stop_reason") == "tool_deferred":
            self._talk.notes.deferred = text(message, "deferred_tool_use", "id")
            self._talk.notes.usage = dict(usage)
        subtype = text(message, "subtype")
        failed = message.get("is_error") is True or subtype.startswith("error")
        yield Observation(Kind.TURN_ENDED, text(message, "result") or subtype, failed=failed)

    def _spent_before(self, usage: Usage, ended: Message) -> Usage:
        """What the session had spent before this process, at the end of its first turn. A trial has spent nothing by
        itself. For the turn of a deferred call, that is known only from what was told then: some versions count on,
        others begin anew. At least the turn's own tokens are new."""
        if self._hooks.tries:
            return usage if self._hooks.have_asked else {}
        before = self._talk.notes.usage
        counts_on = total(usage).output - total(before).output >= count(ended, "usage", "output_tokens")
        return before if counts_on else {}

    def _so_far(self) -> Usage:
        """What the attempt has spent so far: on turns that are over, and as far as known, on the one that runs. Money
        is told at the end of a turn."""
        found = {model: spent + Spent(cost=0.0) for model, spent in self._finished.items()}
        for model, spent in self._turn.usage().items():
            found[model] = found.get(model, Spent(cost=0.0)) + spent
        return found


_READERS = {
    "system": ClaudeDialect._began,
    "assistant": ClaudeDialect._spoke,
    "user": ClaudeDialect._heard,
    "rate_limit_event": ClaudeDialect._limited,
    "result": ClaudeDialect._ended,
}


def _said(words: str) -> Message:
    return {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": words}]}}


def _usage_of(result: Message) -> Usage:
    """What a process, or all processes of a session so far, have spent: which of the two, depends on the version."""
    models = mapping(result, "modelUsage")
    return {name: _spent_on(each) for name, each in models.items() if isinstance(each, Mapping)}


def _spent_on(model: Mapping[str, Any]) -> Spent:
    cached, stored = count(model, "cacheReadInputTokens"), count(model, "cacheCreationInputTokens")
    read = count(model, "inputTokens") + cached + stored
    return Spent(read, cached, count(model, "outputTokens"), number(model, "costUSD"), stored)


def _read_so_far(usage: Mapping[str, Any]) -> Spent:
    """What a request has cost at least. What the model has written is known at the end of the turn."""
    cached, stored = count(usage, "cache_read_input_tokens"), count(usage, "cache_creation_input_tokens")
    read = count(usage, "input_tokens") + cached + stored
    return Spent(read, cached, count(usage, "output_tokens"), stored=stored)
