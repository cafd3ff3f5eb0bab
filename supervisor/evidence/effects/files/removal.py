"""Programs that delete files and trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command, find_roots

_VALUED = frozenset({"-n", "-s", "--iterations", "--size", "--random-source", "--glob"})
# GNU programs accept every unambiguous start of a long option.
_RECURSIVE = tuple("--recursive"[:length] for length in range(3, 12))
_HARMLESS = ("--help", "--version", "--dry-run")


def _removed(command: Command, ground: Ground) -> Iterator[Effect]:
    """`rm`, `unlink`, and programs that delete whole trees without an option for it."""
    if command.has_flag(*_HARMLESS):
        return
    tree = command.program in _OF_TREES or command.has_flag("-r", "-R", *_RECURSIVE)
    yield from (ground.on_path(Act.DELETE, word, command, whole=tree) for word in command.operands())
    if command.environment and "$" in command.text:
        yield from (ground.on_path(Act.DELETE, word, command, verb="meant", whole=tree) for word in _meant(command))


def _meant(command: Command) -> Iterator[str]:
    """The intended path in `D=/x rm -rf $D/y`: the shell expands `$D` before it is set (ShellCheck SC2097)."""
    for word in command.text.split():
        for name, value in command.environment:
            for spelt in (f"${{{name}}}", f"${name}/"):
                if spelt in word and "=" not in word.partition("$")[0]:
                    yield word.strip("\"'").replace(spelt, value + "/" * spelt.endswith("/"))


def _shredded(command: Command, ground: Ground) -> Iterator[Effect]:
    """Deletion that cannot be recovered even from the disk. `shred` overwrites a file with noise and may keep it."""
    if not command.has_flag(*_HARMLESS):
        tree = command.has_flag("-r", "-R", "--recursive")
        for word in command.operands(_VALUED):
            yield ground.on_path(Act.DELETE, word, command, verb="shred", whole=tree)


def _put_away(command: Command, ground: Ground) -> Iterator[Effect]:
    """A move into the trash, or the removal of an empty directory. Both can be undone."""
    words = command.operands()
    if command.program == "gio":
        words = words[1:] if words[:1] == ["trash"] else []
    yield from (ground.on_path(Act.DELETE, word, command, reversible=True) for word in words)


def _found(command: Command, ground: Ground) -> Iterator[Effect]:
    """`find … -delete`. With tests that select files, only part of the tree is deleted.

    The script lists the `rm` that `find` runs as well, unless tests select its files.
    """
    roots, picks = find_roots(command)
    if "-delete" in _expression(command) or (picks and _DELETERS.intersection(command.args)):
        verb = "pick" if picks else ""
        for root in roots:
            effect = ground.on_path(Act.DELETE, root, command, verb=verb)
            effect.whole = not picks
            yield effect


_FD_VALUED = frozenset(
    "-e -E -t -d -S -g -p -o -j --extension --exclude --type --max-depth --min-depth --exact-depth --size --owner"
    " --changed-within --changed-before --base-directory --search-path".split()
)


def _found_by_fd(command: Command, ground: Ground) -> Iterator[Effect]:
    """`fd -e jpg . ~ -x rm`: the operands are a pattern and the directories that are searched."""
    starts = [at for at, word in enumerate(command.args) if word in ("-x", "-X", "--exec", "--exec-batch")]
    if not starts or _DELETERS.isdisjoint(command.args[starts[0] :]):
        return
    own = Command(command.argv[: starts[0] + 1])
    for root in own.operands(_FD_VALUED)[1:]:
        yield ground.on_path(Act.DELETE, root, command, verb="pick")


def _deletes_nothing(words: Sequence[str]) -> bool:
    return "-delete" not in words and _DELETERS.isdisjoint(words)


def _expression(command: Command) -> Iterator[str]:
    """The words of `find` itself, without those of commands that it runs."""
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
    **dict.fromkeys(("fd", "fdfind"), Reading(_DELETES, _found_by_fd, _deletes_nothing)),
}
