"""Reading one segment: whether its lines are the chain that was written, and how far what stands beside it goes."""

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

Note = Callable[[str, str, dict[str, Any], bytes], None]  # takes place, kind, predicate and line of a record that holds
_BEGINNING = 0.05  # seconds that a writer needs at most between a segment's first file and its last


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a journal that is not as it was written. `place` is `file` or `file:line`."""

    place: str
    code: str
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", shown_place(self.place))
        object.__setattr__(self, "message", shown_place(self.message))


@dataclass(slots=True)
class Beside:
    """What stands beside a segment, read before it, because it may be growing. A text says why it could not be."""

    checkpoint: bytes | str
    head: bytes | str


@dataclass(slots=True)
class Chain:
    """A segment as it was read: the chain's value after each record, what the records commit to, what is wrong."""

    path: Path
    beside: Beside
    problems: list[Problem] = field(default_factory=list)
    digest: Any = field(default_factory=hashlib.sha256)
    after: list[str] = field(default_factory=list)
    anchors: dict[int, str] = field(default_factory=dict)
    header: dict[str, Any] = field(default_factory=dict)
    neighbours: list[Checkpoint] = field(default_factory=list)
    checkpoint: Checkpoint | None = None
    read: int = 0  # bytes
    size: int = 0  # bytes up to the end of the last record
    unsigned: int = 0
    sealed: bool = False
    keys: Keys = field(default_factory=dict)  # the one that signed its header, and has to have signed the rest
    exposed: int | None = 0  # records that may be missing from its end at most; None where that cannot be known

    @property
    def name(self) -> str:
        """The segment's name."""
        return self.path.stem

    @property
    def is_unregistered(self) -> bool:
        """Whether its header is of version 0.1, which had no register, and whose heads held a digest."""
        return is_header_of_0_1(self.header)

    def reached(self) -> Checkpoint | None:
        """How far it has come: as it was read where all of it holds, else as its checkpoint says."""
        if self.problems or not self.after:
            return self.checkpoint
        return Checkpoint(self.name, len(self.after), self.size, self.after[-1], self.sealed)

    def report(self, place: str, code: str, message: str) -> None:
        """Notes a problem."""
        self.problems.append(Problem(place, code, message))


def read_chain(path: Path, keys: Keys, note: Note) -> Chain:
    """Reads a segment. What is wrong with it is in its `problems`."""
    chain = Chain(path, _beside(path))
    try:
        for number, raw in lines_of(path):
            _take(chain, number, raw, keys, note)
    except BadRecord as error:
        chain.report(path.name, error.code, error.told)
    if chain.unsigned:
        chain.report(path.name, "unsigned_tail", "ends with content whose record was cut off, or never was")
    return chain


def _beside(path: Path) -> Beside:
    """A segment that is being begun this moment gets the time for it."""
    found = Beside(_content(checkpoint_path(path.parent, path.stem)), _stable(head_path(path.parent, path.stem)))
    if isinstance(found.checkpoint, str) and _is_young(path):
        time.sleep(_BEGINNING)
        return Beside(_content(checkpoint_path(path.parent, path.stem)), _stable(head_path(path.parent, path.stem)))
    return found


def _is_young(path: Path) -> bool:
    try:
        return abs(time.time() - path.lstat().st_mtime) < 1
    except OSError:
        return False


def _stable(path: Path) -> bytes | str:
    """A head that may be written over while it is read."""
    found = _content(path)
    for _ in range(5):
        again = _content(path)
        if again == found:
            break
        found = again
    return found


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
        if told := _held(raw, keys, chain):
            note(place, *told, raw[:-1])
    except BadRecord as error:
        chain.report(place, error.code, str(error))
    chain.digest.update(raw)
    chain.read += len(raw)
    if _is_record(raw) and raw.endswith(b"\n"):
        chain.after.append(chain.digest.hexdigest())
        chain.size = chain.read


def _is_record(raw: bytes) -> bool:
    """Whether a line is meant as a record, rather than as content."""
    return not raw.startswith(b'{"sha256"')


