"""What is known to have passed its cases, by digest: the shipped manifest and the user's cache."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from supervisor.specialist import Specialist
from supervisor.taxonomy import FailureMode

_log = logging.getLogger(__name__)
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """What a start needs to know of a verified pair, without reading its YAML or importing its specialist."""

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

    @classmethod
    def of(cls, family: str, digest: str, mode: FailureMode, specialist: Specialist) -> Entry:
        """The entry that a failure mode and its specialist make."""
        kinds = tuple(sorted(specialist.kinds))
        description = " ".join(mode.description.split())
        about = (mode.name, description, mode.severity, mode.verdict, mode.method, mode.stage, mode.maturity)
        return cls(mode.id, family, digest, *about, mode.agents, kinds)


class Verified:
    """Entries by digest. `save` keeps what was added in one file; where that fails it says so, and nothing is lost."""

    def __init__(self, *sources: Path, save_to: Path | None = None) -> None:
        self._save_to = save_to
        self._entries: dict[str, Entry] = {}
        self._added = False
        for source in sources:
            self._entries |= _read(source)

    @classmethod
    def shipped_and_cached(cls) -> Verified:
        """The manifest inside the package, and the cache of this user."""
        cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "supervisor" / "verified.json"
        package = Path(__file__).parent
        return cls(package / "taxonomy_files" / "manifest.json", cache, save_to=cache)

    def entry(self, digest: str) -> Entry | None:
        """The entry of a pair that has passed its cases, or None."""
        return self._entries.get(digest)

    def remember(self, entry: Entry) -> None:
        """Keeps a pair that has just passed."""
        self._entries[entry.digest] = entry
        self._added = True

    def save(self) -> None:
        """Writes the file, whole or not at all, if anything was added."""
        if not self._added or self._save_to is None:
            return
        self._added = False
        newest = dict(list(self._entries.items())[-2000:])  # a cache: what was verified long ago can be verified again
        written = self._save_to.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._save_to.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            written.write_text(json.dumps({"format": _FORMAT, "entries": [asdict(entry) for entry in newest.values()]}))
            written.replace(self._save_to)
        except OSError as error:
            _log.warning("%s: %s; specialists will be verified again at the next start", self._save_to, error.strerror)


def _read(path: Path) -> dict[str, Entry]:
    try:
        content: Any = json.loads(path.read_bytes())
        if content["format"] != _FORMAT:
            return {}
        return {each["digest"]: _entry(each) for each in content["entries"]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("%s: %s; it is ignored, and specialists are verified again", path, error)
        return {}


def _entry(values: dict[str, Any]) -> Entry:
    return Entry(**{**values, "agents": tuple(values["agents"]), "kinds": tuple(values["kinds"])})
