"""The texts that a command writes to files, if the script determines them: by a redirection, a program that writes what
it reads, a copy of a file that the script wrote itself, or an in-place edit."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.copying import transfer
from supervisor.evidence.shell.inner import values_of
from supervisor.evidence.shell.printed import output_of


class Put(NamedTuple):
    """A text for a file at a resolved path; None if only known at run time. `how`: "replace", "extend", "edit" (the
    text is part of the result), "perhaps" (the path applies only if the target is a directory)."""

    path: str
    text: str | None
    how: str = "replace"


Lookup = Callable[[str], str | None]


def puts(command: Command, files: Mapping[str, str], look: Lookup) -> Iterator[Put]:
    """What a command writes to files. `files` are texts that the script wrote; `look` also returns texts of others."""
    written = [each for each in command.redirects if each.writes and each.descriptor in ("", "1")]
    if written:
        text = output_of(command)
        for each in written:
            yield Put(command.path(each.target), text, "extend" if each.operator == ">>" else "replace")
    program = command.program
    if program in ("tee", "sponge"):
        how = "extend" if command.has_flag("-a", "--append") else "replace"
        yield from (Put(command.path(word), command.stdin, how) for word in command.operands())
    elif program == "dd":
        yield from _converted(command, look)
    elif program in _EDITORS:
        yield from _edited(command)
    elif program in _COPIES:
        yield from _copied(command, files, look)


def _converted(command: Command, look: Lookup) -> Iterator[Put]:
    """`dd if=a of=b`."""
    given = dict(word.partition("=")[::2] for word in command.args)
    if "of" in given:
        yield Put(command.path(given["of"]), look(command.path(given["if"])) if "if" in given else command.stdin)


def _copied(command: Command, files: Mapping[str, str], look: Lookup) -> Iterator[Put]:
    """The copies of each known file that is copied or lies in a copied directory."""
    for source, place in copies(command):
        inside = f"{place}/{posixpath.basename(source)}"
        text = look(source)
        if text is not None:
            yield Put(place, text)
            yield Put(inside, text, "perhaps")
        for path in [path for path in files if path.startswith(f"{source}/")]:
            yield Put(place + path[len(source) :], files[path])
            yield Put(inside + path[len(source) :], files[path], "perhaps")


def copies(command: Command) -> Iterator[tuple[str, str]]:
    """The resolved paths that are copied, moved or linked, each with its new path."""
    sources, places = transfer(command)
    for source, place in zip(sources, places, strict=False):
        target = command.path(place)
        if command.program == "rsync" and source.endswith("/"):  # the contents, not the directory itself
            target = command.path(command.args[-1])
        yield command.path(source), target
        if command.program == "ln" and not source.startswith(("/", "~")):  # relative to the link's directory
            yield resolve(source, posixpath.dirname(target)), target


_SED_VALUED = frozenset({"-e", "--expression", "-f", "--file", "-E", "-l", "--line-length"})
_ADDS = re.compile(r"^[^aics]{0,64}?[aic][ \t]*\\?[ \t\n]*(.+)", re.DOTALL)
_REPLACES = re.compile(r"^[^s]{0,64}?s([^\w\s])(.*)", re.DOTALL)


def _edited(command: Command) -> Iterator[Put]:
    """`sed -i '1i text' file`: the text that it adds or substitutes."""
    if not any(
        word.startswith(("-i", "--in-place")) or (word[:1] == "-" and "i" in word[1:3]) for word in command.args
    ):
        return
    scripts = [*values_of(command.args, "-e", "--expression")]
    words = command.operands(_SED_VALUED - {"-E"})
    files = words if scripts else words[1:]
    text = "\n".join(each for script in scripts or words[:1] for each in _added(script))
    if text:
        yield from (Put(command.path(word), text, "edit") for word in files)


def _added(script: str) -> Iterator[str]:
    if found := _ADDS.match(script):
        yield found[1]
    if found := _REPLACES.match(script):
        parts = found[2].split(found[1])
        if len(parts) > 1:
            yield parts[1].lstrip("&").replace("\\n", "\n")


_COPIES = frozenset({"cp", "gcp", "install", "ditto", "mv", "ln", "rsync"})
_EDITORS = frozenset({"sed", "gsed"})
PUTS = frozenset({"tee", "sponge", "dd", *_COPIES, *_EDITORS})
