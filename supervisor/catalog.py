"""Pairs every taxonomy entry with its one specialist, or refuses to start.

A start reads no YAML and imports no specialist. Each pair has a digest over its two files and the code that judges;
a pair whose digest is known has passed its cases, and what the catalogue needs of it is remembered beside the digest.
What ships is remembered in a manifest written when it is built; anything else is verified at its first load and
remembered in the user's cache. Specialists are imported when an action of their kind first arrives.
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from supervisor.bounded import unbounded
from supervisor.errors import BadTaxonomy
from supervisor.policy import Policy, Taxonomy, expanded
from supervisor.specialist import EVERY_KIND, Specialist
from supervisor.taxonomy import FAMILIES, FailureMode, read_entry
from supervisor.tools import KINDS
from supervisor.verified import Entry, Verified

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Pair:
    """One entry's two files, and whether they ship with the library."""

    family: str
    id: str
    taxonomy: Path
    specialist: Path
    digest: str
    is_ours: bool = False


class Catalog:
    """The failure modes in force, in catalogue order (family, then id), and their specialists."""

    def __init__(self, entries: Sequence[tuple[Pair, Entry]], known: frozenset[str] = frozenset()) -> None:
        """`known` names also the failure modes that are there but not in force: disabled, or in preview."""
        self._pairs = {pair.id: pair for pair, _ in entries}
        self.entries: dict[str, Entry] = {entry.id: entry for _, entry in entries}
        self.known = known | self.entries.keys()
        self._loaded: dict[str, Specialist] = {}
        self._by_kind: dict[str, tuple[Entry, ...]] = {}
        self._order: dict[str, dict[str, int]] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._waits: dict[str, bool] = {}
        self._lock = threading.Lock()

    def without(self, method: str) -> Catalog:
        """The same without those who detect by this method."""
        kept = [(pair, self.entries[name]) for name, pair in self._pairs.items() if self.entries[name].method != method]
        return Catalog(kept, self.known)

    def digests(self) -> dict[str, str]:
        """What judges: the digest of every pair in force."""
        return {entry.id: entry.digest for entry in self.entries.values()}

    @property
    def pairs(self) -> Iterable[Pair]:
        """The files of everything in force."""
        return self._pairs.values()

    def for_kind(self, kind: str) -> tuple[Entry, ...]:
        """The failure modes in whose domain an action of this kind falls, in catalogue order."""
        known = self._by_kind.get(kind)
        if known is None:
            asked = (entry for entry in self.entries.values() if {kind, EVERY_KIND} & set(entry.kinds))
            known = self._by_kind[kind] = tuple(asked)
        return known

    def order_of(self, kind: str) -> Mapping[str, int]:
        """The names of the failure modes in whose domain an action of this kind falls, with their places."""
        known = self._order.get(kind)
        if known is None:
            known = self._order[kind] = {entry.id: place for place, entry in enumerate(self.for_kind(kind))}
        return known

    def names_of(self, kind: str) -> tuple[str, ...]:
        """The same names in catalogue order, always as the same tuple."""
        known = self._names.get(kind)
        if known is None:
            known = self._names[kind] = tuple(self.order_of(kind))
        return known

    def uses_doors(self, kind: str) -> bool:
        """Whether any of them waits for the outside."""
        if kind not in self._waits:
            self._waits[kind] = any(entry.uses_doors for entry in self.for_kind(kind))
        return self._waits[kind]

    def specialists(self, kind: str) -> tuple[Specialist, ...]:
        """Those who judge actions of this kind, in catalogue order, imported."""
        return tuple(self.specialist(entry.id) for entry in self.for_kind(kind))

    def specialist(self, name: str) -> Specialist:
        """The specialist called `name`, imported if it is not yet."""
        with self._lock:
            if name not in self._loaded:
                self._loaded[name] = load_specialist(self._pairs[name])
            return self._loaded[name]

    def is_ours(self, name: str) -> bool:
        """Whether it ships with the library."""
        return self._pairs[name].is_ours

    def failure_mode(self, name: str) -> FailureMode:
        """The whole taxonomy entry, read from its file."""
        return read_entry(self._pairs[name].taxonomy)

    def files(self, name: str) -> tuple[Path, Path]:
        """Where the entry and its specialist stand."""
        return self._pairs[name].taxonomy, self._pairs[name].specialist


