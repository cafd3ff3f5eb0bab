"""The engines of the policies in use. An edit replaces an engine without dropping a decision."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadPolicy, SupervisorError
from supervisor.service.policies import Policies, read_policies
from supervisor.service.watching import Watched

_log = logging.getLogger(__name__)
MOST = 32  # policies at once, besides the daemon's own
IDLE = 900.0  # seconds after which the engine of a policy that nobody uses is closed
_AT_ONCE = 2  # engines that open at once: each starts workers
_TRIES = 3  # of opening an engine while its files change
_AGAIN = 1.0  # seconds after which a policy that could not be read is tried again


@dataclass(frozen=True, slots=True)
class Opened:
    """An engine that was opened, and the settings of the project's policy that have no effect."""

    supervisor: Supervisor
    ignored: tuple[str, ...] = ()


Open = Callable[[Policies], Opened]


@dataclass(eq=False, slots=True)
class ActiveEngine:
    """An engine, its policy's digest, and the settings of the project's policy that have no effect."""

    supervisor: Supervisor
    policy: str
    ignored: tuple[str, ...]
    users: int = 0

    @classmethod
    def of(cls, opened: Opened) -> ActiveEngine:
        return cls(opened.supervisor, opened.supervisor.policy.digest(), opened.ignored)


@dataclass(eq=False, slots=True)
class Ruling:
    """The policies of some requests, and the engine that decides under them."""

    files: Policies
    active: ActiveEngine
    watched: Watched
    opened: datetime = field(default_factory=lambda: datetime.now(UTC))
    problem: str = ""  # why the last reload failed
    is_told: bool = True  # whether an agent was told of the problem
    used: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class Lease:
    """An engine for one request, and the policies that it belongs to."""

    ruling: Ruling
    active: ActiveEngine

    @property
    def supervisor(self) -> Supervisor:
        """The engine."""
        return self.active.supervisor

    @property
    def policy(self) -> str:
        """The digest of its policy."""
        return self.active.policy


