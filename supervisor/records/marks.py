"""Reading a segment on from a mark: only lines that verify, that are complete, and that something proves."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord
from supervisor.history import address_of
from supervisor.records.chain import LOOKS, Chain, Sidecars, is_young, stable_head, verified
from supervisor.records.checkpoint import Checkpoint
from supervisor.records.head import head_path
from supervisor.records.keys import published_keys
from supervisor.records.lines import line_number, lines_after
from supervisor.records.macs import MacKeys
from supervisor.records.register import read_register
from supervisor.records.seal import SEAL_SECONDS
from supervisor.records.statement import read_content
from supervisor.records.verify import examined
from supervisor.records.version_0_1 import is_journal_of_0_1

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

_SCENE = b'","content":{"task":'  # how the content line of a scene goes on after the address
_SCENE_AT = len(b'{"sha256":"') + 64


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a segment is read: bytes, records, and the SHA-256 of those bytes."""

    bytes: int = 0
    records: int = 0
    digest: str = hashlib.sha256().hexdigest()
    is_sealed: bool = False


@dataclass(frozen=True, slots=True)
class Verified:
    """A verified record, with the mark behind it. `scenes` are the bytes of all scenes up to here, by address."""

    kind: str
    predicate: dict[str, Any]
    address: str
    mark: Mark
    scenes: dict[str, bytes] = field(repr=False)


def verified_after(path: Path, keys: Keys, mark: Mark, mac_keys: MacKeys | None = None) -> Iterator[Verified]:
    """The records behind a mark that a signature covers, or whose MAC one of `mac_keys` proves; it waits a moment for a
    writer that is about to sign. The bytes before the mark are hashed again, so that a segment that was changed since
    is noticed. Raises BadRecord at the first line that does not verify: nothing behind it can."""
    reading = _Reading(path, keys, mark, Chain(path, Sidecars("", ""), mac_keys=mac_keys or {}))
    yield from reading.on()
    last = reading.waiting[-1] if reading.waiting and is_young(path) else None
    for _ in range(LOOKS):
        if last not in reading.waiting:
            break
        time.sleep(SEAL_SECONDS)
        yield from reading.on()
    if reading.offset < mark.bytes:
        raise BadRecord("is shorter than it was", place=path.name, code="records_missing")


@dataclass(slots=True)
class _Reading:
    """How far a segment is read. `waiting` are the records that nothing proves yet."""

    path: Path
    keys: Keys
    mark: Mark
    chain: Chain
    scenes: dict[str, bytes] = field(default_factory=dict)
    offset: int = 0
    waiting: list[Verified] = field(default_factory=list)

    def on(self) -> Iterator[Verified]:
        """Reads on, and yields what is proven."""
        chain, seal = self.chain, self.chain.seal(stable_head(head_path(self.path.parent, self.path.stem)), self.keys)
        if seal and seal.records == len(chain.digests):
            yield from self._proven(seal)
        for end, raw in lines_after(self.path, self.offset):
            is_known = end <= self.mark.bytes
            found = None if is_known and chain.digests else self._verified(raw)
            chain.digest.update(raw)
            self.offset = end
            self._note(raw[:-1])
            if end == self.mark.bytes:
                _check(chain, self.mark)
            if found and not is_known:
                here = Mark(end, len(chain.digests), chain.digest.hexdigest(), chain.sealed)
                self.waiting.append(Verified(*found, address_of(raw[:-1]), here, self.scenes))
                yield from self._proven(seal)

    def _verified(self, raw: bytes) -> tuple[str, dict[str, Any]] | None:
        try:
            return verified(raw, self.keys, self.chain)
        except BadRecord as error:
            place = f"{self.path.name}:{line_number(self.path, self.offset)}"
            raise BadRecord(error.message, place=place, code=error.code) from None

    def _note(self, line: bytes) -> None:
        if line.startswith(_SCENE, _SCENE_AT):
            address, scene = read_content(line) or ("", b"")
            self.scenes[address] = scene
        elif not line.startswith(b'{"sha256"'):
            self.chain.digests.append("")

    def _proven(self, seal: Checkpoint | None) -> Iterator[Verified]:
        """What waited, if a signature or the MAC key proves all that was read."""
        if self.chain.is_covered(seal) or self.chain.has_mac_key:
            proven, self.waiting = self.waiting, []
            yield from proven


def _check(chain: Chain, mark: Mark) -> None:
    """Raises BadRecord if the bytes before the mark are not those that were read."""
    if (chain.digest.hexdigest(), len(chain.digests)) != (mark.digest, mark.records):
        raise BadRecord("what was read of it before is not what it was", place=chain.path.name, code="chain_broken")
    chain.sealed, chain.covered = mark.is_sealed, mark.records


def trusted_keys(folder: Path) -> Keys:
    """The keys whose records count in a journal: that of its register, and those that it succeeded. Raises BadRecord if
    nothing says which they are."""
    keys, _ = published_keys(folder)
    register = read_register(folder, keys)
    if register is None and not is_journal_of_0_1(folder):
        raise BadRecord("the register of segments is gone", place=str(folder), code="register_missing")
    if register is None or keys.keys() == {register.key_id}:
        return keys
    trusted = examined(folder).trusted or set()  # the slow way, for the few journals whose key was changed
    return {key_id: key for key_id, key in keys.items() if key_id in trusted}
