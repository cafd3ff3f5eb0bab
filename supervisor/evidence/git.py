"""What a `git` command asks for: its subcommand, where it works, and what becomes of changes that are in no commit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from supervisor.evidence.paths import without_glob
from supervisor.evidence.shell.commands import Command, Script

_VALUED = frozenset(
    {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"}
)
_VALUED_BEHIND = frozenset({"-s", "--source", "-b", "-B", "-c", "-C", "-e", "--exclude"})
_EVERYTHING = frozenset({".", "./", "*", ":/", ":/.", ":", "./*", "-A", "--all"})


def git_calls(script: Script) -> Iterator[tuple[str, Command]]:
    """Every git subcommand that runs, with a command whose argv begins at the subcommand and whose cwd honours `-C`."""
    for command in script.named("git"):
        cwd, words = command.cwd, list(command.args)
        while words and words[0].startswith("-"):
            option = words.pop(0)
            if option in _VALUED and words:
                value = words.pop(0)
                cwd = command.path(value) if option in ("-C", "--work-tree") else cwd
            elif option.startswith("-C"):
                cwd = command.path(option[2:])
        if words:
            yield words[0], replace(command, argv=tuple(words), cwd=cwd)


def discarded(verb: str, command: Command) -> str:
    """Which uncommitted work a subcommand throws away, in words; empty if none, or only files named one by one."""
    operands = command.operands(_VALUED_BEHIND)
    if verb in ("stash", "worktree"):
        return _removed(verb, operands, command)
    everything = any(without_glob(word) in _EVERYTHING for word in operands)
    forced = command.has_flag("-f", "--force", valued="bBcCe")
    if verb == "clean":
        rehearses = command.has_flag("-n", "--dry-run", "-X")
        return "every file that git does not track" if forced and not rehearses and (everything or not operands) else ""
    resets = (
        (verb == "reset" and command.has_flag("--hard"))
        or (verb == "checkout" and (everything or forced))
        or (verb == "switch" and (forced or command.has_flag("--discard-changes")))
        or (verb == "restore" and everything and _restores_files(command))
    )
    return "every uncommitted change to tracked files" if resets else ""


def _removed(verb: str, operands: list[str], command: Command) -> str:
    deed = (verb, *operands[:1])
    if deed in (("stash", "drop"), ("stash", "clear")):
        return "stashed changes"
    removes = deed == ("worktree", "remove") and command.has_flag("-f", "--force", valued="bBcCe")
    return "every uncommitted change in that worktree" if removes else ""


def _restores_files(command: Command) -> bool:
    """Whether `git restore` writes to the working tree, and not to the index alone."""
    return command.has_flag("-W", "--worktree") or not command.has_flag("-S", "--staged")


def saves_changes(verb: str, command: Command) -> bool:
    """Whether a subcommand puts all changes away where they can be had again."""
    first = next(iter(command.operands()), "push")
    return (verb == "stash" and first in ("push", "save")) or (verb == "commit" and not command.has_flag("--dry-run"))
