"""Python that is hard to parse, or whose values are large where its text is small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.hostile.inputs import Input, acts, runs
from tests.hostile.shapes import doubling, nested, noise, numbered, repeated

_input = partial(runs, "python", "python")
_NESTS = {
    "parentheses": ("(", "1", ")"),
    "lists": ("[", "1", "]"),
    "dicts": ("{1:", "1", "}"),
    "calls": ("f(", "1", ")"),
    "subscripts": ("a[", "1", "]"),
    "lambdas": ("lambda: ", "1", ""),
    "nots": ("not ", "x", ""),
    "minuses": ("-", "1", ""),
    "conditionals": ("1 if x else ", "2", ""),
    "f-strings": ("f'{", "x", "}'"),
    "f-string formats": ("f'{x:{", "y", "}}'"),
    "comprehensions": ("[x for x in ", "y", "]"),
    "awaits": ("await ", "x", ""),
    "stars": ("*", "x", ""),
    "decorators": ("@f\n", "def g(): pass", ""),
    "evals": ("eval('", "1", "')"),
    "generics": ("def f[T: ", "int", "](): pass"),
}
_UNCLOSED = ("(", "[", "{", '"', "'''", "f'{", "f(", "def f(", "lambda ", "class A(", "if x:\n ", "\\\n", "@")


def inputs() -> Iterator[Input]:
    for name, parts in _NESTS.items():
        for depth in (100, 5_000):
            yield _input(f"{depth:,} {name} deep", nested, *parts, depth)
    for opening in _UNCLOSED:
        yield _input(f"20,000 times {opening!r}, never closed", repeated, opening, 20_000)
    for name, (make, *parts) in _TEXTS.items():
        yield _input(name, make, *parts)
    yield _input("blocks in blocks", _indented, "if x:", 200)
    yield _input("functions in functions", _indented, "def f():", 90)
    yield from _written()
    yield from _objections()


_TEXTS: dict[str, tuple[Callable[..., str], *tuple[Any, ...]]] = {
    "1 MB of one name": (repeated, "a", 1_000_000),
    "250 KB of one string": (repeated, "a", 250_000, "x = '", "'"),
    "a number of 200,000 digits": (repeated, "9", 200_000, "x = "),
    "a string times a billion": (str, "x = 'a' * 10**9\nimport os\nos.system(x)"),
    "a power of powers": (str, "x = 9**9**9**9\nopen(x)"),
    "a tuple of a billion": (str, "import os\nos.system((0,) * 10**9)"),
    "50,000 parts of an f-string": (repeated, "{x}", 50_000, "f'", "'"),
    "40,000 additions": (repeated, "a+", 40_000, "", "a"),
    "40,000 attributes": (repeated, ".a", 40_000, "a"),
    "20,000 chained calls": (repeated, ".a()", 20_000, "a"),
    "20,000 comparisons": (repeated, "a<", 20_000, "", "a"),
    "20,000 strings side by side": (repeated, "'a' ", 20_000),
    "10,000 imports": (numbered, "import os as o{}\n", 10_000),
    "8,000 calls of a shell": (numbered, "os.system(v{})\n", 8_000, "", "import os\n"),
    "8,000 deserialisations": (numbered, "pickle.loads(v{})\n", 8_000, "", "import pickle\n"),
    "8,000 calls of an SDK": (
        numbered,
        "s.delete_bucket(Bucket=v{})\n",
        8_000,
        "",
        "import boto3\ns = boto3.client(s)\n",
    ),
    "8,000 dumps and loads": (numbered, "pickle.loads(pickle.dumps(v{}))\n", 4_000, "", "import pickle\n"),
    "values that double": (doubling, "a{this} = a{last} + a{last}", "import os\na0 = 'x'", 60),
    "doubled values in a shell": (doubling, "a{this} = a{last} + a{last}; os.system(a{this})", "a0 = 1", 60),
    "a name that is itself": (str, "import os\nx = x\ny = z\nz = y\nos.system(x + y + z)"),
    "5,000 names in a ring": (numbered, "v{} = v{}1 + v1\n", 5_000, "", "import os\n", "os.system(v0)"),
    "9,000 settings of TLS": (numbered, "c{}.verify_mode = ssl.CERT_NONE\n", 9_000, "", "import ssl\n"),
    "60,000 decorators": (repeated, "@", 60_000),
    "100,000 semicolons": (repeated, ";", 100_000, "a"),
    "100,000 blank lines": (repeated, "\n", 100_000),
    "100,000 tabs": (repeated, "\t", 100_000, "if x:\n", "y"),
    "60,000 backslashes": (repeated, "\\", 60_000, "'", "'"),
    "60 KB of junk": (noise, "()[]{}:,'\"\\#@=+-*/\n \tabf", 60_000),
    "200 KB of junk": (noise, "()[]{}:,'\"\\#@=+-*/\n \tabf", 200_000, 7),
    "60 KB of quotes": (noise, "'\"f{}\\\n", 60_000),
    "names of 100,000 letters": (repeated, "a", 100_000, "import os as ", "\nimport pickle\npickle.loads(x)"),
}


def _indented(head: str, depth: int) -> str:
    return "".join(f"{' ' * level}{head}\n" for level in range(depth)) + " " * depth + "pass\n"


def _written() -> Iterator[Input]:
    """The same engine, through files that are written and edited."""
    write, edit = partial(acts, "python", tool="write_file"), partial(acts, "python", tool="edit_file")
    yield write("a file of 250 KB of brackets", args=lambda: {"path": "a.py", "content": "[" * 250_000})
    yield write("a file of 2 MB", args=lambda: {"path": "a.py", "content": "x = 1\n" * 350_000})
    yield edit("an edit of 5,000 calls", args=lambda: _edit("f(" * 5_000, "g(" * 5_000))
    yield edit("an edit of brackets", args=lambda: _edit("]" * 60_000, "[" * 60_000))


def _edit(old: str, new: str) -> dict[str, Any]:
    return {"path": "a.py", "old_string": old, "new_string": new}


def _objections() -> Iterator[Input]:
    loads = "import pickle, sys\npickle.loads(sys.stdin.buffer.read())\n"
    yield _input("a pickle before 9,000 lines", repeated, "x = 1\n", 9_000, loads, caught="unsafe_deserialization")
    yield _input("a pickle beside a bracket", repeated, "(", 50, loads, caught="unsafe_deserialization")
