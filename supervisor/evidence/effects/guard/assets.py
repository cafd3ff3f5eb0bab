"""The assets of the running guard: each place, its owner, and its sort.

The engine, the daemon and `install` know the places and pass them on as the fact `guard_assets`, which no caller can
set. Records contain the fact, so a replay on another machine reaches the same verdict. Without the fact, the default
places are still known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.machine.agents import HOOKED
from supervisor.evidence.machine.assets import FACT, Asset, Sort
from supervisor.evidence.reading.paths import HOLE, resolve, with_parents
from supervisor.regexes import compile_later

# Sorts whose folders belong to the guard with everything below.
TREES = frozenset({Sort.TAXONOMY, Sort.RECORDS, Sort.CACHE, Sort.STATE, Sort.CODE, Sort.LIBRARY})
_NO_PLACES = frozenset({Sort.HOME, Sort.PROCESS, Sort.COMMAND, Sort.PORT})
# Other programs have no reason to name these except to read them.
PRIVATE = frozenset(
    {Sort.POLICY, Sort.TAXONOMY, Sort.RECORDS, Sort.KEY, Sort.CACHE, Sort.STATE, Sort.SOCKET, Sort.TOKEN, Sort.UNIT}
)
_HOME = r"(?:~|/root|/(?:home|Users)/[^/]+)"
_BY_DEFAULT = {
    Sort.STATE: compile_later(rf"{_HOME}/(?:\.config|\.cache|\.local/state)/supervisor(?:/.*)?"),
    Sort.UNIT: compile_later(
        rf"{_HOME}/(?:\.config/systemd/user/(?:[\w@.-]+\.(?:wants|requires)/)?supervisor(?:-guard|-daemon)?\.(?:service|socket)(?:\.d(?:/.*)?)?"
        r"|Library/LaunchAgents/(?:[\w-]+\.)*supervisor\.plist)"
    ),
    Sort.CODE: compile_later(r"(?:.*/)?(?:site|dist)-packages/supervisor(?:/.*|_guard-.*)?"),
}
_MANAGED = compile_later(r"(?:/etc/claude-code|/library/application support/claudecode)/managed-settings\.json", re.I)
_HOOKS_BY_DEFAULT = {
    compile_later(rf"(?:.*/)?{re.escape(agent.folder)}/(?:{'|'.join(map(re.escape, agent.files))})"): name
    for name, agent in HOOKED.items()
} | {_MANAGED: "claude"}
_SAME_ROOT = compile_later(r"(?:/proc/(?:self|thread-self|\d+)/root)+(?=/|$)")
_PATTERN = compile_later(r"[*?\[]|" + HOLE)
_DAEMON = "python -P -m supervisor serve --socket ~/.local/state/supervisor/daemon.sock"


class Assets:
    """Finds the asset that a path leads to, and those below it."""

    def __init__(self, assets: Iterable[Asset]) -> None:
        self.all = tuple(assets)
        self.marks = tuple(sorted(set(_marks(self.all))))
        self.marks_of_folders = tuple(_folders_of_ours(self.all))
        marks = map(str.casefold, (*self.marks, *self.marks_of_folders))
        self._names = tuple(sorted({mark.rpartition("/")[0] or mark for mark in marks}))
        self.secrets = frozenset(_last(each.place) for each in self.all if each.sort in (Sort.KEY, Sort.TOKEN))
        environments = (each.place for each in self.all if each.sort == Sort.ENVIRONMENT)
        self.marks_of_environment = tuple(
            dict.fromkeys(
                mark
                for place in environments
                for mark in (f"{_last(place)}/bin", "/".join(place.split("/")[-2:]), place)
            )
        )
        self.home = next((each.place for each in self.all if each.sort == Sort.HOME), "~")
        places = [(self.plain(each.place), each) for each in self.all if each.sort not in _NO_PLACES]
        self._places = dict(reversed(places))
        self._above: dict[str, Asset] = {}
        for place, asset in places:
            for parent in with_parents(place):
                if parent != place:
                    self._above.setdefault(parent, asset)

    def of(self, *sorts: Sort) -> Iterator[Asset]:
        """The assets of these sorts."""
        return (each for each in self.all if each.sort in sorts)

    def may_be_named_in(self, text: str) -> bool:
        """Whether a text contains a part of an asset's path that every path to it from outside contains."""
        folded = text.casefold()
        return any(name in folded for name in self._names)

    def at(self, path: str) -> Asset | None:
        """The asset that a resolved path leads to or into; for a pattern, the first that it matches."""
        path = self.plain(path)
        if _PATTERN.search(path):
            found = next((asset for place, asset in self._places.items() if _fits(place, path)), None)
            return found or self._within_tree(path) or self._default(path)
        for each in with_parents(path):
            asset = self._places.get(each)
            if asset is not None and (each == path or asset.sort in TREES):
                return asset
        return self._default(path)

    def _within_tree(self, path: str) -> Asset | None:
        """The tree that contains a pattern, whether or not a file matches: `ledger/*.jsonl`."""
        held = (self._places.get(each) for each in with_parents(path))
        return next((asset for asset in held if asset is not None and asset.sort in TREES), None)

    def is_home(self, path: str) -> bool:
        """Whether a resolved path is the home, or one above it."""
        return f"{self.plain('~')}/".startswith(self.plain(path).rstrip("/") + "/")

    def holds_ours(self, asset: Asset) -> bool:
        """Whether a host's settings file may contain our hooks: it is in the fact, or it stands in a home."""
        folder = asset.place.casefold().rpartition("/")[0].rpartition("/")[0]
        return asset in self.all or re.fullmatch(_HOME, folder, re.IGNORECASE) is not None or folder == self.home

    def below(self, path: str) -> Asset | None:
        """An asset somewhere below a resolved path, or below a path that a pattern matches."""
        path = self.plain(path)
        if _PATTERN.search(path):
            return next((asset for place, asset in self._above.items() if place != "/" and _fits(place, path)), None)
        return self._above.get(path)

    def all_below(self, path: str) -> Iterator[Asset]:
        """Every asset somewhere below a resolved path."""
        start = self.plain(path).rstrip("/") + "/"
        return (asset for place, asset in self._places.items() if place.startswith(start))

    def nearest(self, path: str) -> Asset | None:
        """An asset directly in the folder at a resolved path."""
        path = self.plain(path)
        return next((asset for place, asset in self._places.items() if place.rpartition("/")[0] == path), None)

    def named(self, word: str, cwd: str) -> Asset | None:
        """The asset that a word of a command line names, alone or after `=`, `:`, `,` or `(`."""
        for part in (word, *re.split(r"[=:,(]", word)):
            if part and ("/" in part or part.startswith("~") or "." in part) and len(part) < 4096:
                asset = self.at(resolve(part, cwd))
                if asset is not None:
                    return asset
        return None

    def commands(self) -> list[str]:
        """The command lines under which the daemon runs."""
        started = [each.place for each in self.of(Sort.INTERPRETER) if each.owner == "supervisor"]
        lines = [each.place for each in self.of(Sort.COMMAND)] or [_DAEMON]
        return [*lines, *(f"{folder}/python {program} serve" for program in started for folder in [_folder(program)])]

    def _default(self, path: str) -> Asset | None:
        """The asset that stands at a path by default, in this home or in any."""
        home = self.home.casefold()
        return _default(f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path)

    def plain(self, path: str) -> str:
        """One spelling of a path: `~` expanded, without `/proc/self/root` and `/private`, in lower case."""
        path = _SAME_ROOT.sub("", path) or "/"
        if path == "~" or path.startswith("~/"):
            path = self.home + path[1:]
        return path.removeprefix("/private").casefold() if path.startswith("/private/") else path.casefold()


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _default(path: str) -> Asset | None:
    for sort, pattern in _BY_DEFAULT.items():
        if pattern.fullmatch(path):
            return Asset(path, "supervisor", sort)
    return next(
        (Asset(path, host, Sort.HOOKS) for pattern, host in _HOOKS_BY_DEFAULT.items() if pattern.fullmatch(path)), None
    )


