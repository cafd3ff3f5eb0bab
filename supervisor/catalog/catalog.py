"""The catalogue: every taxonomy entry with its one specialist. An incomplete taxonomy is an error at the start.

A start reads no YAML and imports no specialist. A pair with a known digest has passed its cases; the data that the
catalogue needs is stored with the digest. The manifest, written when the package is built, has the shipped pairs. All
other pairs are verified at their first load and stored in the user's cache. Specialists are imported when an action of
their kind first arrives.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from supervisor.action import Stage
from supervisor.catalog.discovery import Pair, content_of, find_pairs
from supervisor.catalog.manifest import Entry, Manifest
from supervisor.errors import BadTaxonomy
from supervisor.intake.kinds import KINDS
from supervisor.memory import FACT as MEMORY
from supervisor.policy import Policy, Taxonomy
from supervisor.regexes import compile_pending
from supervisor.specialist import EVERY_KIND, Specialist

if TYPE_CHECKING:
    from supervisor.catalog.cases import Examined
    from supervisor.catalog.failure_mode import FailureMode


class Catalog:
    """The failure modes in force, in catalogue order (family, then id), and their specialists."""

    def __init__(
        self,
        entries: Sequence[tuple[Pair, Entry]],
        known: frozenset[str] = frozenset(),
        declared: frozenset[str] = frozenset(),
    ) -> None:
        """`known` also names the failure modes that exist but are not in force: disabled, or in preview. `declared` are
        the facts that all of these declare."""
        self._pairs = {pair.id: pair for pair, _ in entries}
        self.entries: dict[str, Entry] = {entry.id: entry for _, entry in entries}
        self.known = known | self.entries.keys()
        self.declared_facts = declared.union(*(entry.declared_facts for entry in self.entries.values()))
        self._loaded: dict[str, Specialist] = {}
        self._by_kind: dict[tuple[str, Stage], tuple[Entry, ...]] = {}
        self._order: dict[tuple[str, Stage], dict[str, int]] = {}
        self._names: dict[tuple[str, Stage], tuple[str, ...]] = {}
        self._waits: dict[tuple[str, Stage], bool] = {}
        self._lock = threading.Lock()

    def without(self, method: str) -> Catalog:
        """The same catalogue without the entries that use this method."""
        return self._only(lambda entry: entry.method != method)

    def without_memory(self) -> Catalog:
        """The same catalogue without the entries that ask what an agent was refused in other sessions."""
        return self._only(lambda entry: MEMORY not in entry.needs_facts)

    def _only(self, wanted: Callable[[Entry], bool]) -> Catalog:
        kept = [(pair, self.entries[name]) for name, pair in self._pairs.items() if wanted(self.entries[name])]
        return Catalog(kept, self.known, self.declared_facts)

    def digests(self) -> dict[str, str]:
        """The digest of every pair in force, by id."""
        return {entry.id: entry.digest for entry in self.entries.values()}

    @property
    def pairs(self) -> Iterable[Pair]:
        """The files of every entry in force."""
        return self._pairs.values()

    def for_kind(self, kind: str, stage: Stage = "before") -> tuple[Entry, ...]:
        """The failure modes that concern actions of this kind, in catalogue order, for one stage: before an action runs
        or after."""
        known = self._by_kind.get((kind, stage))
        if known is None:
            entries = (entry for entry in self.entries.values() if entry.stage == stage)
            asked = (entry for entry in entries if entry.covers(kind) or entry.judges_planted(kind))
            known = self._by_kind[kind, stage] = tuple(asked)
        return known

    def order_of(self, kind: str, stage: Stage = "before") -> Mapping[str, int]:
        """The ids of the failure modes that concern actions of this kind, with their positions."""
        known = self._order.get((kind, stage))
        if known is None:
            asked = self.for_kind(kind, stage)
            known = self._order[kind, stage] = {entry.id: place for place, entry in enumerate(asked)}
        return known

    def names_of(self, kind: str, stage: Stage = "before") -> tuple[str, ...]:
        """The same ids in catalogue order, always as the same tuple object."""
        known = self._names.get((kind, stage))
        if known is None:
            known = self._names[kind, stage] = tuple(self.order_of(kind, stage))
        return known

    def uses_doors(self, kind: str, stage: Stage = "before") -> bool:
        """Whether any of their specialists uses doors. Those of a memory do not count: only where there is one are they
        asked."""
        known = self._waits.get((kind, stage))
        if known is None:
            waits = (entry.uses_doors and MEMORY not in entry.needs_facts for entry in self.for_kind(kind, stage))
            known = self._waits[kind, stage] = any(waits)
        return known

    def specialists(self, kind: str, stage: Stage = "before") -> tuple[Specialist, ...]:
        """The specialists for actions of this kind, in catalogue order, imported."""
        return tuple(self.specialist(entry.id) for entry in self.for_kind(kind, stage))

    def specialist(self, name: str) -> Specialist:
        """The specialist called `name`, imported if it is not yet."""
        known = self._loaded.get(name)
        if known is not None:
            return known
        with self._lock:
            if name not in self._loaded:
                self._loaded[name] = load_specialist(self._pairs[name])
            return self._loaded[name]

    def is_ours(self, name: str) -> bool:
        """Whether it ships with the library."""
        return self._pairs[name].is_ours

    def failure_mode(self, name: str) -> FailureMode:
        """The whole taxonomy entry, read from its file."""
        from supervisor.catalog.failure_mode import read_entry

        return read_entry(self._pairs[name].taxonomy)

    def files(self, name: str) -> tuple[Path, Path]:
        """The paths of the entry and of its specialist."""
        return Path(self._pairs[name].taxonomy), Path(self._pairs[name].specialist)


def in_force(policy: Policy) -> Catalog:
    """The catalogue of a deployment, without the judges if no model is configured, and without the specialists of a
    memory if none is kept. Raises BadTaxonomy as `open_catalog` does."""
    catalog = open_catalog(policy.taxonomy)
    if not policy.memory.days:
        catalog = catalog.without_memory()
    return catalog if policy.doors.model.url else catalog.without("narrow-llm")


def counted_in_force(policy: Policy) -> str:
    """How many of the known failure modes are in force, and why the others are not. Raises BadTaxonomy."""
    catalog, selected = in_force(policy), open_catalog(policy.taxonomy)
    left_out = [entry for name, entry in selected.entries.items() if name not in catalog.entries]
    remembering = sum(MEMORY in entry.needs_facts for entry in left_out)
    judges = len(left_out) - remembering
    disabled = len(selected.known & set(policy.taxonomy.disabled))
    preview = len(selected.known) - len(selected.entries) - disabled
    reasons = (
        (judges, "ask a model and have none (doors.model.url)"),
        (remembering, "need a memory and none is kept (memory.days)"),
        (disabled, "are disabled (taxonomy.disabled)"),
        (preview, "are in preview (taxonomy.preview)"),
    )
    why = "; ".join(f"{count} {reason}" for count, reason in reasons if count)
    return f"{len(catalog.entries)} in force of {len(catalog.known)}" + (f": {why}" if why else "")


def open_catalog(policy: Taxonomy, verified: Manifest | None = None) -> Catalog:
    """The catalogue that a policy selects.

    Raises BadTaxonomy, with a line that names the file and the cure, for a missing or orphaned specialist, a duplicate
    id, an incomplete entry, or one whose cases do not pass.
    """
    memory = verified or Manifest.shipped_and_cached()
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
    declared = frozenset(name for _, entry in entries for name in entry.declared_facts)
    return Catalog(wanted, frozenset(pair.id for pair in pairs), declared)


def load_specialist(pair: Pair) -> Specialist:
    """Imports a specialist's file, and compiles all pending regular expressions, so that this does not count as the
    specialist's time. Raises BadTaxonomy if the file does not define exactly the specialist of its name."""
    place = pair.specialist
    module = _import(pair)
    compile_pending()
    specialists = [value for value in vars(module).values() if isinstance(value, Specialist)]
    if [each.id for each in specialists] != [pair.id]:
        names = ", ".join(each.id for each in specialists) or "none"
        raise BadTaxonomy(f"must define the one specialist {pair.id}, but defines {names}", place=place)
    for kind in specialists[0].kinds:
        if kind not in KINDS and kind != EVERY_KIND:
            raise BadTaxonomy(f"no kind {kind!r}; kinds are {', '.join(KINDS)}", place=place)
    return specialists[0]


