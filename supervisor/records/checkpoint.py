"""How far a segment had come: without a note of it, a cut tail cannot be told from an end.

A checkpoint is signed and written now and then; kept elsewhere (`supervisor verify --json` prints them all), it proves
that the history before it was not rewritten even by someone who has the key.
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
        """As signed."""
        return {name: getattr(self, name) for name in _PARTS}


def checkpoint_path(folder: Path, segment: str) -> Path:
    """Where a segment's checkpoint stands."""
    return folder / f"{segment}{_ENDING}"


def write_checkpoint(folder: Path, checkpoint: Checkpoint, signer: Signer, *, sync: bool = False) -> None:
    """Replaces the segment's checkpoint, whole or not at all. Raises OSError."""
    line = signer.seal(statement("checkpoint", checkpoint.digest, members_of(checkpoint.to_json())))
    replace_file(checkpoint_path(folder, checkpoint.segment), line + b"\n", sync=sync)


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


def neighbour(folder: Path, name: str, keys: Mapping[str, Ed25519PublicKey]) -> Checkpoint:
    """How far a segment had come by its checkpoint. One whose checkpoint does not hold is named all the same."""
    try:
        found = read_checkpoint(open_envelope(read_note(checkpoint_path(folder, name)), dict(keys)))
    except (OSError, BadRecord):  # for `verify` to report
        found = None
    return found if found and found.segment == name else Checkpoint(name, 0, 0, "", sealed=False)


def newest_segments(folder: Path, keys: Mapping[str, Ed25519PublicKey]) -> list[str]:
    """The newest NEIGHBOURS segments of which a checkpoint of these keys tells, where no register does. Whatever else
    lies in the folder counts as nothing. Raises OSError."""
    names = sorted((name.removesuffix(_ENDING) for name in os.listdir(folder) if name.endswith(_ENDING)), reverse=True)
    found = (name for name in names if neighbour(folder, name, keys).records)
    return list(islice(found, NEIGHBOURS))[::-1]


def read_note(path: Path) -> bytes:
    """The one line of a small file. Raises OSError."""
    return read_file(path, MAX_NOTE, follow=False).rstrip(b"\n")
