"""Kills all processes of a worker, from the process that started them or from any later one."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass

from supervisor.runtime.processes.cgroup import Cgroup
from supervisor.runtime.processes.containment import Method
from supervisor.runtime.processes.identity import Identity, identity_of, is_alive, send
from supervisor.runtime.processes.tree import Tree

_LOOK = 0.002  # seconds between two looks at the processes
_EMPTY = 3  # tables of processes without any that can be killed, one after the other
_CHASE = 0.003  # seconds without a new orphan, after which none is expected
_PATIENCE = 10.0  # seconds for the kernel to end what was killed


@dataclass(frozen=True, slots=True)
class Killed:
    """How a kill went. `left_by_itself` says that the leader obeyed the polite signal. `survivors` are processes that
    this user may not signal, or that the kernel could not end in time. As long as there are any, the shim and the
    cgroup stay, so that a later kill finds them."""

    method: Method
    left_by_itself: bool
    survivors: frozenset[Identity]
    seconds: float


def kill_tree(tree: Tree, polite: signal.Signals | None = signal.SIGINT, grace: float = 5.0) -> Killed:
    """Asks the leader to end, waits for that for `grace` seconds at most, then kills every process of the worker.

    Signals nothing that is not certainly the worker's own: stored pids count with their start time and boot alone.
    """
    started = time.monotonic()
    obeyed = polite is not None and _ask(tree, polite, grace)
    until = time.monotonic() + _PATIENCE
    if tree.cgroup is not None:
        _kill_cgroup(tree.cgroup)
    survivors = _sweep(tree, until)
    if not survivors:
        _remove_hold(tree)
    return Killed(tree.method, obeyed, frozenset(survivors), time.monotonic() - started)


def _ask(tree: Tree, polite: signal.Signals, grace: float) -> bool:
    """Sends the polite signal to the leader. Returns whether it ended within the grace."""
    leader = tree.leader
    if leader is None or not _signal([leader], polite):
        return False
    _signal([leader], signal.SIGCONT)  # a stopped process acts on no signal
    until = time.monotonic() + grace
    while is_alive(leader):
        if time.monotonic() > until:
            return False
        time.sleep(_LOOK)
    return True


def _kill_cgroup(cgroup: Cgroup) -> None:
    """Kills everything in the cgroup, unless it is another user's: then each process is signalled on its own."""
    try:
        cgroup.kill()
    except PermissionError:
        return
    cgroup.wait_until_empty(_PATIENCE)


def _remove_hold(tree: Tree) -> None:
    """Ends what has held the processes together."""
    if tree.shim is not None:
        _signal([tree.shim], signal.SIGKILL)
    if tree.cgroup is not None and not tree.cgroup.is_populated():
        tree.cgroup.remove()


def _sweep(tree: Tree, until: float) -> set[Identity]:
    """Stops and kills what is found, until nothing is left that can be. Returns what cannot be killed.

    A process that is stopped cannot fork, so that the hunt ends. A shim ends when nothing is left below it: that is
    the proof that no process was overlooked. Without a shim several tables must be empty, because a process that forks
    and ends while one is read appears in it neither before nor after. Nobody waits for a process that this user may not
    signal, nor for the shim above it.
    """
    empty = 0
    denied: set[Identity] = set()
    while empty < _EMPTY:
        members = _stop(tree, until)
        denied = _kill(members)
        empty = empty + 1 if members == denied and (denied or not _shim_waits(tree)) else 0
        if time.monotonic() > until:
            return tree.members()
        time.sleep(_LOOK)
    return denied


def _kill(processes: Iterable[Identity]) -> set[Identity]:
    """Kills processes. Returns those that this user may not signal."""
    denied = set()
    for process in processes:
        try:
            send(process, signal.SIGKILL)
        except PermissionError:
            denied.add(process)
    return denied


def _stop(tree: Tree, until: float) -> set[Identity]:
    """Stops the processes of the worker, then those that they forked meanwhile, and so on. Returns all of them."""
    stopped: set[Identity] = set()
    while (fresh := tree.members() - stopped) and time.monotonic() < until:
        _signal(fresh, signal.SIGSTOP)
        stopped |= fresh
        stopped |= _stop_orphans(tree, stopped, until)
    return stopped


def _stop_orphans(tree: Tree, stopped: set[Identity], latest: float) -> set[Identity]:
    """Stops what the shim adopts, until that is nothing new for a moment. A process that forks and ends, over and over,
    is gone when the whole table of processes has been read, but not when the short list of orphans has been."""
    seen = {process.pid for process in stopped}
    found: set[Identity] = set()
    until = min(latest, time.monotonic() + _CHASE)
    while time.monotonic() < until:
        fresh = {process for pid in tree.orphans() - seen if (process := identity_of(pid)) is not None}
        if _signal(fresh, signal.SIGSTOP):
            until = min(latest, time.monotonic() + _CHASE)
        seen |= {process.pid for process in fresh}
        found |= fresh
    return found


def _shim_waits(tree: Tree) -> bool:
    """Whether the shim still runs. It is woken, since a worker may have stopped it."""
    return tree.shim is not None and bool(_signal([tree.shim], signal.SIGCONT))


def _signal(processes: Iterable[Identity], number: signal.Signals) -> int:
    """Signals processes. Returns how many of them got the signal: not those that have ended or belong to another user,
    which the caller finds among the survivors."""
    sent = 0
    for process in processes:
        with contextlib.suppress(PermissionError):
            sent += send(process, number)
    return sent
