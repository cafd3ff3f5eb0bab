"""Verifying a journal: every line is what was written, none is missing, none was added.

A sealed segment ends with an `end` record. A segment that was not sealed (its process was killed, or still runs) has a
head beside it with its length. The register and the headers of later segments name all segments, a tombstone those that
were pruned. Any other file in the folder is reported, and the rest is still read.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from supervisor.errors import BadRecord, NoRecords
from supervisor.history import address_of
from supervisor.intake.files import read_file
from supervisor.records.approved import ApprovalCheck
from supervisor.records.chain import Chain, Note, Problem, read_chain
from supervisor.records.checkpoint import Checkpoint, checkpoint_of
from supervisor.records.ends import check_against, check_end, left_by_a_kill
from supervisor.records.envelope import Signer, key_id_of, read_public_key
from supervisor.records.exempted import ExemptionCheck
from supervisor.records.keys import FOLDER as KEYS
from supervisor.records.keys import published_keys
from supervisor.records.labels import LabelCheck
from supervisor.records.macs import MacKeys
from supervisor.records.origin import check_header, check_origin, succession
from supervisor.records.promotions import PromotionCheck
from supervisor.records.register import Register, read_register, register_path, registering
from supervisor.records.segment import segment_path
from supervisor.records.tombstone import Tombstone, Tombstones

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

_PATIENCE = 0.2  # seconds to wait for a writer that registers a segment; one that is frozen delays nobody longer
_PRUNING = 10.0  # seconds to wait for a pruning that removes what is being read
_TRIES = 3
_MAX_REPORT = 256 * 1024 * 1024  # bytes of an earlier report


@dataclass(slots=True)
class Report:
    """The result of a verification. `problems` contradict the records, `notes` do not. `unsealed` are the segments that
    were not closed, `unsigned` the records at their ends that no signature covers, but their MACs prove. `exposed` is
    the greatest number of records that may be missing from segments whose end is not proven, None if it cannot be
    known. `pruned_segments` and `pruned_records` were removed on purpose, as signed tombstones say. `checkpoints` are
    the lengths and digests of all segments: a copy kept elsewhere reveals later changes."""

    segments: int = 0
    records: int = 0
    unsealed: int = 0
    unsigned: int = 0
    exposed: int | None = 0
    pruned_segments: int = 0
    pruned_records: int = 0
    keys: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)


def segment_paths(folder: Path) -> list[Path]:
    """The segments of a journal, oldest first. Raises BadRecord if it is not a readable folder."""
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if name.endswith(".jsonl")]
    except (FileNotFoundError, NotADirectoryError):
        raise BadRecord("is not a folder of records", place=str(folder), code="no_journal") from None
    except (OSError, ValueError) as error:  # ValueError: NUL in its name
        why = getattr(error, "strerror", "") or str(error)
        raise BadRecord(f"cannot be read: {why}", place=str(folder), code="no_journal") from None


def read_report(path: Path) -> list[Checkpoint]:
    """The checkpoints in an earlier report of `supervisor verify --json`. Raises BadRecord."""
    try:
        report = orjson.loads(read_file(path, _MAX_REPORT))
        return [checkpoint_of(each) for each in report["checkpoints"]]
    except OSError as error:
        raise BadRecord(f"cannot be read: {error.strerror}", place=str(path), code="bad_report") from None
    except (ValueError, TypeError, KeyError, BadRecord):
        raise BadRecord("not a report of `supervisor verify --json`", place=str(path), code="bad_report") from None


@dataclass(slots=True)
class Examined:
    """A journal as it was verified. `trusted` are the ids of the keys that count, None if there is no register that
    says so. `pruned` maps each removed segment to the trusted tombstone that names it."""

    folder: Path
    report: Report
    keys: Keys
    register: Register | None
    chains: dict[str, Chain]
    trusted: set[str] | None = None
    tombstones: list[Tombstone] = field(default_factory=list)
    pruned: dict[str, Tombstone] = field(default_factory=dict)


def verify(
    folder: Path,
    trusted: Path | None = None,
    earlier: list[Checkpoint] | None = None,
    signer: Signer | None = None,
) -> Report:
    """Verifies the journal in `folder`, with only the key in `trusted` if it is given, and against the checkpoints of
    an `earlier` report. `signer` also proves what it wrote and did not sign yet. Problems are reported, not raised.
    Raises BadRecord only if there is no journal."""
    return examined(folder, trusted, earlier, signer=signer).report


def examined(
    folder: Path,
    trusted: Path | None = None,
    earlier: list[Checkpoint] | None = None,
    also: Note = lambda *_: None,
    signer: Signer | None = None,
) -> Examined:
    """Verifies like `verify`, and returns all that was found. `also` is called with every verified record, and again
    if segments were pruned meanwhile."""
    mac_keys = {signer.key_id: signer.mac_key} if signer else {}
    found = _examine(folder, trusted, earlier or [], also, mac_keys)
    for _ in range(_TRIES):
        if all(chain.path.exists() for chain in found.chains.values()):
            break
        with contextlib.suppress(OSError), registering(folder / KEYS, _PRUNING):  # until the pruning has ended
            pass
        found = _examine(folder, trusted, earlier or [], also, mac_keys)
    return found


def _examine(folder: Path, trusted: Path | None, earlier: list[Checkpoint], also: Note, mac_keys: MacKeys) -> Examined:
    if not segment_paths(folder) and not register_path(folder).exists():
        raise NoRecords("no records there", place=str(folder))
    report = Report()
    keys = _keys(folder, trusted, report)
    with registering(folder, _PATIENCE):  # so that every segment that is there is registered; more may be begun later
        there = {path.stem for path in segment_paths(folder)}
        register, missing = _register(folder, keys, report)
    beside = sorted(name for name in os.listdir(folder) if name.endswith((".checkpoint", ".head")))
    approved, exempted, labelled, promoted = ApprovalCheck(), ExemptionCheck(), LabelCheck(), PromotionCheck()
    tombstones = Tombstones()
    exempted.read_folder(folder, keys)

    def note(place: str, kind: str, predicate: dict[str, Any], line: bytes) -> None:
        address = address_of(line)
        approved.note(place, kind, predicate, address)
        exempted.note(place, kind, predicate, address)
        labelled.note(place, kind, predicate, address)
        promoted.note(place, kind, predicate, address)
        tombstones.note(place, kind, predicate)
        also(place, kind, predicate, line)

    chains = {path.stem: read_chain(path, keys, note, mac_keys) for path in segment_paths(folder)}
    found = Examined(folder, report, keys, register, chains)
    _bury(found, tombstones)
    if missing:
        _check_without_register(chains, report)
    _check_ends(chains, register, keys)
    _check_names(found)
    check_origin(chains, register, found.trusted, report.notes, chains.keys() - there)
    _check_sidecars(found, beside)
    _check_earlier(found, earlier)
    _sum_up(chains, report)
    is_pruned = bool(found.pruned)
    of_people = (*labelled.problems(is_pruned=is_pruned), *promoted.problems(folder, keys, is_pruned=is_pruned))
    checked = (*approved.problems(), *exempted.problems(), *of_people)
    report.problems.extend(Problem(*each) for each in checked)
    return found


def _bury(found: Examined, tombstones: Tombstones) -> None:
    """Applies the tombstones: what they name as kept is known, what they name as removed is not missing."""
    for each in tombstones.found:
        found.chains[each.segment].neighbours.extend(each.kept)
    found.trusted = succession(found.chains, found.register, tombstones.found) if found.register else None
    found.tombstones = tombstones.trusted(found.chains, found.trusted)
    found.pruned = {removed.segment: each for each in found.tombstones for removed in each.removed}
    found.report.problems.extend(tombstones.problems)
    for each in found.tombstones:
        segments = "1 segment" if len(each.removed) == 1 else f"{len(each.removed)} segments"
        told = f"{segments} with {each.records} records, removed at {each.time} by {each.by}"
        doubt = f"; {len(each.problems)} problems were known then" if each.problems else ""
        why = f": {each.why}" if each.why else ""
        found.report.notes.append(Problem(each.place, "pruned", told + why + doubt))
    present = [each for each in found.pruned if each in found.chains]
    for name in present:
        left = "it was pruned, and is still there; the next `supervisor records prune` removes it"
        found.report.notes.append(Problem(f"{name}.jsonl", "prune_unfinished", left))
    found.report.pruned_segments = len(found.pruned)
    found.report.pruned_records = sum(each.records for each in found.tombstones)


def _keys(folder: Path, trusted: Path | None, report: Report) -> Keys:
    """The public keys to verify with: the one in `trusted`, or the journal's own. Raises BadRecord if there is none."""
    keys, wrong = published_keys(folder)
    if trusted:
        key = read_public_key(trusted, follow=True)
        keys, wrong = {key_id_of(key): key}, []
    report.problems.extend(Problem(each.place, each.code, each.message) for each in wrong)
    if not keys:
        raise BadRecord("holds no records, or its keys/ folder is gone", place=str(folder), code="no_journal")
    report.keys = sorted(keys)
    return keys


