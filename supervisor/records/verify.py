"""Verifying a journal: every line is what was written, none is missing, none was added.

A sealed segment ends with a record that says so. One that was not sealed (its process was killed, or still runs) has
a head beside it that says how far it had come; the head is not signed, so how many such segments there are is reported.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord
from supervisor.history import address_of
from supervisor.records.approved import Approved
from supervisor.records.checkpoint import (
    Checkpoint,
    checkpoint_of,
    checkpoint_path,
    head_path,
    read_checkpoint,
    read_head,
)
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
    unsealed: int = 0
    keys: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)


@dataclass(slots=True)
class _State:
    """Where a segment stands after a line: the chain so far, and its value after each record. What stands beside it
    is read before it, because it may be growing."""

    checkpoint: bytes | None
    head: bytes | None
    digest: Any = field(default_factory=hashlib.sha256)
    after: list[str] = field(default_factory=list)
    unsigned: int = 0
    sealed: bool = False


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
    beside = sorted([*folder.glob("*.checkpoint"), *folder.glob("*.head")])  # first: segments may be begun meanwhile
    paths = segment_paths(folder)
    keys = read_keys(folder, trusted)
    report = Report(segments=len(paths), keys=sorted(keys))
    if not paths:
        report.problems.append(Problem(folder.name, "segment_missing", "its segments are gone: there are only keys"))
    approved = Approved()
    chains = {path.stem: _verify_segment(path, keys, report, approved) for path in paths}
    for path in paths:
        _verify_end(path, chains[path.stem], keys, report)
    for path in beside:
        if path.stem not in chains:
            report.problems.append(Problem(path.name, "segment_missing", "its segment is gone"))
    _verify_neighbours(paths, chains, report)
    report.problems.extend(Problem(*each) for each in approved.problems())
    return report


def _verify_segment(path: Path, keys: Keys, report: Report, approved: Approved) -> _State:
    state = _State(_content(checkpoint_path(path.parent, path.stem)), _content(head_path(path.parent, path.stem)))
    with path.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            try:
                if told := _verify_line(raw, keys, state, path.stem):
                    approved.note(f"{path.name}:{number}", *told, address_of(raw[:-1]))
            except BadRecord as error:
                report.problems.append(Problem(f"{path.name}:{number}", error.code, str(error)))
            state.digest.update(raw)
            if _is_record(raw):
                state.after.append(state.digest.hexdigest())
    report.records += len(state.after)
    if state.unsigned:
        report.problems.append(Problem(path.name, "unsigned_tail", "ends with content that no record commits to"))
    return state


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _is_record(raw: bytes) -> bool:
    """Whether a line is meant as a record, rather than as content."""
    return not raw.startswith(b'{"sha256"')


def _verify_line(raw: bytes, keys: Keys, state: _State, segment: str) -> tuple[str, dict[str, Any]] | None:
    """What a record says that holds; None for content."""
    if not raw.endswith(b"\n"):
        raise BadRecord("a torn line: its write was cut off, and nobody acted on it", code="torn_line")
    line = raw[:-1]
    if not _is_record(line):
        state.unsigned += 1
        read_content(line)
        return None
    state.unsigned = 0
    kind, predicate = read_statement(open_envelope(line, keys))
    if state.sealed:
        raise BadRecord("a record after the end of its segment", code="added_after_seal")
    state.sealed = kind == "end"
    if predicate.get("prefix") != state.digest.hexdigest():
        raise BadRecord("something before it was changed, dropped, swapped or added", code="chain_broken")
    if predicate.get("sequence") != len(state.after):
        raise BadRecord(f"record {predicate.get('sequence')} where {len(state.after)} belongs", code="out_of_sequence")
    if (kind == "segment") != (not state.after):
        raise BadRecord("a segment begins with its header, and has one", code="bad_header")
    if kind == "segment" and predicate.get("segment") != segment:
        raise BadRecord(f"the header is that of segment {predicate.get('segment')}", code="bad_header")
    return kind, predicate


def _verify_end(path: Path, state: _State, keys: Keys, report: Report) -> None:
    """Holds a segment against what says how far it had come: its checkpoint, and its head until it is sealed."""
    if state.checkpoint is None and _is_only_begun(state):
        report.unsealed += 1  # its process was killed as it began, or is just beginning: it holds no decision
        return
    if state.checkpoint is None:
        report.problems.append(Problem(path.name, "no_checkpoint", "its checkpoint is gone"))
    else:
        _verify_checkpoint(path, state, state.checkpoint, keys, report)
    if state.sealed:
        return
    report.unsealed += 1
    if state.head is None:
        report.problems.append(Problem(path.name, "head_missing", "it was not sealed, and its head is gone"))
    elif told := read_head(state.head):
        report.problems.extend(_against(*told, state, f"{path.stem}.head"))


def _is_only_begun(state: _State) -> bool:
    """Whether there is no more than a header, and the head, if it is there already, says so too."""
    head = read_head(state.head) if state.head else None
    return len(state.after) <= 1 and not state.sealed and head in (None, *((1, each) for each in state.after))


def _verify_checkpoint(path: Path, state: _State, raw: bytes, keys: Keys, report: Report) -> None:
    place = f"{path.stem}.checkpoint"
    try:
        checkpoint = read_checkpoint(open_envelope(raw.rstrip(b"\n"), keys))
    except BadRecord as error:
        report.problems.append(Problem(place, error.code, str(error)))
        return
    report.checkpoints.append(checkpoint)
    report.problems.extend(_against(checkpoint.records, checkpoint.digest, state, place))
    if checkpoint.sealed and not state.sealed:
        report.problems.append(Problem(path.name, "records_missing", "it was sealed, and its end is gone"))


def _against(records: int, digest: str, state: _State, place: str) -> Iterator[Problem]:
    """Holds a segment against a note that it had so many records, and this digest after them."""
    if len(state.after) < records:
        missing = records - len(state.after)
        yield Problem(place, "records_missing", f"{missing} records are gone from the end of its segment")
    elif records < 1 or state.after[records - 1] != digest:
        yield Problem(place, "chain_broken", f"the first {records} records are not what they were")


def _verify_neighbours(paths: list[Path], chains: dict[str, _State], report: Report) -> None:
    """Each segment's header says how far the segments before it had come."""
    for path in paths:
        for told in _neighbours(path):
            state = chains.get(told.segment)
            if state is None:
                missing = f"segment {told.segment}, which was there when this one began, is gone"
                report.problems.append(Problem(path.name, "segment_missing", missing))
            else:
                report.problems.extend(_against(told.records, told.digest, state, f"{path.name}:1"))


def _neighbours(path: Path) -> list[Checkpoint]:
    """What the header tells of others; a header that does not hold has been reported already."""
    from supervisor.records.envelope import read_envelope

    with path.open("rb") as lines:
        try:
            _, header = read_statement(read_envelope(lines.readline().rstrip(b"\n"))[0])
            return [checkpoint_of(each) for each in header.get("neighbours", [])]
        except (BadRecord, TypeError):
            return []
