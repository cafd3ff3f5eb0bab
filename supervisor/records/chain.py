"""Reading one segment: checks that its lines are the chain that was written, and that the end is not missing."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord, shown_place
from supervisor.intake.files import read_file
from supervisor.records.checkpoint import Checkpoint, checkpoint_of, checkpoint_path, read_checkpoint
from supervisor.records.envelope import open_envelope, read_envelope
from supervisor.records.head import BLOCK, HEAD_BYTES, Head, head_path, read_head
from supervisor.records.lines import lines_of
from supervisor.records.register import MAX_NOTE
from supervisor.records.statement import read_content, read_statement
from supervisor.records.version_0_1 import is_header_of_0_1

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

Note = Callable[[str, str, dict[str, Any], bytes], None]  # is passed place, kind, predicate, line of a verified record
_BEGINNING = 0.05  # seconds; a writer needs at most so long between a segment's first file and its last


@dataclass(frozen=True, slots=True)
class Problem:
    """A difference between a journal and what was written. `place` is `file` or `file:line`."""

    place: str
    code: str
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", shown_place(self.place))
        object.__setattr__(self, "message", shown_place(self.message))


@dataclass(slots=True)
class Sidecars:
    """A segment's checkpoint and head, read before the segment, because it may be growing. A `str` is the reason why
    the file could not be read."""

    checkpoint: bytes | str
    head: bytes | str


@dataclass(slots=True)
class Chain:
    """A segment as it was read: the chain's digest after each record, the anchors, and the problems."""

    path: Path
    sidecars: Sidecars
    problems: list[Problem] = field(default_factory=list)
    digest: Any = field(default_factory=hashlib.sha256)
    digests: list[str] = field(default_factory=list)
    anchors: dict[int, str] = field(default_factory=dict)
    header: dict[str, Any] = field(default_factory=dict)
    neighbours: list[Checkpoint] = field(default_factory=list)
    checkpoint: Checkpoint | None = None
    read: int = 0  # bytes
    size: int = 0  # bytes up to the end of the last record
    unsigned: int = 0
    sealed: bool = False
    keys: Keys = field(default_factory=dict)  # the one key that signed its header; it must have signed the rest too
    exposed: int | None = 0  # at most so many records may be missing from its end; None if the number is unknown

    @property
    def name(self) -> str:
        """The segment's name."""
        return self.path.stem

    @property
    def is_unregistered(self) -> bool:
        """Whether its header is of version 0.1, which had no register, and whose heads held a digest."""
        return is_header_of_0_1(self.header)

    def reached(self) -> Checkpoint | None:
        """The segment's length: as it was read if there are no problems, else from its checkpoint."""
        if self.problems or not self.digests:
            return self.checkpoint
        return Checkpoint(self.name, len(self.digests), self.size, self.digests[-1], self.sealed)

    def report(self, place: str, code: str, message: str) -> None:
        """Adds a problem."""
        self.problems.append(Problem(place, code, message))


def read_chain(path: Path, keys: Keys, note: Note) -> Chain:
    """Reads a segment. Whatever is wrong is in `problems`; nothing is raised."""
    chain = Chain(path, _sidecars(path))
    try:
        for number, raw in lines_of(path):
            _take(chain, number, raw, keys, note)
    except BadRecord as error:
        chain.report(path.name, error.code, error.message)
    if chain.unsigned:
        chain.report(path.name, "unsigned_tail", "ends with content whose record was cut off or never written")
    return chain


def _sidecars(path: Path) -> Sidecars:
    """The checkpoint and head of a segment. If its writer is just creating it, waits until they exist."""
    beside = Sidecars(_content(checkpoint_path(path.parent, path.stem)), _stable(head_path(path.parent, path.stem)))
    if isinstance(beside.checkpoint, str) and _is_young(path):
        time.sleep(_BEGINNING)
        return Sidecars(_content(checkpoint_path(path.parent, path.stem)), _stable(head_path(path.parent, path.stem)))
    return beside


def _is_young(path: Path) -> bool:
    try:
        return abs(time.time() - path.lstat().st_mtime) < 1
    except OSError:
        return False


def _stable(path: Path) -> bytes | str:
    """A head, read until two reads agree: its writer may overwrite it meanwhile."""
    content = _content(path)
    for _ in range(5):
        again = _content(path)
        if again == content:
            break
        content = again
    return content


def _content(path: Path) -> bytes | str:
    try:
        return read_file(path, MAX_NOTE, follow=False)
    except FileNotFoundError:
        return "gone"
    except OSError as error:
        return f"unreadable: {error.strerror}"


def _take(chain: Chain, number: int, raw: bytes, keys: Keys, note: Note) -> None:
    place = f"{chain.path.name}:{number}"
    try:
        if record := verified(raw, keys, chain):
            note(place, *record, raw[:-1])
    except BadRecord as error:
        chain.report(place, error.code, str(error))
    chain.digest.update(raw)
    chain.read += len(raw)
    if _is_record(raw) and raw.endswith(b"\n"):
        chain.digests.append(chain.digest.hexdigest())
        chain.size = chain.read


def _is_record(raw: bytes) -> bool:
    """Whether a line is a record and not content."""
    return not raw.startswith(b'{"sha256"')


