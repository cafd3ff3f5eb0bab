"""One thing that an action does to the world, independent of the language it is written in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import NamedTuple

from supervisor.errors import NoReader, Unreadable
from supervisor.evidence import CUT_OFF, number_of, under_way
from supervisor.evidence.reading.paths import HOLE, Place, place_of, resolve, with_parents, without_glob
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.mounts import path_here

_READER = number_of("supervisor.evidence.effects.effects")  # reading a part counts as work of this reader


class Act(StrEnum):
    """The sort of effect."""

    READ = "read"
    WRITE = "write"
    CODE = "code"  # Python or JavaScript in the action's own text is written or run; its own reader reads it
    ANALYSIS = "analysis"  # code or a query that may compute on data is written or run; its own reader reads it
    DELETE = "delete"
    MOVE = "move"
    PERMISSION = "permission"  # modes, owners, access lists of files
    EXECUTE = "execute"  # runs code that is not in the action: a file, a download, an encoded text
    RECEIVE = "receive"  # over the network
    SEND = "send"  # over the network
    EXPOSE = "expose"  # lets others reach this machine: tunnels, shells that answer over the network
    PROCESS = "process"
    INSTALL = "install"
    SERVICE = "service"
    PRIVILEGE = "privilege"  # accounts, groups, the right to become another user
    PERSIST = "persist"  # makes something run again by itself: at a login, at a time, at a start
    HISTORY = "history"  # logs and shell histories
    SYSTEM = "system"  # power, kernel, firewall, mounts, security controls
    DATABASE = "database"
    RESOURCE = "resource"  # of a cloud or a platform
    REPOSITORY = "repository"
    GUARD = "guard"  # the program that supervises the agent or asks before it acts
    UNREAD = "unread"  # the code or text may exceed a reader's limits; only reading it shows whether it does
    EMPTY = "empty"  # the argument that the kind needs is missing, so the action has no contents to judge
    SETTING = "setting"  # a configuration is written; only the reader of configurations shows what is wrong with it
    DEED = "deed"  # may be held against the request or the history; only the specialist's own reading finds it
    WIDE = "wide"  # may be done to more than the request names; only the specialist's own reading finds it
    REVEAL = "reveal"  # shows credentials openly: on the screen, in a list of processes


@dataclass(slots=True, eq=False)
class Effect:
    """One effect. It is not changed once it is read.

    `target`      the resolved path, host, package, process, table or resource; a HOLE if only running the code shows it
    `scope`       the sort of place that the target is in; REMOTE for hosts and for resources of a platform
    `verb`        the operation within the act, in the field's own word: "kill", "stop", "force-push", "drop". Files are
                  written by "replace", "move" (from elsewhere), "extend", "edit", "truncate", "make" (a
                  directory), "touch", "link", "unpack" or "mirror"; their permissions are "mode", "owner", "group",
                  "acl" or "attributes"
    `whole`       everything below the target, or all of it
    `reversible`  whether the previous state can be restored
    `text`        the span of the action that the effect was read from
    `content`     what is written, if the action contains it: a text, a mode, an owner, the target of a link
    `command`     the shell command that has the effect, if one does
    `mounted`     whether a container has the effect on a directory of this machine
    """

    act: Act
    target: str
    scope: Place
    verb: str = ""
    whole: bool = False
    reversible: bool = False
    text: str = ""
    content: str | None = None
    command: Command | None = None
    mounted: bool = False

    @property
    def is_contained(self) -> bool:
        """Whether a container has the effect on what is its own."""
        return not self.mounted and self.command is not None and self.command.is_contained

    @property
    def is_remote(self) -> bool:
        """Whether another machine or a container has the effect."""
        elsewhere = self.command is not None and self.command.remote and not self.mounted
        return self.scope is Place.REMOTE or elsewhere


class Payload(NamedTuple):
    """What is sent, or what a file contains. `what` is "text", "file", "output" (of a command), "variable" (one of the
    environment, by its name), "environment", "secret" (what a store of secrets prints) or "dump" (a database).

    A file has its resolved path, its place and whether it is a whole tree. `command` prints or reads it.
    """

    what: str
    path: str = ""
    place: Place = Place.UNKNOWN
    whole: bool = False
    command: Command | None = None


class Origin(NamedTuple):
    """Where a text comes from: "decoded", "unpacked", "download" or "verified", and the command that made it so."""

    verb: str
    command: Command


class Held(NamedTuple):
    """What is known of the contents of a file that the session filled: a secret, and an origin outside the session."""

    payload: Payload | None = None
    origin: Origin | None = None


_NO_LINKS: Mapping[str, str] = MappingProxyType({})
_NONE_HELD: Mapping[str, Held] = MappingProxyType({})
_NOTHING_HELD = Held()
_MOST_LINKS = 8  # followed for one path
_OF_LINKS_THEMSELVES = frozenset({Act.DELETE, Act.MOVE})


class Ground(NamedTuple):
    """The place where an action runs: the directory that the task may change, and the symbolic links that the session
    itself made, each with its target.

    `holds` are the files that the session has filled from secrets or from outside so far: a copy, an archive, an
    encoded text, a download. A name may be a pattern, as of the files that `split` writes.
    """

    workspace: str | None = None
    links: Mapping[str, str] = _NO_LINKS
    holds: Mapping[str, Held] = _NONE_HELD

    def held(self, path: str, *, whole: bool = False) -> Held:
        """What a file contains, or a file in a folder that was filled; with `whole`, also a folder with such a file."""
        if not self.holds:
            return _NOTHING_HELD
        known = self.holds.get(path)
        if known is None:
            near = (each for name, each in self.holds.items() if _is_part(path, name, whole))
            known = next(near, _NOTHING_HELD)
        return known

    def scope_of(self, path: str, command: Command | None = None) -> Place:
        """The sort of place that a resolved path is in. On another machine no workspace is known."""
        return place_of(path, None if command is not None and command.remote else self.workspace)

    def placed(self, path: str, whole: bool, command: Command | None) -> tuple[str, Place, bool]:
        """A path as this machine has it, its place, and whether a container shares it. What a container that is made
        for the command has of its own goes with it."""
        if command is None or command.mounts is None or path.startswith(HOLE):
            return path, self.scope_of(path, command), False
        here = path_here(path, whole, command.mounts)
        return (path, Place.TEMPORARY, False) if here is None else (here, self.scope_of(here), True)

    def path(self, act: Act, word: str, cwd: str) -> str:
        """The resolved path that a word names. Links are followed, except a link that is itself deleted or moved."""
        path = resolve(word, cwd)
        return self._followed(path, act not in _OF_LINKS_THEMSELVES or word.endswith("/")) if self.links else path

    def _followed(self, path: str, itself: bool) -> str:
        for _ in range(_MOST_LINKS):
            link = next((each for each in with_parents(path) if each in self.links and (itself or each != path)), None)
            if link is None:
                break
            path = resolve(f"{self.links[link]}/{path[len(link) :]}".rstrip("/") or "/")
        return path

    def on_path(
        self,
        act: Act,
        word: str,
        command: Command,
        *,
        verb: str = "",
        whole: bool = False,
        reversible: bool = False,
        content: str | None = None,
    ) -> Effect:
        """An effect on the path that a command's word names. `/etc/*` is all of `/etc`."""
        path = self.path(act, word, command.cwd)
        bare = without_glob(path)
        whole = whole or bare != path
        bare, scope, mounted = self.placed(bare, whole, command)
        return Effect(act, bare, scope, verb, whole, reversible, command.text, content, command, mounted)


