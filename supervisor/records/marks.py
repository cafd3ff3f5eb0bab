"""Reading a segment on from a mark: only lines that verify, and only complete ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord
from supervisor.history import address_of
from supervisor.records.chain import Chain, Sidecars, verified
from supervisor.records.keys import published_keys
from supervisor.records.lines import line_number, lines_after
from supervisor.records.register import read_register
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


def verified_after(path: Path, keys: Keys, mark: Mark) -> Iterator[Verified]:
    """The records behind a mark. The bytes before it are hashed again, so that a segment that was changed since is
    noticed. Raises BadRecord at the first line that does not verify: nothing behind it can."""
    chain, scenes, offset = Chain(path, Sidecars("", "")), dict[str, bytes](), 0
    for end, raw in lines_after(path, 0):
        is_known, line = end <= mark.bytes, raw[:-1]
        try:
            found = None if is_known and chain.digests else verified(raw, keys, chain)
        except BadRecord as error:
            place = f"{path.name}:{line_number(path, offset)}"
            raise BadRecord(error.message, place=place, code=error.code) from None
        chain.digest.update(raw)
        offset = end
        if line.startswith(_SCENE, _SCENE_AT):
            address, scene = read_content(line) or ("", b"")
            scenes[address] = scene
        elif not line.startswith(b'{"sha256"'):
            chain.digests.append("")
        if end == mark.bytes:
            _check(chain, mark)
        if found and not is_known:
            here = Mark(end, len(chain.digests), chain.digest.hexdigest(), chain.sealed)
            yield Verified(*found, address_of(line), here, scenes)
    if offset < mark.bytes:
        raise BadRecord("is shorter than it was", place=path.name, code="records_missing")


def _check(chain: Chain, mark: Mark) -> None:
    """Raises BadRecord if the bytes before the mark are not those that were read."""
    if (chain.digest.hexdigest(), len(chain.digests)) != (mark.digest, mark.records):
        raise BadRecord("what was read of it before is not what it was", place=chain.path.name, code="chain_broken")
    chain.sealed = mark.is_sealed


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
