"""Reading one segment: checks that its lines are the chain that was written."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord, shown_place
from supervisor.intake.files import read_file
from supervisor.records.checkpoint import Checkpoint, checkpoint_of, checkpoint_path
from supervisor.records.envelope import check_signature, encoding_to_sign, read_envelope
from supervisor.records.head import head_path
from supervisor.records.lines import lines_of
from supervisor.records.macs import MacKeys, is_mac, may_have_mac, signing_id
from supervisor.records.register import MAX_NOTE
from supervisor.records.seal import SEAL_SECONDS, read_seal
from supervisor.records.statement import read_content, read_statement
from supervisor.records.version_0_1 import is_header_of_0_1

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

Note = Callable[[str, str, dict[str, Any], bytes], None]  # is passed place, kind, predicate, line of a verified record
LOOKS = 40  # for the seal of a writer that may be at work
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
    mac_keys: MacKeys = field(default_factory=dict)
    covered: int = 0  # records up to the last one that a signature covers: its own, a later one's, or a seal
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

    @property
    def uncovered(self) -> int:
        """The number of records at its end that only a MAC may prove."""
        return len(self.digests) - self.covered

    def is_covered(self, seal: Checkpoint | None) -> bool:
        """Whether a signature covers all that was read: the last record's, or this seal."""
        if seal and self.digests and (seal.records, seal.digest) == (len(self.digests), self.digest.hexdigest()):
            self.covered = seal.records
        return not self.uncovered

    @property
    def has_mac_key(self) -> bool:
        """Whether the MACs of its records were checked."""
        return not self.mac_keys.keys().isdisjoint(self.keys)

    def cover(self, checkpoint: Checkpoint) -> None:
        """Notes that this signed checkpoint covers the records before it, if they are what they were."""
        records = checkpoint.records
        if 0 < records <= len(self.digests) and self.digests[records - 1] == checkpoint.digest:
            self.covered = max(self.covered, records)

    def seal(self, head: bytes | str, keys: Keys) -> Checkpoint | None:
        """The seal beside this head. One that does not verify is for `check_end` to report."""
        try:
            return read_seal(head, self.name, self.keys or keys) if isinstance(head, bytes) else None
        except BadRecord:
            return None

    def report(self, place: str, code: str, message: str) -> None:
        """Adds a problem."""
        self.problems.append(Problem(place, code, message))


def read_chain(path: Path, keys: Keys, note: Note, mac_keys: MacKeys | None = None) -> Chain:
    """Reads a segment. Whatever is wrong is in `problems`; nothing is raised. With `mac_keys`, the MACs are checked."""
    chain, number = Chain(path, _sidecars(path), mac_keys=mac_keys or {}), 0
    try:
        for number, raw in lines_of(path):
            _take(chain, number, raw, keys, note)
        if seal := chain.seal(chain.sidecars.head, keys):
            chain.cover(seal)
        if chain.uncovered and not chain.has_mac_key and is_young(path):
            _read_to_a_seal(chain, number, keys, note)
    except BadRecord as error:
        chain.report(path.name, error.code, error.message)
    if chain.unsigned:
        chain.report(path.name, "unsigned_tail", "ends with content whose record was cut off or never written")
    return chain


def _read_to_a_seal(chain: Chain, number: int, keys: Keys, note: Note) -> None:
    """Waits for the writer to sign what was read, and reads no further than that: while it writes, there is always a
    record that is not signed yet."""
    for _ in range(LOOKS):
        time.sleep(SEAL_SECONDS)
        seal = chain.seal(stable_head(head_path(chain.path.parent, chain.name)), keys)
        if seal is None or seal.records > len(chain.digests):
            for line, raw in lines_of(chain.path, chain.read, before=number):
                number = line
                _take(chain, line, raw, keys, note)
                if not chain.uncovered or (seal and len(chain.digests) == seal.records):
                    break
        if seal:
            chain.cover(seal)
        if not chain.uncovered:
            return


def _sidecars(path: Path) -> Sidecars:
    """The checkpoint and head of a segment. If its writer is just creating it, waits until they exist."""
    beside = Sidecars(_read(checkpoint_path(path.parent, path.stem)), stable_head(head_path(path.parent, path.stem)))
    if isinstance(beside.checkpoint, str) and is_young(path):
        time.sleep(_BEGINNING)
        return Sidecars(_read(checkpoint_path(path.parent, path.stem)), stable_head(head_path(path.parent, path.stem)))
    return beside


def is_young(path: Path) -> bool:
    """Whether a file was written to within the last second: its writer may be at work."""
    try:
        return abs(time.time() - path.lstat().st_mtime) < 1
    except OSError:
        return False


def stable_head(path: Path) -> bytes | str:
    """A head, read until two reads agree: its writer may overwrite it meanwhile."""
    content = _read(path)
    for _ in range(5):
        again = _read(path)
        if again == content:
            break
        content = again
    return content


def _read(path: Path) -> bytes | str:
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
    payload, key_id, signature = read_envelope(line)
    kind, predicate = read_statement(payload)
    has_mac = is_mac(key_id)
    if has_mac:
        _check_mac(payload, key_id, signature, chain)
        if not may_have_mac(kind, predicate):
            raise BadRecord(f"a {kind} record with a MAC, which has to be signed itself", code="not_signed")
    else:
        check_signature(payload, key_id, signature, chain.keys or keys)
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
        chain.keys = {key_id: keys[key_id]}
    if isinstance(anchor := predicate.get("anchor"), str):
        chain.anchors[len(chain.digests)] = anchor
    if not has_mac:
        chain.covered = len(chain.digests) + 1  # it names the digest of all lines before it
    return kind, predicate


def _check_mac(payload: bytes, key_id: str, mac: bytes, chain: Chain) -> None:
    """Raises BadRecord if a record with a MAC is of another key than its segment, or its MAC is wrong. Whoever has not
    got the MAC key takes it on trust until a signature covers it."""
    signing = signing_id(key_id)
    if signing not in chain.keys:
        raise BadRecord(f"with a MAC of the key {signing}, which did not sign its segment", code="unknown_key")
    if key := chain.mac_keys.get(signing):
        key.check(mac, encoding_to_sign(payload))


def _take_header(chain: Chain, header: dict[str, Any]) -> None:
    """Stores a segment's header and the checkpoints of its neighbours. Raises BadRecord."""
    if header.get("segment") != chain.name:
        raise BadRecord(f"the header is that of segment {header.get('segment')}", code="bad_header")
    try:
        chain.neighbours = [checkpoint_of(each) for each in header.get("neighbours", [])]
    except (BadRecord, TypeError):
        raise BadRecord("a header whose neighbours cannot be read", code="bad_header") from None
    chain.header = header
