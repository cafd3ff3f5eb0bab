"""Verifying a journal: every line is what was written, none is missing, none was added.

A sealed segment ends with a record that says so. One that was not sealed (its process was killed, or still runs) has
a head beside it that says how far it had come. The register, and the headers of later segments, say which there are.
Whatever else lies in the folder blinds nobody: it is reported, and the rest is read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from supervisor.errors import BadRecord
from supervisor.history import address_of
from supervisor.intake.files import read_file
from supervisor.records.approved import Approved
from supervisor.records.chain import Chain, Problem, check_against, check_end, read_chain
from supervisor.records.checkpoint import Checkpoint, checkpoint_of
from supervisor.records.envelope import key_id_of, read_public_key
from supervisor.records.keys import published_keys
from supervisor.records.register import Register, read_register
from supervisor.records.segment import segment_path
from supervisor.records.version_0_1 import UPGRADED

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

_KEY = "key: "
_MAX_REPORT = 256 * 1024 * 1024  # bytes of an earlier report


@dataclass(slots=True)
class Report:
    """What was verified, and what does not hold. `exposed` is how many records may be missing at most from segments
    that nothing says the end of, None where that cannot be known. `notes` do not contradict the records. `checkpoints`
    say how far each segment has come: kept elsewhere, they show later what was taken back since."""

    segments: int = 0
    records: int = 0
    unsealed: int = 0
    exposed: int | None = 0
    keys: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)


def segment_paths(folder: Path) -> list[Path]:
    """The segments of a journal, oldest first. BadRecord if the folder is none."""
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if name.endswith(".jsonl")]
    except (FileNotFoundError, NotADirectoryError):
        raise BadRecord("is not a folder of records", place=str(folder), code="no_journal") from None
    except (OSError, ValueError) as error:  # ValueError: NUL in its name
        why = getattr(error, "strerror", "") or str(error)
        raise BadRecord(f"cannot be read: {why}", place=str(folder), code="no_journal") from None


def read_report(path: Path) -> list[Checkpoint]:
    """The checkpoints in an earlier report, as `supervisor verify --json` prints it. Raises BadRecord."""
    try:
        told = orjson.loads(read_file(path, _MAX_REPORT))
        return [checkpoint_of(each) for each in told["checkpoints"]]
    except OSError as error:
        raise BadRecord(f"cannot be read: {error.strerror}", place=str(path), code="bad_report") from None
    except (ValueError, TypeError, KeyError, BadRecord):
        raise BadRecord("not a report of `supervisor verify --json`", place=str(path), code="bad_report") from None


def verify(folder: Path, trusted: Path | None = None, earlier: list[Checkpoint] | None = None) -> Report:
    """Verifies the journal in `folder`, with the key in `trusted` alone where one is given, and against the
    checkpoints of an `earlier` report. Problems are reported, not raised; BadRecord only where there is no journal."""
    segment_paths(folder)
    report = Report()
    keys = _keys(folder, trusted, report)
    register, missing = _register(folder, keys, report)  # first: segments may be begun meanwhile
    beside = sorted(name for name in os.listdir(folder) if name.endswith((".checkpoint", ".head")))
    approved = Approved()

    def note(place: str, kind: str, predicate: dict[str, Any], line: bytes) -> None:
        approved.note(place, kind, predicate, address_of(line))

    chains = {path.stem: read_chain(path, keys, note) for path in segment_paths(folder)}
    if missing:
        _check_without_register(chains, report)
    _check_ends(chains, register, keys)
    _check_names(folder, chains, register, report)
    _check_origin(chains, register, report)
    _check_beside(folder, beside, chains, report)
    _check_earlier(folder, chains, earlier or [], report)
    _sum_up(chains, report)
    report.problems.extend(Problem(*each) for each in approved.problems())
    return report


def _keys(folder: Path, trusted: Path | None, report: Report) -> Keys:
    """The public keys to verify with: the one in `trusted`, or those that the journal itself brings. BadRecord."""
    found, wrong = published_keys(folder)
    if trusted:
        key = read_public_key(trusted, follow=True)
        found, wrong = {key_id_of(key): key}, []
    report.problems.extend(Problem(each.place, each.code, each.told) for each in wrong)
    if not found:
        raise BadRecord("holds no records, or its keys/ folder is gone", place=str(folder), code="no_journal")
    report.keys = sorted(found)
    return found


def _register(folder: Path, keys: Keys, report: Report) -> tuple[Register | None, bool]:
    """The register, and whether there is none. One that cannot be read is reported."""
    try:
        register = read_register(folder, keys)
    except BadRecord as error:
        report.problems.append(Problem(error.place, error.code, error.told))
        return None, False
    except OSError as error:
        report.problems.append(Problem("register", "bad_register", f"cannot be read: {error.strerror}"))
        return None, False
    return register, register is None


def _check_without_register(chains: Mapping[str, Chain], report: Report) -> None:
    """A journal without a register is sound only if version 0.1 wrote all of it."""
    if chains and all(chain.is_unregistered for chain in chains.values()):
        old = "version 0.1 wrote this journal, without a register: whether its last segments are missing is not known"
        report.notes.append(Problem("register", "no_register", old))
        return
    gone = "the register of segments is gone: which there were is known from their headers alone"
    report.problems.append(Problem("register", "register_missing", gone))


def _check_ends(chains: Mapping[str, Chain], register: Register | None, keys: Keys) -> None:
    known = set(register.segments if register else ())
    known.update(told.segment for chain in chains.values() for told in chain.neighbours)
    for name, chain in chains.items():
        check_end(chain, keys, is_known=name in known)


def _check_names(folder: Path, chains: Mapping[str, Chain], register: Register | None, report: Report) -> None:
    """Each segment that the register or a header names is there, and as far as the header says."""
    gone: set[str] = set()
    for chain in chains.values():
        _check_header(chain, report)
        for told in chain.neighbours:
            if told.segment in chains:
                check_against(told, chains[told.segment], chain, f"{chain.path.name}:1")
            elif not segment_path(folder, told.segment).exists():
                gone.add(told.segment)
                lost = f", with at least {told.records} records," if told.records else ""
                chain.report(chain.path.name, "segment_missing", f"segment {told.segment}{lost} is gone")
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
    """Each segment was begun here: by a key that the register's led to, and others know of it."""
    if register is None:
        return
    known = {*register.segments, *(told.segment for chain in chains.values() for told in chain.neighbours)}
    trusted = _succession(chains, register)
    for chain in chains.values():
        if chain.keys and not trusted & chain.keys.keys():
            other = f"signed by the key {', '.join(chain.keys)}, of which nothing in this journal tells"
            chain.report(chain.path.name, "foreign_key", other)
        if chain.name not in known and len(chain.after) > 1:
            problem = Problem(chain.path.name, "unregistered", "neither the register nor another segment knows of it")
            is_late = chain.header.get("late") is True  # it says itself that it could not wait for its turn
            (report.notes if is_late else chain.problems).append(problem)


