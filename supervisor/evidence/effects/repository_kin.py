"""What Mercurial, Subversion and Jujutsu do to repositories, the programs that rewrite git's history from
outside, and those that manage its hooks.

The verbs are those of `repository`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import Command

_HG_VALUED = frozenset({"-R", "--repository", "--cwd", "--config", "-r", "--rev", "-I", "-X", "-m"})
_HG_LOSES = ("update", "up", "checkout", "co", "revert", "purge", "clean", "strip", "debugstrip", "push")


def _effect(command: Command, verb: str, target: str = HOLE, whole: bool = True) -> Effect:
    return Effect(Act.REPOSITORY, target, Place.WORKSPACE, verb, whole, text=command.text, command=command)


def _hg(command: Command, ground: Ground) -> Iterator[Effect]:
    verb, *words = command.operands(_HG_VALUED) or [""]
    if command.has_flag("-n", "--dry-run", "--help"):
        return
    if (verb in ("update", "up", "checkout", "co") and command.has_flag("-C", "--clean")) or (
        verb == "revert" and (command.has_flag("-a", "--all") or "." in words)
    ):
        yield _effect(command, "discard", command.cwd)
    elif verb in ("purge", "clean") and not command.has_flag("-p", "--print"):
        yield _effect(command, "clean", command.cwd, not words)
    elif verb == "strip" or (verb == "debugstrip"):
        yield _effect(command, "rewrite-history")
    elif verb == "push" and command.has_flag("-f", "--force"):
        yield Effect(Act.REPOSITORY, HOLE, Place.REMOTE, "force-push", text=command.text, command=command)


def _svn(command: Command, ground: Ground) -> Iterator[Effect]:
    verb, *words = command.operands(frozenset({"--depth", "-m", "--username", "--password", "--changelist"})) or [""]
    if verb == "revert":
        deep = command.has_flag("-R", "--recursive") or "infinity" in command.args
        for word in words if deep else ():
            yield _effect(command, "discard", command.path(word))
    elif verb == "cleanup" and command.has_flag("--remove-unversioned", "--remove-ignored"):
        yield _effect(command, "clean", command.cwd)


def _jj(command: Command, ground: Ground) -> Iterator[Effect]:
    """Jujutsu keeps every operation, so only the operation log itself and the contents of a remote can be lost."""
    words = command.operands(frozenset({"-R", "--repository", "--config", "-b", "--bookmark", "--remote", "-r"}))
    if words[:2] == ["op", "abandon"] or words[:2] == ["operation", "abandon"] or words[:2] == ["util", "gc"]:
        if words[0] != "util" or "--expire=now" in command.args or "now" in command.args:
            yield _effect(command, "expire", "the operation log")
    elif words[:2] == ["git", "push"] and command.has_flag("--deleted") and not command.has_flag("--dry-run"):
        yield Effect(Act.REPOSITORY, HOLE, Place.REMOTE, "delete-branch", text=command.text, command=command)


def _rewriter(command: Command, ground: Ground) -> Iterator[Effect]:
    if not command.has_flag("--help", "-h", "--version", "--analyze", "--dry-run") and command.args:
        yield _effect(command, "rewrite-history")


def _java(command: Command, ground: Ground) -> Iterator[Effect]:
    """`java -jar bfg.jar --strip-blobs-bigger-than 100M`."""
    for option, word in zip(command.args, command.args[1:], strict=False):
        name = word.rpartition("/")[2]
        if option == "-jar" and (name == "bfg.jar" or name.startswith("bfg-")):
            yield from _rewriter(command, ground)


def _hook_manager(command: Command, ground: Ground) -> Iterator[Effect]:
    if command.args[:1] == ("uninstall",):
        yield _effect(command, "disable-hooks", command.program)


def _without(*arguments: str) -> Callable[[Sequence[str]], bool]:
    """An `is_quiet` that holds if none of these words is an argument."""
    return frozenset(arguments).isdisjoint


_ACTS = frozenset({Act.REPOSITORY})
PROGRAMS = {
    "hg": Reading(_ACTS, _hg, _without(*_HG_LOSES)),
    "svn": Reading(_ACTS, _svn, _without("revert", "cleanup")),
    "jj": Reading(_ACTS, _jj, _without("op", "operation", "util", "git")),
    **dict.fromkeys(("bfg", "git-filter-repo", "git-filter-branch"), Reading(_ACTS, _rewriter)),
    **dict.fromkeys(
        ("husky", "lefthook", "overcommit", "pre-commit"), Reading(_ACTS, _hook_manager, _without("uninstall"))
    ),
    "java": Reading(_ACTS, _java, _without("-jar")),
}
