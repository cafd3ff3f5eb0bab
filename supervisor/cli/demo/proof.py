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
from supervisor.records.envelope import open_signer
from supervisor.records.verify import verify
from supervisor.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Proof:
    """The checks of the records. `changed` is the line with the changed byte, `found` the line that `verify` named."""

    records: int
    problems: int
    replayed: int
    differing: int
    changed: int
    found: int | None


def prove(records: Path, decisions: Sequence[Decision], copy: Path, key: Path) -> Proof:
    """Verifies and replays the journal in `records`, then changes one byte of a copy of it in `copy`. The signing key
    in `key` tells which line was changed, where a later signature tells only that one was."""
    signer = open_signer(key)
    report = verify(records, signer=signer)
    replayed, differing = _replay(records)
    changed = _change_a_byte(records, copy, decisions)
    lines = [problem.place.rpartition(":")[2] for problem in verify(copy, signer=signer).problems]
    found = next((int(line) for line in lines if line.isdecimal()), None)
    return Proof(report.records, len(report.problems), replayed, differing, changed, found)


def _replay(records: Path) -> tuple[int, int]:
    """How many decisions `supervisor replay` ran again, and how many of them differ."""
    command = [*interpreter(), "-m", "supervisor", "replay", str(records), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=import_environment())
    try:
        report = json.loads(done.stdout)
    except ValueError:
        raise BadRecord(f"the replay printed no JSON: {done.stderr.strip()[-300:]}", place=str(records)) from None
    return report["decisions"], len(report["differing"])


def _change_a_byte(records: Path, copy: Path, decisions: Sequence[Decision]) -> int:
    """Changes one byte in a record, the first block's if there is one, and returns its line number."""
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
    raise BadRecord("the records lack the demo's decisions", place=str(records))
