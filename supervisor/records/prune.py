"""Pruning a journal: old segments are removed as a whole, and a signed tombstone says what they were.

The order makes it safe to be killed anywhere. The tombstone is on the disk before anything is removed; the segments go
before their checkpoints and heads. A run that was cut off is finished by the next one, without another tombstone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from supervisor.errors import BadInput, BadRecord
from supervisor.history import address_of
from supervisor.intake.files import locked, sync_folder
from supervisor.records.checkpoint import Checkpoint, checkpoint_path
from supervisor.records.envelope import Signer
from supervisor.records.exempted import FOLDER as EXEMPTIONS
from supervisor.records.exempted import KIND as EXEMPTION
from supervisor.records.exempted import REVOKED
from supervisor.records.head import head_path
from supervisor.records.journal import Journal
from supervisor.records.keys import FOLDER as KEYS
from supervisor.records.masking import masker_of
from supervisor.records.segment import is_open, segment_path
from supervisor.records.tombstone import KIND, Tombstone
from supervisor.records.verify import Examined, examined

LEAST_AGE = timedelta(days=1)  # a younger segment may have the use of an approval that is still valid


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pruning removes and keeps. `stays` names the reason why an old segment stays. `unfinished` are segments
    that an earlier pruning, which was cut off, has left."""

    tombstone: Tombstone
    stays: dict[str, str] = field(default_factory=dict)
    unfinished: tuple[str, ...] = ()


@dataclass(slots=True)
class _Seen:
    """What decides whether a segment may go: the time of its newest record, its tombstones, the approvals and
    revocations that it contains and those that its own records need, and the names of its copies in `exemptions/`."""

    newest: datetime | None = None
    has_tombstone: bool = False
    answers: set[str] = field(default_factory=set)
    needs: set[str] = field(default_factory=set)
    copies: set[str] = field(default_factory=set)


def prune(
    folder: Path,
    signer: Signer,
    before: datetime,
    *,
    by: str,
    why: str = "",
    least_age: timedelta = LEAST_AGE,
    with_problems: bool = False,
    agreed: Callable[[Plan], bool] = lambda _: True,
) -> Plan:
    """Removes the segments whose newest record is older than `before`, if the caller `agreed` to the plan.

    Secrets in `by` and `why` are masked. Raises BadInput if `before` is younger than `least_age`, if another key signs
    the journal, if another pruning runs, or if `verify` finds problems and `with_problems` is false; RecordFailed if
    the tombstone cannot be written, and OSError if a file cannot be removed.
    """
    now = datetime.now(UTC)
    if before > now - least_age:
        limit = (now - least_age).isoformat(timespec="seconds")
        raise BadInput(f"records younger than {limit} stay: an approval may still be valid", place="--before")
    by, why = masker_of(signer).mask_output([by, why])
    with _alone(folder):
        plan = _plan(folder, signer, before, Tombstone(now.isoformat(), before.isoformat(), by, why, ()))
        removes = plan.tombstone.removed or plan.unfinished
        if plan.tombstone.problems and removes and not with_problems:
            raise BadInput(_DOUBTFUL.format(len(plan.tombstone.problems)), place=str(folder), code="has_problems")
        if not agreed(plan):
            return plan
        if plan.tombstone.removed:
            _write(folder, signer, plan.tombstone)
        _remove(folder, [*plan.unfinished, *(each.segment for each in plan.tombstone.removed)])
    return plan


