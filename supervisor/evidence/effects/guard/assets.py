"""What belongs to the guard that is running: each place, whose it is, and what sort of thing stands there.

The engine, the daemon and `install` know the places, and hand them down as the fact `guard_assets`, which no caller can
set. So a record holds them, and a replay on another machine judges the same. Where the fact is missing, the places by
default are known all the same.
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

# What stands below them is theirs as well.
TREES = frozenset({Sort.TAXONOMY, Sort.RECORDS, Sort.CACHE, Sort.STATE, Sort.CODE, Sort.LIBRARY})
_NO_PLACES = frozenset({Sort.HOME, Sort.PROCESS, Sort.COMMAND, Sort.PORT})
# Nobody's tools have a reason to name them but in order to read.
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
    """Finds the asset that a path leads to, or those that stand below it."""

    def __init__(self, told: Iterable[Asset]) -> None:
        self.all = tuple(told)
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
        """Whether a text holds what every path to one of them does, unless it begins inside of one."""
        folded = text.casefold()
        return any(name in folded for name in self._names)

    def at(self, path: str) -> Asset | None:
        """The asset that a resolved path leads to or into. A pattern leads to all that it fits."""
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
        """The tree that a pattern stands in: `ledger/*.jsonl`, whatever that fits."""
        held = (self._places.get(each) for each in with_parents(path))
        return next((asset for asset in held if asset is not None and asset.sort in TREES), None)

    def is_home(self, path: str) -> bool:
        """Whether a resolved path is the home, or one above it."""
        return f"{self.plain('~')}/".startswith(self.plain(path).rstrip("/") + "/")

    def holds_ours(self, asset: Asset) -> bool:
        """Whether a host's settings file may hold our hooks: it is told of, or it stands in a home."""
        folder = asset.place.casefold().rpartition("/")[0].rpartition("/")[0]
        return asset in self.all or re.fullmatch(_HOME, folder, re.IGNORECASE) is not None or folder == self.home

    def below(self, path: str) -> Asset | None:
        """An asset that stands somewhere below a resolved path, or below what a pattern fits."""
        path = self.plain(path)
        if _PATTERN.search(path):
            return next((asset for place, asset in self._above.items() if place != "/" and _fits(place, path)), None)
        return self._above.get(path)

    def all_below(self, path: str) -> Iterator[Asset]:
        """Every asset that stands somewhere below a resolved path."""
        start = self.plain(path).rstrip("/") + "/"
        return (asset for place, asset in self._places.items() if place.startswith(start))

    def nearest(self, path: str) -> Asset | None:
        """An asset that stands directly in a resolved path."""
        path = self.plain(path)
        return next((asset for place, asset in self._places.items() if place.rpartition("/")[0] == path), None)

    def named(self, word: str, cwd: str) -> Asset | None:
        """The asset that a word of a command line names, alone or behind `=`, `:` or `,`."""
        for part in (word, *re.split(r"[=:,(]", word)):
            if part and ("/" in part or part.startswith("~") or "." in part) and len(part) < 4096:
                asset = self.at(resolve(part, cwd))
                if asset is not None:
                    return asset
        return None

    def commands(self) -> list[str]:
        """The command lines by which the daemon is known."""
        started = [each.place for each in self.of(Sort.INTERPRETER) if each.owner == "supervisor"]
        told = [each.place for each in self.of(Sort.COMMAND)] or [_DAEMON]
        return [*told, *(f"{folder}/python {program} serve" for program in started for folder in [_folder(program)])]

    def _default(self, path: str) -> Asset | None:
        """What stands at its place by default, in this home or in any."""
        home = self.home.casefold()
        return _default(f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path)

    def plain(self, path: str) -> str:
        """One spelling of a path: the home written out, without detours over /proc, as file systems that know no case
        would have it."""
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
    """Whether a pattern of the shell may mean a place; what only running tells stands for one name that is wanted."""
    names, wanted = place.split("/"), pattern.split("/")
    if len(names) != len(wanted):
        return False
    pairs = list(zip(names, wanted, strict=True))
    if any(HOLE in want for _, want in pairs[:-1]):
        return False
    return all(name == want or _stands_for(want, name) for name, want in pairs)


