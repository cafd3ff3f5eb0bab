"""Scripts of only plain or quoted words, pipes, lists and redirections to files, as most scripts of agents are.

They need no grammar: read here, they take half the time. A script with anything else (an expansion, a here-document, a
reserved word, an escape) gives None and is parsed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from supervisor.evidence.shell.commands import Redirect
from supervisor.evidence.shell.inner import word_set
from supervisor.evidence.shell.words import clean

LONGEST = 4096  # characters
_WORD = r"[A-Za-z0-9_./:@%+,~*?^=-]"
# Each alternative begins with a different character, or is tried only if the one before fails at its end. No quoted
# part contains an expansion. The last alternative matches what is not plain.
_TOKEN = re.compile(
    rf"[ \t]*+(?:((?!\d[<>]){_WORD}++(?=[ \t\n;|&]|\Z))"
    r"|((?:[A-Za-z0-9_./:@%+,=-]++|'[^']*'|\"[^\"$`\\!]*\")++(?=[ \t\n;|&]|\Z))"
    r"|(&&|\|\||\||;|\n)"
    rf"|([012]?>&[012](?=[ \t\n;|&]|\Z)|[012]?(?:>>?|<)[ \t]*(?!\d+[<>]){_WORD}++(?=[ \t\n;|&]|\Z))"
    r"|([^ \t]))"
)
_WORD_AT, _QUOTED_AT, _MARK_AT, _REDIRECT_AT = 1, 2, 3, 4  # groups of _TOKEN
_NAME = re.compile(r"[A-Za-z0-9_./+~-]++\Z").match  # the usual names of programs
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+=").match
_PART = re.compile(r"'([^']*)'|\"([^\"]*)\"|([^'\"]+)")
_RESERVED = word_set(
    "if then else elif fi for while until do done case esac function select time coproc in export declare typeset "
    "readonly local unset unsetenv"
)


class Plain(NamedTuple):
    """One command: its words, its span in the script, its redirections, whether it reads the previous one's output, and
    the variables that are set for it."""

    words: list[str]
    start: int
    end: int
    redirects: list[Redirect]
    piped: bool
    environment: tuple[tuple[str, str], ...]


def plain_commands(script: str) -> list[Plain] | None:
    """The commands of a plain script in order; None if it is not plain."""
    if len(script) > LONGEST or "<<" in script or "$(" in script or "\\;" in script:
        return None  # a quick check
    found: list[Plain] = []
    words: list[str] = []
    redirects: list[Redirect] = []
    environment: list[tuple[str, str]] = []
    start = end = 0
    mark = ""  # the operator before the command
    for token in _TOKEN.finditer(script.rstrip(" \t")):
        kind = token.lastindex
        if kind in (_WORD_AT, _QUOTED_AT):
            word = raw = token[kind]
            if kind == _QUOTED_AT:
                word = "".join(["".join(part) for part in _PART.findall(raw)])
            if redirects or raw[1:2] == "~":
                return None  # a quoted ~ is not a home
            if not words:
                start = start if environment else token.start(kind)
                if _ASSIGNMENT(raw):
                    environment.append((raw.partition("=")[0], word.partition("=")[2]))
                    continue
                if raw in _RESERVED or not _NAME(raw):
                    return None
            words.append(word)
            end = token.end()
        elif kind == _REDIRECT_AT and words:
            redirects.append(_redirect(token[kind]))
        elif kind == _MARK_AT and words:
            found.append(Plain(words, start, end, redirects, mark == "|", tuple(environment)))
            words, redirects, environment, mark = [], [], [], token[kind]
        elif kind != _MARK_AT or token[kind] != "\n" or not mark or environment:
            return None
    if words:
        found.append(Plain(words, start, end, redirects, mark == "|", tuple(environment)))
    elif environment or mark not in (";", "\n"):
        return None
    return found


def operators(script: str) -> list[str]:
    """The operators between the commands of a plain script, in order; an empty line is none."""
    found: list[str] = []
    after = False  # whether a word stands between this operator and the one before
    for token in _TOKEN.finditer(script.strip(" \t\n")):
        is_mark = token.lastindex == _MARK_AT
        if is_mark and (after or token[_MARK_AT] != "\n"):
            found.append(token[_MARK_AT])
        after = not is_mark
    return found


def plain_words(script: str) -> list[list[str]] | None:
    """The words of each command of a plain script; None if it is not plain, or redirects from or to a file."""
    commands = plain_commands(clean(script))
    if commands is None or any(_is_file(each) for command in commands for each in command.redirects):
        return None
    return [command.words for command in commands]


def _is_file(redirect: Redirect) -> bool:
    return redirect.operator == "<" or (redirect.writes and redirect.target != "/dev/null")


def _redirect(text: str) -> Redirect:
    """`2>&1`, `> file`, `2>>file`, `< file`."""
    descriptor = text[0] if text[0].isdigit() else ""
    rest = text[len(descriptor) :]
    operator = rest[:2] if rest[:2] in (">&", ">>") else rest[0]
    return Redirect(operator, rest[len(operator) :].strip(), descriptor)
