"""The exemptions of a deployment: records of the journal, and beside it a folder with copies of their lines.

Each exemption is `<address>.exemption`; its revocation is `<address>.revoked` beside it. Only lines signed by this
deployment's key count, so write access to the folder makes no exemption. It takes them away, and by removing a
revocation it puts a revoked one back in force: `verify` reports that, and the revocation is put back from the journal
when an engine starts, or when a person next lists or changes exemptions. A folder that is gone is rebuilt at the latter
time; until then there are none. Every change renames a file into the folder, so the folder's own times show an engine
whether anything changed.
"""

from __future__ import annotations

import base64
import contextlib
import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from supervisor.decision.exemptions import Exemption
from supervisor.errors import BadInput, BadRecord, RecordFailed
from supervisor.history import address_of
from supervisor.intake.files import check_folder, locked, open_file, replace_file
from supervisor.records.envelope import Signer, open_envelope
from supervisor.records.exempted import FOLDER, KIND, MAX_LINE, REVOKED, exemption_in, read_line
from supervisor.records.statement import read_statement, statement
from supervisor.records.verify import segment_paths

if TYPE_CHECKING:
    from supervisor.records.journal import Journal
    from supervisor.records.keys import Keys

_log = logging.getLogger(__name__)
MOST = 1_000  # in force at a time
SHORTEST = 6  # digits of an id that a person may give
_FRESH = 2.0  # seconds after a change in which a file system may give the next change the same time
_NEVER = (0, 0, 0)


