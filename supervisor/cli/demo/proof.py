"""The proof afterwards: the records are verified, run again in a fresh process, and tampered with in a copy."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from supervisor.decision.decision import Decision
from supervisor.engine.workers.fork_client import import_environment, interpreter
from supervisor.errors import BadRecord
from supervisor.records.verify import verify
from supervisor.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Proof:
    """What holds of the records. `changed` is the line of which one byte was changed, `found` where that was found."""

    records: int
    problems: int
    replayed: int
    differing: int
    changed: int
    found: int | None


def prove(records: Path, decisions: Sequence[Decision], copy: Path) -> Proof:
    """Verifies and replays the journal in `records`, then changes one byte of a copy of it in `copy`."""
    report = verify(records)
    replayed, differing = _replay(records)
    changed = _change_a_byte(records, copy, decisions)
    lines = [problem.place.rpartition(":")[2] for problem in verify(copy).problems]
    found = next((int(line) for line in lines if line.isdecimal()), None)
    return Proof(report.records, len(report.problems), replayed, differing, changed, found)


def _replay(records: Path) -> tuple[int, int]:
    """How many decisions were run again, and how many came out otherwise: `supervisor replay`, as anyone would."""
    command = [*interpreter(), "-m", "supervisor", "replay", str(records), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=import_environment())
    try:
        told = json.loads(done.stdout)
    except ValueError:
        raise BadRecord(f"the replay said nothing: {done.stderr.strip()[-300:]}", place=str(records)) from None
    return told["decisions"], len(told["differing"])


def _change_a_byte(records: Path, copy: Path, decisions: Sequence[Decision]) -> int:
    """Changes one byte in the middle of a record, the first block's if there is one; the number of its line."""
    shutil.copytree(records, copy)
    blocks = (each.record for each in decisions if each.verdict is Verdict.BLOCK)
    wanted = next(blocks, decisions[-1].record)
    for segment in copy.glob("*.jsonl"):
        lines = segment.read_bytes().splitlines(keepends=True)
        for number, line in enumerate(lines):
            if hashlib.sha256(line.rstrip(b"\n")).hexdigest() == wanted:
                middle = len(line) // 2
                lines[number] = line[:middle] + bytes([line[middle] ^ 1]) + line[middle + 1 :]
                segment.write_bytes(b"".join(lines))
                return number + 1
    raise BadRecord("does not hold what was decided", place=str(records))
