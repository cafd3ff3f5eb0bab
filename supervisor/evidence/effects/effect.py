"""One thing that an action does to the world, whatever it is written in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from supervisor.errors import NoReader, Unreadable
from supervisor.evidence import CUT_OFF, number_of, under_way
from supervisor.evidence.reading.paths import HOLE, Place, place_of, resolve, with_parents, without_glob
from supervisor.evidence.shell.commands import Command

_READER = number_of("supervisor.evidence.effects.effects")  # whose work the parts are


class Act(StrEnum):
    """What sort of thing is done."""

    READ = "read"
    WRITE = "write"
    CODE = "code"  # Python or JavaScript is written or run, whose text stands in the action: its own reader has it
    DELETE = "delete"
    MOVE = "move"
    PERMISSION = "permission"  # modes, owners, access lists of files
    EXECUTE = "execute"  # runs code that stands elsewhere: a file, a download, an encoded text
    RECEIVE = "receive"  # over the network
    SEND = "send"  # over the network
    EXPOSE = "expose"  # lets others reach this machine: tunnels, shells that answer over the network
    PROCESS = "process"
    INSTALL = "install"
    SERVICE = "service"
    PRIVILEGE = "privilege"  # accounts, groups, who may become whom
    PERSIST = "persist"  # what runs again by itself: at a login, at a time, at a start
    HISTORY = "history"  # logs and shell histories
    SYSTEM = "system"  # power, kernel, firewall, mounts, security controls
    DATABASE = "database"
    RESOURCE = "resource"  # of a cloud or a platform
    REPOSITORY = "repository"
    GUARD = "guard"  # what supervises the agent, or asks before an agent acts
    UNREAD = "unread"  # what is run or changed may be what no reader gets through: only reading it tells
    REVEAL = "reveal"  # shows credentials to whoever looks: on the screen, in a list of processes


@dataclass(slots=True, eq=False)
class Effect:
    """One effect. Nobody changes it once it is read.

    `target`      the resolved path, host, package, process, table or resource; a HOLE where only running tells
    `scope`       what sort of place that is; REMOTE for hosts and what lives on a platform
    `verb`        which of the act's deeds, in the field's own word: "kill", "stop", "force-push", "drop". Files are
                  written by "replace", "move" (what was elsewhere), "extend", "edit", "truncate", "make" (a
                  directory), "touch", "link", "unpack" or "mirror"; their permissions are "mode", "owner", "group",
                  "acl" or "attributes"
    `whole`       everything below the target, or all there is of it
    `reversible`  whether what was there can be had again
    `text`        the span that it was read from
    `content`     what is written, where the action itself holds it: a text, a mode, an owner, where a link leads
    `command`     the shell command that does it, if one does
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

    @property
    def is_remote(self) -> bool:
        """Whether another machine or a container has the effect."""
        return self.scope is Place.REMOTE or (self.command is not None and self.command.remote)


_NO_LINKS: Mapping[str, str] = MappingProxyType({})
_MOST_LINKS = 8  # followed for one path
_OF_LINKS_THEMSELVES = frozenset({Act.DELETE, Act.MOVE})


class Ground(NamedTuple):
    """What is known of the place where an action runs: the directory that the task may change, and where the symbolic
    links lead that the session made itself."""

    workspace: str | None = None
    links: Mapping[str, str] = _NO_LINKS

    def scope_of(self, path: str, command: Command | None = None) -> Place:
        """What sort of place a resolved path leads to; on another machine no workspace is known."""
        return place_of(path, None if command is not None and command.remote else self.workspace)

    def path(self, act: Act, word: str, cwd: str) -> str:
        """The resolved path that a word names: through links, but not of a link that is itself deleted or moved."""
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
        scope = self.scope_of(bare, command)
        return Effect(act, bare, scope, verb, whole or bare != path, reversible, command.text, content, command)


class Where(NamedTuple):
    """Where code runs: on what ground, in which directory, and the shell command that runs it, if one does."""

    ground: Ground
    cwd: str = "."
    command: Command | None = None

    def on_path(self, act: Act, path: str | None, text: str, verb: str = "", whole: bool = False) -> Effect:
        """An effect on the path that code names; None where only running tells."""
        resolved = self.ground.path(act, path, self.cwd) if path else HOLE
        bare = without_glob(resolved)
        scope = self.ground.scope_of(bare, self.command)
        return Effect(act, bare, scope, verb, whole or bare != resolved, text=text, command=self.command)


def never(words: Sequence[str]) -> bool:
    return False


class Reading(NamedTuple):
    """How one program's command lines are read: the acts that may be among its effects, and the effects.

    `is_quiet` tells from the words behind the program's name, in linear time, that nobody minds what it does: `sed`
    without `-i`, `git status`. It may say no where yes were true, never the other way about.
    """

    acts: frozenset[Act]
    read: Callable[[Command, Ground], Iterable[Effect]]
    is_quiet: Callable[[Sequence[str]], bool] = never


class Part(NamedTuple):
    """A part of an action whose effects are read when somebody asks for one of its acts."""

    acts: frozenset[Act]
    read: Callable[[], Iterable[Effect]]
    is_quiet: bool = False


class Meaning(NamedTuple):
    """What effects of some acts come to beyond themselves: whoever writes a crontab has a program run again."""

    of: frozenset[Act]
    acts: frozenset[Act]
    read: Callable[[Effects], Iterable[Effect]]

    def with_what_they_mean(self, acts: frozenset[Act]) -> frozenset[Act]:
        """Acts, and those that their effects may come to."""
        return acts if acts.isdisjoint(self.of) else acts | self.acts


class Effects:
    """All effects of an action, each part read once and when wanted.

    `acts` names those that may be among the effects that somebody minds. Where a part is `unread`, it executes what
    cannot be judged: who asks for Act.EXECUTE and finds none is told so.
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
        """The effects of these acts, in the order of the text. Raises Unreadable as the class says."""
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
        """A part that a deadline ends stays unread: it would take everybody else's time as well."""
        if number not in self._read:
            self._read[number] = CUT_OFF
            try:
                self._read[number] = under_way(_READER, lambda: tuple(part.read()))
            except Unreadable as unreadable:
                self._read[number] = unreadable
            except Exception as error:  # the others who ask are told, and it goes on to the first
                self._read[number] = Unreadable(f"reading it crashed with {type(error).__name__}")
                raise
        read = self._read[number]
        if isinstance(read, Unreadable):
            raise read.with_traceback(None)
        return read

    def read(self) -> None:
        """Reads every part, whoever asks for its acts. Raises Unreadable where one cannot be read."""
        for number, part in enumerate(self._parts):
            self._effects_of(number, part)

    def __iter__(self) -> Iterator[Effect]:
        return self.of(*Act)


def is_known(target: str) -> bool:
    """Whether the text alone tells all of a target."""
    return HOLE not in target
