"""What commands print, if the script determines it: `echo rm -rf / | sh`, `$(dirname /a/b)`, `base64 -d <<< …`."""

from __future__ import annotations

import base64
import binascii
import codecs
import posixpath
from collections.abc import Callable, Sequence

from supervisor.errors import Unreadable
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command

_LONGEST = 1024 * 1024
_SILENT = frozenset({":", "true", "false", "cd", "export", "declare", "local", "readonly", "set", "shift", "alias"})
_SILENT |= {"sleep", "test", "[", "read", "mkdir", "touch", "rm", "chmod", "unset", "shopt"}
_SILENT |= {"break", "continue", "exit", "return", "wait"}


def printed(commands: Sequence[Command]) -> str | None:
    """All that these commands print together; None if any part of it is unknown."""
    read: set[int] = set()  # ids of commands whose output another command reads, directly or through others
    texts: list[str] = []
    for command in reversed(commands):
        if id(command) in read:
            continue
        read.update(map(id, command.upstream), (id(source) for _, source in command.sources))
        if command.wraps:
            continue
        if (text := static_output(command)) is None:
            return None
        texts.append(text)
    return "".join(reversed(texts)) if texts else None


def static_output(command: Command) -> str | None:
    """What a command prints to standard output; None if the script does not determine it."""
    if any(redirect.writes and redirect.descriptor in ("", "1") for redirect in command.redirects):
        return ""
    return output_of(command)


def output_of(command: Command) -> str | None:
    """What a command prints, to a file or not. Raises Unreadable beyond _LONGEST characters."""
    if command.writers:
        return printed(command.writers)
    if command.program in _SILENT:
        return ""
    prints = _PRINTS.get(command.program)
    text = prints(command) if prints else None
    if text is not None and len(text) > _LONGEST:
        raise Unreadable(f"a command that prints more than {_LONGEST:,} characters")
    return text


def _echo(command: Command) -> str:
    words = command.args
    ends, escapes = "\n", False
    while words and words[0] in ("-n", "-e", "-E", "-ne", "-en", "-nE", "-En"):
        ends, escapes = "" if "n" in words[0] else ends, escapes or "e" in words[0]
        words = words[1:]
    text = " ".join(words)
    return (ansi_c(text) if escapes else text) + ends


def printf(form: str, words: Sequence[str]) -> str | None:
    """What the shell's `printf` prints; None for unknown conversions. The format repeats until no words are left."""
    pieces = form.replace("%%", "\0").split("%")
    if any(piece[:1] not in ("s", "b", "d") for piece in pieces[1:]):
        return None
    pieces = [piece[: bool(at)] + ansi_c(piece[bool(at) :]) for at, piece in enumerate(pieces)]
    text, left = "", list(words)
    while True:
        text += pieces[0]
        for piece in pieces[1:]:
            word = left.pop(0) if left else ""
            text += (ansi_c(word) if piece[0] == "b" else word) + piece[1:]
        if not left or len(pieces) == 1 or len(text) > _LONGEST:
            return text.replace("\0", "%")


def _printf(command: Command) -> str | None:
    words = command.args[1:] if command.args[:1] == ("--",) else command.args
    return printf(words[0], words[1:]) if words and words[0] != "-v" else ""


def _passed(command: Command) -> str | None:
    """The output of a command that only passes on its standard input or a file."""
    named = [word for word in command.operands() if word != "-"]
    return "" if named == ["/dev/null"] else command.file_text if named else command.stdin


def _base64(command: Command) -> str | None:
    flags = set(command.flags())
    if command.stdin is None or flags.isdisjoint({"-d", "-D", "--decode"}):
        return None
    return _decoded(lambda text: base64.b64decode(text, validate=False), command.stdin)


def _decoded(decode: Callable[[str], bytes], text: str) -> str | None:
    try:
        return decode(text).decode("utf-8")
    except (binascii.Error, ValueError):
        return None


def _xxd(command: Command) -> str | None:
    flags = "".join(word for word in command.args if word.startswith("-"))
    if command.stdin is None or "r" not in flags or "p" not in flags:
        return None
    return _decoded(lambda text: bytes.fromhex("".join(text.split()).replace("\\x", "")), command.stdin)


def _openssl(command: Command) -> str | None:
    encodes = command.args[:1] in (("base64",), ("enc",)) and "-d" in command.args
    known = command.args[:1] == ("base64",) or {"-base64", "-a"} & set(command.args)
    return _decoded(lambda text: base64.b64decode(text), command.stdin or "") if encodes and known else None