class Engines:
    """Leases the engine of each pair of policies. A replaced engine is closed after its last decision."""

    def __init__(self, open_engine: Open, own: Callable[[], Policies]) -> None:
        """Opens the engine of the daemon's own policy, which `own` returns. Raises what `open_engine` raises."""
        self._open = open_engine
        self._rulings: OrderedDict[Policies, Ruling] = OrderedDict()
        self._opening: dict[Policies, asyncio.Lock] = {}
        self._failed: OrderedDict[Policies, tuple[float, SupervisorError]] = OrderedDict()
        self._turn, self._reloading = asyncio.Semaphore(_AT_ONCE), asyncio.Lock()
        self._own, self._first_own = own, own()
        self._rulings[self._first_own] = self._opened(self._first_own)
        self.reloads = 0
        self.failed_reloads = 0

    def __iter__(self) -> Iterator[Ruling]:
        return iter(list(self._rulings.values()))

    @property
    def problems(self) -> list[str]:
        """Why the last reload of a policy failed, for each that has failed, and why others cannot be used at all."""
        return [*(ruling.problem for ruling in self if ruling.problem), *self.unusable.values()]

    @property
    def unusable(self) -> dict[Policies, str]:
        """The policies that could not be read when an action was to be judged under them, and why."""
        return {files: str(error) for files, (_, error) in self._failed.items()}

    @contextlib.asynccontextmanager
    async def lease_known(self, files: Policies) -> AsyncIterator[Lease]:
        """`lease`, for a request that judges nothing: if these policies cannot be read, it gets another engine."""
        try:
            await self._known(files)
        except SupervisorError:  # `unusable` has it
            files = next(iter(self._rulings))
        async with self.lease(files) as lease:
            yield lease

    @contextlib.asynccontextmanager
    async def lease(self, files: Policies) -> AsyncIterator[Lease]:
        """The engine of these policies, which stays open meanwhile, even if a reload replaces it. Raises
        SupervisorError if a policy that is not in use yet cannot be read."""
        ruling = await self._known(files)
        ruling.used = time.monotonic()
        mine = ruling.active
        mine.users += 1
        try:
            yield Lease(ruling, mine)
        finally:
            mine.users -= 1
            if mine is not ruling.active and not mine.users:
                _close_later(mine)

    async def _known(self, files: Policies) -> Ruling:
        return self._rulings.get(files) or await self._first(files)

    async def follow(self) -> None:
        """Reloads what was edited, and closes what nobody has used for long. To be called again and again."""
        for ruling in await asyncio.to_thread(lambda: [each for each in self if each.watched.has_changed()]):
            await self._reload(ruling, only_if_different=True)
        for ruling in self:
            is_late = time.monotonic() - ruling.used > IDLE or ruling.files == self._first_own
            if ruling.files != self._own() and not ruling.active.users and is_late and len(self._rulings) > 1:
                self._drop(ruling)
        for files, (since, _) in list(self._failed.items()):
            if time.monotonic() - since > IDLE:
                del self._failed[files]

    async def reload(self) -> list[Ruling]:
        """Reads every policy, taxonomy and specialist again. Where any of them is invalid, the old engine stays."""
        self._failed.clear()
        rulings = list(self)
        for ruling in rulings:
            await self._reload(ruling, only_if_different=False)
        return rulings

    def close(self) -> None:
        """Closes all engines."""
        for ruling in self:
            ruling.active.supervisor.close()

    async def _first(self, files: Policies) -> Ruling:
        """Opens the engine of policies that are not in use yet; one caller opens it, and the others wait."""
        async with self._opening.setdefault(files, asyncio.Lock()):
            if (known := self._rulings.get(files)) is not None:
                return known
            since, error = self._failed.get(files, (0.0, None))
            if error is not None and time.monotonic() - since < _AGAIN:
                raise error
            try:
                async with self._turn:
                    ruling = await asyncio.to_thread(self._opened, files)
            except SupervisorError as failed:
                self._failed[files] = time.monotonic(), failed
                while len(self._failed) > MOST:
                    self._failed.popitem(last=False)
                _log.error("a policy cannot be used: %s", failed)
                raise
            finally:
                self._opening.pop(files, None)
            self._failed.pop(files, None)
            self._rulings[files] = ruling
        self._make_room(ruling)
        _log_in_force("under", ruling)
        return ruling

    def _opened(self, files: Policies) -> Ruling:
        """Opens an engine. A file that changes meanwhile is read again: what was read may be the half of it."""
        for _ in range(_TRIES):
            watched = _quiet(files)
            watched.watch_folders(read_policies(files).policy.taxonomy.folders)
            active = ActiveEngine.of(self._open(files))
            if not watched.has_changed():
                return Ruling(files, active, watched)
            active.supervisor.close()
        raise _unquiet(files)

    def _make_room(self, newest: Ruling) -> None:
        others = [each for each in self if each.files != self._own() and each is not newest and not each.active.users]
        for ruling in sorted(others, key=lambda each: each.used)[: max(0, len(self._rulings) - 1 - MOST)]:
            self._drop(ruling)

    def _drop(self, ruling: Ruling) -> None:
        del self._rulings[ruling.files]
        _close_later(ruling.active)

    async def _reload(self, ruling: Ruling, *, only_if_different: bool) -> None:
        async with self._reloading:
            try:
                fresh = await asyncio.to_thread(self._reopened, ruling, only_if_different)
            except Exception as error:  # noqa: BLE001 - a deployment's own specialist may raise anything at its import
                told = str(error) if isinstance(error, SupervisorError) else f"{type(error).__name__}: {error}"
                self._keep(ruling, told)
                return
        ruling.problem, ruling.is_told = "", True
        if fresh is None:
            return
        old, ruling.active, ruling.watched, ruling.opened = ruling.active, fresh.active, fresh.watched, fresh.opened
        self.reloads += 1
        _log_in_force("reloaded", ruling)
        if not old.users:
            _close_later(old)

    def _reopened(self, ruling: Ruling, only_if_different: bool) -> Ruling | None:
        """The same policies with a fresh engine; None if nothing is different."""
        before = ruling.watched
        ruling.watched = Watched(_files(ruling.files))  # even if they cannot be read: the next edit counts
        ruling.watched.watch_folders(before.folders)
        if not ruling.watched.wait_until_quiet():
            raise _unquiet(ruling.files)
        found = read_policies(ruling.files)
        is_same = found.policy.digest() == ruling.active.policy and found.ignored == ruling.active.ignored
        if only_if_different and is_same and before.has_same_folders(ruling.watched):
            return None
        return self._opened(ruling.files)

    def _keep(self, ruling: Ruling, problem: str) -> None:
        self.failed_reloads += 1
        ruling.is_told = ruling.is_told and ruling.problem == problem
        ruling.problem = problem
        _log.error("the reload of %s failed, the earlier version stays in force: %s", _named(ruling.files), problem)


def _files(files: Policies) -> list[str]:
    return [file for file in files if file is not None]


def _quiet(files: Policies) -> Watched:
    watched = Watched(_files(files))
    if not watched.wait_until_quiet():
        raise _unquiet(files)
    return watched


def _unquiet(files: Policies) -> BadPolicy:
    return BadPolicy("is written all the time, and may be read in halves", place=_named(files))


def _named(files: Policies) -> str:
    return " and ".join(_files(files)) or "the default policy"


def _log_in_force(how: str, ruling: Ruling) -> None:
    count = len(ruling.active.supervisor.catalog.entries)
    ignored = f"; without effect: {', '.join(ruling.active.ignored)}" if ruling.active.ignored else ""
    _log.warning("%s %s: %d failure modes are in force%s", how, _named(ruling.files), count, ignored)


def _close_later(engine: ActiveEngine) -> None:
    """Closes an engine in a thread: closing waits for the workers."""
    asyncio.get_running_loop().run_in_executor(None, engine.supervisor.close)
