"""What a `git` command asks for: its subcommand, that one's words, and where it works."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from supervisor.evidence.shell.commands import Command, Script

_VALUED = frozenset(
    {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"}
)


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
