"""Damage to what the specialists of a worker share."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Any

from supervisor.specialist import ok

HOARD: list[Any] = []


def write_to_stdout(_: Any) -> Any:
    print("{}\n" * 1_000)
    os.write(1, b"\0\xff" * 1_000)
    sys.stderr.flush()
    return ok()


def close_descriptors(_: Any) -> Any:
    os.closerange(0, 4_096)
    return ok()


def use_up_descriptors(_: Any) -> Any:
    with contextlib.suppress(OSError):
        while True:
            HOARD.append(os.dup(0))
    return ok()


def scribble_on_descriptors(_: Any) -> Any:
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.set_blocking(descriptor, False)
            os.write(descriptor, b"\0\1\2garbage" * 100)
    return ok()


def read_descriptors(_: Any) -> Any:
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.set_blocking(descriptor, False)
            os.read(descriptor, 65_536)
    return ok()


def truncate_shared_memory(_: Any) -> Any:
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
    return ok()


def change_directory(_: Any) -> Any:
    os.chdir("/")
    os.umask(0o777)
    return ok()


def change_environment(_: Any) -> Any:
    os.environ.clear()
    sys.path.clear()
    return ok()


def forget_modules(_: Any) -> Any:
    for name in [name for name in sys.modules if name.startswith("supervisor")]:
        del sys.modules[name]
    return ok()


def patch_the_contract(_: Any) -> Any:
    import supervisor.specialist
    import supervisor.verdict

    supervisor.verdict.Finding.__init__ = lambda *_, **__: None  # type: ignore[method-assign]
    supervisor.specialist.Specialist.__call__ = lambda *_: ok()  # type: ignore[method-assign]
    return ok()


def patch_builtins(_: Any) -> Any:
    import builtins

    builtins.isinstance = lambda *_: True
    builtins.len = lambda _: 0
    return ok()


def patch_time(_: Any) -> Any:
    time.perf_counter = time.monotonic = time.time = lambda: 0.0
    return ok()


def change_the_action(action: Any) -> Any:
    action.args.clear()
    action.memo.clear()
    object.__setattr__(action, "kind", "finish")
    return ok()


def poison_the_memo(action: Any) -> Any:
    for key in list(action.memo):
        action.memo[key] = None
    return ok()


def trace_everything(_: Any) -> Any:
    sys.settrace(lambda *_: time.sleep(0.05))
    sys.setprofile(lambda *_: time.sleep(0.05))
    return ok()


def lower_its_limits(_: Any) -> Any:
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    return ok()


def raise_its_limits(_: Any) -> Any:
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return len(bytes(10**10)) or ok()