def _register(folder: Path, keys: Keys, report: Report) -> tuple[Register | None, bool]:
    """The register, and whether there is none. One that cannot be read is reported."""
    try:
        register = read_register(folder, keys)
    except BadRecord as error:
        report.problems.append(Problem(error.place, error.code, error.message))
    except OSError as error:
        report.problems.append(Problem("register", "bad_register", f"cannot be read: {error.strerror}"))
    else:
        return register, register is None
    return None, False


def _check_without_register(chains: Mapping[str, Chain], report: Report) -> None:
    """Reports a missing register. If version 0.1 wrote the whole journal, that is a note and not a problem."""
    if chains and all(chain.is_unregistered for chain in chains.values()):
        old = "version 0.1 wrote this journal, without a register: nothing tells whether its last segments are missing"
        report.notes.append(Problem("register", "no_register", old))
        return
    gone = "the register of segments is gone: only their headers say which segments there were"
    report.problems.append(Problem("register", "register_missing", gone))


def _check_ends(chains: Mapping[str, Chain], register: Register | None, keys: Keys) -> None:
    known = set(register.segments if register else ())
    known.update(each.segment for chain in chains.values() for each in chain.neighbours)
    for name, chain in chains.items():
        check_end(chain, keys, is_known=name in known)


def _check_names(found: Examined) -> None:
    """Checks that each segment that the register, a header or a tombstone names exists, unless it was pruned, and is
    not shorter than they say."""
    chains, register, report = found.chains, found.register, found.report
    gone: set[str] = set()
    for chain in chains.values():
        check_header(chain, report.notes)
        for expected in chain.neighbours:
            if expected.segment in chains:
                check_against(expected, chains[expected.segment], chain, f"{chain.path.name}:1")
            elif expected.segment in found.pruned:
                if problem := found.pruned[expected.segment].check(expected):
                    chain.report(f"{chain.path.name}:1", *problem)
            elif not segment_path(found.folder, expected.segment).exists():
                gone.add(expected.segment)
                lost = f", with at least {expected.records} records," if expected.records else ""
                chain.report(chain.path.name, "segment_missing", f"segment {expected.segment}{lost} is gone")
    for removed in (each for stone in found.tombstones for each in stone.removed if each.segment in chains):
        check_against(removed, chains[removed.segment], chains[removed.segment], f"{removed.segment}.jsonl")
    if register is None:
        return
    there = chains.keys() | found.pruned.keys() | gone
    for name in register.segments:
        if name not in there and not segment_path(found.folder, name).exists():
            gone.add(name)
            report.problems.append(Problem("register", "segment_missing", f"segment {name} is gone"))
    if (missing := register.count - len(chains.keys() | found.pruned.keys() | gone)) > 0:
        nameless = f"{missing} more segments of {register.count} are gone, whose names are not known"
        report.problems.append(Problem("register", "segment_missing", nameless))


def _check_sidecars(found: Examined, beside: list[str]) -> None:
    """Reports checkpoints and heads without a segment. An empty head is not reported: its segment was only begun."""
    for name in beside:
        stem = name.rpartition(".")[0]
        if stem in found.chains or stem in found.pruned or segment_path(found.folder, stem).exists():
            continue
        if name.endswith(".head") and _is_empty(found.folder / name):
            continue
        found.report.problems.append(Problem(name, "segment_missing", "its segment is gone"))


def _is_empty(path: Path) -> bool:
    try:
        return not read_file(path, 1, follow=False)
    except FileNotFoundError:
        return True
    except OSError:
        return False


def _check_earlier(found: Examined, earlier: list[Checkpoint]) -> None:
    for expected in earlier:
        place = f"{expected.segment}.jsonl"
        if expected.segment in found.chains:
            chain = found.chains[expected.segment]
            check_against(expected, chain, chain, place)
        elif expected.segment in found.pruned:
            if problem := found.pruned[expected.segment].check(expected):
                found.report.problems.append(Problem(place, *problem))
        else:
            gone = f"segment {expected.segment}, which an earlier report names, is gone"
            found.report.problems.append(Problem(place, "segment_missing", gone))


def _sum_up(chains: Mapping[str, Chain], report: Report) -> None:
    if not chains:
        report.problems.append(Problem("keys", "segment_missing", "the segments are gone: there are only keys"))
    report.segments = len(chains)
    for chain in chains.values():
        report.records += len(chain.digests)
        report.unsealed += not chain.sealed
        if chain.uncovered and not chain.problems:
            report.unsigned += chain.uncovered
            report.notes.append(Problem(chain.path.name, "not_signed_yet", f"{left_by_a_kill(chain)}; their MACs hold"))
        report.problems.extend(chain.problems)
        if reached := chain.reached():
            report.checkpoints.append(reached)
        if chain.exposed is None or report.exposed is None:
            report.exposed = None
        else:
            report.exposed += chain.exposed