def _fits(place: str, pattern: str) -> bool:
    """Whether a shell pattern may match a place. HOLE, a name known only at run time, matches the last name alone."""
    names, wanted = place.split("/"), pattern.split("/")
    if len(names) != len(wanted):
        return False
    pairs = list(zip(names, wanted, strict=True))
    if any(HOLE in want for _, want in pairs[:-1]):
        return False
    return all(name == want or _stands_for(want, name) for name, want in pairs)


def _stands_for(pattern: str, name: str) -> bool:
    """Whether a pattern matches one name. `*` does not match a hidden name."""
    is_shown = not name.startswith(".") or pattern.startswith((".", HOLE))
    return is_shown and fnmatchcase(name, pattern.replace(HOLE, "*"))


@reader
def assets(action: Action, context: Context) -> Assets:
    """The assets of the guard that judges this action."""
    return assets_from(context.facts)


_latest: tuple[object, Assets] | None = None


def assets_from(facts: Mapping[str, object]) -> Assets:
    """The assets that facts describe. The latest are cached, since most actions have the same facts."""
    global _latest
    key, latest = (facts.get(FACT), facts.get("policy_file"), facts.get("cwd")), _latest
    if latest is None or latest[0] != key:
        _latest = latest = (key, Assets(listed_assets(facts)))
    return latest[1]


