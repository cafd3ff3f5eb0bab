"""Finding entries and their specialists on disk: pairs of files, each with a digest of all code that judges."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from supervisor.errors import BadTaxonomy
from supervisor.intake.files import read_file
from supervisor.policy import Taxonomy, expanded

# The code that a verification runs besides the specialist: all that a specialist can import, all that prepares its
# input, and all that calls it and reads its opinion. Packages count whole. tests/catalog/test_discovery.py checks that
# nothing reachable is missing.
JUDGING_PACKAGES = (
    "decision",
    "doors",
    "evidence",
    "intake",
    "methods",
    "policy",
)
JUDGING_MODULES = (
    "__init__",
    "action",
    "catalog/__init__",
    "catalog/case_world",
    "catalog/cases",
    "catalog/fact_shapes",
    "catalog/facts",
    "catalog/failure_mode",
    "catalog/lookups",
    "catalog/past",
    "catalog/termination",
    "engine/__init__",
    "engine/masking",
    "errors",
    "history",
    "memory",
    "pointers",
    "regexes",
    "specialist",
    "suggestions",
    "verdict",
)
JUDGING_SUFFIXES = (".py", ".json", ".yaml", ".tsv")

_PACKAGE = Path(__file__).parents[1]
_MOST_BYTES = 64 * 1024 * 1024  # of one file


@dataclass(frozen=True, slots=True)
class Pair:
    """The absolute paths of an entry's two files, and whether they ship with the library.

    The paths are strings, because a start makes hundreds of them.
    """

    family: str
    id: str
    taxonomy: str
    specialist: str
    digest: str
    is_ours: bool = False


def find_pairs(policy: Taxonomy) -> tuple[list[Pair], list[BadTaxonomy]]:
    """Every entry with its specialist, in catalogue order, and an error for each file that is not part of a pair."""
    judging, pairs, holes = judging_digest(), [], []
    _, ours = _shipped_root()
    for taxonomy, specialists in _roots(policy):
        entries, misplaced = _listed(taxonomy, ".yaml", ".yml")
        judges, lost = _listed(specialists, ".py")
        holes += [*misplaced, *lost]
        for family, name in sorted(entries.keys() | judges.keys()):
            entry, judge = entries.get((family, name)), judges.get((family, name))
            if entry and judge:
                digest = _digest(judging, content_of(entry), content_of(judge))
                pairs.append(Pair(family, name, entry, judge, digest, specialists == ours))
            else:
                holes.append(_missing_half(family, name, Path(entry or taxonomy), Path(judge or specialists)))
    pairs.sort(key=lambda pair: (pair.family, pair.id))
    return pairs, holes + _clashes(pairs)


def _missing_half(family: str, name: str, entry: Path, judge: Path) -> BadTaxonomy:
    """The error for an entry without a specialist, or the reverse. The path of the missing half is only its folder."""
    from supervisor.catalog.failure_mode import FAMILIES

    if family not in FAMILIES:
        return BadTaxonomy(f"no family {family!r}; families are {', '.join(FAMILIES)}", place=str(entry))
    if entry.suffix == ".yaml":
        return BadTaxonomy(f"has no specialist; write {judge / family / name}.py", place=str(entry))
    missing = entry / family / f"{name}.yaml"
    return BadTaxonomy(f"has no taxonomy entry; write {missing}, or remove this file", place=str(judge))


def _clashes(pairs: Sequence[Pair]) -> list[BadTaxonomy]:
    first: dict[str, Pair] = {}
    return [
        BadTaxonomy(f"the id stands also in {first[pair.id].taxonomy}; rename one", place=pair.taxonomy)
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
    """The shipped taxonomy: inside the package if it is installed, at the top of the repository in a checkout."""
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


def _listed(folder: Path, suffix: str, *mistaken: str) -> tuple[dict[tuple[str, str], str], list[BadTaxonomy]]:
    """The files by family and name, and an error for each file with a wrong place or suffix."""
    if not folder.is_dir():
        raise BadTaxonomy("is not a folder; a taxonomy has `taxonomy/` and `specialists/`", place=str(folder))
    files, strays, root = {}, [], os.path.abspath(folder)
    for parts in sorted(_below(root)):
        stem, dot, ending = parts[-1].rpartition(".")
        if stem == "__init__" or dot + ending not in (suffix, *mistaken):
            continue
        if len(parts) == 2 and dot + ending == suffix:
            files[parts[0], stem] = "/".join((root, *parts))
        else:
            stray = os.path.join(folder, *parts)
            strays.append(BadTaxonomy(f"does not count; its place is <family>/<id>{suffix}", place=stray))
    return files, strays


def _below(folder: str) -> Iterator[tuple[str, ...]]:
    """All paths below a folder, as their parts: the files at its top, and everything below its families. A family may
    be a symlink to another folder."""
    for entry in os.scandir(folder):
        if not entry.is_dir():
            yield (entry.name,)
            continue
        for where, folders, files in os.walk(entry.path):
            inside = (entry.name, *filter(None, where[len(entry.path) :].split(os.sep)))
            yield from ((*inside, name) for name in (*folders, *files))


def content_of(file: str | Path) -> bytes:
    """The content of a file. Raises BadTaxonomy."""
    try:
        return read_file(file, _MOST_BYTES)
    except OSError as error:
        raise BadTaxonomy(f"cannot be read: {error.strerror}", place=str(file)) from None


def judging_digest(package: Path = _PACKAGE) -> bytes:
    """The digest of the code and the data that a verdict can depend on besides the specialist itself."""
    digest = hashlib.sha256()
    for name in judging_files(package):
        digest.update(name.encode() + b"\0" + hashlib.sha256(content_of(os.path.join(package, name))).digest())
    return digest.digest()


def judging_files(package: Path = _PACKAGE) -> list[str]:
    """The files below the package that the digest covers, in order, with slashes between folders."""
    files = [f"{name}.py" for name in JUDGING_MODULES]
    for folder in JUDGING_PACKAGES:
        judging = (parts for parts in _below(f"{package}/{folder}") if parts[-1].endswith(JUDGING_SUFFIXES))
        files += sorted("/".join((folder, *parts)) for parts in judging)
    return files


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
