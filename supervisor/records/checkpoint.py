"""Checkpoints: the signed length and digest of a segment. Without one, a cut-off tail cannot be detected.

A checkpoint is written after every block of records. A copy that is kept elsewhere (`supervisor verify --json` prints
them all) proves that the records before it were not rewritten, not even by a holder of the key.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord
from supervisor.intake.files import read_file, replace_file
from supervisor.records.envelope import Signer, open_envelope
from supervisor.records.register import MAX_NOTE, NEIGHBOURS
from supervisor.records.statement import members_of, read_statement, statement

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_ENDING = ".checkpoint"
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
        """The checkpoint as signed."""
        return {name: getattr(self, name) for name in _PARTS}


def checkpoint_path(folder: Path, segment: str) -> Path:
    """The path of a segment's checkpoint."""
    return folder / f"{segment}{_ENDING}"


def write_checkpoint(folder: Path, checkpoint: Checkpoint, signer: Signer, *, sync: bool = False) -> None:
    """Replaces the segment's checkpoint, whole or not at all. Raises OSError."""
    replace_file(checkpoint_path(folder, checkpoint.segment), checkpoint_line(checkpoint, signer) + b"\n", sync=sync)


def checkpoint_line(checkpoint: Checkpoint, signer: Signer) -> bytes:
    """The signed checkpoint: one line, without its newline."""
    return signer.sign(statement("checkpoint", checkpoint.digest, members_of(checkpoint.to_json())))


def read_checkpoint(payload: bytes) -> Checkpoint:
    """The checkpoint in a payload. Raises BadRecord."""
    kind, predicate = read_statement(payload)
    if kind != "checkpoint":
        raise BadRecord(f"a {kind} record, not a checkpoint", code="not_a_checkpoint")
    return checkpoint_of(predicate)


def checkpoint_of(values: Any) -> Checkpoint:
    """The checkpoint in plain values, such as a header contains of its neighbours. Raises BadRecord."""
    try:
        parts = {name: values[name] for name in _PARTS}
    except (KeyError, TypeError) as missing:
        raise BadRecord(f"a checkpoint without its parts: {missing}", code="not_a_checkpoint") from None
    for name, kind in _PARTS.items():
        if type(parts[name]) is not kind:
            raise BadRecord(f"a checkpoint whose {name} is no {kind.__name__}", code="not_a_checkpoint")
    return Checkpoint(**parts)


def neighbour(folder: Path, name: str, keys: Mapping[str, Ed25519PublicKey]) -> Checkpoint:
    """A segment's checkpoint. If it is missing or invalid, a checkpoint of zero records, which still names the
    segment."""
    try:
        found = read_checkpoint(open_envelope(read_note(checkpoint_path(folder, name)), dict(keys)))
    except (OSError, BadRecord):  # for `verify` to report
        found = None
    return found if found and found.segment == name else Checkpoint(name, 0, 0, "", sealed=False)


def newest_segments(folder: Path, keys: Mapping[str, Ed25519PublicKey]) -> list[str]:
    """The newest NEIGHBOURS segments that have a checkpoint signed by one of `keys`, for when there is no register. All
    other files of the folder are ignored. Raises OSError."""
    names = sorted((name.removesuffix(_ENDING) for name in os.listdir(folder) if name.endswith(_ENDING)), reverse=True)
    verified = (name for name in names if neighbour(folder, name, keys).records)
    return list(islice(verified, NEIGHBOURS))[::-1]


def read_note(path: Path) -> bytes:
    """The single line of a small file. Raises OSError."""
    return read_file(path, MAX_NOTE, follow=False).rstrip(b"\n")