def in_force(policy: Policy) -> Catalog:
    """Whom a deployment asks: the catalogue, but for the judges where it has no model that could answer them. Raises
    BadTaxonomy as `open_catalog` does."""
    catalog = open_catalog(policy.taxonomy)
    return catalog if policy.doors.model.url else catalog.without("narrow-llm")


def open_catalog(policy: Taxonomy, verified: Verified | None = None) -> Catalog:
    """The catalogue that a policy asks for.

    Raises BadTaxonomy, with a line that names the file and the cure, for a missing or orphaned specialist, an id that
    stands twice, an entry that is not complete, or one whose cases do not pass.
    """
    memory = verified or Verified.shipped_and_cached()
    pairs, holes = find_pairs(policy)
    if holes:
        raise holes[0]
    entries = [(pair, memory.entry(pair.digest) or _verify(pair, memory)) for pair in pairs]
    memory.save()
    wanted = [
        (pair, entry)
        for pair, entry in entries
        if entry.id not in policy.disabled and (policy.preview or entry.maturity == "stable")
    ]
    return Catalog(wanted, frozenset(pair.id for pair in pairs))


def find_pairs(policy: Taxonomy) -> tuple[list[Pair], list[BadTaxonomy]]:
    """Every entry with its specialist, in catalogue order, and what keeps the rest from being pairs."""
    judging, pairs, holes = _judging_digest(), [], []
    _, ours = _shipped_root()
    for taxonomy, specialists in _roots(policy):
        entries, judges = _files(taxonomy, ".yaml"), _files(specialists, ".py")
        holes += [*_strays(taxonomy, ".yaml", ".yml"), *_strays(specialists, ".py")]
        for family, name in sorted(entries.keys() | judges.keys()):
            entry, judge = entries.get((family, name)), judges.get((family, name))
            if entry and judge:
                digest = _digest(judging, _content(entry), _content(judge))
                pairs.append(Pair(family, name, entry, judge, digest, specialists == ours))
            else:
                holes.append(_half(family, name, entry or taxonomy, judge or specialists))
    pairs.sort(key=lambda pair: (pair.family, pair.id))
    return pairs, holes + _clashes(pairs)


def _half(family: str, name: str, entry: Path, judge: Path) -> BadTaxonomy:
    """What to say of an entry without a specialist, or the other way about; the missing one is only a folder."""
    if family not in FAMILIES:
        return BadTaxonomy(f"no family {family!r}; families are {', '.join(FAMILIES)}", place=str(entry))
    if entry.suffix == ".yaml":
        return BadTaxonomy(f"has no specialist; write {judge / family / name}.py", place=str(entry))
    missing = entry / family / f"{name}.yaml"
    return BadTaxonomy(f"has no taxonomy entry; write {missing}, or remove this file", place=str(judge))


def _clashes(pairs: Sequence[Pair]) -> list[BadTaxonomy]:
    first: dict[str, Pair] = {}
    return [
        BadTaxonomy(f"the id stands also in {first[pair.id].taxonomy}; rename one", place=str(pair.taxonomy))
        for pair in pairs
        if first.setdefault(pair.id, pair) is not pair
    ]


def _roots(policy: Taxonomy) -> list[tuple[Path, Path]]:
    """The folders of entries and of specialists, in pairs."""
    roots = [_shipped_root()] if policy.shipped else []
    for folder in policy.folders:
        root = expanded(folder)
        roots.append((root / "taxonomy", root / "specialists"))
    for plugin in policy.plugins:
        root = _plugin_folder(plugin)
        roots.append((root / "taxonomy", root / "specialists"))
    return roots


def _shipped_root() -> tuple[Path, Path]:
    """Inside the package where it is installed; at the top of the repository in a checkout."""
    installed = _PACKAGE / "taxonomy_files"
    if installed.is_dir():
        return installed, _PACKAGE / "specialists"
    return _PACKAGE.parent / "taxonomy", _PACKAGE.parent / "specialists"


