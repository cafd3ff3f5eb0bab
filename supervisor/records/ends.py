"""The end of a segment: checks that it is not missing, by the checkpoint, the head and the seal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supervisor.errors import BadRecord
from supervisor.records.chain import Chain
from supervisor.records.checkpoint import Checkpoint, read_checkpoint
from supervisor.records.envelope import open_envelope
from supervisor.records.head import BLOCK, HEAD_BYTES, Head, read_head
from supervisor.records.seal import read_seal

if TYPE_CHECKING:
    from supervisor.records.keys import Keys


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
        _check_seal(chain, keys)


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
    chain.cover(checkpoint)
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
    return read_head(raw[:HEAD_BYTES]) if isinstance(raw, bytes) else None


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


def _check_seal(chain: Chain, keys: Keys) -> None:
    """Checks that the records are those that the seal signs. Those behind it have only a MAC: they are proven if the
    MAC key is there, else by nothing, and that is a problem."""
    place, raw = f"{chain.name}.head", chain.sidecars.head
    try:
        seal = read_seal(raw, chain.name, chain.keys or keys) if isinstance(raw, bytes) else None
    except BadRecord as error:
        chain.report(place, error.code, str(error))
        return
    if seal is not None:
        check_against(seal, chain, chain, place)
    if chain.uncovered and not chain.has_mac_key:
        told = f"{left_by_a_kill(chain)}; only the signing key can prove what is not signed"
        chain.report(chain.path.name, "not_signed_yet", told)


def left_by_a_kill(chain: Chain) -> str:
    """The records at the end of a segment that no signature covers, in words."""
    last = "its last record has" if chain.uncovered == 1 else f"its last {chain.uncovered} records have"
    return f"{last} no signature: the writer was killed within moments of writing, or is about to sign"