def _succession(chains: Mapping[str, Chain], register: Register) -> set[str]:
    """The register's key, and those that it followed by what headers say which they signed."""
    trusted, before = {register.key_id}, 0
    while len(trusted) != before:
        before = len(trusted)
        for chain in chains.values():
            state = str(chain.header.get("register"))
            if state.startswith(_KEY) and trusted & chain.keys.keys():
                trusted.add(state.removeprefix(_KEY))
            elif state == UPGRADED and trusted & chain.keys.keys():
                trusted.update(*(each.keys for each in chains.values() if each.is_unregistered))
    return trusted


def _check_header(chain: Chain, report: Report) -> None:
    """What the segment's writer found in place of the register when it began."""
    state = str(chain.header.get("register", "kept"))
    if state.startswith(_KEY):
        told = f"from here on the records are signed by another key than {state.removeprefix(_KEY)}"
        report.notes.append(Problem(chain.path.name, "key_changed", told))
    elif state == UPGRADED:
        told = "from here on a journal of version 0.1 has a register: whether segments before are missing is not known"
        report.notes.append(Problem(chain.path.name, "upgraded", told))
    elif state not in ("kept", "first"):
        told = f"when it began, the register of segments was not there or not sound ({state})"
        chain.report(chain.path.name, "register_missing", told)


def _check_beside(folder: Path, beside: list[str], chains: Mapping[str, Chain], report: Report) -> None:
    """An empty head without a segment is a beginning; anything else stood beside one."""
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
    for told in earlier:
        if told.segment in chains:
            chain = chains[told.segment]
            check_against(told, chain, chain, f"{told.segment}.jsonl")
        else:
            gone = f"segment {told.segment}, of which an earlier report tells, is gone"
            report.problems.append(Problem(f"{told.segment}.jsonl", "segment_missing", gone))


def _sum_up(chains: Mapping[str, Chain], report: Report) -> None:
    if not chains:
        report.problems.append(Problem("keys", "segment_missing", "the segments are gone: there are only keys"))
    report.segments = len(chains)
    for chain in chains.values():
        report.records += len(chain.after)
        report.unsealed += not chain.sealed
        report.problems.extend(chain.problems)
        if reached := chain.reached():
            report.checkpoints.append(reached)
        if chain.exposed is None or report.exposed is None:
            report.exposed = None
        else:
            report.exposed += chain.exposed
