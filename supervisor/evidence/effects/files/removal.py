"""Programs that delete files and trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command, find_roots

_VALUED = frozenset({"-n", "-s", "--iterations", "--size", "--random-source", "--glob"})
_HARMLESS = ("--help", "--version", "--dry-run")


def _removed(command: Command, ground: Ground) -> Iterator[Effect]:
    """`rm`, `unlink`, and those that delete whole trees without being told to."""
    if command.has_flag(*_HARMLESS):
        return
    tree = command.program in _OF_TREES or command.has_flag("-r", "-R", "--recursive")
    yield from (ground.on_path(Act.DELETE, word, command, whole=tree) for word in command.operands())
    if command.environment and "$" in command.text:
        yield from (ground.on_path(Act.DELETE, word, command, verb="meant", whole=tree) for word in _meant(command))


def _meant(command: Command) -> Iterator[str]:
    """Of `D=/x rm -rf $D/y` the path that is meant: the shell fills in `$D` before it is set (ShellCheck SC2097)."""
    for word in command.text.split():
        for name, value in command.environment:
            for spelt in (f"${{{name}}}", f"${name}/"):
                if spelt in word and "=" not in word.partition("$")[0]:
                    yield word.strip("\"'").replace(spelt, value + "/" * spelt.endswith("/"))


def _shredded(command: Command, ground: Ground) -> Iterator[Effect]:
    """What cannot be recovered even from the disk; `shred` leaves a file of noise."""
    if not command.has_flag(*_HARMLESS):
        tree = command.has_flag("-r", "-R", "--recursive")
        for word in command.operands(_VALUED):
            yield ground.on_path(Act.DELETE, word, command, verb="shred", whole=tree)


def _put_away(command: Command, ground: Ground) -> Iterator[Effect]:
    """Into the trash, or a directory that is empty: both can be had again."""
    words = command.operands()
    if command.program == "gio":
        words = words[1:] if words[:1] == ["trash"] else []
    yield from (ground.on_path(Act.DELETE, word, command, reversible=True) for word in words)


def _found(command: Command, ground: Ground) -> Iterator[Effect]:
    """`find … -delete`; where tests pick some of what it meets, only some of the tree goes.

    What it has `rm` delete stands in the script as well, unless that is picked.
    """
    roots, picks = find_roots(command)
    if "-delete" in _expression(command) or (picks and _DELETERS.intersection(command.args)):
        verb = "pick" if picks else ""
        for root in roots:
            effect = ground.on_path(Act.DELETE, root, command, verb=verb)
            effect.whole = not picks
            yield effect


def _deletes_nothing(words: Sequence[str]) -> bool:
    return "-delete" not in words and _DELETERS.isdisjoint(words)


def _expression(command: Command) -> Iterator[str]:
    """The words of `find` that are its own, and no other command's that it runs."""
    runs = False
    for word in command.args:
        runs = (runs or word in ("-exec", "-execdir", "-ok", "-okdir")) and word not in (";", "+")
        if not runs:
            yield word


_DELETERS = frozenset({"rm", "shred", "unlink"})
_OF_TREES = frozenset({"rimraf", "del-cli"})
_DELETES = frozenset({Act.DELETE})
PROGRAMS = {
    **dict.fromkeys(("rm", "unlink", *_OF_TREES), Reading(_DELETES, _removed)),
    **dict.fromkeys(("shred", "srm", "wipe", "scrub"), Reading(_DELETES, _shredded)),
    **dict.fromkeys(("rmdir", "trash", "trash-put", "gio"), Reading(_DELETES, _put_away)),
    "find": Reading(_DELETES, _found, _deletes_nothing),
}
