"""JavaScript that is hard to parse, or whose values are many where its text is small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.hostile.inputs import Input, acts, runs
from tests.hostile.shapes import doubling, nested, noise, numbered, repeated

_input = partial(runs, "javascript", "javascript")
_NESTS = {
    "parentheses": ("(", "1", ")"),
    "arrays": ("[", "1", "]"),
    "calls": ("f(", "1", ")"),
    "templates": ("`${", "x", "}`"),
    "arrows": ("x => ", "1", ""),
    "functions": ("function f() {", "1", "}"),
}
_TEXTS: dict[str, tuple[Callable[..., str], *tuple[Any, ...]]] = {
    "1 MB of one name": (repeated, "a", 1_000_000),
    "40,000 additions": (repeated, "a+", 40_000, "", "a"),
    "20,000 chained calls": (repeated, ".a()", 20_000, "a"),
    "50,000 parts of a template": (repeated, "${x}", 50_000, "db.query(`SELECT ", "`)"),
    "8,000 statements of values": (numbered, "db.query('SELECT a FROM t WHERE b = ' + v{});\n", 4_000),
    "8,000 tokens decoded": (numbered, "jwt.decode(v{});\n", 8_000),
    "8,000 addresses asked": (numbered, "fetch(v{}, {{ body: a }});\n", 5_000, "", "const a = b + c + d + e;\n"),
    "values that double": (doubling, "const a{this} = a{last} + a{last};", "const a0 = req.body;", 60),
    "a name that is itself": (str, "let x = x; let y = z; let z = y; eval(x + y + z)"),
    "60 KB of junk": (noise, "()[]{}:,'\"`\\$#=>+-*/\n abf", 60_000),
}


def inputs() -> Iterator[Input]:
    for name, parts in _NESTS.items():
        yield _input(f"5,000 {name} deep", nested, *parts, 5_000)
    for name, (make, *parts) in _TEXTS.items():
        yield _input(name, make, *parts)
    brackets = {"path": "a.js", "content": "[" * 250_000}
    yield acts("javascript", "a file of 250 KB of brackets", "write_file", lambda: brackets)
    kills = "process.kill(-1);\n"
    yield _input("a kill before 9,000 lines", repeated, "x = 1\n", 9_000, kills, caught="foreign_processes_killed")