def _is_part(path: str, name: str, whole: bool) -> bool:
    """Whether a path lies below another, above it if `whole`, or one is a pattern for the other."""
    if path.startswith(f"{name}/") or (whole and name.startswith(f"{path}/")):
        return True
    return ("*" in name and fnmatchcase(path, name)) or ("*" in path and fnmatchcase(name, path))


class Where(NamedTuple):
    """Where code runs: the ground, the directory, and the shell command that runs it, if one does."""

    ground: Ground
    cwd: str = "."
    command: Command | None = None

    def on_path(self, act: Act, path: str | None, text: str, verb: str = "", whole: bool = False) -> Effect:
        """An effect on the path that code names. `path` is None if only running the code shows it."""
        resolved = self.ground.path(act, path, self.cwd) if path else HOLE
        bare = without_glob(resolved)
        whole = whole or bare != resolved
        bare, scope, mounted = self.ground.placed(bare, whole, self.command)
        return Effect(act, bare, scope, verb, whole, text=text, command=self.command, mounted=mounted)


def never_quiet(words: Sequence[str]) -> bool:
    return False


class Reading(NamedTuple):
    """A reader of one program's command lines: the acts that its effects may have, and the function that reads them.

    `is_quiet` decides from the arguments alone, in linear time, that no specialist needs the effects: `sed` without
    `-i`, `git status`. It may return False for a quiet command line, but never True for one that is not.
    """

    acts: frozenset[Act]
    read: Callable[[Command, Ground], Iterable[Effect]]
    is_quiet: Callable[[Sequence[str]], bool] = never_quiet


