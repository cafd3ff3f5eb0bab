"""Shell scripts that are hard to parse, to walk or to expand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.hostile.inputs import Input, acts, runs
from tests.hostile.shapes import doubling, nested, noise, numbered, repeated

_input = partial(runs, "shell", "shell")
_NESTS = {  # opening, core, closing
    "subshells": ("(", "true", ")"),
    "spaced subshells": ("( ", "true", " )"),
    "braces": ("{ ", "true;", " };"),
    "command substitutions": ("$(", "true", ")"),
    "quoted substitutions": ('"$(', "true", ')"'),
    "backquotes": ("`", "true", "`"),
    "process substitutions": ("cat <(", "true", ")"),
    "arithmetic": ("$((", "1", "))"),
    "arithmetic parentheses": ("((" + "(" * 20, "1", ")" * 20 + "))\n"),
    "parameters": ("${a:-", "b", "}"),
    "brace words": ("{a,", "b", "}"),
    "tests": ("[[ ! ( ", "-e x", " ) ]]"),
    "ifs": ("if true; then ", "true", "; fi"),
    "cases": ("case x in x) ", "true", ";; esac"),
    "whiles": ("while ", "true", "; do :; done"),
    "functions": ("f() { ", "true", "; }"),
    "double quotes": ('"', "x", '"'),
    "escaped quotes": ('\\"', "x", '\\"'),
    "bash -c": ("bash -c '", "true", "'"),
    "eval": ("eval ", "rm -rf /", ""),
    "sudo": ("sudo env nice ", "rm -rf /", ""),
}
_UNCLOSED = ("(", "$(", "`", '"', "'", "${", "$((", "[[", "{ ", "<(", "<<E\n", "if true; then ", "case x in x) ", "\\")


def inputs() -> Iterator[Input]:
    yield from _nests()
    yield from _unclosed()
    yield from _bombs()
    yield from _masses()
    yield from _objections()


def _nests() -> Iterator[Input]:
    for name, parts in _NESTS.items():
        for depth in (60, 4_000):
            yield _input(f"{depth:,} {name} deep", nested, *parts, depth)


def _unclosed() -> Iterator[Input]:
    for opening in _UNCLOSED:
        yield _input(f"20,000 times {opening!r}, never closed", repeated, opening, 20_000)


def _bombs() -> Iterator[Input]:
    """What is small to write and large to expand."""
    yield _input("a range of a million", str, "echo {1..1000000}")
    yield _input("ranges of ranges", str, "echo {1..1000}{1..1000}{1..1000}")
    yield _input("2 to the 40 brace words", repeated, "{a,b}", 40, "rm -rf ")
    yield _input("brace words in brace words", nested, "{a,", "b", ",c}", 200)
    yield _input("20,000 choices in braces", numbered, "{}", 20_000, ",", "echo {", "}")
    yield _input("variables that double", doubling, 'a{this}="$a{last}$a{last}"', "a0=xxxxxxxx", 40)
    yield _input("variables that double and run", _doubled_script, 30)
    yield _input("functions that call two", doubling, "f{this}() {{ f{last}; f{last}; }}", "f0() { rm x; }", 30)
    yield _input("called functions that call two", _called_functions, 24)
    yield _input("loops in loops", nested, "for i in 1 2 3 4 5 6 7 8; do ", "echo $i", "; done", 12)
    yield _input("a function that calls itself", str, "f() { f | f & }; f")
    yield _input("xargs of xargs", repeated, "xargs ", 3_000, "echo / | ", "rm -rf")
    yield _input("find of find", repeated, "find / -exec ", 2_000, "", "rm {} ;")
    yield _input("aliases of aliases", doubling, "alias a{this}='a{last}; a{last}'", "alias a0='rm -rf /'", 60)


def _doubled_script(rounds: int) -> str:
    return doubling('a{this}="$a{last};$a{last}"', "a0='rm x'", rounds) + f'\neval "$a{rounds}"'


def _called_functions(rounds: int) -> str:
    return doubling("f{this}() {{ f{last}; f{last}; }}", "f0() { rm x; }", rounds) + f"\nf{rounds}"


def _masses() -> Iterator[Input]:
    """What is large to begin with."""
    texts: dict[str, tuple[Callable[..., str], *tuple[Any, ...]]] = {
        "1 MB of one word": (repeated, "a", 1_000_000),
        "63 KB of one word": (repeated, "a", 63_000),
        "63 KB in quotes": (repeated, "a", 63_000, "echo '", "'"),
        "30,000 arguments": (repeated, "a ", 30_000, "rm "),
        "9,000 commands": (repeated, "true;", 9_000),
        "2,000 pipes": (repeated, "cat|", 2_000, "", "sh"),
        "10,000 ands": (repeated, "a&&", 10_000, "", "b"),
        "5,000 redirections": (numbered, ">f{} ", 5_000, "", "echo "),
        "2,000 here-documents": (numbered, "<<E{} ", 2_000, "", "cat ", numbered("\nE{}", 2_000)),
        "one long here-document": (repeated, "rm -rf /\n", 6_000, "cat <<'E'\n", "E"),
        "6,000 assignments": (numbered, "v{}=$v{} ", 6_000),
        "12,000 options": (repeated, "-rf ", 12_000, "rm "),
        "6,000 globs": (repeated, "*/", 6_000, "rm -rf "),
        "30,000 line breaks": (repeated, "\\\n", 30_000, "rm "),
        "60,000 comments": (repeated, "#", 60_000, "ls "),
        "36 KB of junk": (noise, "(){}[]<>|&;$`'\"\\ \nab*?!#~=%", 36_000),
        "8 KB of brackets": (noise, "(){}[]<>", 8_000),
        "36 KB of quotes": (noise, "'\"`\\$ a\n", 36_000),
        "60 KB of escapes": (repeated, "\\x41", 12_000, "echo $'", "'"),
        "60 KB of backslashes": (repeated, "\\", 60_000, "echo "),
    }
    for name, (make, *parts) in texts.items():
        yield _input(name, make, *parts)
    yield acts("shell", "19,000 words as a list", "bash", lambda: {"command": ["rm", *["a"] * 19_000]})
    yield acts("shell", "a list of lists", "bash", lambda: {"command": [[["rm"]] * 50] * 50})
    yield acts("shell", "a number", "bash", lambda: {"command": 10**18})
    yield acts("shell", "two commands", "bash", lambda: {"command": "ls", "cmd": "rm -rf /"}, bad="ambiguous")


def _objections() -> Iterator[Input]:
    """The deed stands in the open, with hostile surroundings that shall not hide it."""
    deletes = "recursive_delete_outside_workspace"
    yield _input("a deletion before a long word", repeated, "a", 20_000, "rm -rf / ; echo ", caught=deletes)
    yield _input("a deletion behind 500 commands", repeated, "true;", 500, "", "rm -rf ~", caught=deletes)
    yield _input("a deletion in ten shells", nested, "bash -c ", "rm\\ -rf\\ /", "", 1, caught=deletes)
    yield _input("a deletion under 20 sudos", repeated, "sudo ", 20, "", "rm -rf /etc", caught=deletes)