def listed_assets(facts: Mapping[str, object]) -> Iterator[Asset]:
    """The assets in the fact `guard_assets`, and the policy in the fact `policy_file`. Malformed rows are left out."""
    rows = facts.get(FACT)
    for row in rows if isinstance(rows, Sequence) and not isinstance(rows, str) else ():
        if isinstance(row, Sequence) and 3 <= len(row) <= 4 and all(isinstance(each, str) for each in row):
            yield Asset(*row)
    policy, cwd = facts.get("policy_file"), facts.get("cwd")
    if isinstance(policy, str):
        yield Asset(resolve(policy, cwd if isinstance(cwd, str) else "."), "supervisor", Sort.POLICY)


# The prefilter: whether a text may name an asset, or a path may lead to one.

_COMMON = frozenset({"bin", "lib", "records", "token", "python", "python3", "perl", "etc", "home", "root", "policy"})
# Most commands name these; changes of them show in the effects.
_UNMARKED = _NO_PLACES | {Sort.INTERPRETER, Sort.ENVIRONMENT}


def may_name_asset(text: str, facts: Mapping[str, object]) -> bool:
    """Whether a text may name a place of the guard, by searches for parts of their names."""
    if FACT not in facts:
        return False
    known = assets_from(facts)
    if any(mark in text for mark in known.marks):
        return True
    if any(mark in text and ("git" in text or f"/{mark}" in text) for mark in known.marks_of_folders):
        return True
    return any(mark in text for mark in known.marks_of_environment) and _PACKS.search(text) is not None


def may_be_secret(path: str, facts: Mapping[str, object]) -> bool:
    """Whether a path may lead to the guard's key or token, by its last name alone."""
    return FACT in facts and path.rpartition("/")[2] in assets_from(facts).secrets


# Commands that change an environment's packages. Most commands name its programs.
_PACKS = re.compile(r"pip|\buv\b|conda|mamba|poetry|pdm|\bln\b")


def may_hold_asset(path: str, facts: Mapping[str, object]) -> bool:
    """Whether a plain resolved path is a place of the guard, or lies in one."""
    return (FACT in facts or "policy_file" in facts) and assets_from(facts).at(path) is not None


def _marks(known: Sequence[Asset]) -> Iterator[str]:
    """What every text that names an asset contains: the asset's name, or its folder's if the name is common."""
    for asset in known:
        if asset.sort == Sort.PORT or (asset.sort == Sort.PROCESS and len(asset.place) > 3):
            yield f":{asset.place}" if asset.sort == Sort.PORT else asset.place
        if asset.sort in _UNMARKED:
            continue
        folder, _, name = asset.place.rpartition("/")
        if asset.sort == Sort.SOCKET and name.endswith(".sock"):
            yield f"{name.removesuffix('.sock')}.pid"
        rare = len(name) > 3 and name not in _COMMON and asset.sort != Sort.HOOKS
        parent = folder.rpartition("/")[2]
        yield name if rare else f"{parent}/{name}" if parent in _COMMON or not parent else parent


def _folders_of_ours(known: Sequence[Asset]) -> Iterator[str]:
    """The names of folders with two private assets or more: `git -C .. clean -fdx guard` names nothing else."""
    assets = [asset for asset in known if asset.sort not in _NO_PLACES]
    above = Counter(asset.place.rpartition("/")[0] for asset in assets if asset.sort in PRIVATE)
    for folder, number in above.items():
        shared = any(asset.sort == Sort.HOOKS and asset.place.startswith(f"{folder}/") for asset in assets)
        if number > 1 and not shared and len(name := _last(folder)) > 3 and name not in _COMMON:
            yield name