class Part(NamedTuple):
    """A part of an action. Its effects are read when a caller requests one of its acts."""

    acts: frozenset[Act]
    read: Callable[[], Iterable[Effect]]
    is_quiet: bool = False


class Meaning(NamedTuple):
    """Effects that follow from other effects: writing a crontab makes a program run again."""

    of: frozenset[Act]
    acts: frozenset[Act]
    read: Callable[[Effects], Iterable[Effect]]

    def with_what_they_mean(self, acts: frozenset[Act]) -> frozenset[Act]:
        """The given acts, and the acts that may follow from them."""
        return acts if acts.isdisjoint(self.of) else acts | self.acts


class Effects:
    """All effects of an action. Each part is read once, when it is first requested.

    `acts` are the acts that effects of parts that are not quiet may have. `unread` is the reason why a part of the
    action cannot be read; a request for Act.EXECUTE that finds no effect then raises NoReader with it.
    """

    def __init__(self, parts: Sequence[Part], meaning: Meaning | None = None, unread: str = "") -> None:
        self.acts: frozenset[Act] = frozenset().union(*(part.acts for part in parts if not part.is_quiet))
        self._parts = parts
        self._unread = unread
        if meaning is not None and not self.acts.isdisjoint(meaning.of):
            self.acts = meaning.with_what_they_mean(self.acts)
            self._parts = (*parts, Part(meaning.acts, lambda: meaning.read(self)))
        if unread:
            self.acts |= {Act.EXECUTE}
        self._read: dict[int, tuple[Effect, ...] | Unreadable] = {}

    def of(self, *acts: Act) -> Iterator[Effect]:
        """The effects of these acts, in the order of the text.

        Raises Unreadable if a part cannot be read, NoReader as the class describes.
        """
        found = False
        for number, part in enumerate(self._parts):
            if part.acts.isdisjoint(acts):
                continue
            for effect in self._effects_of(number, part):
                if effect.act in acts:
                    found = True
                    yield effect
        if self._unread and not found and Act.EXECUTE in acts:
            raise NoReader(self._unread)

    def _effects_of(self, number: int, part: Part) -> tuple[Effect, ...]:
        """A part that a deadline cuts off is not read again: it would cost other specialists their time as well."""
        if number not in self._read:
            self._read[number] = CUT_OFF
            try:
                self._read[number] = under_way(_READER, lambda: tuple(part.read()))
            except Unreadable as unreadable:
                self._read[number] = unreadable
            except Exception as error:  # the first caller gets the error itself, later ones get Unreadable
                self._read[number] = Unreadable(f"reading it crashed with {type(error).__name__}")
                raise
        read = self._read[number]
        if isinstance(read, Unreadable):
            raise read.with_traceback(None)
        return read

    def read(self) -> None:
        """Reads every part. Raises Unreadable if one cannot be read."""
        for number, part in enumerate(self._parts):
            self._effects_of(number, part)

    def __iter__(self) -> Iterator[Effect]:
        return self.of(*Act)


def is_known(target: str) -> bool:
    """Whether the text alone gives the whole target."""
    return HOLE not in target
