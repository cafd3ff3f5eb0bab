"""Quoting for the places where a script may stand, and the words of a script that is one command."""

from __future__ import annotations

import base64
import json
import re
import shlex

_BARE = r"[A-Za-z0-9_./:@%+,=~^-]+"
_WORD = re.compile(rf"{_BARE}|'[^']*'|\"[^\"$`\\!]*\"")
_SIMPLE = re.compile(rf"(?:{_WORD.pattern})(?: +(?:{_WORD.pattern}))*")
_PROGRAM = re.compile(r"[a-z][a-z0-9_.+-]*(?= |$)")
_IN_SHELL = (
    *("alias", "bg", "case", "cd", "command", "declare", "eval", "exec", "exit", "export", "fg", "for", "function"),
    *("history", "if", "local", "popd", "pushd", "read", "readonly", "return", "select", "set", "shift", "shopt"),
    *("source", "time", "trap", "typeset", "ulimit", "umask", "unalias", "unset", "until", "wait", "while"),
)

single = shlex.quote


def double(text: str) -> str:
    return '"' + re.sub(r'([\\"$`])', r"\\\1", text) + '"'


def escapes(text: str) -> str:
    """Every byte by its number."""
    return "".join(f"\\x{each:02x}" for each in text.encode())


def ansi(text: str) -> str:
    return f"$'{escapes(text)}'"


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def quoted(text: str) -> str:
    """Between double quotes in C, JavaScript, Lua, R and awk."""
    return json.dumps(text, ensure_ascii=False)


def perl(text: str) -> str:
    """Between double quotes in Perl, Ruby and PHP."""
    return '"' + "".join(f"\\{each}" if each in '\\"$@#`' else each for each in text).replace("\n", "\\n") + '"'


def end(script: str) -> str:
    """The end of a here-document with a script in it: one that the script does not hold."""
    return f"END_{len(script)}"


def program(script: str) -> str | None:
    """The program that a script begins with, if it begins with one that is not the shell itself."""
    found = _PROGRAM.match(script)
    return found[0] if found and found[0] not in _IN_SHELL else None


def words(script: str) -> list[str] | None:
    """The words, as they are spelt, of a script that is one command and needs nothing of the shell but a home."""
    if not program(script) or not _SIMPLE.fullmatch(script):
        return None
    return _WORD.findall(script)


def is_bare(word: str) -> bool:
    """Whether a word is what it is written, quoted or not."""
    return re.fullmatch(_BARE, word) is not None and "~" not in word


def given(found: list[str]) -> list[str]:
    """The words as the program gets them, with a home written out."""
    return [re.sub("^~(?=/|$)", "/root", word) for word in shlex.split(" ".join(found))]