def _import(pair: Pair) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"supervisor.specialists.{pair.family}.{pair.id}", pair.specialist)
    if spec is None or spec.loader is None:
        raise BadTaxonomy("cannot be imported", place=pair.specialist)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadTaxonomy(f"cannot be imported: {type(error).__name__}: {error}", place=pair.specialist) from error
    return module


def _verify(pair: Pair, memory: Manifest) -> Entry:
    """Reads both files, runs every case, and adds the pair to the manifest. Raises BadTaxonomy."""
    from supervisor.catalog.failure_mode import read_entry
    from supervisor.catalog.termination import unbounded

    mode = read_entry(pair.taxonomy)
    if mode.id != pair.id:
        raise BadTaxonomy(f"the id is {mode.id!r}, but the file says {pair.id!r}", place=pair.taxonomy)
    specialist = load_specialist(pair)
    is_bounded = pair.is_ours and not unbounded(content_of(pair.specialist))
    found = examine(mode, specialist)
    if found.problems:
        raise BadTaxonomy(f"{found.problems[0]}; see `supervisor coverage`", place=pair.taxonomy)
    entry = Entry.of(pair.family, pair.digest, mode, specialist, is_bounded=is_bounded, facts=found.facts)
    memory.remember(entry)
    return entry


def write_manifest(policy: Taxonomy, path: Path) -> None:
    """Writes the verified entries in force as a manifest, for a package to ship."""
    memory = Manifest()
    open_catalog(policy, memory)
    path.write_bytes(memory.to_json())


def examine(mode: FailureMode, specialist: Specialist) -> Examined:
    """Runs every case of an entry, in an event loop of its own, from any thread."""
    from anyio.from_thread import start_blocking_portal

    from supervisor.catalog.cases import examined

    with start_blocking_portal() as portal:
        return portal.call(examined, mode, specialist)
