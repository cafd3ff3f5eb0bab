"""Finding one record by its address, and verifying it where it stands, without reading the whole journal."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from supervisor.errors import BadRecord, shown_place
from supervisor.history import address_of
from supervisor.records.chain import LOOKS, Chain, Sidecars, is_young, stable_head, verified
from supervisor.records.envelope import read_envelope
from supervisor.records.head import head_path
from supervisor.records.lines import lines_after
from supervisor.records.macs import signing_id
from supervisor.records.marks import trusted_keys
from supervisor.records.newest import SLACK
from supervisor.records.read import Record
from supervisor.records.seal import SEAL_SECONDS
from supervisor.records.statement import read_content, read_statement
from supervisor.records.verify import segment_paths

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

_NOT_SIGNED = "no signature covers it: its writer was killed within moments of writing it, or is about to sign"
_STARTED = "%Y%m%dT%H%M%S.%f"  # how a segment's name begins


@dataclass(frozen=True, slots=True)
class Located:
    """A record, the id of the key that signed it, and why it does not verify, or "".

    What verifies is under a trusted signature, and its segment is what it was when the record was written, up to there.
    What stands behind it is for `verify`.
    """

    record: Record
    key_id: str
    problem: str


def located(folder: Path, address: str, time: datetime) -> Located | None:
    """The record with this address, of an action that was proposed at `time`; None if the journal does not have it.
    Raises BadRecord if the journal cannot be read."""
    keys = trusted_keys(folder)
    found = (_in_segment(path, address, keys) for path in _segments(folder, time))
    return next((each for each in found if each is not None), None)


def _segments(folder: Path, time: datetime) -> list[Path]:
    """The segments, the likeliest first: begun before the action was proposed, and written to since. A decision that
    waited for a person may stand in a later one."""

    def is_unlikely(path: Path) -> bool:
        started = _started(path.stem)
        return started is None or started > time + SLACK or path.stat().st_mtime < time.timestamp() - 1

    newest_first = segment_paths(folder)
    newest_first.reverse()
    return sorted(newest_first, key=is_unlikely)


def _started(name: str) -> datetime | None:
    """When a segment was begun; None if its name does not tell."""
    try:
        return datetime.strptime(name.partition("-")[0] + "+0000", f"{_STARTED}%z")
    except ValueError:
        return None


def _in_segment(path: Path, address: str, keys: Keys) -> Located | None:
    """The record in this segment. It waits a moment for a writer that is about to sign it."""
    found = _read(path, address, keys)
    for _ in range(LOOKS):
        if found is None or found.problem != _NOT_SIGNED or not is_young(path):
            break
        time.sleep(SEAL_SECONDS)
        found = _read(path, address, keys)
    return found


def _read(path: Path, address: str, keys: Keys) -> Located | None:
    chain, contents, problem, found = Chain(path, Sidecars("", "")), dict[str, bytes](), "", None
    seal = chain.seal(stable_head(head_path(path.parent, path.stem)), keys)
    for number, (_, raw) in enumerate(lines_after(path, 0), 1):
        try:
            if address_of(raw[:-1]) == address:
                found = _verified(raw, keys, chain, shown_place(f"{path.name}:{number}"), contents, problem)
            elif found:
                verified(raw, keys, chain)  # up to the signature that covers it
            elif stored := read_content(raw[:-1]):
                contents[stored[0]] = stored[1]
            elif not chain.digests:
                verified(raw, keys, chain)  # the header, whose key has to have signed the rest
        except BadRecord as error:
            problem = problem or error.message  # the rest is read: the record may be there all the same
        chain.digest.update(raw)
        if not raw.startswith(b'{"sha256"'):
            chain.digests.append(chain.digest.hexdigest() if found else "")
        if found and (found.problem or problem):
            return replace(found, problem=found.problem or problem)
        if found and chain.is_covered(seal):
            return found
    return found and replace(found, problem=_NOT_SIGNED)


def _verified(raw: bytes, keys: Keys, chain: Chain, place: str, contents: dict[str, bytes], problem: str) -> Located:
    payload, key_id, _ = read_envelope(raw[:-1])
    kind, predicate = read_statement(payload)
    try:
        verified(raw, keys, chain)
    except BadRecord as error:
        problem = problem or error.message
    return Located(Record(kind, predicate, address_of(raw[:-1]), place, contents), signing_id(key_id), problem)
