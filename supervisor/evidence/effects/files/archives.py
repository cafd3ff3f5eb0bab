"""Programs that unpack archives. The contents of an archive are not known, so the effect is on the whole directory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command


def _untarred(command: Command, ground: Ground) -> Iterator[Effect]:
    if not _extracts(command) or command.has_flag("-O", "--to-stdout", "--help", valued="fCbTXIK"):
        return
    directories = list(_values(command, "-C", "--directory", "--cd"))
    directory = directories[-1] if directories else "."
    members = _members(command)
    for member in members if members and all(map(_is_one_file, members)) else [""]:
        yield _unpacked(f"{directory.rstrip('/')}/{member}" if member else directory, command, ground)


_VALUED = frozenset({"-f", "-C", "-b", "-T", "-X", "-I", "-K", "--file", "--directory", "--cd", "--strip-components"})
_MOST_MEMBERS = 16


def _members(command: Command) -> list[str]:
    """The members of the archive that are named; empty if all are taken, or if other options choose them."""
    if command.has_flag("-T", "--files-from", "--wildcards", "-P", "--transform", valued="fCbTXIK"):
        return []
    words, named, first = iter(command.args), list[str](), True
    for word in words:
        cluster = (first and not word.startswith("-")) or (word.startswith("-") and not word.startswith("--"))
        first = False
        if word in _VALUED or (cluster and word.endswith("f")):
            next(words, "")
        elif not cluster and not word.startswith("-"):
            named.append(word)
    return named[:_MOST_MEMBERS]


def _is_one_file(member: str) -> bool:
    """Whether a name in an archive is a file's: it has a folder and an ending, and no pattern."""
    last = member.rpartition("/")[2]
    return (
        "/" in member.strip("/")
        and "." in last[1:]
        and ".." not in member
        and not any(each in member for each in "*?[")
    )


def _only_packs(words: Sequence[str]) -> bool:
    """Whether no option can mean extraction."""
    options = [word for word in words if word.startswith("-")]
    return "x" not in "".join(words[:1]) and not any("x" in word or word.startswith("--get") for word in options)


def _extracts(command: Command) -> bool:
    """`tar xzf a`, `tar -xzf a`, `tar --extract`; anything else lists or packs."""
    first = command.args[0] if command.args else ""
    if first and not first.startswith("-"):
        return "x" in first
    return command.has_flag("-x", "--extract", "--get", valued="fCbTXIK")


def _unzipped(command: Command, ground: Ground) -> Iterator[Effect]:
    if not command.has_flag("-l", "-t", "-v", "-p", "-z", "-Z", valued="dxP"):
        yield _unpacked(next(_values(command, "-d"), "."), command, ground)


def _seven_zip(command: Command, ground: Ground) -> Iterator[Effect]:
    if command.args[:1] in (("x",), ("e",)):
        target = next((word[2:] for word in command.args if word.startswith("-o") and len(word) > 2), ".")
        yield _unpacked(target, command, ground)


def _copied_in(command: Command, ground: Ground) -> Iterator[Effect]:
    """`cpio -i`, which writes to the paths in the archive."""
    if command.has_flag("-i", "--extract", valued="DEFHIOR") and not command.has_flag("-t", "--list", valued="DEFHIOR"):
        yield _unpacked(next(_values(command, "-D", "--directory"), "."), command, ground)


def _unpacked(directory: str, command: Command, ground: Ground) -> Effect:
    return ground.on_path(Act.WRITE, directory, command, verb="unpack", whole=True)


def _values(command: Command, *names: str) -> Iterator[str]:
    """The values of an option in its spellings: `-C d`, `-Cd`, `-xvC d`, `--directory=d`."""
    short = next(name for name in names if not name.startswith("--"))
    for word, following in zip(command.args, (*command.args[1:], ""), strict=False):
        if word in names or (word.startswith("-") and not word.startswith("--") and word.endswith(short[1])):
            yield following
        elif word.startswith("--") and word.partition("=")[0] in names:
            yield word.partition("=")[2]
        elif word.startswith(short) and len(word) > 2:
            yield word[2:]


_WRITES = frozenset({Act.WRITE})
PROGRAMS = {
    **dict.fromkeys(("tar", "gtar", "bsdtar"), Reading(_WRITES, _untarred, _only_packs)),
    "unzip": Reading(_WRITES, _unzipped),
    **dict.fromkeys(("7z", "7za", "7zz", "unrar"), Reading(_WRITES, _seven_zip)),
    "cpio": Reading(_WRITES, _copied_in),
}
