"""Verified pairs by digest: the shipped manifest and the user's cache.

An agent with a tool that writes files might reach the cache, and the cache decides which specialists are asked. So it
counts only with a MAC under a key that such a tool cannot read.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from supervisor.intake.files import open_file, read_file
from supervisor.logs import log_later
from supervisor.specialist import EVERY_KIND, PLANTING_KINDS, Specialist

if TYPE_CHECKING:
    from supervisor.catalog.failure_mode import FailureMode

_log = log_later(__name__)
_FORMAT = 9
_MOST_KEPT = 700  # pairs in a cache: two versions side by side; all are decoded at each start
_MOST_BYTES = 16 * 1024 * 1024
_Encoded = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """The data of a verified pair that a start needs, without reading its YAML or importing its specialist."""

    id: str
    family: str
    digest: str
    name: str
    description: str
    severity: str
    verdict: str
    method: str
    stage: str
    maturity: str
    agents: tuple[str, ...]
    kinds: tuple[str, ...]
    uses_doors: bool
    is_bounded: bool
    about: tuple[str, ...] = ()
    needs_past: bool = False
    needs_facts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    on_refuse: str = ""
    exemptible: bool = True
    declared_facts: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    past: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        family: str,
        digest: str,
        mode: FailureMode,
        specialist: Specialist,
        *,
        is_bounded: bool,
        facts: frozenset[str] = frozenset(),
    ) -> Entry:
        """The entry of a failure mode and its specialist. `is_bounded`: the specialist is known to end, so it may run
        where it could not be stopped. `facts` are the names of facts that were looked up in its cases."""
        kinds = tuple(sorted(specialist.kinds))
        description = " ".join(mode.description.split())
        about = (mode.name, description, mode.severity, mode.verdict, mode.method, mode.stage, mode.maturity)
        own = [
            name for fact in specialist.facts for name in ([fact] if isinstance(fact, str) else [fact.name, *fact.also])
        ]
        acts, needed, marks, own_facts, all_facts = (
            tuple(sorted(each))
            for each in (specialist.about, specialist.needs_facts, specialist.marks, own, facts.union(own))
        )
        domain = (acts, specialist.needs_past, needed, marks)
        judged = (mode.agents, kinds, specialist.uses_doors, is_bounded)
        entry = cls(mode.id, family, digest, *about, *judged, *domain)
        return replace(
            entry,
            on_refuse=mode.on_refuse,
            exemptible=mode.exemptible,
            declared_facts=own_facts,
            facts=all_facts,
            past=tuple(sorted(specialist.past)),
        )

    def covers(self, kind: str) -> bool:
        """Whether actions of this kind are in its domain."""
        return kind in self.kinds or EVERY_KIND in self.kinds

    def judges_planted(self, kind: str) -> bool:
        """Whether it is asked about the commands that an action of this kind may plant in a file."""
        return kind in PLANTING_KINDS and self.stage == "before" and bool(self.about) and self.covers("shell")


class Manifest:
    """Entries by digest, from a manifest and from a cache. The manifest has precedence.

    `save` writes added entries to the cache. If that fails it logs a warning, and the next start verifies them again.
    """

    def __init__(self, manifest: Path | None = None, cache: Path | None = None, key: Path | None = None) -> None:
        self._cache = cache
        self._key = key
        self._entries = _cached(cache, key) if cache and key else {}
        self._entries |= _manifest(manifest) if manifest else {}
        self._added = False

    @classmethod
    def shipped_and_cached(cls) -> Manifest:
        """The manifest inside the package, and the cache of this user."""
        cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "supervisor"
        manifest = Path(__file__).parents[1] / "taxonomy_files" / "manifest.json"
        own = cache / f"verified-{_FORMAT}.json"  # versions side by side would replace each other's
        return cls(manifest, own, cache / "verified.key")

    def entry(self, digest: str) -> Entry | None:
        """The entry of a pair that has passed its cases, or None."""
        encoded = self._entries.get(digest)
        return _entry(encoded) if encoded else None

    def remember(self, entry: Entry) -> None:
        """Adds a pair that has just passed its cases."""
        self._entries[entry.digest] = asdict(entry)
        self._added = True

    def save(self) -> None:
        """Writes the cache, completely or not at all, if anything was added."""
        if not self._added or self._cache is None or self._key is None:
            return
        self._added = False
        body = self.to_json()
        try:
            mac = hmac.digest(_secret(self._key) or _new_secret(self._key), body, hashlib.sha256)
            _replace(self._cache, mac.hex().encode() + b"\n" + body)
        except OSError as error:
            _log.warning("%s: %s; specialists will be verified again at the next start", self._cache, error.strerror)

    def to_json(self) -> bytes:
        """The newest _MOST_KEPT entries in the format of a manifest. Older ones can be verified again."""
        return orjson.dumps({"format": _FORMAT, "entries": list(self._entries.values())[-_MOST_KEPT:]})


def _manifest(path: Path) -> dict[str, _Encoded]:
    return _entries(path, lambda raw: raw)


def _cached(path: Path, key: Path) -> dict[str, _Encoded]:
    def body(raw: bytes) -> bytes:
        mac, _, encoded = raw.partition(b"\n")
        right = hmac.digest(_secret(key) or os.urandom(32), encoded, hashlib.sha256).hex().encode()
        if not hmac.compare_digest(mac, right):
            raise ValueError("it was not written by this installation")
        return encoded

    return _entries(path, body)


def _entries(path: Path, body: Callable[[bytes], bytes]) -> dict[str, _Encoded]:
    try:
        content: Any = orjson.loads(body(read_file(path, _MOST_BYTES)))
        if content["format"] != _FORMAT:
            return {}
        return {each["digest"]: each for each in content["entries"]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("%s: %s; it is ignored, and specialists are verified again", path, error)
        return {}


def _secret(path: Path) -> bytes | None:
    try:
        return read_file(path, _MOST_BYTES, own=True)
    except OSError:
        return None  # then the cache does not count, and the next `save` logs the error


def _new_secret(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    secret = os.urandom(32)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret)
    return secret


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    written = path.with_suffix(f".{os.urandom(8).hex()}.tmp")
    with open(open_file(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, own=True), "wb") as file:
        file.write(content)
    written.replace(path)


_LISTS = ("agents", "kinds", "about", "needs_facts", "marks", "declared_facts", "facts", "past")


def _entry(values: _Encoded) -> Entry:
    return Entry(**values | {name: tuple(values[name]) for name in _LISTS})
