"""Against the signals that would end them."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any

from supervisor.specialist import ok


def ignore_alarm_and_loop(_: Any) -> Any:
    for each in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGPROF, signal.SIGVTALRM, signal.SIGXCPU):
        signal.signal(each, signal.SIG_IGN)
    while True:
        pass


def block_signals_and_loop(_: Any) -> Any:
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    while True:
        pass


def block_signals_and_answer(_: Any) -> Any:
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    return ok()


def ignore_signals_and_answer(_: Any) -> Any:
    for each in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(each, signal.SIG_IGN)
    return ok()


def cancel_timers(_: Any) -> Any:
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)
    while True:
        pass


def stop_itself(_: Any) -> Any:
    os.kill(os.getpid(), signal.SIGSTOP)
    return ok()


def alarm_itself(_: Any) -> Any:
    os.kill(os.getpid(), signal.SIGALRM)
    return ok()
