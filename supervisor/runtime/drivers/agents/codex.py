"""Codex over its app-server: https://developers.openai.com/codex/app-server (JSON-RPC, one message a line).

It has a CODEX_HOME of its own, with nothing of the user's but the login. Its hooks are commands, which knock at a door
of the executor. Codex skips hooks that it does not trust, so trust is given and read back; then a trial prompt shows
that the hooks work: the hook stops it, so that no model sees it.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

from supervisor.adapters.hooks.codex import CODEX
from supervisor.runtime.drivers.agents import door
from supervisor.runtime.drivers.agents.channel import Message, NoReply
from supervisor.runtime.drivers.agents.codex_cost import Costs
from supervisor.runtime.drivers.agents.codex_login import KEY, has_subscription, login_of
from supervisor.runtime.drivers.agents.notes import masked, words_for, write_private
from supervisor.runtime.drivers.agents.observation import Kind, Observation, count, mapping, number, objects, text
from supervisor.runtime.drivers.agents.parking import WAITS
from supervisor.runtime.drivers.agents.quota import limited
from supervisor.runtime.drivers.agents.talk import Talk
from supervisor.runtime.drivers.driver import Capabilities, worker_environment
from supervisor.runtime.gateway.providers import Route
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import Question, digest_of
from supervisor.runtime.tasks.said import Said

CAPABILITIES = Capabilities(reason_on_deny=True, park=True, steer=True, quota=True, tokens=True)
_WITHIN = 60.0  # seconds for a reply
_TRIAL = "Supervisor tries out whether this session is guarded. Answer with the one word `unguarded`."
_TOLD = 500  # characters of the agent's last words that are kept as the outcome
_ASKED = 4_000  # characters of a question
_CONFIG = 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\n'
_ITEMS = {
    "commandExecution": "command",
    "fileChange": "changes",
    "mcpToolCall": "tool",
}  # what acts, and how it is shown
_LIMITS = ("usageLimitExceeded", "rateLimitExceeded")
_TOO_MANY = 429  # the status of a limit
_PROVIDER, _OURS = "openai", "supervisor"
_CHOOSES = "model_provider"  # a command that names its own provider is not led elsewhere


class CodexDialect:
    """One attempt with Codex."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._keys = itertools.count(1)
        self._thread = ""
        self._tries = False
        self._is_guarded = False
        self._begun: dict[str, str] = {}
        self._judged: set[str] = set()
        self._allowed: set[str] = set()
        self._parked: Question | None = None
        self._unjudged = ""
        self._costs = Costs()
        self._turn = ""
        self._said = ""

    def command(self) -> tuple[str, ...]:
        return (*self._talk.job.spec.command, "app-server")

    def environment(self) -> Mapping[str, str]:
        return {"CODEX_HOME": str(self._home)}

    @property
    def provider(self) -> str:
        return "" if self._route else _PROVIDER

    @property
    def _route(self) -> Route | None:
        """The way to the gateway. A login with a subscription stays one, whatever keys there are."""
        job = self._talk.job
        if has_subscription(worker_environment(os.environ, job)) or any(_CHOOSES in word for word in job.spec.command):
            return None
        return job.routes.get(_PROVIDER)

    async def interrupt(self) -> None:
        await self._request("turn/interrupt", {"threadId": self._thread, "turnId": self._turn})

    @property
    def _home(self) -> Path:
        return self._talk.job.home / "codex"

    @contextlib.asynccontextmanager
    async def ready(self) -> AsyncIterator[None]:
        async with door.opened(self._talk.job.home, self._hooked) as socket:
            self._settle_in(socket)
            yield

    def _settle_in(self, socket: Path) -> None:
        """Writes the configuration. The login is the user's: a link, so that it stays one when it is renewed."""
        self._home.mkdir(mode=0o700, exist_ok=True)
        before = {event: [CODEX.entry(event, _command(event, socket))] for event in CODEX.events}
        write_private(self._home / "hooks.json", json.dumps({"hooks": before}))
        if not (self._home / "config.toml").exists():
            write_private(self._home / "config.toml", _CONFIG)
        login, own = login_of({**os.environ, **self._talk.job.spec.environment}), self._home / "auth.json"
        if login.exists() and not own.is_symlink() and self._route is None:
            own.symlink_to(login)

    async def converse(self) -> Outcome:
        talk = self._talk
        info = {"name": "supervisor", "title": "Supervisor", "version": "1"}
        await self._request("initialize", {"clientInfo": info})
        await talk.channel.send({"method": "initialized"})
        problem = await self._untrusted()
        words = await self._open_thread()
        if not problem and not await self._tried():
            problem = "its hooks do not ask the guard"
        if problem and not talk.allows_unguarded:
            return Outcome(Ending.REFUSED, f"codex would run unguarded: {problem}")
        await self._say(words)
        talk.notes.told = True
        return self._outcome(await talk.steering.through(talk.turn, self._go_on, lambda: self._parked is None))

    async def _untrusted(self) -> str:
        """Why hooks would not run; empty if all of ours are trusted. The hashes are Codex's own."""
        ours = await self._our_hooks()
        trusted = {text(each, "key"): {"trusted_hash": text(each, "currentHash")} for each in ours}
        edit = {"keyPath": "hooks.state", "value": trusted, "mergeStrategy": "upsert"}
        await self._request("config/batchWrite", {"edits": [edit], "reloadUserConfig": True})
        trusts = [text(each, "key") for each in await self._our_hooks() if text(each, "trustStatus") == "trusted"]
        missing = len(CODEX.events) - len(trusts)
        return f"{missing} of its hooks are not trusted" if missing else ""

    async def _our_hooks(self) -> list[Mapping[str, Any]]:
        listed = await self._request("hooks/list", {"cwds": [str(self._talk.job.folder)]})
        found = [hook for each in objects(listed, "data") for hook in objects(each, "hooks")]
        return [each for each in found if text(each, "sourcePath") == str(self._home / "hooks.json")]

    async def _open_thread(self) -> str:
        """Begins a thread, or goes on with the one before. Returns what its agent is told."""
        notes, where = self._talk.notes, {"cwd": str(self._talk.job.folder), **self._gateway()}
        words = words_for(self._talk.job, notes)
        before, notes.session = notes.session, ""
        if before:
            opened = await self._request("thread/resume", {"threadId": before, **where})
        else:
            opened = await self._request("thread/start", where)
        self._thread = text(opened, "thread", "id")
        self._costs.model = text(opened, "model") or text(opened, "thread", "model") or "unknown"
        if not self._thread:
            raise NoReply("it has not told the name of its thread")
        self._talk.note(Observation(Kind.SESSION_STARTED, self._thread))
        return words

    def _gateway(self) -> Mapping[str, Any]:
        """What leads a thread to the gateway."""
        if self._route is None:
            return {}
        ours = {"name": _OURS, "base_url": self._route.base, "wire_api": "responses", "env_key": KEY}
        return {"modelProvider": _OURS, "config": {f"model_providers.{_OURS}": ours}}

    async def _tried(self) -> bool:
        """Whether the hook has stopped a trial prompt."""
        self._tries = True
        await self._say(_TRIAL)
        await self._talk.turn(_WITHIN)
        self._tries = False
        self._costs.begin(self._thread, anew=not self._is_guarded)
        self._talk.usage = {}
        return self._is_guarded

    async def _say(self, words: str) -> None:
        asked = {"threadId": self._thread, "input": [{"type": "text", "text": words}]}
        await self._request("turn/start", asked)

    async def steer(self, said: Said) -> None:
        if self._parked is not None:
            raise NoReply("the turn is about to end, since a person is asked")
        what = {"input": [{"type": "text", "text": said.text}], "clientUserMessageId": said.id}
        await self._request("turn/steer", {"threadId": self._thread, "expectedTurnId": self._turn, **what})
        self._talk.steering.hears(said.id)

    async def _go_on(self, said: Said) -> None:
        """Begins a turn with a message that came too late for the one before."""
        await self._say(said.text)
        self._talk.steering.hears(said.id)

    async def _request(self, method: str, params: Mapping[str, Any]) -> Message:
        key = next(self._keys)
        return await self._talk.channel.request(str(key), {"id": key, "method": method, "params": params}, _WITHIN)

    def _outcome(self, ended: Observation) -> Outcome:
        if self._unjudged and not self._talk.allows_unguarded:
            return Outcome(Ending.REFUSED, f"codex ran unguarded: no hook has asked about {self._unjudged}")
        if self._parked is not None:
            return Outcome(Ending.PARKED, self._parked.text, question=self._parked)
        told = masked(ended.text, _TOLD)
        if not ended.failed:
            return Outcome(Ending.SUCCEEDED, told, 0)
        until = self._talk.quota_until if ended.until is None else ended.until
        if until is not None:
            return limited(told, until, time.time())
        return Outcome(Ending.FAILED, told)

    def observe(self, message: Message) -> Iterator[Observation]:
        read = _READERS.get(text(message, "method"))
        if read is not None:
            yield from read(self, mapping(message, "params"))

    def reply_to(self, message: Message) -> tuple[str, Message | None] | None:
        if "method" in message or "id" not in message:
            return None
        return str(message["id"]), None if "error" in message else mapping(message, "result")

    def asks(self, message: Message) -> bool:
        return "id" in message and bool(text(message, "method"))

    async def answer(self, message: Message) -> Message:
        give = _ANSWERS.get(text(message, "method"))
        if give is None:
            return {"id": message["id"], "error": {"code": -32601, "message": "Supervisor does not do that"}}
        return {"id": message["id"], "result": give(self, mapping(message, "params"))}

    def _approve(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the hook has let through may run, also outside of Codex's own sandbox."""
        return {"decision": "accept" if text(params, "itemId") in self._allowed else "decline"}

    def _widen(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """No permissions beyond one call."""
        return {"permissions": {}}

    def _ask(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """A person is asked, and answers in a later turn."""
        asked = objects(params, "questions")
        told = masked("\n".join(line for each in asked for line in _lines(each)), _ASKED)
        self._parked = self._parked or Question(told, (), digest_of("request_user_input", params), told)
        return {"answers": {text(each, "id"): {"answers": [WAITS]} for each in asked}}

    def _decline(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"action": "decline"}

    async def _hooked(self, payload: Mapping[str, Any]) -> door.Exit:
        if self._tries and text(payload, "hook_event_name") == "UserPromptSubmit":
            self._is_guarded = True
            return door.Exit(2, "", "It is guarded.")
        call = text(payload, "tool_use_id")
        if text(payload, "hook_event_name") == "PreToolUse":
            self._judged.add(call)
        answer = await self._talk.guard.answer(payload)
        if answer.question is not None:
            self._parked = self._parked or answer.question
            return door.Exit(2, "", WAITS) if answer.moment == "before" else door.Exit()
        if answer.moment == "before" and not answer.refused:
            self._allowed.add(call)
        return door.exit_of(answer)

    def _turn_began(self, params: Mapping[str, Any]) -> Iterator[Observation]:
        if text(params, "threadId") == self._thread:
            self._turn = text(params, "turn", "id")
            yield Observation(Kind.TURN_STARTED)

    def _item_began(self, params: Mapping[str, Any]) -> Iterator[Observation]:
        item = mapping(params, "item")
        call, kind = text(item, "id"), text(item, "type")
        if kind in _ITEMS:
            shown = f"{kind} {json.dumps(item.get(_ITEMS[kind]), ensure_ascii=False)}"
            self._begun[call] = shown
            yield Observation(Kind.TOOL_PROPOSED, shown, call)

    def _item_ended(self, params: Mapping[str, Any]) -> Iterator[Observation]:
        item = mapping(params, "item")
        if text(item, "type") == "agentMessage":
            self._said = text(item, "text") or self._said
            yield Observation(Kind.MESSAGE, text(item, "text"))
        elif text(item, "type") in _ITEMS:
            call, failed = text(item, "id"), text(item, "status") != "completed"
            if not failed and call in self._begun and call not in self._judged:
                self._unjudged = masked(self._begun[call])
            yield Observation(Kind.TOOL_FINISHED, call=call, failed=failed)

    def _used(self, params: Mapping[str, Any]) -> Iterator[Observation]:
        usage = self._costs.told(params)
        if usage is not None:
            yield Observation(Kind.USAGE, usage=usage)

    def _limits(self, params: Mapping[str, Any]) -> Iterator[Observation]:
        limits = mapping(params, "rateLimits")
        if text(limits, "rateLimitReachedType"):
            windows = (mapping(limits, "primary"), mapping(limits, "secondary"))
            used = [each for each in windows if (number(each, "usedPercent") or 0) >= 100]
            yield Observation(Kind.QUOTA, until=max((number(each, "resetsAt") or 0.0 for each in used), default=0.0))

    def _warned(self, params: Mapping[str, Any]) -> Iterator[Observation]:
        yield Observation(Kind.WARNING, text(params, "summary") or text(params, "error", "message"))

    def _failed(self, params: Mapping[str, Any]) -> Iterator[Observation]:
        """A request has failed, which Codex may repeat by itself."""
        yield from self._warned(params)
        if _is_limit(mapping(params, "error").get("codexErrorInfo")) and self._talk.quota_until is None:
            yield Observation(Kind.QUOTA, until=0.0)

    def _turn_ended(self, params: Mapping[str, Any]) -> Iterator[Observation]:
        if text(params, "threadId") != self._thread:
            return
        failed = text(params, "turn", "status") != "completed"
        told = text(params, "turn", "error", "message") or text(params, "turn", "status") if failed else self._said
        is_limit = failed and _is_limit(mapping(params, "turn", "error").get("codexErrorInfo"))
        until = (self._talk.quota_until or 0.0) if is_limit else None
        yield Observation(Kind.TURN_ENDED, told, failed=failed, until=until)


_READERS = {
    "turn/started": CodexDialect._turn_began,
    "turn/completed": CodexDialect._turn_ended,
    "item/started": CodexDialect._item_began,
    "item/completed": CodexDialect._item_ended,
    "thread/tokenUsage/updated": CodexDialect._used,
    "account/rateLimits/updated": CodexDialect._limits,
    "warning": CodexDialect._warned,
    "configWarning": CodexDialect._warned,
    "error": CodexDialect._failed,
}
_ANSWERS = {
    "item/commandExecution/requestApproval": CodexDialect._approve,
    "item/fileChange/requestApproval": CodexDialect._approve,
    "item/permissions/requestApproval": CodexDialect._widen,
    "item/tool/requestUserInput": CodexDialect._ask,
    "mcpServer/elicitation/request": CodexDialect._decline,
}


def _command(event: str, socket: Path) -> str:
    return door.command_of(socket, refuses=CODEX.events[event] == "before")


def _is_limit(info: Any) -> bool:
    """Whether a turn has failed because the provider gives no more for now."""
    if isinstance(info, str):
        return info in _LIMITS
    details = mapping(info).values()
    return any(count(each, "httpStatusCode") == _TOO_MANY for each in details)


def _lines(question: Mapping[str, Any]) -> list[str]:
    """A question with the answers that it offers."""
    options = objects(question, "options")
    return [text(question, "question"), *(f"- {text(each, 'label')}: {text(each, 'description')}" for each in options)]
