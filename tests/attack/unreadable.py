"""Nesting, padding and multiplication: what hides a command from whoever reads it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping

Wrap = Callable[[str, int], str]


def _around(opening: str, closing: str) -> Wrap:
    return lambda core, depth: opening * depth + core + closing * depth


def _here(core: str, depth: int) -> str:
    opened = "".join(f"bash <<'E{level}'\n" for level in range(depth))
    return opened + core + "".join(f"\nE{level}" for level in reversed(range(depth)))


def _functions(core: str, depth: int) -> str:
    calls = "".join(f"f{level}() {{ f{level - 1}; }}\n" for level in range(1, depth))
    return f"f0() {{ {core}; }}\n{calls}f{depth - 1}"


def _shells(core: str, depth: int) -> str:
    return "bash -c " + shlex.quote("eval " * (depth - 1) + core)


NESTS: Mapping[str, Wrap] = {
    "subshells": _around("( ", " )"),
    "groups": _around("{ ", "; }"),
    "substitutions": _around("$(", ")"),
    "quoted substitutions": _around('echo "$(', ')"'),
    "process substitutions": _around("cat <(", ")"),
    "for": _around("for a in 1; do ", "; done"),
    "while": _around("while true; do ", "; done"),
    "until": _around("until false; do ", "; done"),
    "if": _around("if true; then ", "; fi"),
    "else": _around("if false; then :; else ", "; fi"),
    "case": _around("case a in a) ", ";; esac"),
    "functions in functions": lambda core, depth: "f() { " * depth + core + "; }; f" * depth,
    "functions that call": _functions,
    "eval": _around("eval ", ""),
    "bash -c and eval": _shells,
    "sudo": _around("sudo ", ""),
    "env": _around("env A=b ", ""),
    "here-documents": _here,
    "redirected subshells": _around("( ", " ) >out"),
    "pipes": _around("( ", " | cat ) "),
    "negations": _around("! ( ", " )"),
}
PADDINGS: Mapping[str, str] = {
    "no-ops": ":;",
    "no-ops on lines": ":\n",
    "true": "true; ",
    "comments": "# nothing to see here, it's fine\n",
    "comments and no-ops": ':\n# "\n\n',
    "blank lines": "\n",
    "blanks": " \t",
    "line continuations": "\\\n",
}
PYTHON_PADDINGS: Mapping[str, str] = {
    "comments": "# it's fine\n",
    "blank lines": "\n",
    "pass": "pass\n",
    "passes": "pass;",
}
JAVASCRIPT_PADDINGS: Mapping[str, str] = {
    "comments": "// fine\n",
    "blank lines": "\n",
    "empty": ";",
    "empty lines": ";\n",
}
SQL_PADDINGS: Mapping[str, str] = {"comments": "-- fine\n", "empty": ";", "blank lines": "\n", "blocks": "/* it's */ "}


def padded(padding: str, size: int, core: str) -> str:
    return padding * (size // len(padding)) + core


def doubling(core: str) -> str:
    """Functions that call each other until they come to more commands than are read, and then to one more."""
    levels = "".join(f"f{this}() {{ {f'f{this - 1}; ' * 8} }}\n" for this in range(1, 5))
    return f"f0() {{ date; }}\n{levels}f4\n{core}"