def _stands_for(pattern: str, name: str) -> bool:
    """`*` does not stand for a hidden name."""
    is_shown = not name.startswith(".") or pattern.startswith((".", HOLE))
    return is_shown and fnmatchcase(name, pattern.replace(HOLE, "*"))


@reader
def assets(action: Action, context: Context) -> Assets:
    """What belongs to the guard that judges this action."""
    return known_by(context.facts)


_latest: tuple[object, Assets] | None = None


def known_by(facts: Mapping[str, object]) -> Assets:
    """What facts tell of the guard's places. The same for most actions, so that the latest is kept."""
    global _latest
    told, latest = (facts.get(FACT), facts.get("policy_file"), facts.get("cwd")), _latest
    if latest is None or latest[0] != told:
        _latest = latest = (told, Assets(told_by(facts)))
    return latest[1]


def told_by(facts: Mapping[str, object]) -> Iterator[Asset]:
    """The assets in the fact; and the policy, where only its own fact tells it."""
    told = facts.get(FACT)
    for row in told if isinstance(told, Sequence) and not isinstance(told, str) else ():
        if isinstance(row, Sequence) and 3 <= len(row) <= 4 and all(isinstance(each, str) for each in row):
            yield Asset(*row)
    policy, cwd = facts.get("policy_file"), facts.get("cwd")
    if isinstance(policy, str):
        yield Asset(resolve(policy, cwd if isinstance(cwd, str) else "."), "supervisor", Sort.POLICY)


# A glance: whether a text names anything of ours, or a path leads to it.

_COMMON = frozenset({"bin", "lib", "records", "token", "python", "python3", "perl", "etc", "home", "root", "policy"})
# What commands name all day; what changes them shows in its acts.
_UNMARKED = _NO_PLACES | {Sort.INTERPRETER, Sort.ENVIRONMENT}


def may_name_asset(text: str, facts: Mapping[str, object]) -> bool:
    """Whether a text may name a place of the guard, told by its parts alone."""
    if FACT not in facts:
        return False
    known = known_by(facts)
    if any(mark in text for mark in known.marks):
        return True
    if any(mark in text and ("git" in text or f"/{mark}" in text) for mark in known.marks_of_folders):
        return True
    return _PACKS.search(text) is not None and any(mark in text for mark in known.marks_of_environment)


def may_be_secret(path: str, facts: Mapping[str, object]) -> bool:
    """Whether a path may lead to the guard's key or token, told by its last name alone."""
    return FACT in facts and path.rpartition("/")[2] in known_by(facts).secrets


# What changes the packages of an environment, whose programs are named all day.
_PACKS = re.compile(r"pip|\buv\b|conda|mamba|poetry|pdm|\bln\b")


def may_hold_asset(path: str, facts: Mapping[str, object]) -> bool:
    """Whether a plain resolved path is a place of the guard, or lies in one."""
    return (FACT in facts or "policy_file" in facts) and known_by(facts).at(path) is not None


def _marks(known: Sequence[Asset]) -> Iterator[str]:
    """What a text has to hold that names an asset: its own name, or that of its folder where its own is common."""
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
    """The names of folders that hold two things of ours at least: `git -C .. clean -fdx guard` names nothing else."""
    assets = [asset for asset in known if asset.sort not in _NO_PLACES]
    above = Counter(asset.place.rpartition("/")[0] for asset in assets if asset.sort in PRIVATE)
    for folder, number in above.items():
        shared = any(asset.sort == Sort.HOOKS and asset.place.startswith(f"{folder}/") for asset in assets)
        if number > 1 and not shared and len(name := _last(folder)) > 3 and name not in _COMMON:
            yield name
