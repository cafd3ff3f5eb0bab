"""How far a segment had come: without a note of it, a cut tail cannot be told from an end.

A checkpoint is signed and written now and then; kept elsewhere (`supervisor verify --json` prints them all), it proves
that the history before it was not rewritten even by someone who has the key. A head is a plain note that is renewed
with every record, for as long as a segment is open: signing it would cost as much as the record.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from supervisor.errors import BadRecord
from supervisor.records.envelope import Signer, read_envelope
from supervisor.records.statement import members_of, read_statement, statement

NEIGHBOURS = 16
_PARTS = {"segment": str, "records": int, "size": int, "digest": str, "sealed": bool}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The first `records` records of a segment end at byte `size`, and all bytes before it have this SHA-256."""

    segment: str
    records: int
    size: int
    digest: str
    sealed: bool

    def to_json(self) -> dict[str, Any]:
        """As signed."""
        return asdict(self)


def checkpoint_path(folder: Path, segment: str) -> Path:
    """Where a segment's checkpoint stands."""
    return folder / f"{segment}.checkpoint"


def write_checkpoint(folder: Path, checkpoint: Checkpoint, signer: Signer) -> None:
    """Replaces the segment's checkpoint, whole or not at all. Raises OSError."""
    path = checkpoint_path(folder, checkpoint.segment)
    line = signer.seal(statement("checkpoint", checkpoint.digest, members_of(checkpoint.to_json())))
    fresh = path.with_suffix(".checkpoint.tmp")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(line + b"\n")
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def head_path(folder: Path, segment: str) -> Path:
    """Where the head of an open segment stands."""
    return folder / f"{segment}.head"


def head_line(records: int, digest: str) -> bytes:
    """A head: always the same length, so that it is written in place."""
    return b"%012d %s\n" % (records, digest.encode())


def read_head(raw: bytes) -> tuple[int, str] | None:
    """Records and digest of a head; None where a power cut left no whole one."""
    records, _, digest = raw.rstrip(b"\n").partition(b" ")
    if not records.isdigit() or head_line(int(records), digest.decode("ascii", "replace")) != raw:
        return None
    return int(records), digest.decode()


def read_checkpoint(payload: bytes) -> Checkpoint:
    """The checkpoint in a payload. Raises BadRecord."""
    kind, predicate = read_statement(payload)
    if kind != "checkpoint":
        raise BadRecord(f"a {kind} record, not a checkpoint", code="not_a_checkpoint")
    return checkpoint_of(predicate)


def checkpoint_of(told: Any) -> Checkpoint:
    """The checkpoint in plain values, as a header names its neighbours. Raises BadRecord."""
    try:
        parts = {name: told[name] for name in _PARTS}
    except (KeyError, TypeError) as missing:
        raise BadRecord(f"a checkpoint without its parts: {missing}", code="not_a_checkpoint") from None
    for name, kind in _PARTS.items():
        if type(parts[name]) is not kind:
            raise BadRecord(f"a checkpoint whose {name} is no {kind.__name__}", code="not_a_checkpoint")
    return Checkpoint(**parts)


def newest_checkpoints(folder: Path) -> list[Checkpoint]:
    """The newest NEIGHBOURS checkpoints in a folder. One that cannot be read is for `verify` to report."""
    found = []
    for path in sorted(folder.glob("*.checkpoint"), reverse=True)[:NEIGHBOURS]:
        try:
            payload, _, _ = read_envelope(path.read_bytes().rstrip(b"\n"))
            found.append(read_checkpoint(payload))
        except (OSError, BadRecord):
            continue
    return found