def _beginning(kind: str) -> bytes:
    """How the lines of one kind of record begin, so that others need no decoding."""
    payload = statement(kind, "").partition(b'"digest"')[0]
    return b'{"payload":"' + base64.b64encode(payload[: len(payload) // 3 * 3])


_BEGINNINGS = (_beginning(KIND), _beginning(REVOKED))


class NoExemption(BadInput):
    """There is no such exemption in force."""

    code = "no_exemption"


@dataclass(frozen=True, slots=True)
class Standing:
    """An exemption, and when and by whom it was revoked, if it was."""

    exemption: Exemption
    revoked: datetime | None = None
    revoked_by: str = ""

    def state(self, now: datetime) -> str:
        """`in force`, `expired` or `revoked`."""
        return "revoked" if self.revoked else "in force" if self.exemption.is_in_force(now) else "expired"


class Exemptions:
    """The exemptions that people made in one deployment. Safe to share between threads and processes."""

    def __init__(self, records: Path, signer: Callable[[], Signer], journal: Callable[[], Journal]) -> None:
        """`signer` and `journal` are called when they are first needed, and may raise RecordFailed."""
        self._records, self._folder = records, records / FOLDER
        self._signer, self._journal = signer, journal
        self._seen: tuple[tuple[int, int, int], tuple[Exemption, ...]] = (_NEVER, ())
        self._told: set[str] = set()

    def in_force(self) -> tuple[Exemption, ...]:
        """Those that are not revoked; some may have expired. Reads the folder only after it has changed. What is in it
        and does not count is logged once."""
        try:
            about = os.stat(self._folder, follow_symlinks=False)
        except OSError:  # there is none
            return ()
        sign = (about.st_mtime_ns, about.st_ctime_ns, about.st_ino)
        if sign == self._seen[0]:
            return self._seen[1]
        standing, ignored = self._read()
        for error in ignored:
            if error.place not in self._told:
                self._told.add(error.place)
                _log.warning("an exemption is ignored: %s", error)
        found = tuple(each.exemption for each in standing if each.revoked is None)
        is_settled = time.time() - about.st_ctime > _FRESH
        self._seen = (sign if is_settled else _NEVER, found)
        return found

    def everything(self) -> tuple[list[Standing], list[BadRecord]]:
        """Every exemption that the folder holds, oldest first, and an error for each file that does not count. Rebuilds
        the folder if it is gone, and puts back revocations. Raises RecordFailed."""
        try:
            self._make_folder()
            self._put_back()
        except OSError as error:
            raise RecordFailed(f"cannot be read: {error.strerror}", place=str(self._folder)) from None
        return self._read() if self._folder.is_dir() else ([], [])

    def restore(self) -> None:
        """Puts back each revocation that the journal has and the folder lacks. What prevents that is logged."""
        try:
            self._put_back()
        except (OSError, BadRecord, RecordFailed) as error:
            _log.error("a revoked exemption may be in force: its revocation cannot be put back: %s", error)

    def add(self, draft: Exemption) -> Exemption:
        """Makes an exemption: one signed record, in force from the next decision on. Raises RecordFailed."""
        now = datetime.now(UTC)
        made = replace(draft, id="", given=now, origin="person")
        predicate = {"time": now.isoformat(), "via": "terminal", **made.to_json()}
        written = orjson.dumps(predicate)
        if len(written) > MAX_LINE // 2:
            raise BadInput(f"an exemption has at most {MAX_LINE // 2:,} bytes", code="too_long")
        with self._changing():
            if sum(each.state(now) == "in force" for each in self._read()[0]) >= MOST:
                raise RecordFailed(
                    f"{MOST:,} exemptions are in force; revoke some", place=str(self._folder), code="full"
                )
            line = self._journal().append(KIND, predicate, address_of(written))
            id = address_of(line)
            replace_file(self._folder / f"{id}.exemption", line)
        return replace(made, id=id)

    def revoke(self, id: str, by: str) -> Exemption:
        """Ends the exemption whose id begins so. Raises NoExemption, RecordFailed."""
        with self._changing():
            found = self.named(id)
            if found.revoked:
                raise NoExemption(f"revoked already, by {found.revoked_by}", place=id, code="already_revoked")
            whole = found.exemption.id
            predicate = {"time": datetime.now(UTC).isoformat(), "via": "terminal", "by": by, "exemption": whole}
            line = self._journal().append(REVOKED, predicate, whole)
            replace_file(self._folder / f"{whole}.revoked", line)
        return found.exemption

    def named(self, id: str) -> Standing:
        """The exemption whose id begins so. Raises NoExemption if none or several do."""
        begin = id.lower()
        if len(begin) < SHORTEST or not begin.isalnum():
            raise NoExemption(f"the id of an exemption has at least {SHORTEST} digits", place=id)
        found = [each for each in self.everything()[0] if each.exemption.id.startswith(begin)]
        if len(found) != 1:
            why = "several begin so; give more of the id" if found else "there is none; see `supervisor allow list`"
            raise NoExemption(why, place=id)
        return found[0]

    def _read(self) -> tuple[list[Standing], list[BadRecord]]:
        found: dict[str, Standing] = {}
        ignored: list[BadRecord] = []
        try:
            check_folder(self._folder)
            names = sorted(os.listdir(self._folder))
            keys = self._keys() if names else {}
        except (OSError, RecordFailed) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            return [], [BadRecord(f"cannot be read: {why}", place=FOLDER, code="bad_exemption")]
        for name in names:  # `<address>.exemption` comes before `<address>.revoked`
            id, _, ending = name.partition(".")
            try:
                if ending == "exemption":
                    found[id] = Standing(exemption_in(read_line(self._folder / name, keys)[1], id))
                elif ending == "revoked" and id in found:
                    found[id] = _revoked(found[id], self._folder / name, keys)
            except BadRecord as error:
                ignored.append(error)
        return sorted(found.values(), key=lambda each: str(each.exemption.given)), ignored

    def _keys(self) -> Keys:
        signer = self._signer()
        return {signer.key_id: signer.key.public_key()}

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Holds the lock of the records, with the folder in place."""
        try:
            with locked(self._records):
                self._make_folder()
                self._folder.mkdir(mode=0o700, exist_ok=True)
                yield
        except OSError as error:
            raise RecordFailed(f"exemptions cannot be changed: {error.strerror}", place=str(self._folder)) from None

    def _make_folder(self) -> None:
        """Rebuilds the folder from the journal if there is none. Raises OSError, RecordFailed."""
        if os.path.lexists(self._folder) or not self._records.is_dir():
            return
        lines = dict(self._in_journal())
        if not lines:
            return
        fresh = self._records / f"{FOLDER}.{os.urandom(4).hex()}"
        fresh.mkdir(mode=0o700)
        for name, line in lines.items():
            replace_file(fresh / name, line)
        try:
            fresh.rename(self._folder)
        except OSError:  # another process was first
            shutil.rmtree(fresh)

    def _put_back(self) -> None:
        """See `restore`. Reads the journal only if an exemption in the folder has no revocation. Raises OSError,
        BadRecord, RecordFailed."""
        try:
            check_folder(self._folder)
        except OSError:  # then no exemption in it counts; `_read` tells why
            return
        there = set(os.listdir(self._folder))
        lacking = {
            f"{name.removesuffix('.exemption')}.revoked" for name in there if name.endswith(".exemption")
        } - there
        for name, line in self._in_journal() if lacking else ():
            if name in lacking:
                _log.warning("the revocation of an exemption was gone, and is put back: %s", name)
                replace_file(self._folder / name, line)

    def _in_journal(self) -> Iterator[tuple[str, bytes]]:
        """The file's name and the line of each exemption and revocation in the journal."""
        keys = self._keys()
        for path in segment_paths(self._records):
            with os.fdopen(open_file(path, os.O_RDONLY, own=True), "rb") as segment:
                for line in (raw.rstrip(b"\n") for raw in segment if raw.startswith(_BEGINNINGS)):
                    with contextlib.suppress(BadRecord):  # signed by another key
                        kind, predicate = read_statement(open_envelope(line, keys))
                        if kind == KIND:
                            yield f"{address_of(line)}.exemption", line
                        elif kind == REVOKED:
                            yield f"{predicate.get('exemption')}.revoked", line


def _revoked(standing: Standing, path: Path, keys: Keys) -> Standing:
    """An exemption that is revoked. A revocation that cannot be read counts too: it only takes away."""
    try:
        _, predicate = read_line(path, keys)
        when, by = datetime.fromisoformat(predicate["time"]), str(predicate["by"])
    except (BadRecord, KeyError, TypeError, ValueError):
        when, by = datetime.now(UTC), "an unknown person"
    return replace(standing, revoked=when, revoked_by=by)
