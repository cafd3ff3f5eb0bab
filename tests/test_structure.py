"""The shape of the code: no module reaches itself by imports, and readers of languages know nothing of actions.

import-linter holds the order of the packages (pyproject.toml). Here circles count inside a package as well, and with
every import: those inside functions, and those for type checkers alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import supervisor

PACKAGE = Path(supervisor.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
# The packages of `evidence` that take text, trees or values, below what a session's past tells and what actions bring.
OF_TEXT = ("javascript", "machine", "patch", "prose", "python", "reading", "secrets", "shell", "sql", "urls")
OF_ACTIONS = frozenset({"Action", "Step"})  # of a context, prose reads the task


def from_imports(source: bytes) -> Iterator[tuple[str, str]]:
    """Every module that is imported anywhere in a file, each with the name that is taken from it, if any."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            yield from ((str(node.module), alias.name) for alias in node.names)


def imported(source: bytes, modules: Set[str]) -> set[str]:
    """The modules of ours that a file imports, a name of a package counting as the module that it is."""
    found = {whole if (whole := f"{module}.{name}") in modules else module for module, name in from_imports(source)}
    return found & modules


def circle_in(graph: Mapping[str, Set[str]]) -> str:
    """A circle of imports, from the importer to the imported; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " > ".join(reversed(error.args[1]))
    return ""


def test_no_module_reaches_itself_by_imports() -> None:
    graph = {name: imported(path.read_bytes(), MODULES.keys()) - {name} for name, path in MODULES.items()}
    assert circle_in(graph) == ""


@pytest.mark.parametrize("line", ["import a.c", "from a import c", "def late():\n    from a.c import x"])
def test_a_circle_is_found_and_shown(line: str) -> None:
    for_types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a.b"
    sources = {"a": "", "a.b": line, "a.c": for_types}
    graph = {name: imported(source.encode(), sources.keys()) for name, source in sources.items()}
    assert circle_in(graph) in ("a.b > a.c > a.b", "a.c > a.b > a.c")


@pytest.mark.parametrize("package", OF_TEXT)
def test_a_reader_of_a_language_takes_text(package: str) -> None:
    inside = sorted((PACKAGE / "evidence" / package).rglob("*.py"))
    assert inside
    assert [path.name for path in inside if takes_actions(path.read_bytes())] == []


@pytest.mark.parametrize("package", ["actions", "effects"])
def test_what_stands_above_the_languages_takes_actions(package: str) -> None:
    assert any(takes_actions(path.read_bytes()) for path in (PACKAGE / "evidence" / package).rglob("*.py"))


def takes_actions(source: bytes) -> bool:
    return any(module == "supervisor.action" and name in OF_ACTIONS for module, name in from_imports(source))
