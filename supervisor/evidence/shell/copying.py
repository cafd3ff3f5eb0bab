"""The operands of commands that copy, move or link files: the sources and the places they get."""

from __future__ import annotations

from typing import NamedTuple

from supervisor.evidence.shell.commands import Command

VALUED = frozenset({"-t", "--target-directory", "-m", "--mode", "-o", "--owner", "-g", "--group", "-S", "--suffix"})


class Transfer(NamedTuple):
    """The sources that a copy names, and the place that each of them gets."""

    sources: list[str]
    places: list[str]


def transfer(command: Command) -> Transfer:
    """`cp a b`, `mv a b dir`, `mv -t dir a b`, `ln -s /far/thing` (which gets its name here)."""
    words = command.operands(VALUED)
    directory = _target_directory(command)
    if directory is not None:
        return Transfer(words, _inside(directory, words))
    if command.program == "ln" and len(words) == 1:
        return Transfer(words, _inside(".", words))
    if len(words) < 2:
        return Transfer(words, [])
    *sources, target = words
    inside = target.endswith("/") or target in (".", "..") or len(sources) > 1
    return Transfer(sources, _inside(target, sources) if inside and not _one_file(command) else [target])


def _target_directory(command: Command) -> str | None:
    """The value of `-t` and its long form."""
    for word, value in zip(command.args, (*command.args[1:], ""), strict=False):
        if word in ("-t", "--target-directory"):
            return value
        if word.startswith("--target-directory="):
            return word.partition("=")[2]
        if word.startswith("-t") and not word.startswith("--") and len(word) > 2:
            return word[2:]
    return None


def _one_file(command: Command) -> bool:
    """`-T`: the target is the new name itself, not a directory to copy into."""
    return command.has_flag("-T", "--no-target-directory", valued="mogS")


def _inside(directory: str, words: list[str]) -> list[str]:
    return [f"{directory.rstrip('/')}/{word.rstrip('/').rpartition('/')[2]}" for word in words]
