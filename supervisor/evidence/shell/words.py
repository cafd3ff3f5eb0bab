"""How the shell reads words: quoting, backslashes, ANSI-C escapes, braces, and the splitting of what it expands.

POSIX.1-2024, Shell Command Language, sections 2.2 (quoting) and 2.6 (word expansions); braces as bash has them.
"""

from __future__ import annotations

import fnmatch

from supervisor.errors import Unreadable
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import shown

BREAK = "\ue001"  # marks where an unquoted expansion is split into words
BACKSLASH = "\ue002"  # replaces a backslash at the start of a here-document, which the grammar would take for a word
_MOST_WORDS = 64


def clean(text: str) -> str:
    """The text without the characters that the reader reserves for itself, and without NUL, which shells drop."""
    if HOLE in text or BREAK in text or BACKSLASH in text or "\0" in text:
        return text.replace(HOLE, "?").replace(BREAK, "?").replace(BACKSLASH, "?").replace("\0", "")
    return text


def is_literal(kind: str, text: str) -> bool:
    """Whether a node of this kind is a word without quoting or expansion, as most are."""
    if kind == "word":
        return "\\" not in text and "{" not in text
    return text.isalnum() if kind == "command_name" else kind == "number"


def unescaped(text: str, only: str = "") -> str:
    """Removes backslashes; inside double quotes only those before one of `only`. An escaped newline vanishes."""
    if "\\" not in text:
        return text
    pieces: list[str] = []
    index = 0
    while (found := text.find("\\", index)) >= 0:
        following = text[found + 1 : found + 2]
        keep = "" if not only or following in only else "\\"
        pieces += text[index:found], keep, "" if following == "\n" else following
        index = found + 2
    return "".join(pieces) + text[index:]


_WHITE = " \t\n"


def split(value: str, separators: str = _WHITE) -> str:
    """An unquoted expansion's value, with what separates its words (`IFS`) turned into BREAKs."""
    if separators != _WHITE and HOLE not in separators:
        return value.translate(dict.fromkeys(map(ord, separators[:16]), BREAK))
    if not value or value.isspace():
        return BREAK if value else ""
    words = BREAK.join(value.split())
    return f"{BREAK if value[0].isspace() else ''}{words}{BREAK if value[-1].isspace() else ''}"


def braces(word: str) -> list[str]:
    """`{a,b}/c` as `a/c`, `b/c`, innermost first; beyond 64 words it stays unchanged."""
    words = [word]
    for index in range(_MOST_WORDS):
        if index >= len(words) or len(words) > _MOST_WORDS:
            break
        while (parts := _innermost(words[index])) is not None:
            head, choices, tail = parts
            words[index : index + 1] = [f"{head}{choice}{tail}" for choice in choices]
            if len(words) > _MOST_WORDS:
                return [word]
    return words


_PROGRAMS = [
    "rm",
    "sh",
    "bash",
    "dd",
    "cat",
    "curl",
    "wget",
    "chmod",
    "chown",
    "mv",
    "cp",
    "kill",
    "nc",
    "python3",
    "perl",
    "sudo",
    "su",
    "tee",
    "mkfs",
    "shutdown",
    "reboot",
]


_UNSURE = frozenset(f"?*[{HOLE}")
_OF_SYSTEM = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")


def program_named(word: str) -> str:
    """The destructive program that a word names by a pattern (`/bin/r?`) or with a possibly empty expansion (`$@rm`).

    Any other word is returned unchanged. Raises Unreadable if a pattern matches in a directory of system programs and
    none of the destructive ones fits.
    """
    if _UNSURE.isdisjoint(word) or word in ("[", "[[") or len(word) > 64:
        return word
    head, slash, name = word.rpartition("/")
    if (bare := name.replace(HOLE, "")) in _PROGRAMS:
        return f"{head}{slash}{bare}"
    if not slash or _UNSURE.isdisjoint(bare):
        return word
    found = next((each for each in _PROGRAMS if fnmatch.fnmatchcase(each, bare)), None)
    if found is None and any(fnmatch.fnmatchcase(folder, head) for folder in _OF_SYSTEM):
        raise Unreadable(f"the pattern {shown(word)} names the program")
    return word if found is None else f"{head}/{found}"


def _innermost(word: str) -> tuple[str, list[str], str] | None:
    close = word.find("}")
    while close >= 0:
        opening = word.rfind("{", 0, close)
        choices = word[opening + 1 : close].split(",")
        if opening >= 0 and len(choices) > 1:
            return word[:opening], choices, word[close + 1 :]
        close = word.find("}", close + 1)
    return None
