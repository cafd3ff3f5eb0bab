"""What is left behind after an answer. What lives on ends by itself after LINGERS seconds."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

from supervisor.specialist import ok

LINGERS = 20  # seconds


def leave_a_child(_: Any) -> Any:
    if not os.fork():
        time.sleep(LINGERS)
        os._exit(0)
    return ok()


def leave_an_orphan(_: Any) -> Any:
    if not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGHUP})
        time.sleep(LINGERS)
        os._exit(0)
    os.wait()
    return ok()


def answer_from_a_child(_: Any) -> Any:
    os.fork()
    return ok()


def leave_many_children(_: Any) -> Any:
    for _each in range(40):
        if not os.fork():
            time.sleep(LINGERS)
            os._exit(0)
    return ok()


def leave_a_program(_: Any) -> Any:
    import subprocess

    subprocess.Popen(["sleep", str(LINGERS)], start_new_session=True)
    return ok()


def leave_threads(_: Any) -> Any:
    for _each in range(50):
        threading.Thread(target=time.sleep, args=(LINGERS,)).start()
    return ok()


def leave_a_busy_thread(_: Any) -> Any:
    end = time.monotonic() + LINGERS

    def burn() -> None:
        while time.monotonic() < end:
            pass

    threading.Thread(target=burn, daemon=True).start()
    return ok()


def leave_a_signal_handler(_: Any) -> Any:
    signal.signal(signal.SIGALRM, lambda *_: time.sleep(LINGERS))
    return ok()


def leave_an_exit_handler(_: Any) -> Any:
    import atexit

    atexit.register(time.sleep, LINGERS)
    return ok()