_DOUBTFUL = (
    "`supervisor verify` finds {} problems here, and pruning would remove what explains them; look at them first, then"
    " --with-problems prunes, and the tombstone lists them"
)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Holds the lock of prunings. It is on the folder of the keys: that of the journal is needed to begin a segment."""
    keys = folder / KEYS
    if not keys.is_dir():
        raise BadRecord("holds no records, or its keys/ folder is gone", place=str(folder), code="no_journal")
    try:
        with locked(keys):
            yield
    except BlockingIOError:
        raise BadInput("another pruning of these records runs", place=str(folder), code="prune_runs") from None


def _plan(folder: Path, signer: Signer, before: datetime, draft: Tombstone) -> Plan:
    seen: dict[str, _Seen] = {}

    def note(place: str, kind: str, predicate: dict[str, Any], line: bytes) -> None:
        _look(seen.setdefault(place.rpartition(".jsonl:")[0], _Seen()), kind, predicate, line)

    found = examined(folder, also=note, signer=signer)
    _check_key(found, signer)
    candidates = {name for name in found.chains if _is_older(seen.get(name), before)} - found.pruned.keys()
    stays = _that_stay(found, seen, candidates)
    names = sorted(candidates - stays.keys())
    problems = tuple(f"{each.place}: {each.message} [{each.code}]" for each in found.report.problems)
    tombstone = Tombstone(
        *(draft.time, draft.before, draft.by, draft.why),
        removed=tuple(_as_it_was(found, name) for name in names),
        kept=tuple(_left_unnamed(found, set(names))),
        keys=tuple(sorted(found.trusted or {signer.key_id})),  # not all in keys/: anybody may have put one there
        problems=problems,
    )
    return Plan(tombstone, stays, tuple(sorted(filter(lambda name: _is_left(folder, name), found.pruned))))


def _look(seen: _Seen, kind: str, predicate: dict[str, Any], line: bytes) -> None:
    """Adds one verified record."""
    told = predicate.get("started" if kind == "segment" else "time")
    with contextlib.suppress(ValueError, TypeError):  # no time: the header has one
        time = datetime.fromisoformat(told)  # type: ignore[arg-type]  # anything else raises TypeError
        time = time if time.tzinfo else time.replace(tzinfo=UTC)
        seen.newest = max(seen.newest or time, time)
    if kind == KIND:
        seen.has_tombstone = True
    elif kind == "approval":
        seen.answers.add(address_of(line))
    elif kind == EXEMPTION:
        seen.needs.add(name := address_of(line))  # an exemption without its revocation would be in force again
        seen.copies.add(f"{name}.exemption")
    elif kind == REVOKED:
        seen.answers.add(name := str(predicate.get("exemption")))
        seen.copies.add(f"{name}.revoked")
    elif kind == "decision" and isinstance(approval := predicate.get("approval"), dict):
        seen.needs.add(str(approval.get("answer")))


def _is_older(seen: _Seen | None, before: datetime) -> bool:
    return seen is not None and seen.newest is not None and seen.newest < before


def _that_stay(found: Examined, seen: dict[str, _Seen], candidates: set[str]) -> dict[str, str]:
    """The old segments that stay, with the reason."""
    unknown = (name for name in found.chains.keys() - candidates if name not in seen or seen[name].newest is None)
    stays = dict.fromkeys(unknown, "none of its records can be read, so that its age is not known")
    stays |= {name: "it has a tombstone" for name in candidates if seen[name].has_tombstone}
    for name in candidates - stays.keys():
        if not found.chains[name].sealed and is_open(found.folder, name):
            stays[name] = "a running process still writes it"
        elif not all((found.folder / EXEMPTIONS / copy).is_file() for copy in seen[name].copies):
            stays[name] = f"{EXEMPTIONS}/ has no copy of an exemption in it; `supervisor allow list` makes one"
    while True:  # a segment that stays may need an approval or a revocation of another
        remaining = (each for name, each in seen.items() if name not in candidates or name in stays)
        needed = set[str]().union(*(each.needs for each in remaining))
        more = {name for name in candidates - stays.keys() if needed & seen[name].answers}
        if not more:
            return stays
        stays |= dict.fromkeys(more, "a record that stays rests on an approval or a revocation in it")


def _check_key(found: Examined, signer: Signer) -> None:
    """Raises BadInput unless this key signs the journal: another one would take it over."""
    current = {found.register.key_id} if found.register else set(found.keys)
    if signer.key_id not in current:
        other = f"key {', '.join(sorted(current))} signs these records, and the policy's key is {signer.key_id}"
        raise BadInput(f"{other}; name the policy that they were written under", place="--policy", code="other_key")


def _as_it_was(found: Examined, name: str) -> Checkpoint:
    chain = found.chains[name]
    digest = chain.digests[-1] if chain.digests else ""
    return Checkpoint(name, len(chain.digests), chain.size, digest, chain.sealed)


def _left_unnamed(found: Examined, going: set[str]) -> Iterator[Checkpoint]:
    """The remaining segments that only the removed ones name."""
    named = set(found.register.segments if found.register else ())
    remaining = {name: chain for name, chain in found.chains.items() if name not in going}
    named.update(each.segment for chain in remaining.values() for each in chain.neighbours)
    earlier = {each.segment for name in going for each in found.chains[name].neighbours}
    for name in sorted((remaining.keys() & earlier) - named):
        yield _as_it_was(found, name)


def _write(folder: Path, signer: Signer, tombstone: Tombstone) -> None:
    """Writes the tombstone to a segment of its own, and waits until it is on the disk."""
    subject = address_of("\n".join(each.segment for each in tombstone.removed).encode())
    journal = Journal(folder, signer, sync=True)
    try:
        journal.append(KIND, tombstone.to_json(), subject)
    finally:
        journal.close()


def _files_of(folder: Path, name: str) -> tuple[Path, Path, Path]:
    return segment_path(folder, name), checkpoint_path(folder, name), head_path(folder, name)


def _is_left(folder: Path, name: str) -> bool:
    return any(os.path.lexists(path) for path in _files_of(folder, name))


def _remove(folder: Path, names: Iterable[str]) -> None:
    """Removes segments, then what is beside them: a segment that is left after a power cut still verifies."""
    files = [_files_of(folder, name) for name in names]
    for number in range(2) if files else ():
        for segment, *beside in files:
            for path in beside if number else [segment]:
                path.unlink(missing_ok=True)
        sync_folder(folder)
