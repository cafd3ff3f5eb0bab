"""What a worker does: judge one question after another, and say at each step where it is.

It runs in a process of its own, alone with its shared memory and a channel of one byte a question. Whatever happens to
it here, the host reads what was found, and asks the rest elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any

import orjson

from supervisor.action import Action, Context
from supervisor.decision.ask import ask, concerns, refusal_for
from supervisor.engine.workers.history_sync import Kept
from supervisor.engine.workers.loader import FINGERPRINT, Specialists
from supervisor.engine.workers.shared_memory import SharedMemory
from supervisor.errors import Deadline
from supervisor.evidence import CUT_OFF, READERS, report_to
from supervisor.evidence.session.ahead import LONG, read_ahead
from supervisor.history import once_run
from supervisor.records.codec import opinion_to_json
from supervisor.specialist import ok
from supervisor.verdict import Cause, Opinion, Refusal

FINISHED, SPENT = b"\1", b"\2"  # what a worker answers; a spent one is to be replaced
_GROWTH = 64 * 1024 * 1024  # bytes that a worker may ever have grown by before it is spent
_UNPACKED = 4  # times the bytes of its JSON that a history takes
_LARGEST_OPINION = 64 * 1024  # bytes
_OK = ok()
_NOTHING = object()
_AHEAD = 0.25  # seconds that are read ahead of a question
_LONGEST_STEP = 0.25  # seconds


class Worker:
    """Answers questions: a byte on the channel says that one is on the shared memory, another that it is answered."""

    def __init__(self, shared: SharedMemory, channel: socket.socket, specialists: Specialists) -> None:
        self._shared = shared
        self._channel = channel
        self._channel.setblocking(True)  # whatever `socket.setdefaulttimeout` says, here or in the host
        self._specialists = specialists
        self._kept = Kept()
        self._process = os.getpid()
        self._budget = 0.0
        self._is_spoiled = False
        self._ahead: Iterator[None] = iter(())
        self._is_reading_ahead = False
        self._alarmed: float | None = None  # the beginning of the turn that was cut short last
        self._at_birth = (threading.active_count(), _most_resident())

    def serve(self) -> None:
        """Until the host hangs up."""
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, self._on_alarm)
        report_to(self._shared.reader_cell)
        self._shared.process = os.getpid()
        self._shared.is_ready = True
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # how a host hangs up that waits no longer
            while self._channel.recv(1):
                self._answer()
                self._channel.send(SPENT if self._is_spent() else FINISHED)
                self._read_ahead(self._is_asked)

    def _answer(self) -> None:
        question = self._shared.question()
        asked = question["asked"]
        if missing := self._specialists.missing(name for name, _ in asked[question["first"] :]):
            self._load(missing)
        try:
            action, context = self._seen(question)
        except MemoryError as error:
            self._is_spoiled = True  # it may have been told of a history by half
            for number in range(question["first"], len(asked)):
                self._tell(number, "", refusal_for(error))
            return
        for number in self._concerned(range(question["first"], len(asked)), asked, action, context):
            if not self._shared.goes_on_to(number):
                break
            name, self._budget = asked[number]
            self._tell(number, name, self._judged(name, action, context))

    def _load(self, names: list[str]) -> None:
        """While it imports, no clock runs."""
        self._shared.is_ready = False
        for name in names:
            self._specialists.load(name)
        self._shared.is_ready = True

    def _seen(self, question: Any) -> tuple[Action, Context]:
        told, scene = question["action"], question["scene"]
        action = Action(told["tool"], told["args"], told["kind"], told["fields"])
        for number in question["spoiled"]:
            if number in READERS:
                action.memo[READERS[number]] = CUT_OFF
        past = question["history"]
        history = self._kept.history(past)
        context = Context(scene["task"], history, scene["facts"], scene["agent"], question["session"])
        self._ahead = read_ahead(context, past["size"]) if past else iter(())
        if past and past["size"] > LONG:
            until = time.monotonic() + _AHEAD
            self._read_ahead(lambda: time.monotonic() > until)
        self._shared.has_read()
        return action, once_run(context) if question["stage"] == "after" else context

    def _read_ahead(self, is_over: Callable[[], bool]) -> None:
        """Goes on reading the session that was told last. No specialist's clock runs; a step that takes long is cut.
        What it raises, it raises again to each who wants to know."""
        try:
            self._is_reading_ahead = True
            try:
                is_left = True
                while is_left and not is_over():
                    _alarm_in(_LONGEST_STEP)
                    is_left = next(self._ahead, _NOTHING) is not _NOTHING
            finally:
                self._is_reading_ahead = False
        except (Exception, Deadline):  # noqa: BLE001 - as said
            self._ahead = iter(())
        _alarm_in(0)

    def _is_asked(self) -> bool:
        return bool(select.select([self._channel], (), (), 0)[0])

    def _concerned(self, numbers: range, asked: Any, action: Action, context: Context) -> Sequence[int]:
        """Whom the action concerns; the others are told of as content, all at once. Where what it does cannot be read,
        each is asked, and says so."""
        if not numbers or not self._shared.goes_on_to(numbers[0]):
            return ()
        self._budget = asked[numbers[0]][1]
        try:
            concerned = [number for number in numbers if concerns(self._specialists[asked[number][0]], action, context)]
            self._shared.rest()
        except (Exception, Deadline):  # noqa: BLE001 - whatever a reader raises, it raises again to each who asks
            return numbers
        if spared := set(numbers).difference(concerned):
            self._shared.add(b",".join([b"[%d]" % number for number in spared]))
        return concerned

    def _judged(self, name: str, action: Action, context: Context) -> Opinion:
        try:
            opinion = ask(self._specialists[name], action, context, self._budget)
            self._shared.rest()
        except Deadline as late:  # it came when the specialist had just answered
            opinion = refusal_for(late)
        if os.getpid() != self._process:
            os._exit(0)  # the specialist has forked, and this is the child
        return opinion

    def _tell(self, number: int, name: str, opinion: Opinion) -> None:
        told = b"[%d]" % number if opinion is _OK else _encoded(number, opinion)
        if (len(told) > _LARGEST_OPINION and name != FINGERPRINT) or not self._shared.add(told):
            self._shared.add(_encoded(number, Refusal("answered with more than 64 KiB", Cause.INFRASTRUCTURE)))

    def _on_alarm(self, signum: int, frame: FrameType | None) -> None:
        """The host says that somebody is late; by now it may be the turn of somebody who is not."""
        if self._is_reading_ahead:
            self._is_spoiled = True
            raise Deadline(_LONGEST_STEP)
        since = self._shared.since
        if self._shared.at is not None and self._alarmed != since and time.monotonic() - since >= self._budget:
            self._alarmed, self._is_spoiled = since, True  # a lock may have been held
            raise Deadline(self._budget)

    def _is_spent(self) -> bool:
        """Whether a specialist left something behind: a thread, a child, much memory. A new worker has none of it."""
        threads, resident = self._at_birth
        grown = _most_resident() - resident - _UNPACKED * self._kept.size
        return self._is_spoiled or threading.active_count() > threads or _has_children() or grown > _GROWTH


def _alarm_in(seconds: float) -> None:
    """Sets this process's alarm, or stops it: 0."""
    if hasattr(signal, "setitimer"):  # Windows has no alarms
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _encoded(number: int, opinion: Opinion) -> bytes:
    return orjson.dumps([number, opinion_to_json("", opinion)])


def limit_memory(size: int) -> None:
    """Limits the address space of this process, in bytes, where the platform can and it is not limited to less."""
    if sys.platform == "win32":
        return
    import resource

    _, hardest = resource.getrlimit(resource.RLIMIT_AS)
    size = size if hardest == resource.RLIM_INFINITY else min(size, hardest)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def _has_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except (ChildProcessError, AttributeError):  # Windows has no WNOHANG, and no forks either
        return False
    return True


def _most_resident() -> int:
    """The most memory that this process ever had, in bytes; 0 where the platform does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