def _plugin_folder(name: str) -> Path:
    from importlib.metadata import entry_points

    for point in entry_points(group="supervisor.taxonomy", name=name):
        spec = importlib.util.find_spec(point.value)
        if spec and spec.submodule_search_locations:
            return Path(next(iter(spec.submodule_search_locations)))
    raise BadTaxonomy(f"no installed package registers {name!r} under supervisor.taxonomy; install it, or take it out")


def _files(folder: Path, suffix: str) -> dict[tuple[str, str], Path]:
    if not folder.is_dir():
        raise BadTaxonomy("is not a folder; a taxonomy has `taxonomy/` and `specialists/`", place=str(folder))
    found = (file for file in folder.glob(f"*/*{suffix}") if file.stem != "__init__")
    return {(file.parent.name, file.stem): file for file in found}


def _strays(folder: Path, suffix: str, *mistaken: str) -> list[BadTaxonomy]:
    """Files that look like an entry or a specialist, but stand or are called otherwise, and so would not count."""
    stray = [
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix in (suffix, *mistaken) and file.stem != "__init__"
        if file.suffix != suffix or len(file.relative_to(folder).parts) != 2
    ]
    return [BadTaxonomy(f"does not count; its place is <family>/<id>{suffix}", place=str(file)) for file in stray]


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadTaxonomy(f"cannot be read: {error.strerror}", place=str(file)) from None


def _judging_digest() -> bytes:
    """The digest of the code that a verdict can depend on besides the specialist itself."""
    files = [_PACKAGE / name for name in ("action.py", "proposal.py", "specialist.py", "tools.py", "verdict.py")]
    for folder in ("evidence", "methods"):
        files += sorted(file for file in (_PACKAGE / folder).rglob("*") if file.suffix in (".py", ".json", ".yaml"))
    return hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)).digest()


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def load_specialist(pair: Pair) -> Specialist:
    """Imports a specialist's file. Raises BadTaxonomy where it does not hold the one specialist that its name says."""
    place = str(pair.specialist)
    module = _import(pair)
    found = [value for value in vars(module).values() if isinstance(value, Specialist)]
    if [each.id for each in found] != [pair.id]:
        names = ", ".join(each.id for each in found) or "none"
        raise BadTaxonomy(f"must define the one specialist {pair.id}, but defines {names}", place=place)
    for kind in found[0].kinds:
        if kind not in KINDS and kind != EVERY_KIND:
            raise BadTaxonomy(f"no kind {kind!r}; kinds are {', '.join(KINDS)}", place=place)
    return found[0]


def _import(pair: Pair) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"supervisor.specialists.{pair.family}.{pair.id}", pair.specialist)
    if spec is None or spec.loader is None:
        raise BadTaxonomy("cannot be imported", place=str(pair.specialist))
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadTaxonomy(f"cannot be imported: {type(error).__name__}: {error}", place=str(pair.specialist)) from error
    return module


def _verify(pair: Pair, memory: Verified) -> Entry:
    """Reads both files, runs every case, and remembers the pair."""
    mode = read_entry(pair.taxonomy)
    if mode.id != pair.id:
        raise BadTaxonomy(f"the id is {mode.id!r}, but the file says {pair.id!r}", place=str(pair.taxonomy))
    specialist = load_specialist(pair)
    is_bounded = pair.is_ours and not unbounded(_content(pair.specialist))
    failed = failing_cases(mode, specialist)
    if failed:
        raise BadTaxonomy(f"{failed[0]}; see `supervisor coverage`", place=str(pair.taxonomy))
    entry = Entry.of(pair.family, pair.digest, mode, specialist, is_bounded=is_bounded)
    memory.remember(entry)
    return entry


def write_manifest(policy: Taxonomy, path: Path) -> None:
    """Writes what is in force and has passed as a manifest, for a package to ship."""
    memory = Verified()
    open_catalog(policy, memory)
    path.write_bytes(memory.to_json())


def failing_cases(mode: FailureMode, specialist: Specialist) -> list[str]:
    """What the entry promises and its specialist does not keep. Runs in a loop of its own, from any thread."""
    from anyio.from_thread import start_blocking_portal

    from supervisor.cases import problems

    with start_blocking_portal() as portal:
        return portal.call(problems, mode, specialist)
