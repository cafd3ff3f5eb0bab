"""Pools, volumes and snapshots that a script makes for itself, so that it may destroy them again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.reading.paths import HOLE, Place, place_of
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import values_of

_LAYOUTS = frozenset({"mirror", "raidz", "raidz1", "raidz2", "raidz3"})
_VALUED = {"zpool": frozenset({"-O", "-R", "-m", "-o", "-t"}), "zfs": frozenset({"-V", "-b", "-o"})}


def destroys_own_volumes(command: Command, action: Action, context: Context) -> bool:
    """Whether the same script made all that a command destroys before it, and no earlier step has seen the names.

    A pool counts if it lies in files for temporary use: on a device, its making destroys what the device held. Raises
    Unreadable as `run_by` does.
    """
    if action.kind not in RUNNERS:
        return False
    gone = [*_destroyed(command)]
    made = {name for each in _before(command, run_by(action, context).commands) for name in _made(each)}
    return bool(gone) and all(name in made and not was_shown(_last(name), context) for name in gone)


def _before(command: Command, commands: Sequence[Command]) -> Iterator[Command]:
    """The commands of a script that run before one of them, on the same host."""
    for each in commands:
        if each is command:
            return
        if each.remote == command.remote and each.wrappers == command.wrappers:
            yield each


def _destroyed(command: Command) -> Iterator[str]:
    """The whole names of what a command destroys; none if it takes more than the names show."""
    words = [word for word in command.args if not word.startswith("-")]
    match (command.program, words[:1]):
        case "zpool", ["destroy"]:
            yield from words[1:]
        case "zfs", ["destroy"] if not command.has_flag("-r", "-R"):
            yield from (word.replace("@", "/@") for word in words[1:])
        case "lvremove", _ if not command.has_flag("-S", "--select"):
            yield from (_volume(word) for word in words)
        case _:
            return


def _made(command: Command) -> Iterator[str]:
    """The whole name of what a command makes anew; none if it only rehearses or forces its way over what is there."""
    words = command.operands(_VALUED.get(command.program, frozenset()))
    match (command.program, words):
        case "zpool", ["create", name, *parts] if not command.has_flag("-n", "-f"):
            files = [part for part in parts if part not in _LAYOUTS]
            if files and all(place_of(command.path(file), None) is Place.TEMPORARY for file in files):
                yield name
        case "zfs", ["create", name] if not command.has_flag("-n"):
            yield name
        case "zfs", ["clone", _, name]:
            yield name
        case "zfs", ["snapshot" | "snap", *names]:
            yield from (name.replace("@", "/@") for name in names)
        case "lvcreate", _ if not command.has_flag("-t", "--test"):
            yield from _made_of_group(command)
        case _:
            return


def _made_of_group(command: Command) -> Iterator[str]:
    """The volume that `lvcreate` makes: its last word is the group, or the origin of a snapshot in its group."""
    names = [*values_of(command.args, "-n", "--name")]
    group = _volume(command.args[-1]).partition("/")[0]
    if len(names) == 1 and group and not group.startswith("-"):
        yield f"{group}/{names[0]}"


def _volume(word: str) -> str:
    """`vg0/srv` of `/dev/vg0/srv`."""
    return word.removeprefix("/dev/")


def _last(name: str) -> str:
    return "" if HOLE in name else name.rpartition("/")[2]