def _reversed(command: Command) -> str | None:
    if command.stdin is None:
        return None
    return "\n".join(line[::-1] for line in command.stdin.split("\n"))


def _translated(command: Command) -> str | None:
    operands = command.operands()
    if command.stdin is None or not operands:
        return None
    old = _spelt(operands[0])
    if command.has_flag("-d"):
        return command.stdin.translate(dict.fromkeys(map(ord, old)))
    if len(operands) != 2 or command.has_flag("-c", "-C", "-s"):
        return None
    new = _spelt(operands[1])
    filled = new + new[-1:] * (len(old) - len(new))
    return command.stdin.translate({ord(was): now for was, now in zip(old, filled, strict=False)})


_CLASSES = {
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:digit:]": "0123456789",
    "[:space:]": " \t\n\r\v\f",
}


def _spelt(letters: str) -> str:
    """A set of `tr` with `a-z` and `[:upper:]` expanded."""
    for name, members in _CLASSES.items():
        letters = letters.replace(name, members)
    letters = ansi_c(letters)
    spelt, index = "", 0
    while index < len(letters):
        first, last = letters[index], letters[index + 2 : index + 3]
        if letters[index + 1 : index + 2] == "-" and last and ord(first) <= ord(last) < 256:
            spelt += "".join(map(chr, range(ord(first), ord(last) + 1)))
            index += 3
        else:
            spelt += first
            index += 1
    return spelt


def _replaced(command: Command) -> str | None:
    """`sed s/old/new/g`, if old is not a pattern."""
    operands = command.operands(frozenset({"-e"}))
    scripts = [word for word in command.args if word.startswith("s") and len(word) > 3]
    if command.stdin is None or len(scripts) != 1 or operands not in ([], scripts):
        return None
    mark, *parts = scripts[0][1], *scripts[0][2:].split(scripts[0][1])
    if len(parts) != 3 or set(parts[0]) & set(r"\.*[]^$+?(){}|") or set(parts[1]) & set("&\\") or mark.isalnum():
        return None
    old, new, flags = parts
    if not old or flags not in ("", "g"):
        return None
    return "\n".join(line.replace(old, new, -1 if flags else 1) for line in command.stdin.split("\n"))


def _path_part(part: Callable[[str], str]) -> Callable[[Command], str | None]:
    def prints(command: Command) -> str | None:
        operands = command.operands()
        return (
            None if len(operands) != 1 or operands[0] == HOLE else (part(operands[0].rstrip("/") or "/") or ".") + "\n"
        )

    return prints


def _located(command: Command) -> str | None:
    """`which rm`: the printed path runs the same program as the name."""
    named = command.operands()
    if command.program == "command" and not command.has_flag("-v"):
        return None
    return f"{named[0]}\n" if len(named) == 1 and HOLE not in named[0] else None


def _resolved(command: Command) -> str | None:
    operands = command.operands()
    path = command.path(operands[0]) if len(operands) == 1 else HOLE
    return f"{path}\n" if path.startswith(("/", "~")) else None


def _working_directory(command: Command) -> str:
    return command.cwd if command.cwd.startswith(("/", "~")) else HOLE


def _of_repository(command: Command) -> str | None:
    """The repository's paths, on the assumption that the working directory is its top."""
    if command.args[:1] != ("rev-parse",) or not command.cwd.startswith(("/", "~")):
        return None
    asked = " ".join(command.args[1:])
    return {"--show-toplevel": f"{command.cwd}\n", "--git-dir": ".git\n"}.get(asked)


def _heads(command: Command) -> str | None:
    text, operands = command.stdin, command.operands(frozenset({"-n", "-c"}))
    return None if text is None or operands or command.args else "\n".join(text.split("\n")[:10])


def _rot13(command: Command) -> str | None:
    return None if command.stdin is None else codecs.encode(command.stdin, "rot13")


_PRINTS: dict[str, Callable[[Command], str | None]] = {
    "echo": _echo,
    "printf": _printf,
    "cat": _passed,
    "tee": lambda command: command.stdin,
    "head": _heads,
    "tail": _heads,
    "pwd": _working_directory,
    "git": _of_repository,
    "base64": _base64,
    "xxd": _xxd,
    "openssl": _openssl,
    "rev": _reversed,
    "tr": _translated,
    "sed": _replaced,
    "rot13": _rot13,
    "dirname": _path_part(posixpath.dirname),
    "basename": _path_part(posixpath.basename),
    **dict.fromkeys(("realpath", "readlink"), _resolved),
    **dict.fromkeys(("which", "command"), _located),
}
