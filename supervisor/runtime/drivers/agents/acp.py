"""Any agent that speaks the Agent Client Protocol, version 1: https://agentclientprotocol.com (JSON-RPC, one message a
line).

The protocol has no hooks. What such an agent asks permission for is judged, and that is not all that it does: so it
starts only where workers may run unguarded. A denial has no reason in this protocol, and a question that waits for a
person is a denial whose answer comes in a later turn.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import shlex
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from supervisor.runtime.drivers.agents.channel import Message, NoReply
from supervisor.runtime.drivers.agents.notes import masked, shown_call, words_for
from supervisor.runtime.drivers.agents.observation import Kind, Observation, count, mapping, objects, text
from supervisor.runtime.drivers.agents.talk import Talk
from supervisor.runtime.drivers.driver import Capabilities
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import Question
from supervisor.runtime.tasks.said import Said
from supervisor.runtime.tasks.usage import Spent

CAPABILITIES = Capabilities(park=True, tokens=True)
_WITHIN = 60.0  # seconds for a reply
_DONE = "end_turn"
_URGED = 5  # turns that follow because the one before was not to be the end
_TOLD = 500  # characters of the agent's last words that are kept as the outcome
_VERSION = 1
_PROVIDER = _MODEL = "unknown"  # the protocol tells neither
_CLIENT = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}  # the agent has its own
_ASKING_MODES = ("default", "workspace-write", "ask")  # in which an agent asks a person and not a model
_UNGUARDED = "its protocol has no hooks: `supervisor up --unhooked` starts it, and judges what it asks permission for"


class AcpDialect:
    """One attempt with an agent that speaks ACP."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._keys = itertools.count(1)
        self._parked: Question | None = None
        self._said: list[str] = []
        self._error = ""
        self._shown: dict[str, str] = {}
        self._session = ""

    @contextlib.asynccontextmanager
    async def ready(self) -> AsyncIterator[None]:
        yield

    def command(self) -> tuple[str, ...]:
        return self._talk.job.spec.command

    def environment(self) -> Mapping[str, str]:
        return {}

    @property
    def provider(self) -> str:
        return "" if self._talk.job.routes else _PROVIDER

    async def interrupt(self) -> None:
        """The protocol has no answer to that; the turn ends."""
        about = {"sessionId": self._session}
        await self._talk.channel.send({"jsonrpc": "2.0", "method": "session/cancel", "params": about})

    async def steer(self, said: Said) -> None:
        raise NoReply("the protocol has no word for it")

    async def converse(self) -> Outcome:
        talk = self._talk
        if not talk.allows_unguarded:
            return Outcome(Ending.REFUSED, f"{talk.job.spec.command[0]} would run unguarded: {_UNGUARDED}")
        words = words_for(talk.job, talk.notes)
        begun = await self._request("initialize", {"protocolVersion": _VERSION, "clientCapabilities": _CLIENT})
        can_load = mapping(begun, "agentCapabilities").get("loadSession") is True
        session = self._session = await self._open(can_load=can_load)
        talk.note(Observation(Kind.SESSION_STARTED, session))
        talk.note(Observation(Kind.TURN_STARTED))
        talk.notes.told = can_load  # else the next attempt begins anew
        return await self._turns(session, words)

    async def _turns(self, session: str, words: str) -> Outcome:
        """Says what is to be done, and at the end of a turn, why it may not be the end."""
        for is_again in (False, *[True] * _URGED):
            self._said.clear()
            asked = {"sessionId": session, "prompt": [{"type": "text", "text": words}]}
            ended = await self._request("session/prompt", asked, math.inf)
            self._spent(ended)
            about = {"hook_event_name": "Stop", "stop_hook_active": is_again}
            answer = await self._talk.guard.answer({**about, "last_assistant_message": "".join(self._said)})
            self._parked = self._parked or answer.question
            if self._parked is not None or not answer.refused or text(ended, "stopReason") != _DONE:
                break
            words = answer.reason
        return self._outcome(ended)

    async def _open(self, *, can_load: bool) -> str:
        """Goes on with the session before if the agent can, else begins one. Returns its name."""
        before, where = self._talk.notes.session, {"cwd": str(self._talk.job.folder), "mcpServers": []}
        if before and can_load:
            try:
                await self._set_mode(before, await self._request("session/load", {"sessionId": before, **where}))
            except NoReply as error:
                self._talk.note(Observation(Kind.WARNING, f"the session before cannot be loaded: {error}"))
            else:
                return before
        opened = await self._request("session/new", where)
        session = text(opened, "sessionId")
        if not session:
            raise NoReply("it has not told the name of its session")
        await self._set_mode(session, opened)
        return session

    async def _set_mode(self, session: str, opened: Message) -> None:
        """Has a person asked, in an agent that has modes: some begin in one in which a model decides."""
        modes = [text(each, "id") for each in objects(opened, "modes", "availableModes")]
        wanted = next((each for each in _ASKING_MODES if each in modes), "")
        if wanted and text(opened, "modes", "currentModeId") != wanted:
            await self._request("session/set_mode", {"sessionId": session, "modeId": wanted})

    async def _request(self, method: str, params: Mapping[str, Any], within: float = _WITHIN) -> Message:
        key = next(self._keys)
        asked = {"jsonrpc": "2.0", "id": key, "method": method, "params": params}
        try:
            return await self._talk.channel.request(str(key), asked, within)
        except NoReply as error:
            told = f"{error}: {masked(self._error, _TOLD)}" if self._error else str(error)
            raise NoReply(f"{method}: {told}") from None

    def _outcome(self, ended: Message) -> Outcome:
        if self._parked is not None:
            return Outcome(Ending.PARKED, self._parked.text, question=self._parked)
        reason, told = text(ended, "stopReason"), masked("".join(self._said), _TOLD)
        if reason == _DONE:
            return Outcome(Ending.SUCCEEDED, told, 0)
        return Outcome(Ending.FAILED, f"its turn has ended: {reason or 'no reason'}. {told}".strip())

    def _spent(self, ended: Message) -> None:
        spent = _spent(ended)
        if spent is not None:
            so_far = spent if self._talk.spent is None else self._talk.spent + spent
            self._talk.note(Observation(Kind.USAGE, usage={_MODEL: so_far}))

    def observe(self, message: Message) -> Iterator[Observation]:
        if "error" in message:
            self._error = text(message, "error", "message")
        if text(message, "method") != "session/update":
            return
        update = mapping(message, "params", "update")
        kind, call = text(update, "sessionUpdate"), text(update, "toolCallId")
        if kind == "agent_message_chunk":
            self._said.append(text(update, "content", "text"))
            yield Observation(Kind.MESSAGE, text(update, "content", "text"))
        elif kind == "tool_call":
            yield from self._proposed(update)
        if kind in ("tool_call", "tool_call_update") and text(update, "status") in ("completed", "failed"):
            yield Observation(Kind.TOOL_FINISHED, call=call, failed=text(update, "status") == "failed")

    def _proposed(self, call: Mapping[str, Any]) -> Iterator[Observation]:
        name = text(call, "toolCallId")
        if name not in self._shown:
            self._shown[name] = " ".join(filter(None, (text(call, "kind"), text(call, "title"))))
            yield Observation(Kind.TOOL_PROPOSED, self._shown[name], name)

    def reply_to(self, message: Message) -> tuple[str, Message | None] | None:
        if "method" in message or "id" not in message:
            return None
        return str(message["id"]), None if "error" in message else mapping(message, "result")

    def asks(self, message: Message) -> bool:
        return "id" in message and bool(text(message, "method"))

    async def answer(self, message: Message) -> Message:
        known = {"jsonrpc": "2.0", "id": message["id"]}
        if text(message, "method") != "session/request_permission":
            return {**known, "error": {"code": -32601, "message": "Supervisor does not do that"}}
        params = mapping(message, "params")
        call = mapping(params, "toolCall")
        for observation in self._proposed(call):
            self._talk.note(observation)
        allows = await self._may(call)
        if not allows:  # some agents say no more of such a call
            self._talk.note(Observation(Kind.TOOL_FINISHED, call=text(call, "toolCallId"), failed=True))
        return {**known, "result": {"outcome": _chosen(params, allows=allows)}}

    async def _may(self, call: Mapping[str, Any]) -> bool:
        """Whether everything that a call would do may be done."""
        for tool, args in actions_of(call):
            about = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": args}
            answer = await self._talk.guard.answer({**about, "tool_use_id": call.get("toolCallId")})
            self._parked = self._parked or answer.question
            if answer.refused or answer.question is not None:
                self._talk.note(Observation(Kind.WARNING, f"refused {shown_call(tool, args)}: {answer.reason}"))
                return False
        return True


