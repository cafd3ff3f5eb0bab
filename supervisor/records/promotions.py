"""What was learned, and which of it is in force: files beside the journal, named by their digest, and its promotions.

`learned/<digest>.json` is what was learned. `learned/promotion` is a copy of the line of the newest promotion in the
journal. It counts if this deployment's key signed it. Without it nothing that was learned is in force, which only makes
decisions stricter. `verify` reports a copy that is not the journal's newest promotion.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.decision.learned import Learned, Promotion, learned_of, promotion_of
from supervisor.errors import BadRecord, RecordFailed
from supervisor.history import address_of
from supervisor.intake.files import check_folder, locked, read_file, replace_file
from supervisor.records.envelope import Signer, open_envelope
from supervisor.records.statement import read_statement

if TYPE_CHECKING:
    from supervisor.records.journal import Journal
    from supervisor.records.keys import Keys

FOLDER = "learned"
KIND = "promotion"  # of a record
_CURRENT = "promotion"
_LARGEST = 16 * 1024 * 1024  # bytes of what was learned
_MARGIN = timedelta(seconds=60)  # a decision that was under way may still use what was taken back
_log = logging.getLogger(__name__)

InForce = tuple[Learned, Promotion]


class Promotions:
    """What was learned in one deployment. Safe to share between threads and processes."""

    def __init__(self, records: Path, signer: Callable[[], Signer], journal: Callable[[], Journal]) -> None:
        """`signer` and `journal` are called when they are first needed, and may raise RecordFailed."""
        self._records, self._folder = records, records / FOLDER
        self._signer, self._journal = signer, journal
        self._seen: tuple[tuple[int, int, int, int] | None, InForce | None] = (None, None)

    def in_force(self) -> InForce | None:
        """What is in force, and its promotion; None if nothing is. Reads the files only after they have changed. What
        does not count is logged."""
        try:
            about = os.stat(self._folder / _CURRENT, follow_symlinks=False)
        except OSError:  # there is none
            return None
        sign = (about.st_mtime_ns, about.st_ctime_ns, about.st_ino, about.st_size)
        if sign != self._seen[0]:
            try:
                found = self._read()
            except (BadRecord, RecordFailed) as error:
                _log.warning("what was learned is ignored: %s", error)
                found = None
            self._seen = sign, found
        return self._seen[1]

    def promote(self, learned: Learned | None, promotion: Promotion) -> None:
        """Puts something in force from the next decision on, or, with None, takes back whatever is. `promotion` names
        its digest. Raises RecordFailed."""
        try:
            with locked(self._records):
                self._folder.mkdir(mode=0o700, exist_ok=True)
                check_folder(self._folder)
                if learned is not None:
                    replace_file(self._folder / f"{learned.digest}.json", learned.content())
                line = self._journal().append(KIND, promotion.to_json(), promotion.digest or "0" * 64)
                replace_file(self._folder / _CURRENT, line)
        except OSError as error:
            raise RecordFailed(f"cannot be written: {error.strerror}", place=str(self._folder)) from None

    def named(self, digest: str) -> Learned:
        """What was learned under this digest. Raises BadRecord if it is not there, or is something else."""
        path = self._folder / f"{digest}.json"
        try:
            content = read_file(path, _LARGEST, own=True)
        except OSError as error:
            raise BadRecord(f"cannot be read: {error.strerror}", place=f"{FOLDER}/{path.name}") from None
        if address_of(content) != digest:
            raise BadRecord("it is not what its name says", place=f"{FOLDER}/{path.name}", code="learned_changed")
        try:
            return learned_of(content)
        except (KeyError, TypeError, ValueError):
            raise BadRecord("it is nothing that was learned", place=f"{FOLDER}/{path.name}") from None

    def _read(self) -> InForce | None:
        signer = self._signer()
        try:
            check_folder(self._folder)
        except OSError as error:
            raise BadRecord(f"cannot be read: {error.strerror}", place=FOLDER) from None
        promotion = current(self._records, {signer.key_id: signer.key.public_key()})[0]
        return (self.named(promotion.digest), promotion) if promotion.digest else None


def current(records: Path, keys: Keys) -> tuple[Promotion, str]:
    """The promotion that is in force, and the address of its record. Raises BadRecord if it does not count."""
    place = f"{FOLDER}/{_CURRENT}"
    try:
        line = read_file(records / FOLDER / _CURRENT, _LARGEST, own=True)
        kind, predicate = read_statement(open_envelope(line, keys))
        if kind != KIND:
            raise BadRecord("it is no promotion")
        return promotion_of(predicate), address_of(line)
    except OSError as error:
        raise BadRecord(f"cannot be read: {error.strerror}", place=place, code="bad_promotion") from None
    except (KeyError, TypeError, ValueError):
        raise BadRecord("it is no whole promotion", place=place, code="bad_promotion") from None
    except BadRecord as error:
        raise BadRecord(error.message, place=place, code="bad_promotion") from None


class PromotionCheck:
    """Collects a journal's records as they are read, in any order; `problems` then lists every use of something learned
    that no person had promoted, and a copy that is not the newest promotion."""

    def __init__(self) -> None:
        self._promotions: list[tuple[datetime, str, Promotion]] = []
        self._used: list[tuple[str, str, str, str]] = []
        self._wrong: list[tuple[str, str, str]] = []

    def note(self, place: str, kind: str, predicate: Mapping[str, Any], address: str) -> None:
        """Adds one verified record."""
        if kind == KIND:
            try:
                promotion = promotion_of(predicate)
                self._promotions.append((promotion.time, address, promotion))
            except (KeyError, TypeError, ValueError):
                self._wrong.append((place, "bad_promotion", "it is no promotion by a person"))
        elif kind in ("decision", "outcome") and isinstance(uses := predicate.get("exemptions"), Mapping):
            for name, used in uses.items():
                if isinstance(used, Mapping) and used.get("origin") == "learned":
                    self._used.append((place, str(predicate.get("time")), str(used.get("id")), name))

    def problems(self, records: Path, keys: Keys, *, is_pruned: bool) -> Iterator[tuple[str, str, str]]:
        """Place, code and message of each. If segments were pruned, a promotion may be gone and its use still here."""
        yield from self._wrong
        self._promotions.sort(key=lambda each: each[:2])
        for place, when, digest, specialist in self._used:
            if why := self._against(when, digest, specialist, is_pruned=is_pruned):
                yield place, "promotion_differs", f"what was learned, and let its action run, {why}"
        if os.path.lexists(records / FOLDER / _CURRENT):
            try:
                address = current(records, keys)[1]
            except BadRecord as error:
                yield error.place, error.code, f"it does not count: {error.message}"
                return
            if self._promotions and self._promotions[-1][1] != address:
                yield f"{FOLDER}/{_CURRENT}", "promotion_replaced", "it is not the newest promotion of the journal"

    def _against(self, when: str, digest: str, specialist: str, *, is_pruned: bool) -> str:
        """Why something learned did not lift this specialist's objection at that time; empty if it did."""
        try:
            used_at = datetime.fromisoformat(when)
            before = [each for time, _, each in self._promotions if time <= used_at + _MARGIN]
            lately = [each for each in before if each.time > used_at - _MARGIN]
        except (TypeError, ValueError):
            return "cannot be placed in time"
        possible = [*lately, *[each for each in before if each not in lately][-1:]]
        if not possible and is_pruned:
            return ""
        promoted = [each for each in possible if each.digest == digest]
        if not promoted:
            return "was not in force"
        return "" if specialist in promoted[-1].specialists else "was not about this specialist"
