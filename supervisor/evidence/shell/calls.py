"""Shell commands that code in other languages runs: `os.system("ls")`, `execSync("ls")`, `system("ls")`, backticks.

Python is parsed. Code in the other languages is split into tokens: strings, comments and names. They suffice to find
the strings that follow a function's name; a string or comment that mentions such a call does not count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from supervisor.evidence import python
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.shell.inner import Inner
from supervisor.evidence.shell.python_calls import commands_of_module

MAX_CALLS = 64
MAX_CODE = 64 * 1024


class _Language(NamedTuple):
    """The functions that run commands; what opens a comment; whether the text in backticks runs."""

    functions: frozenset[str]
    comments: tuple[str, ...] = ("#",)
    backticks: bool = False


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SCRIPTING = "system exec popen spawn"
_LANGUAGES = {
    "perl": _Language(_names("system exec qx readpipe"), backticks=True),
    "ruby": _Language(_names(f"{_SCRIPTING} popen3 capture2 capture2e capture3 %x"), backticks=True),
    "php": _Language(_names("system exec shell_exec passthru popen proc_open pcntl_exec"), ("#", "//"), True),
    "javascript": _Language(
        _names("exec execSync execFile execFileSync spawn spawnSync execa execaSync fork"), ("//",)
    ),
    "lua": _Language(_names("execute popen"), ("--",)),
    "r": _Language(_names("system system2 shell")),
    "awk": _Language(_names("system")),
    "vim": _Language(_names("system systemlist"), ()),
    "applescript": _Language(_names("script"), ("--",)),
    "lisp": _Language(_names("shell-command async-shell-command shell-command-to-string call-process"), (";",)),
}
# A string ends at its closing quote or at the end of the text, so that each character is read once.
_STRING = r"""(?P<string>"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?)"""
_TOKEN = re.compile(
    rf"""{_STRING}|(?P<back>`(?:[^`\\]|\\.)*+`?)|(?P<quoted>(?:qx|%x)\s?(?:\{{[^}}]*+|\([^)]*+|\[[^\]]*+|![^!]*+|/[^/]*+))"""
    r"""|(?P<name>[A-Za-z_$][\w-]*+)|(?P<comment>\#|//|--|;)|(?P<mark>\S)""",
    re.DOTALL,
)


def commands_of(language: str, text: str) -> Iterator[Inner]:
    """What code runs, in the order of the text."""
    text = text[:MAX_CODE]
    if language == "python":
        found = commands_of_module(python.read(text))
    else:
        found = _commands_of_tokens(_LANGUAGES[language], list(tokens_of(language, text)), language)
    for number, inner in enumerate(found):
        if number >= MAX_CALLS:
            return
        yield inner


def tokens_of(language: str, text: str) -> Iterator[tuple[str, str]]:
    """The tokens of code, each with its kind: "string", "back", "quoted", "name" or "mark"."""
    return _tokens(_LANGUAGES[language], text)


def _tokens(language: _Language, text: str) -> Iterator[tuple[str, str]]:
    """The tokens of code without its comments."""
    at = 0
    while found := _TOKEN.search(text, at):
        kind, at = found.lastgroup or "", found.end()
        if kind == "comment":
            if found.group() in language.comments:
                end = text.find("\n", at)
                at = len(text) if end < 0 else end
            elif found.group() == ";":
                yield "mark", ";"
        else:
            yield kind, found.group()


def _commands_of_tokens(language: _Language, tokens: list[tuple[str, str]], name: str) -> Iterator[Inner]:
    values = dict(_assigned(tokens))
    for at, (kind, token) in enumerate(tokens):
        if kind == "back" and language.backticks:
            yield Inner(script=token.strip("`"), reads=False)
        elif kind == "quoted":
            yield Inner(script=token[2:].lstrip()[1:], reads=False)
        elif kind == "name" and token in language.functions:
            yield from _called(tokens, at + 1, values)
        elif kind == "string" and name == "awk" and _is_piped(tokens, at):
            yield Inner(script=unquoted(token), reads=False)


def _assigned(tokens: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The names to which a string is assigned, with that string: `cmd = "ls"`."""
    for (_, name), mark, (kind, text) in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if mark == ("mark", "=") and kind in ("string", "back"):
            yield name, unquoted(text)


def _is_piped(tokens: list[tuple[str, str]], at: int) -> bool:
    """awk's `"cmd" | getline` and `print | "cmd"`."""
    return tokens[at + 1 : at + 3] == [("mark", "|"), ("name", "getline")] or tokens[at - 1 : at] == [("mark", "|")]


def _called(tokens: list[tuple[str, str]], at: int, values: Mapping[str, str]) -> Iterator[Inner]:
    """What a call's strings run: a single string is a script, several are a program and its arguments."""
    words: list[str] = []
    listed = False
    for kind, token in tokens[at : at + 64]:
        if kind in ("string", "back"):
            words.append(unquoted(token))
        elif token in values and kind == "name":
            words.append(values[token])
        elif token == "[":
            listed = True
        elif token not in ("(", ",", "-", "c"):
            break
    if len(words) > 1 or (listed and words):
        yield Inner(tuple(words), reads=False)
    elif words:
        yield Inner(script=words[0], reads=False)


def unquoted(token: str) -> str:
    """The text of a string literal, its escapes decoded."""
    mark = token[0]
    inside = token[1:-1] if len(token) > 1 and token.endswith(mark) else token[1:]
    return ansi_c(inside) if mark != "'" else inside.replace("\\'", "'")