def _held(raw: bytes, keys: Keys, chain: Chain) -> tuple[str, dict[str, Any]] | None:
    """What a record says that holds; None for content."""
    if not raw.endswith(b"\n"):
        chain.unsigned = 0  # what stands before it was cut off with it
        raise BadRecord("a torn line: its write was cut off before anybody was told of it", code="torn_line")
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
    if predicate.get("sequence") != len(chain.after):
        raise BadRecord(f"record {predicate.get('sequence')} where {len(chain.after)} belongs", code="out_of_sequence")
    if (kind == "segment") != (not chain.after):
        raise BadRecord("a segment begins with its header, and has one", code="bad_header")
    if kind == "segment":
        _take_header(chain, predicate)
        key_id = read_envelope(line)[1]
        chain.keys = {key_id: keys[key_id]}
    if isinstance(anchor := predicate.get("anchor"), str):
        chain.anchors[len(chain.after)] = anchor
    return kind, predicate


def _take_header(chain: Chain, header: dict[str, Any]) -> None:
    """What the header tells of others, and of how the segment began."""
    if header.get("segment") != chain.name:
        raise BadRecord(f"the header is that of segment {header.get('segment')}", code="bad_header")
    try:
        chain.neighbours = [checkpoint_of(each) for each in header.get("neighbours", [])]
    except (BadRecord, TypeError):
        raise BadRecord("a header whose neighbours cannot be read", code="bad_header") from None
    chain.header = header


def check_end(chain: Chain, keys: Keys, *, is_known: bool) -> None:
    """Holds a segment against what says how far it had come: its checkpoint, and its head until it is sealed.

    One that is not known from the register or from another's header, and holds no record, was only begun: its writer
    was killed as it began, or is just beginning. Nothing has to be complete then.
    """
    head = _head(chain)
    is_beginning = len(chain.after) <= 1 and (head is None or head.records == 1)
    if is_beginning and not is_known and isinstance(chain.beside.checkpoint, str):
        return
    _check_checkpoint(chain, keys)
    if not chain.sealed:
        _check_head(chain, head)


def _check_checkpoint(chain: Chain, keys: Keys) -> None:
    place = f"{chain.name}.checkpoint"
    if isinstance(chain.beside.checkpoint, str):
        chain.report(chain.path.name, "no_checkpoint", f"its checkpoint is {chain.beside.checkpoint}")
        return
    try:
        checkpoint = read_checkpoint(open_envelope(chain.beside.checkpoint.rstrip(b"\n"), chain.keys or keys))
        if checkpoint.segment != chain.name:
            raise BadRecord(f"the checkpoint of segment {checkpoint.segment}", code="bad_checkpoint")
    except BadRecord as error:
        chain.report(place, error.code, str(error))
        return
    chain.checkpoint = checkpoint
    check_against(checkpoint, chain, chain, place)
    if checkpoint.sealed and not chain.sealed:
        chain.report(chain.path.name, "records_missing", "it was sealed, and its end is gone")


def check_against(told: Checkpoint, chain: Chain, who: Chain, place: str) -> None:
    """Holds a segment against a note that it had so many records, and this digest after them. `who` noted it."""
    if len(chain.after) < told.records:
        missing = told.records - len(chain.after)
        who.report(place, "records_missing", f"{missing} records are gone from the end of segment {chain.name}")
    elif told.records and chain.after[told.records - 1] != told.digest:
        who.report(place, "chain_broken", f"the first {told.records} records of {chain.name} are not what they were")


def _head(chain: Chain) -> Head | None:
    raw = chain.beside.head
    return read_head(raw) if isinstance(raw, bytes) and len(raw) == HEAD_BYTES else None


def _check_head(chain: Chain, head: Head | None) -> None:
    """An open segment ends where its head says, or one record later: between the two its writer may be killed."""
    place, raw = f"{chain.name}.head", chain.beside.head
    if head is None:
        why = raw if isinstance(raw, str) else "not a whole one, as after a power cut"
        chain.report(place, "head_missing", f"its segment was not sealed, and its head is {why}: {_exposure(chain)}")
    elif len(chain.after) < head.records:
        missing = head.records - len(chain.after)
        chain.report(place, "records_missing", f"{missing} records are gone from the end of its segment")
    elif chain.is_unregistered:
        if chain.after[head.records - 1] != head.token.hex():
            chain.report(place, "chain_broken", f"the first {head.records} records are not what they were")
    elif not head.fits(chain.anchors.get(head.block, "")):
        chain.report(place, "head_forged", f"the segment's writer did not write it: {_exposure(chain)}")


def _exposure(chain: Chain) -> str:
    """How many records may be missing where no head tells: with the last of a block, a checkpoint would be there."""
    if chain.checkpoint is None:
        chain.exposed = None
        return "how many records are missing from the segment's end cannot be known"
    chain.exposed = BLOCK - 1 - len(chain.after) % BLOCK
    return f"at most {chain.exposed} records may be missing from the segment's end"
