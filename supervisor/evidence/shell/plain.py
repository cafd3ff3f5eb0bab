"""The plainest scripts, read without a parser: commands of literal words, joined by `&&`, `||`, `;` and `|`.

Most of what agents run is that plain, and one pass of a linear pattern reads it in microseconds. Whatever is not beyond
doubt (a variable, a substitution, a here-document, a compound command, a redirection into a file) is not plain, and is
left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_CHARS = 4096
# One token. No alternative begins like another, and a word gives nothing back once it is read, so nothing backtracks.
_PART = r"[A-Za-z0-9_./=:,@%+*?\[\]^~-]|'[^'\n]*'|\"[^\"$`\\!\n]*\""
_END = r"(?=[ \t\n;|&]|\Z)"
_TOKEN = re.compile(
    r"[ \t]*(?:(?P<joint>&&|\|\||[;|\n])"
    rf"|(?P<silenced>[12]?>(?:&[12]|/dev/null){_END})"
    rf"|(?P<word>(?:{_PART})++{_END}))"
)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_PROGRAM = re.compile(r"(?:\.{0,2}/)*[A-Za-z_][A-Za-z0-9_.+-]*(?:/[A-Za-z0-9_.+-]+)*")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_RESERVED_WORDS = "case coproc do done elif else esac fi for function if in select then time until while [ [["
_RESERVED = frozenset(_RESERVED_WORDS.split())


def plain_commands(script: str) -> list[Sequence[str]] | None:
    """The words of each command of a plain script, its program first; None where the script is anything else."""
    if len(script) > MAX_CHARS or not script.isascii() or "\0" in script:
        return None
    found: list[list[str]] = [[]]
    script, at, joint = script.strip(), 0, ";"
    while at < len(script):
        token = _TOKEN.match(script, at)
        if token is None:
            return None
        kind, at = token.lastgroup, token.end()
        if kind == "word":
            found[-1].append(token[kind])
        elif kind == "silenced" and (not found[-1] or _ASSIGNMENT.match(found[-1][-1])):
            return None  # before its command, where grammars differ
        elif kind == "joint" and (found[-1] or token[kind] != "\n"):
            joint = token[kind]
            found.append([])
    if not found[-1] and joint == ";":
        found.pop()
    commands = [_command(words) for words in found]
    return None if None in commands else commands  # type: ignore[return-value]


def _command(words: list[str]) -> Sequence[str] | None:
    """The program and its words, quotes off; None where there is none, or the shell would read more into them."""
    start = 0
    while start < len(words) and _ASSIGNMENT.match(words[start]):
        start += 1
    program = words[start] if start < len(words) else ""
    if program in _RESERVED or not _PROGRAM.fullmatch(program) or any(word[0] == "=" for word in words):
        return None
    return [program.rpartition("/")[2], *(_unquoted(word) for word in words[start + 1 :])]


def _unquoted(word: str) -> str:
    if "'" not in word and '"' not in word:
        return word
    bare = _QUOTED.sub(lambda found: found[0][1:-1], word)
    return f"./{bare}" if word[1] == "~" and word[0] in "'\"" else bare  # then it is the name of a file, not a home