def actions_of(call: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """What a tool call would do, as far as the protocol tells: each as a tool and its arguments."""
    kind, given = text(call, "kind"), mapping(call, "rawInput")
    paths = [text(each, "path") for each in objects(call, "locations")]
    diffs = [each for each in objects(call, "content") if text(each, "type") == "diff"]
    if diffs:
        return [("Write", {"file_path": text(each, "path"), "content": text(each, "newText")}) for each in diffs]
    if kind == "execute":
        return [("Bash", {**given, "command": text(given, "command") or text(call, "title")})]
    if kind == "delete" and paths:
        return [("Bash", {"command": shlex.join(["rm", "--", *paths])})]
    if kind == "fetch":
        return [("WebFetch", {**given, "url": text(given, "url") or text(call, "title")})]
    return [(f"acp_{kind or 'other'}", {**given, "title": text(call, "title"), "paths": paths})]


def _chosen(params: Mapping[str, Any], *, allows: bool) -> Mapping[str, Any]:
    """The option of the right kind: its id and its name are the agent's own words. Nothing is allowed for longer than
    once. Without an option to reject, the turn is cancelled."""
    wanted = ("allow_once",) if allows else ("reject_once", "reject_always")
    options = {text(each, "kind"): text(each, "optionId") for each in objects(params, "options")}
    chosen = next((options[kind] for kind in wanted if kind in options), None)
    return {"outcome": "cancelled"} if chosen is None else {"outcome": "selected", "optionId": chosen}


def _spent(ended: Message) -> Spent | None:
    """The tokens of a turn, where an agent tells them: as the protocol has it, or as Gemini CLI does."""
    usage = mapping(ended, "usage")
    if usage:
        return Spent(count(usage, "inputTokens"), count(usage, "cachedReadTokens"), count(usage, "outputTokens"))
    tokens = mapping(ended, "_meta", "quota", "token_count")
    return Spent(count(tokens, "input_tokens"), 0, count(tokens, "output_tokens")) if tokens else None
