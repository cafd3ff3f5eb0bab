"""What agents were refused across their sessions: one small file for each agent, in a folder beside the segments.

A file's name is a hash of the agent's name, which anybody may choose. It is replaced as a whole, under a lock of the
folder, so a killed writer leaves the earlier file, and two writers lose nothing of each other. The folder is an index
and no evidence: the journal has everything that is in it. A file that is gone or damaged makes the guard forget, and a
damaged one is reported.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from supervisor.errors import DoorFailed, RecordFailed
from supervisor.intake.files import check_folder, locked, open_file, read_file, sync_folder
from supervisor.logs import log_later
from supervisor.memory import AgentMemory, memory_of, memory_to_json

_log = log_later(__name__)
FOLDER = "memory"
MOST_AGENTS = 1_000  # the one that was written longest ago is forgotten
MAX_BYTES = 1024 * 1024  # of one file; a usual one has 1 KB for each act
_FORMAT = 1
_FRESH = 2.0  # seconds after a change in which a file system may give the next change the same time
_MOST_CACHED = 64
Sign = tuple[int, int, int]


class Memories:
    """The memories of a deployment's agents. Safe to share between threads and processes."""

    def __init__(self, records: Path, days: float, *, sync: bool = False) -> None:
        """`days` is how long an act is remembered. `sync`: a change survives the death of the machine."""
        self._records, self._folder = records, records / FOLDER
        self._days, self._sync = days, sync
        self._cached: dict[str, tuple[Sign, AgentMemory]] = {}
        self._paths: dict[str, Path] = {}

    def knows(self, agent: str) -> bool:
        """Whether anything may be remembered of an agent. Costs one look at the file's name."""
        return _sign(self._path(agent)) is not None

    def of(self, agent: str, now: float) -> AgentMemory:
        """What is remembered of an agent at this time. Raises DoorFailed if it cannot be read."""
        path = self._path(agent)
        sign = _sign(path)
        if sign is None:
            return AgentMemory()
        known = self._cached.get(agent)
        if known is None or known[0] != sign:
            known = sign, self._read(path)
            if time.time() - sign[0] / 1e9 > _FRESH:
                if len(self._cached) >= _MOST_CACHED:
                    self._cached.clear()
                self._cached[agent] = known
        return known[1].kept(now, self._days)

    def change(self, agent: str, now: float, changed: Callable[[AgentMemory], AgentMemory]) -> None:
        """Replaces what is remembered of an agent. A change that cannot be written is logged: the action is stopped or
        let through all the same, and only later sessions are judged without it."""
        try:
            if not self._folder.is_dir():
                self._folder.mkdir(mode=0o700, exist_ok=True)  # not its parent: a journal's folder is not made again
            with locked(self._folder):
                check_folder(self._folder)
                self._replace(self._path(agent), changed(self._readable(agent, now)).kept(now, self._days))
        except (OSError, ImportError) as error:
            _log.error("%s: what the agent was refused cannot be remembered: %s", self._folder, error)

    def forget(self, agent: str) -> bool:
        """Forgets an agent, also if its file is damaged. Returns False if nothing was remembered. Raises RecordFailed
        if the file cannot be removed."""
        if not self.knows(agent):
            return False
        try:
            with locked(self._folder):
                check_folder(self._folder)
                self._path(agent).unlink()
                if self._sync:
                    sync_folder(self._folder)
        except FileNotFoundError:  # another process was faster
            return False
        except (OSError, ImportError) as error:
            raise RecordFailed(f"cannot be forgotten: {error}", place=self._path(agent).name) from None
        return True

    def _readable(self, agent: str, now: float) -> AgentMemory:
        """The memory as it can be read. A damaged file is reported and given up."""
        try:
            return self.of(agent, now)
        except DoorFailed as error:
            _log.warning("%s; it begins anew", error)
            return AgentMemory()

    def _read(self, path: Path) -> AgentMemory:
        try:
            values = orjson.loads(read_file(path, MAX_BYTES, own=True))
            if values["format"] != _FORMAT:
                raise ValueError("it is of another version")
            return memory_of(values)
        except FileNotFoundError:  # another process has just removed it
            return AgentMemory()
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            why = f"{path.name}: what is remembered of the agent cannot be read: {error!r}"
            raise DoorFailed(why, code="memory_unreadable") from None

    def _replace(self, path: Path, memory: AgentMemory) -> None:
        """Writes one file. Its draft has a fixed name, so that one which a killed writer has left is used again."""
        if not memory.acts:
            path.unlink(missing_ok=True)
            return
        if not path.exists():
            self._make_room()
        draft = path.with_suffix(".draft")
        content = _content(memory)
        with open(open_file(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, own=True), "wb") as file:
            file.write(content)
            file.flush()
            if self._sync:
                os.fsync(file.fileno())
        draft.replace(path)
        if self._sync:
            sync_folder(self._folder)

    def _make_room(self) -> None:
        kept = [each for each in os.scandir(self._folder) if each.name.endswith(".json")]
        if len(kept) >= MOST_AGENTS:
            oldest = sorted(kept, key=lambda each: each.stat(follow_symlinks=False).st_mtime_ns)
            for each in oldest[: len(kept) - MOST_AGENTS + 1]:
                os.unlink(each.path)

    def _path(self, agent: str) -> Path:
        known = self._paths.get(agent)
        if known is None:
            if len(self._paths) >= _MOST_CACHED:
                self._paths.clear()
            name = hashlib.sha256(agent.encode(errors="surrogatepass")).hexdigest()
            known = self._paths[agent] = self._folder / f"{name[:40]}.json"
        return known


def _content(memory: AgentMemory) -> bytes:
    """The file of a memory, without its oldest acts if it would be too large to be read."""
    content = orjson.dumps({"format": _FORMAT, **memory_to_json(memory)})
    while len(content) > MAX_BYTES:
        memory = AgentMemory(memory.acts[len(memory.acts) // 2 + 1 :])
        content = orjson.dumps({"format": _FORMAT, **memory_to_json(memory)})
    return content


def _sign(path: Path) -> Sign | None:
    try:
        about = os.stat(path, follow_symlinks=False)
    except OSError:  # there is none
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino
