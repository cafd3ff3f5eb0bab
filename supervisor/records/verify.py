"""Verifying a journal: every line is what was written, none is missing, none was added.

A sealed segment ends with an `end` record. A segment that was not sealed (its process was killed, or still runs) has a
head beside it with its length. The register and the headers of later segments name all segments. Any other file in the
folder is reported, and the rest is still read.
"""

from __future__ import annotations

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
from supervisor.records.chain import Chain, Problem, check_against, check_end, read_chain
from supervisor.records.checkpoint import Checkpoint, checkpoint_of
from supervisor.records.envelope import key_id_of, read_public_key
from supervisor.records.keys import published_keys
from supervisor.records.register import Register, read_register, register_path
from supervisor.records.segment import segment_path
from supervisor.records.version_0_1 import UPGRADED

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

_KEY = "key: "
_MAX_REPORT = 256 * 1024 * 1024  # bytes of an earlier report


@dataclass(slots=True)
class Report:
    """The result of a verification. `problems` contradict the records, `notes` do not. `exposed` is the greatest number
    of records that may be missing from segments whose end is not proven, None if it cannot be known. `checkpoints` are
    the lengths and digests of all segments: a copy kept elsewhere reveals later changes."""

    segments: int = 0
    records: int = 0
    unsealed: int = 0
    exposed: int | None = 0
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


def verify(folder: Path, trusted: Path | None = None, earlier: list[Checkpoint] | None = None) -> Report:
    """Verifies the journal in `folder`, with only the key in `trusted` if it is given, and against the checkpoints of
    an `earlier` report. Problems are reported, not raised. Raises BadRecord only if there is no journal."""
    if not segment_paths(folder) and not register_path(folder).exists():
        raise NoRecords("no records there", place=str(folder))
    report = Report()
    keys = _keys(folder, trusted, report)
    register, missing = _register(folder, keys, report)  # first: segments may be begun meanwhile
    beside = sorted(name for name in os.listdir(folder) if name.endswith((".checkpoint", ".head")))
    approved = ApprovalCheck()

    def note(place: str, kind: str, predicate: dict[str, Any], line: bytes) -> None:
        approved.note(place, kind, predicate, address_of(line))

    chains = {path.stem: read_chain(path, keys, note) for path in segment_paths(folder)}
    if missing:
        _check_without_register(chains, report)
    _check_ends(chains, register, keys)
    _check_names(folder, chains, register, report)
    _check_origin(chains, register, report)
    _check_sidecars(folder, beside, chains, report)
    _check_earlier(folder, chains, earlier or [], report)
    _sum_up(chains, report)
    report.problems.extend(Problem(*each) for each in approved.problems())
    return report


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
        return None, False
    except OSError as error:
        report.problems.append(Problem("register", "bad_register", f"cannot be read: {error.strerror}"))
        return None, False
    return register, register is None


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


def _check_names(folder: Path, chains: Mapping[str, Chain], register: Register | None, report: Report) -> None:
    """Checks that each segment that the register or a header names exists and is not shorter than the header says."""
    gone: set[str] = set()
    for chain in chains.values():
        _check_header(chain, report)
        for expected in chain.neighbours:
            if expected.segment in chains:
                check_against(expected, chains[expected.segment], chain, f"{chain.path.name}:1")
            elif not segment_path(folder, expected.segment).exists():
                gone.add(expected.segment)
                lost = f", with at least {expected.records} records," if expected.records else ""
                chain.report(chain.path.name, "segment_missing", f"segment {expected.segment}{lost} is gone")
    if register is None:
        return
    for name in register.segments:
        if name not in chains and name not in gone and not segment_path(folder, name).exists():
            gone.add(name)
            report.problems.append(Problem("register", "segment_missing", f"segment {name} is gone"))
    if (missing := register.count - len(chains) - len(gone)) > 0:
        nameless = f"{missing} more segments of {register.count} are gone, whose names are not known"
        report.problems.append(Problem("register", "segment_missing", nameless))


