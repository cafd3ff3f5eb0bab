"""What a new segment says of those before it: the register as its writer found it, and their lengths."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord
from supervisor.records.checkpoint import Checkpoint, neighbour, newest_segments
from supervisor.records.envelope import Signer
from supervisor.records.keys import published_keys
from supervisor.records.register import Register, read_register, write_register
from supervisor.records.version_0_1 import UPGRADED, is_journal_of_0_1

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

_log = logging.getLogger(__name__)


def found_register(folder: Path, signer: Signer, *, sync: bool) -> tuple[Register, str]:
    """The register of earlier segments, and its state: `kept`, `first`, UPGRADED, or what is wrong with it. Raises
    OSError."""
    key_id = signer.key_id
    try:
        found = read_register(folder, trusted_by(folder, signer))
    except BadRecord as error:
        return _rebuilt(folder, signer, f"bad: {error.code}")
    if found is None and not any(name.endswith(".jsonl") for name in os.listdir(folder)):
        first = Register(0, (), key_id)
        write_register(folder, first, signer, sync=sync)
        return first, "first"
    if found is None and is_journal_of_0_1(folder):
        return _rebuilt(folder, signer, UPGRADED, published_keys(folder)[0])
    if found is None:
        return _rebuilt(folder, signer, "missing")
    if found.key_id == key_id:
        return found, "kept"
    _log.warning("%s: records are signed by key %s from now on, not by %s", folder, key_id, found.key_id)
    return found, f"key: {found.key_id}"


def _rebuilt(folder: Path, signer: Signer, state: str, keys: Mapping[str, Any] | None = None) -> tuple[Register, str]:
    """The register rebuilt from the files of the folder. The segment's header records why it had to be rebuilt. `keys`
    are trusted as well as this writer's own."""
    if state != UPGRADED:
        lost = f"the register of segments is {state}; `supervisor verify` says what is lost"
        _log.warning("%s: %s", folder, lost)
    count = sum(name.endswith(".jsonl") for name in os.listdir(folder))
    return Register(count, tuple(newest_segments(folder, {**(keys or {}), **_own(signer)}))), state


def neighbours_of(
    register: Register, folder: Path, keys: Keys, left_segments: Iterable[Checkpoint]
) -> list[dict[str, Any]]:
    """The checkpoints of earlier segments, and of the writer's own segments that it left after a failure."""
    left = {each.segment: each for each in left_segments}
    found = {name: neighbour(folder, name, keys) for name in register.segments if name not in left}
    return [each.to_json() for each in (found | left).values()]


def trusted_by(folder: Path, signer: Signer) -> Keys:
    """The keys that a writer trusts: those in the folder, and its own."""
    return published_keys(folder)[0] | _own(signer)


def _own(signer: Signer) -> Keys:
    return {signer.key_id: signer.key.public_key()}