def verified(raw: bytes, keys: Keys, chain: Chain) -> tuple[str, dict[str, Any]] | None:
    """Kind and predicate of a record; None for content. Raises BadRecord if the line is not the next of the chain."""
    if not raw.endswith(b"\n"):
        chain.unsigned = 0  # the content before it belongs to the same write
        raise BadRecord("a torn line: its write was cut off before it was acknowledged", code="torn_line")
    line = raw[:-1]
    if not _is_record(line):
        chain.unsigned += 1
        read_content(line)
        return None
    chain.unsigned = 0
    kind, predicate = read_statement(open_envelope(line, chain.keys or keys))
    if chain.sealed:
        raise BadRecord("a record after the end of its segment", code="added_after_seal")
    chain.sealed = kind == "end"
    if predicate.get("prefix") != chain.digest.hexdigest():
        raise BadRecord("something before it was changed, dropped, swapped or added", code="chain_broken")
    if predicate.get("sequence") != len(chain.digests):
        raise BadRecord(
            f"record {predicate.get('sequence')} where {len(chain.digests)} belongs", code="out_of_sequence"
        )
    if (kind == "segment") != (not chain.digests):
        raise BadRecord("a segment begins with its header, and has one", code="bad_header")
    if kind == "segment":
        _take_header(chain, predicate)
        key_id = read_envelope(line)[1]
        chain.keys = {key_id: keys[key_id]}
    if isinstance(anchor := predicate.get("anchor"), str):
        chain.anchors[len(chain.digests)] = anchor
    return kind, predicate


def _take_header(chain: Chain, header: dict[str, Any]) -> None:
    """Stores a segment's header and the checkpoints of its neighbours. Raises BadRecord."""
    if header.get("segment") != chain.name:
        raise BadRecord(f"the header is that of segment {header.get('segment')}", code="bad_header")
    try:
        chain.neighbours = [checkpoint_of(each) for each in header.get("neighbours", [])]
    except (BadRecord, TypeError):
        raise BadRecord("a header whose neighbours cannot be read", code="bad_header") from None
    chain.header = header


def check_end(chain: Chain, keys: Keys, *, is_known: bool) -> None:
    """Compares a segment with its checkpoint and, until it is sealed, with its head.

    A segment with no record but its header, which neither the register nor another header names, was only begun: its
    writer was killed while creating it, or is still creating it. Then its files need not be complete.
    """
    head = _head(chain)
    is_beginning = len(chain.digests) <= 1 and (head is None or head.records == 1)
    if is_beginning and not is_known and isinstance(chain.sidecars.checkpoint, str):
        return
    _check_checkpoint(chain, keys)
    if not chain.sealed:
        _check_head(chain, head)


def _check_checkpoint(chain: Chain, keys: Keys) -> None:
    place = f"{chain.name}.checkpoint"
    if isinstance(chain.sidecars.checkpoint, str):
        chain.report(chain.path.name, "no_checkpoint", f"its checkpoint is {chain.sidecars.checkpoint}")
        return
    try:
        checkpoint = read_checkpoint(open_envelope(chain.sidecars.checkpoint.rstrip(b"\n"), chain.keys or keys))
        if checkpoint.segment != chain.name:
            raise BadRecord(f"the checkpoint of segment {checkpoint.segment}", code="bad_checkpoint")
    except BadRecord as error:
        chain.report(place, error.code, str(error))
        return
    chain.checkpoint = checkpoint
    check_against(checkpoint, chain, chain, place)
    if checkpoint.sealed and not chain.sealed:
        chain.report(chain.path.name, "records_missing", "it was sealed, and its end is gone")


def check_against(expected: Checkpoint, chain: Chain, source: Chain, place: str) -> None:
    """Compares a segment with a checkpoint of it. A problem is reported on `source`, which contains the checkpoint."""
    if len(chain.digests) < expected.records:
        missing = expected.records - len(chain.digests)
        source.report(place, "records_missing", f"{missing} records are gone from the end of segment {chain.name}")
    elif expected.records and chain.digests[expected.records - 1] != expected.digest:
        source.report(
            place, "chain_broken", f"the first {expected.records} records of {chain.name} are not what they were"
        )


def _head(chain: Chain) -> Head | None:
    raw = chain.sidecars.head
    return read_head(raw) if isinstance(raw, bytes) and len(raw) == HEAD_BYTES else None


def _check_head(chain: Chain, head: Head | None) -> None:
    """Checks that an open segment is as long as its head says, or one record longer: its writer may be killed between
    the two writes."""
    place, raw = f"{chain.name}.head", chain.sidecars.head
    if head is None:
        why = raw if isinstance(raw, str) else "not a whole one, as after a power cut"
        chain.report(place, "head_missing", f"its segment was not sealed, and its head is {why}: {_exposure(chain)}")
    elif len(chain.digests) < head.records:
        missing = head.records - len(chain.digests)
        chain.report(place, "records_missing", f"{missing} records are gone from the end of its segment")
    elif chain.is_unregistered:
        if chain.digests[head.records - 1] != head.token.hex():
            chain.report(place, "chain_broken", f"the first {head.records} records are not what they were")
    elif not head.fits(chain.anchors.get(head.block, "")):
        chain.report(place, "head_forged", f"the segment's writer did not write it: {_exposure(chain)}")


def _exposure(chain: Chain) -> str:
    """How many records may be missing if there is no head. Fewer than a block: each full block has a checkpoint."""
    if chain.checkpoint is None:
        chain.exposed = None
        return "how many records are missing from the segment's end cannot be known"
    chain.exposed = BLOCK - 1 - len(chain.digests) % BLOCK
    return f"at most {chain.exposed} records may be missing from the segment's end"