def _check_origin(chains: Mapping[str, Chain], register: Register | None, report: Report) -> None:
    """Checks that each segment was begun here: its key is linked to the register's key, and the register or another
    segment names it."""
    if register is None:
        return
    known = {*register.segments, *(each.segment for chain in chains.values() for each in chain.neighbours)}
    trusted = _succession(chains, register)
    for chain in chains.values():
        if chain.keys and not trusted & chain.keys.keys():
            other = f"signed by the key {', '.join(chain.keys)}, which nothing else in this journal names"
            chain.report(chain.path.name, "foreign_key", other)
        if chain.name not in known and len(chain.digests) > 1:
            problem = Problem(chain.path.name, "unregistered", "neither the register nor another segment names it")
            is_late = chain.header.get("late") is True  # by its own header, it did not get the lock on the register
            (report.notes if is_late else chain.problems).append(problem)


def _succession(chains: Mapping[str, Chain], register: Register) -> set[str]:
    """The register's key and its predecessors: a header that a trusted key signed names the key before it."""
    trusted, before = {register.key_id}, 0
    while len(trusted) != before:
        before = len(trusted)
        for chain in chains.values():
            state = str(chain.header.get("register"))
            if state.startswith(_KEY) and trusted & chain.keys.keys():
                trusted.add(state.removeprefix(_KEY))
            elif state == UPGRADED and trusted & chain.keys.keys():
                found = {each.segment for each in chain.neighbours}  # what it found when it began
                old = (each for each in chains.values() if each.is_unregistered and each.name in found)
                trusted.update(*(each.keys for each in old))
    return trusted


def _check_header(chain: Chain, report: Report) -> None:
    """Reports the state of the register that the segment's writer recorded when it began."""
    state = str(chain.header.get("register", "kept"))
    if state.startswith(_KEY):
        change = f"from here on the records are signed by another key than {state.removeprefix(_KEY)}"
        report.notes.append(Problem(chain.path.name, "key_changed", change))
    elif state == UPGRADED:
        change = (
            "from here on a journal of version 0.1 has a register: nothing tells whether segments before are missing"
        )
        report.notes.append(Problem(chain.path.name, "upgraded", change))
    elif state not in ("kept", "first"):
        problem = f"when it began, the register of segments was missing or invalid ({state})"
        chain.report(chain.path.name, "register_missing", problem)


def _check_sidecars(folder: Path, beside: list[str], chains: Mapping[str, Chain], report: Report) -> None:
    """Reports checkpoints and heads without a segment. An empty head is not reported: its segment was only begun."""
    for name in beside:
        stem = name.rpartition(".")[0]
        if stem in chains or segment_path(folder, stem).exists():
            continue
        if name.endswith(".head") and _is_empty(folder / name):
            continue
        report.problems.append(Problem(name, "segment_missing", "its segment is gone"))


def _is_empty(path: Path) -> bool:
    try:
        return not read_file(path, 1, follow=False)
    except FileNotFoundError:
        return True
    except OSError:
        return False


def _check_earlier(folder: Path, chains: Mapping[str, Chain], earlier: list[Checkpoint], report: Report) -> None:
    for expected in earlier:
        if expected.segment in chains:
            chain = chains[expected.segment]
            check_against(expected, chain, chain, f"{expected.segment}.jsonl")
        else:
            gone = f"segment {expected.segment}, which an earlier report names, is gone"
            report.problems.append(Problem(f"{expected.segment}.jsonl", "segment_missing", gone))


def _sum_up(chains: Mapping[str, Chain], report: Report) -> None:
    if not chains:
        report.problems.append(Problem("keys", "segment_missing", "the segments are gone: there are only keys"))
    report.segments = len(chains)
    for chain in chains.values():
        report.records += len(chain.digests)
        report.unsealed += not chain.sealed
        report.problems.extend(chain.problems)
        if reached := chain.reached():
            report.checkpoints.append(reached)
        if chain.exposed is None or report.exposed is None:
            report.exposed = None
        else:
            report.exposed += chain.exposed
