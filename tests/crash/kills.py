"""Writers of one journal, killed at random moments: what they had acknowledged is there, and what is torn is found."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from supervisor.action import Action, Context
from supervisor.decision.settle import Settled
from supervisor.policy import Policy, Records
from supervisor.records.envelope import open_signer
from supervisor.records.ledger import Ledger
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from supervisor.verdict import Verdict
from tests.crash.scene import is_record

WRITERS = 4
_IN_ONE_FOLDER = 100  # kills; every journal is then verified and read
_LONGEST = 0.03  # seconds that a writer lives, from its start on or, three times of four, from its first record on
_ADDRESS = 64


@dataclass
class Killed:
    """What came of so many kills. `unexpected` are problems that `verify` found besides the torn tails."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    torn: int = 0
    torn_found: int = 0
    unexpected: int = 0
    not_going_on: int = 0

    def __add__(self, other: Killed) -> Killed:
        return Killed(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    @property
    def holds(self) -> bool:
        """Whether nothing is lost, all that is torn is found, and the next decision is recorded."""
        return not (self.lost or self.unexpected or self.not_going_on) and self.torn == self.torn_found


def kill_writers(kills: int, seed: int) -> Killed:
    """Kills as many writers, four at work at a time."""
    total = Killed()
    for number in range(0, kills, _IN_ONE_FOLDER):
        home = Path(tempfile.mkdtemp(prefix="supervisor-kills-"))
        try:
            total += _in_one_folder(home, min(_IN_ONE_FOLDER, kills - number), seed + number)
        finally:
            shutil.rmtree(home)
    return total


def ledger_in(home: Path) -> Ledger:
    """The ledger of a deployment whose records and key are in `home`."""
    return Ledger(Policy(records=Records(str(home / "records"), str(home / "key.pem"))), {"supervisor": "1"})


def write_one(ledger: Ledger, number: int) -> str:
    """Records one decision of about 3 KB; its address."""
    action = Action("bash", {"command": f"echo {number} {'x' * 1800}"}, "shell", {"command": "command"})
    prepared = ledger.prepare(action, Context("a task", facts={"number": number // 20}), datetime.now(UTC))
    address = ledger.record(prepared, Settled(Verdict.OK), ("a", "b"), {}, id=f"d{number}", elapsed_ms=0.0)
    assert address is not None
    return address


def _in_one_folder(home: Path, kills: int, seed: int) -> Killed:
    write_one(ledger_in(home / "before"), 0)  # imports what a writer needs, which would take most of its life
    open_signer(home / "key.pem")
    shares = [kills // WRITERS + (lane < kills % WRITERS) for lane in range(WRITERS)]
    context = get_context("fork")
    lanes = [
        context.Process(target=_kill_one_after_the_other, args=(home, lane, share, seed))
        for lane, share in enumerate(shares)
    ]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    if any(lane.exitcode for lane in lanes):
        raise RuntimeError(f"a lane of writers ended with {[lane.exitcode for lane in lanes]}")
    return _looked_at(home, kills)


def _kill_one_after_the_other(home: Path, lane: int, kills: int, seed: int) -> None:
    chance = random.Random(f"{seed} {lane}")
    with (home / f"acknowledged-{lane}").open("wb") as acknowledged:
        for _ in range(kills):
            acknowledged.write(_kill_one(home, chance.random() * _LONGEST, from_start=chance.random() < 0.25))


def _kill_one(home: Path, lives: float, *, from_start: bool) -> bytes:
    """What a writer had acknowledged when it was killed. The pipe holds all that it can write in its life."""
    reading, writing = os.pipe()
    writer = os.fork()
    if writer == 0:
        os.close(reading)
        _write_on(home, writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        told = b"" if from_start else pipe.read(_ADDRESS)
        time.sleep(lives)
        os.kill(writer, signal.SIGKILL)
        told += pipe.read()
    _, how = os.waitpid(writer, 0)
    if not os.WIFSIGNALED(how):
        raise RuntimeError("a writer ended by itself")
    return told[: len(told) // _ADDRESS * _ADDRESS]


def _write_on(home: Path, writing: int) -> None:
    """Never returns: a child that was forked in the middle of a test shall not go on with it."""
    try:
        ledger = ledger_in(home)
        for number in itertools.count():
            os.write(writing, write_one(ledger, number).encode())
    except Exception:  # noqa: BLE001  it is printed, and its lane raises
        traceback.print_exc()
    finally:
        os._exit(1)


def _looked_at(home: Path, kills: int) -> Killed:
    acknowledged = b"".join((home / f"acknowledged-{lane}").read_bytes() for lane in range(WRITERS)).decode()
    addresses = {acknowledged[at : at + _ADDRESS] for at in range(0, len(acknowledged), _ADDRESS)}
    ledger = ledger_in(home)
    after = write_one(ledger, 0)
    ledger.close()
    unread: list[object] = []
    there = {record.address for record in read_records(home / "records", unread.append)}
    problems = verify(home / "records", signer=open_signer(home / "key.pem")).problems
    torn_found = sum(problem.code in ("torn_line", "unsigned_tail") for problem in problems)
    for problem in problems:
        if problem.code not in ("torn_line", "unsigned_tail"):
            print(f"{problem.place}: {problem.message} [{problem.code}]", file=sys.stderr)
    return Killed(
        kills,
        acknowledged=len(addresses),
        lost=len(addresses - there),
        torn=sum(_is_torn(path) for path in (home / "records").glob("*.jsonl")),
        torn_found=torn_found,
        unexpected=len(problems) - torn_found,
        not_going_on=int(after not in there),
    )


def _is_torn(path: Path) -> bool:
    """Whether its last write was cut off: within a line, or between the content and the record that it belongs to."""
    lines = path.read_bytes().splitlines(keepends=True)
    return bool(lines) and (not lines[-1].endswith(b"\n") or not is_record(lines[-1]))
