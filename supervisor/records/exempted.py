"""Reads the records of exemptions, and checks each use of one: a person made it, it fits, and it was in force."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.decision.exemptions import Exemption, exemption_of
from supervisor.errors import BadRecord
from supervisor.history import address_of
from supervisor.intake.files import read_file
from supervisor.records.envelope import open_envelope
from supervisor.records.statement import read_statement

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

FOLDER = "exemptions"  # beside the segments; see `supervisor.records.exemptions`
KIND, REVOKED = "exemption", "revocation"  # kinds of records
MAX_LINE = 256 * 1024  # bytes of a line in the folder
_PARTS = ("specialists", "form", "path", "tool", "project", "agent", "environment", "expires")
_MARGIN = timedelta(seconds=60)  # a decision that was under way may still use what is being revoked

_REVOKING = 0.5  # seconds; a revocation is in the journal before it is in the folder
_IN_FORCE_AGAIN = (
    "it was revoked, and may be in force again: its revocation is in the journal, but not beside it;"
    " `supervisor allow list` puts it back"
)


def read_line(path: Path, keys: Keys) -> tuple[str, dict[str, Any]]:
    """Kind and predicate of the record in a file of the folder. Raises BadRecord unless one of `keys` signed it and the
    file has the record's name."""
    place = f"{FOLDER}/{path.name}"
    try:
        line = read_file(path, MAX_LINE, own=True)
        kind, predicate = read_statement(open_envelope(line, keys))
        if kind == KIND and path.name == f"{address_of(line)}.exemption":
            exemption_in(predicate, path.stem)
        elif not (kind == REVOKED and path.name == f"{predicate.get('exemption')}.revoked"):
            raise BadRecord("its name is not the address of its record")
    except OSError as error:
        raise BadRecord(f"cannot be read: {error.strerror}", place=place, code="bad_exemption") from None
    except BadRecord as error:
        raise BadRecord(error.message, place=place, code="bad_exemption") from None
    return kind, predicate


def exemption_in(predicate: Mapping[str, Any], id: str) -> Exemption:
    """The exemption in a record with this address. Raises BadRecord."""
    try:
        return exemption_of({**predicate, "id": id})
    except (KeyError, TypeError, ValueError):
        raise BadRecord("is no exemption", code="bad_exemption") from None


class ExemptionCheck:
    """Collects a journal's records as they are read, in any order; `problems` then lists every exemption that is not
    proven. An exemption that the policy declares is proven by the policy, which each decision names; one that was
    learned, by its promotion (`PromotionCheck`)."""

    def __init__(self) -> None:
        self._made: dict[str, Mapping[str, Any]] = {}
        self._revoked: dict[str, str] = {}
        self._used: list[tuple[str, str, Mapping[str, Any], str]] = []
        self._wrong: list[tuple[str, str, str]] = []
        self._copies: dict[str, Path] = {}

    def read_folder(self, records: Path, keys: Keys) -> None:
        """Adds the copies beside the journal: they outlast a segment that is taken away. Reports each file that does
        not count."""
        folder = records / FOLDER
        names = sorted(os.listdir(folder)) if folder.is_dir() else []
        for name in names:
            id, _, ending = name.partition(".")
            try:  # other files there are the store's own, half written
                if ending not in ("exemption", "revoked"):
                    continue
                kind, predicate = read_line(folder / name, keys)
                if kind == KIND:
                    self._copies[id] = folder / name
                self.note(name, kind, predicate, id)
            except BadRecord as error:
                self._wrong.append((error.place, error.code, f"it does not count: {error.message}"))

    def note(self, place: str, kind: str, predicate: Mapping[str, Any], address: str) -> None:
        """Adds one verified record."""
        if kind == KIND:
            self._made[address] = predicate
        elif kind == REVOKED:
            self._revoked.setdefault(str(predicate.get("exemption")), str(predicate.get("time")))
        elif kind in ("decision", "outcome") and isinstance(uses := predicate.get("exemptions"), Mapping):
            self._used += ((place, str(predicate.get("time")), used, name) for name, used in uses.items())

    def problems(self) -> Iterator[tuple[str, str, str]]:
        """Place, code and message of each use that is not proven, of each file that does not count, and of each copy of
        a revoked exemption whose revocation is not beside it."""
        yield from self._wrong
        for path in self._in_force_again():
            yield f"{FOLDER}/{path.name}", "revocation_missing", _IN_FORCE_AGAIN
        for place, when, used, specialist in self._used:
            if isinstance(used, Mapping) and used.get("origin") in ("policy", "learned"):
                continue
            made = self._made.get(str(used.get("id"))) if isinstance(used, Mapping) else None
            if made is None:
                yield place, "exemption_missing", "the exemption that let its action run is not there"
            elif why := self._against(when, used, made, specialist):
                yield place, "exemption_differs", f"the exemption that let its action run {why}"

    def _in_force_again(self) -> list[Path]:
        revoked = [path for id, path in self._copies.items() if id in self._revoked]
        if lacking := [path for path in revoked if _lacks_revocation(path)]:
            time.sleep(_REVOKING)
        return [path for path in lacking if _lacks_revocation(path)]

    def _against(self, when: str, used: Mapping[str, Any], made: Mapping[str, Any], specialist: str) -> str:
        """Why an exemption does not lift this specialist's objection at that time; empty if it does."""
        try:
            if specialist not in made["specialists"] or any(used.get(part) != made.get(part) for part in _PARTS):
                return "is for something else"
            used_at = datetime.fromisoformat(when)
            if made["expires"] and used_at >= datetime.fromisoformat(made["expires"]):
                return "had expired"
            revoked = self._revoked.get(str(used["id"]))
            return "was revoked" if revoked and used_at > datetime.fromisoformat(revoked) + _MARGIN else ""
        except (KeyError, TypeError, ValueError):
            return "cannot be read"


def _lacks_revocation(copy: Path) -> bool:
    return copy.exists() and not os.path.lexists(copy.with_suffix(".revoked"))
