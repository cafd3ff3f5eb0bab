"""Messages between a client and a server: tool calls and their results are judged, listings are read."""

from __future__ import annotations

import json
import logging
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from supervisor.adapters.calls import Calls
from supervisor.adapters.mcp.asking import Asking, Held, said
from supervisor.adapters.mcp.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    NUMBERS,
    PARSE_ERROR,
    Unclear,
    answer,
    error,
    key_of,
    read,
    refused,
    shallow,
    written,
)
from supervisor.adapters.mcp.tools import Tools
from supervisor.adapters.proposed import Proposed
from supervisor.intake.json_values import clean

MAX_WAITING = 10_000  # requests that a server has not answered; the oldest is dropped
_LONGEST_NAME = 100  # characters of a server's name
_INTRODUCTIONS = ("initialize", "server/discover")  # up to the revision of 2025-11-25, and later
logger = logging.getLogger("supervisor")


@dataclass(frozen=True, slots=True)
class Passage:
    """The result of a client's message: lines for the server, and immediate replies to the client."""

    forward: list[tuple[bytes, Any]] = field(default_factory=list)  # lines, each with its parsed message
    reply: list[bytes] = field(default_factory=list)


class Gate:
    """One connection, which is one session. One thread may pass the client's messages, and another the server's."""

    def __init__(self, calls: Calls, tools: Tools) -> None:
        self._calls, self._tools = calls, tools
        self._session = calls.session()
        self._waiting: OrderedDict[str, tuple[str, Proposed | None]] = OrderedDict()
        self._asking = Asking()
        self._lock, self._listing = threading.Lock(), threading.Lock()

    def from_client(self, line: bytes) -> Passage:
        """Handles a line from the client. An ambiguous or unreadable message is answered with an error."""
        try:
            message = read(line)
        except Unclear as problem:
            return Passage(reply=[error(None, PARSE_ERROR, f"not passed on: {problem}")])
        if not isinstance(message, list):
            return self._one(line, message)
        passages = [self._one(written(each), each) for each in message]  # a batch, which older clients may send
        forward, reply = [each.forward for each in passages], [each.reply for each in passages]
        return Passage(list(chain.from_iterable(forward)), list(chain.from_iterable(reply)))

    def from_server(self, line: bytes) -> bytes:
        """The line to the client for a line from the server. It is the same line, except for an ambiguous answer or a
        result with an objection."""
        try:
            message = read(line)
        except Unclear as problem:
            return _unclear_answer(line, problem) or line
        parts = message if isinstance(message, list) else [message]
        changed = [self._answered(each) if _is_answer(each) else None for each in parts]
        if not any(changed):
            return line
        shown_parts = [other or each for each, other in zip(parts, changed, strict=True)]
        return written(shown_parts if isinstance(message, list) else shown_parts[0])

    def _one(self, line: bytes, message: Any) -> Passage:
        method = message.get("method") if isinstance(message, dict) else None
        if method == "tools/call":
            return self._called(line, message)
        if self._asking.is_ours(message):
            return self._answer(message)
        if method == "notifications/cancelled":
            self._asking.cancelled(message)
        if method == "initialize":
            self._asking.introduced(message)
        if method in _INTRODUCTIONS or method == "tools/list":
            self._sent(message.get("id"), method)
        elif method == "tasks/result":
            self._sent_for_task(message)
        return Passage([(line, message)])

    def _called(self, line: bytes, message: dict[str, Any]) -> Passage:
        id, params = message.get("id"), message.get("params")
        params = params if isinstance(params, dict) else {}
        name, args = params.get("name"), params.get("arguments")
        args = {} if args is None else args
        if not isinstance(name, str) or not isinstance(args, dict):
            problem = "a tool call has a name, and arguments that are an object"
            return Passage(reply=[error(id, INVALID_PARAMS, problem)] if "id" in message else [])
        with self._listing:
            if self._tools.called(name):
                self._session.relearn(tools=self._tools.facts())
        call: dict[str, Any] = {"tool": name, "args": args, "session": self._session, "kind": self._tools.kind(name)}
        proposed = self._calls.before(**call, waits="never")  # other messages must not wait
        if proposed.question and "id" in message and self._asking.can:
            return Passage(reply=[self._asking.ask(Held(line, message, proposed, call))])
        return self._judged(line, message, proposed)

    def _answer(self, message: dict[str, Any]) -> Passage:
        """Handles the answer of the client's user to our question."""
        held = self._asking.answered(message)
        if held is None:
            return Passage()
        proposed = held.proposed
        if answer := said(message):
            proposed = self._calls.answered(proposed, "the MCP client", *answer, **held.call)
        return self._judged(held.line, held.message, proposed)

    def _judged(self, line: bytes, message: dict[str, Any], proposed: Proposed) -> Passage:
        if not proposed.refusal:
            self._sent(message.get("id"), "tools/call", proposed)
            return Passage([(line, message)])
        return Passage(reply=[refused(message, proposed.refusal)] if "id" in message else [])

    def _sent(self, id: Any, method: str, proposed: Proposed | None = None) -> None:
        with self._lock:
            self._waiting[key_of(id)] = method, proposed
            if len(self._waiting) > MAX_WAITING:
                self._waiting.popitem(last=False)

    def _sent_for_task(self, message: dict[str, Any]) -> None:
        """Handles a request for the result of a task, which an earlier call has become."""
        params = message.get("params")
        task = params.get("taskId") if isinstance(params, dict) else None
        with self._lock:
            _, proposed = self._waiting.pop(f"task {task}", ("", None))
        if proposed:
            self._sent(message.get("id"), "tools/call", proposed)

    def _answered(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Reads a server's answer. Returns the answer that replaces it, if any."""
        with self._lock:
            method, proposed = self._waiting.pop(key_of(message["id"]), ("", None))
        result = message.get("result")
        if method == "tools/list" and isinstance(result, dict):
            self._listed(result.get("tools"))
        elif method in _INTRODUCTIONS and isinstance(result, dict):
            self._initialized(result)
        elif proposed is not None:
            return self._returned(proposed, message)
        return None

    def _listed(self, tools: Any) -> None:
        with self._listing:
            try:
                self._tools.listed(tools)
            except OSError as problem:
                logger.error("the approved descriptions of tools are not written: %s", problem)
            self._session.relearn(tools=self._tools.facts())

    def _initialized(self, result: dict[str, Any]) -> None:
        """Reads a server's introduction. The agent reads its instructions as it reads descriptions of tools."""
        info, instructions = result.get("serverInfo"), result.get("instructions")
        name = clean(str(info.get("name")))[:_LONGEST_NAME] if isinstance(info, dict) else None
        self._session.learn(mcp_server=name)
        if isinstance(instructions, str):
            self._listed([{"name": f"{name} (instructions)", "description": instructions}])

    def _returned(self, proposed: Proposed, message: dict[str, Any]) -> dict[str, Any] | None:
        result, objection = message.get("result"), None
        if not isinstance(result, dict):
            objection = self._calls.after(proposed, said := message.get("error"), failed=True)
        elif isinstance(task := result.get("task"), dict):
            with self._lock:
                self._waiting[f"task {task.get('taskId')}"] = "tools/call", proposed
        elif result.get("resultType") != "input_required":  # else the client calls again, with that input
            objection = self._calls.after(proposed, said := _said(result), failed=result.get("isError") is True)
        return answer(message["id"], objection.in_place_of(said), result) if objection else None


def _is_answer(message: Any) -> bool:
    return isinstance(message, dict) and "id" in message and "method" not in message


def _unclear_answer(line: bytes, problem: Unclear) -> bytes | None:
    """The error that replaces an ambiguous answer. None if the line is no answer: servers also write logs there."""
    try:
        try:
            message = json.loads(line, **NUMBERS)
        except RecursionError:
            message = json.loads(shallow(line), **NUMBERS)
    except ValueError:
        return None
    parts = message if isinstance(message, list) else [message]
    text = f"the server's answer is not passed on: {problem}"
    return b"".join(error(each["id"], INTERNAL_ERROR, text) for each in parts if _is_answer(each)) or None


def _said(result: dict[str, Any]) -> Any:
    """A tool's output: its text if it has nothing else."""
    content = result.get("content")
    parts = content if isinstance(content, list) else []
    texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    if parts and len(texts) == len(parts):
        return "\n".join(texts)
    return {"content": content, "structuredContent": result.get("structuredContent")}
