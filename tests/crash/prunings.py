"""Prunings of one journal, killed at any point: the journal verifies, and is either as before or as after."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from supervisor.records.envelope import open_signer
from supervisor.records.prune import prune
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.records.aged import write_days

_WATCHED = ("open", "os.remove", "os.rename", "os.listdir", "fcntl.flock")
_OLD, _NEW = (50, 49, 48, 47), (3, 2)


def count_points() -> int:
    """The number of points at which a pruning can be killed: before each operation on a file."""
    with tempfile.TemporaryDirectory() as name:
        home = _made(Path(name))
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            _run(home, lambda: os.write(writing, b"."))
        os.close(writing)
        with open(reading, "rb") as pipe:
            points = len(pipe.read())
        _, how = os.waitpid(child, 0)
        if how:
            raise RuntimeError("the pruning has failed")
        return points


def kill_at_points(points: Iterable[int]) -> list[str]:
    """Kills a pruning at each of these points; what does not hold afterwards."""
    with tempfile.TemporaryDirectory() as name:
        made = _made(Path(name) / "made")
        return [wrong for point in points for wrong in _kill_one(made, Path(name) / f"p{point}", point=point)]


def kill_at_moments(kills: int, seed: int) -> list[str]:
    """Kills as many prunings, each at a random moment; what does not hold afterwards."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        made = _made(Path(name) / "made")
        started = time.monotonic()
        _kill_one(made, Path(name) / "whole", point=sys.maxsize)
        takes = time.monotonic() - started
        moments = [(number, chance.random() * takes) for number in range(kills)]
        return [wrong for number, after in moments for wrong in _kill_one(made, Path(name) / f"m{number}", after=after)]


def _made(home: Path) -> Path:
    write_days(home / "records", open_signer(home / "key.pem"), *_OLD, *_NEW)
    return home


def _kill_one(made: Path, home: Path, *, point: int = sys.maxsize, after: float | None = None) -> list[str]:
    shutil.copytree(made, home)
    seen = iter(range(1, sys.maxsize))

    def here() -> None:
        if next(seen) == point:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        _run(home, here)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    wrong = [f"{home.name}: {each}" for each in _what_is_wrong(home)]
    shutil.rmtree(home)
    return wrong


def _run(home: Path, here: Callable[[], object]) -> None:
    """Prunes in a child, and never returns: it shall not go on with the test."""
    try:
        sys.addaudithook(lambda event, _: here() if event in _WATCHED else None)
        prune(home / "records", open_signer(home / "key.pem"), _limit(), by="test")
        os._exit(0)
    except BaseException:  # noqa: BLE001  it is printed, and the child ends otherwise
        traceback.print_exc()
    finally:
        os._exit(1)


def _limit() -> datetime:
    return datetime.now(UTC) - timedelta(days=30)


def _what_is_wrong(home: Path) -> list[str]:
    """Whether the journal verifies as it was left, has either state, and the next pruning brings it to the end."""
    folder = home / "records"
    wrong = [f"{each.place}: {each.message}" for each in verify(folder).problems]
    stones = [record for record in read_records(folder) if record.kind == "pruned"]
    there = len(list(folder.glob("*.jsonl")))
    if not stones and there < len(_OLD) + len(_NEW):
        wrong.append("segments went without a tombstone")
    prune(folder, open_signer(home / "key.pem"), _limit(), by="test")
    report = verify(folder)
    wrong += [f"afterwards {each.place}: {each.message}" for each in report.problems]
    if (report.pruned_segments, [each.code for each in report.notes]) != (len(_OLD), ["pruned"]):
        wrong.append(f"not brought to the end: {report.pruned_segments}, {report.notes}")
    if left := [path.name for path in folder.glob("*.checkpoint") if not path.with_suffix(".jsonl").exists()]:
        wrong.append(f"left: {left}")
    return wrong
