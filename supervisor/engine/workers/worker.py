"""The loop of a worker: it judges one question after another, and writes its progress at each step.

It runs in its own process, with the shared memory and a channel of one byte a question. If it hangs or crashes, the
host still reads its opinions, and asks another worker for the rest.
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
from supervisor.engine.workers.growth import Growth
from supervisor.engine.workers.history_sync import ReceivedHistories
from supervisor.engine.workers.loader import FINGERPRINT, Specialists
from supervisor.engine.workers.shared_memory import SharedMemory
from supervisor.errors import Deadline
from supervisor.evidence import CUT_OFF, READERS, report_to
from supervisor.evidence.session.ahead import read_ahead
from supervisor.history import after_context
from supervisor.records.codec import opinion_to_json
from supervisor.specialist import ok
from supervisor.verdict import Cause, Opinion, Refusal

FINISHED, SPENT = b"\1", b"\2"  # the replies of a worker; a spent one must be replaced
_LARGEST_OPINION = 64 * 1024  # bytes
_OK = ok()
_NOTHING = object()
_MOST_UNREAD = 256 * 1024  # bytes of new steps, which specialists read in a fraction of their deadline
_AHEAD = 0.25  # seconds of reading ahead before a question
_LONGEST_STEP = 0.25  # seconds that one step of reading ahead may compute


class Worker:
    """Answers questions. A byte on the channel announces one in the shared memory; a byte back, that it is answered."""

    def __init__(self, shared: SharedMemory, channel: socket.socket, specialists: Specialists) -> None:
        self._shared = shared
        self._channel = channel
        self._channel.setblocking(True)  # overrides `socket.setdefaulttimeout`, here or in the host
        self._specialists = specialists
        self._received = ReceivedHistories()
        self._process = os.getpid()
        self._budget = 0.0
        self._is_spoiled = False
        self._ahead: Iterator[None] = iter(())
        self._is_reading_ahead = False
        self._alarmed: float | None = None  # the start time of the specialist that was cut off last
        self._threads = threading.active_count()
        self._growth = Growth(self._received)

    def serve(self) -> None:
        """Answers questions until the host closes the channel."""
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, self._on_alarm)
            signal.signal(signal.SIGPROF, self._on_alarm)
        report_to(self._shared.reader_cell)
        self._shared.process = os.getpid()
        self._shared.is_ready = True
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a host that gave up closes the channel
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
            action, context = self._decoded(question)
        except MemoryError as error:
            self._is_spoiled = True  # a history may be incomplete
            for number in range(question["first"], len(asked)):
                self._add(number, "", refusal_for(error))
            return
        for number in self._concerned(range(question["first"], len(asked)), asked, action, context):
            if not self._shared.begin_with(number):
                break
            name, self._budget = asked[number]
            self._add(number, name, self._judged(name, action, context))

    def _load(self, names: list[str]) -> None:
        """Imports specialists. No time budget counts meanwhile."""
        self._shared.is_ready = False
        for name in names:
            self._specialists.load(name)
        self._shared.is_ready = True

    def _decoded(self, question: Any) -> tuple[Action, Context]:
        fields, scene = question["action"], question["scene"]
        action = Action(fields["tool"], fields["args"], fields["kind"], fields["fields"])
        for number in question["spoiled"]:
            if number in READERS:
                action.memo[READERS[number]] = CUT_OFF
        past = question["history"]
        history = self._received.history(past)
        context = Context(scene["task"], history, scene["facts"], scene["agent"], question["session"])
        self._ahead = read_ahead(context, past["size"]) if past else iter(())
        if past and past["size"] > _MOST_UNREAD:
            until = time.monotonic() + _AHEAD
            self._read_ahead(lambda: time.monotonic() > until)
        self._shared.has_read()
        return action, after_context(context) if question["stage"] == "after" else context

    def _read_ahead(self, is_over: Callable[[], bool]) -> None:
        """Reads ahead in the last session. This counts in no specialist's time; a step that takes long is cut off.
        Errors are dropped here, since the readers raise them again for each specialist that uses them."""
        try:
            self._is_reading_ahead = True
            try:
                is_left = True
                while is_left and not is_over():
                    _alarm_in(_LONGEST_STEP)
                    is_left = next(self._ahead, _NOTHING) is not _NOTHING
            finally:
                self._is_reading_ahead = False
        except (Exception, Deadline):  # noqa: BLE001 - see above
            self._ahead = iter(())
        _alarm_in(0)

    def _is_asked(self) -> bool:
        return bool(select.select([self._channel], (), (), 0)[0])

    def _concerned(self, numbers: range, asked: Any, action: Action, context: Context) -> Sequence[int]:
        """The specialists that the action concerns; for the others a plain ok is written, all at once. If the action
        cannot be read, all are asked, and each refuses by itself."""
        if not numbers or not self._shared.begin_with(numbers[0]):
            return ()
        self._budget = asked[numbers[0]][1]
        try:
            concerned = [number for number in numbers if concerns(self._specialists[asked[number][0]], action, context)]
            self._shared.rest()
        except (Exception, Deadline):  # noqa: BLE001 - a reader raises its error again for each specialist
            return numbers
        if spared := set(numbers).difference(concerned):
            self._shared.add(b",".join([b"[%d]" % number for number in spared]))
        return concerned

    def _judged(self, name: str, action: Action, context: Context) -> Opinion:
        try:
            opinion = ask(self._specialists[name], action, context, self._budget)
            self._shared.rest()
        except Deadline as late:  # the alarm came just after the specialist's answer
            opinion = refusal_for(late)
        if os.getpid() != self._process:
            os._exit(0)  # the specialist has forked, and this is the child
        return opinion

    def _add(self, number: int, name: str, opinion: Opinion) -> None:
        encoded = b"[%d]" % number if opinion is _OK else _encoded(number, opinion)
        if (len(encoded) > _LARGEST_OPINION and name != FINGERPRINT) or not self._shared.add(encoded):
            self._shared.add(_encoded(number, Refusal("answered with more than 64 KiB", Cause.INFRASTRUCTURE)))

    def _on_alarm(self, signum: int, frame: FrameType | None) -> None:
        """Cuts off a specialist that misses its deadline. Ignores an alarm that was meant for the one before it."""
        if self._is_reading_ahead:
            self._is_spoiled = True
            raise Deadline(_LONGEST_STEP)
        since = self._shared.since
        if self._shared.at is not None and self._alarmed != since and time.monotonic() - since >= self._budget:
            self._alarmed, self._is_spoiled = since, True  # a lock may have been held
            raise Deadline(self._budget)

    def _is_spent(self) -> bool:
        """Whether a specialist left a thread, a child process or much memory behind, so that a new worker is needed."""
        is_left = threading.active_count() > self._threads or _has_children()
        return self._is_spoiled or is_left or self._growth.is_too_much()


def _alarm_in(seconds: float) -> None:
    """Sets an alarm after so much computing of this process, however busy the machine is; 0 stops it."""
    if hasattr(signal, "setitimer"):  # Windows has no alarms
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _encoded(number: int, opinion: Opinion) -> bytes:
    return orjson.dumps([number, opinion_to_json("", opinion)])


def limit_memory(size: int) -> None:
    """Limits the address space of this process to `size` bytes, if the platform can. Keeps a lower limit."""
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
