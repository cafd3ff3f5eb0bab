"""Verifying a journal: every line is what was written, none is missing, none was added.

What a folder alone can prove has one edge: records past the last checkpoint of a segment that was never sealed (its
process was killed, or still runs) may have been cut without trace. How many such records there are is reported.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord
from supervisor.records.checkpoint import Checkpoint, checkpoint_path, read_checkpoint
from supervisor.records.envelope import key_id_of, open_envelope, read_public_key
from supervisor.records.statement import read_content, read_statement

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    Keys = dict[str, Ed25519PublicKey]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a journal that is not as it was written. `place` is `file` or `file:line`."""

    place: str
    code: str
    message: str


@dataclass(slots=True)
class Report:
    """What was verified, and what does not hold."""

    segments: int = 0
    records: int = 0
    after_checkpoint: int = 0
    problems: list[Problem] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)


@dataclass(slots=True)
class _State:
    """Where a segment stands after a line: the chain so far, and its value after each record."""

    digest: Any = field(default_factory=hashlib.sha256)
    after: list[str] = field(default_factory=list)
    unsigned: int = 0


def read_keys(folder: Path, trusted: Path | None = None) -> Keys:
    """The public keys to verify with: the one in `trusted`, or those that the journal itself brings. BadRecord."""
    paths = [trusted] if trusted else sorted((folder / "keys").glob("*.pem"))
    found = {}
    for path in paths:
        try:
            key = read_public_key(path.read_bytes(), place=str(path))
        except OSError as error:
            raise BadRecord(f"cannot be read: {error.strerror}", place=str(path), code="bad_key") from None
        found[key_id_of(key)] = key
    if not found:
        raise BadRecord("holds no records, or its keys/ folder is gone", place=str(folder), code="no_journal")
    return found


def segment_paths(folder: Path) -> list[Path]:
    """The segments of a journal, oldest first. BadRecord if the folder is none."""
    if not folder.is_dir():
        raise BadRecord("is not a folder of records", place=str(folder), code="no_journal")
    return sorted(folder.glob("*.jsonl"))


def verify(folder: Path, trusted: Path | None = None) -> Report:
    """Verifies the journal in `folder`. Problems are reported, not raised; BadRecord only where there is no journal."""
    report = Report()
    paths = segment_paths(folder)
    keys = read_keys(folder, trusted)
    chains = {path.stem: _verify_segment(path, keys, report) for path in paths}
    for path in paths:
        _verify_end(folder, path, chains[path.stem], keys, report)
    for path in sorted(folder.glob("*.checkpoint")):
        if path.stem not in chains:
            report.problems.append(Problem(path.name, "segment_missing", "its segment is gone"))
    _verify_neighbours(folder, paths, chains, report)
    report.segments = len(paths)
    return report


def _verify_segment(path: Path, keys: Keys, report: Report) -> _State:
    state = _State()
    with path.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            try:
                _verify_line(raw, keys, state, path.stem)
            except BadRecord as error:
                report.problems.append(Problem(f"{path.name}:{number}", error.code, str(error)))
            state.digest.update(raw)
            if read_is_record(raw):
                state.after.append(state.digest.hexdigest())
    report.records += len(state.after)
    if state.unsigned:
        report.problems.append(Problem(path.name, "unsigned_tail", "ends with content that no record commits to"))
    return state


def read_is_record(raw: bytes) -> bool:
    """Whether a line is meant as a record, rather than as content."""
    return not raw.startswith(b'{"sha256"')


def _verify_line(raw: bytes, keys: Keys, state: _State, segment: str) -> None:
    if not raw.endswith(b"\n"):
        raise BadRecord("a torn line: its write was cut off, and nobody acted on it", code="torn_line")
    line = raw[:-1]
    if not read_is_record(line):
        state.unsigned += 1
        read_content(line)
        return
    state.unsigned = 0
    kind, predicate = read_statement(open_envelope(line, keys))
    if predicate.get("prefix") != state.digest.hexdigest():
        raise BadRecord("something before it was changed, dropped, swapped or added", code="chain_broken")
    if predicate.get("sequence") != len(state.after):
        raise BadRecord(f"record {predicate.get('sequence')} where {len(state.after)} belongs", code="out_of_sequence")
    if (kind == "segment") != (not state.after):
        raise BadRecord("a segment begins with its header, and has one", code="bad_header")
    if kind == "segment" and predicate.get("segment") != segment:
        raise BadRecord(f"the header is that of segment {predicate.get('segment')}", code="bad_header")


def _verify_end(folder: Path, path: Path, state: _State, keys: Keys, report: Report) -> None:
    """Holds a segment against its checkpoint: no less than it says, and no more once it is sealed."""
    place = checkpoint_path(folder, path.stem)
    try:
        checkpoint = read_checkpoint(open_envelope(place.read_bytes().rstrip(b"\n"), keys))
    except FileNotFoundError:
        report.problems.append(Problem(path.name, "no_checkpoint", "its checkpoint is gone"))
        return
    except BadRecord as error:
        report.problems.append(Problem(place.name, error.code, str(error)))
        return
    report.checkpoints.append(checkpoint)
    report.problems.extend(_against(checkpoint, state, place.name))
    extra = len(state.after) - checkpoint.records
    if checkpoint.sealed and extra > 0:
        report.problems.append(Problem(path.name, "added_after_seal", f"{extra} records after it was sealed"))
    report.after_checkpoint += max(extra, 0)


def _against(checkpoint: Checkpoint, state: _State, place: str) -> Iterator[Problem]:
    if len(state.after) < checkpoint.records:
        missing = checkpoint.records - len(state.after)
        yield Problem(place, "records_missing", f"{missing} records are gone from the end of its segment")
    elif checkpoint.records < 1 or state.after[checkpoint.records - 1] != checkpoint.digest:
        yield Problem(place, "chain_broken", f"the first {checkpoint.records} records are not what they were")


def _verify_neighbours(folder: Path, paths: list[Path], chains: dict[str, _State], report: Report) -> None:
    """Each segment's header says how far the segments before it had come."""
    for path in paths:
        for told in _neighbours(path):
            state = chains.get(told.segment)
            if state is None:
                missing = f"segment {told.segment}, which was there when this one began, is gone"
                report.problems.append(Problem(path.name, "segment_missing", missing))
            else:
                report.problems.extend(_against(told, state, f"{path.name}:1"))


def _neighbours(path: Path) -> list[Checkpoint]:
    """What the header tells of others; a header that does not hold has been reported already."""
    from supervisor.records.envelope import read_envelope

    with path.open("rb") as lines:
        try:
            _, header = read_statement(read_envelope(lines.readline().rstrip(b"\n"))[0])
            return [Checkpoint(**each) for each in header.get("neighbours", [])]
        except (BadRecord, TypeError):
            return []
