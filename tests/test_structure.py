"""The shape of the code: no module reaches itself by imports, and readers of languages know nothing of actions.

import-linter holds the order of the packages (pyproject.toml). Here circles count inside a package as well, and with
every import: those inside functions, and those for type checkers alone.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping, Set
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import supervisor
from supervisor import Guard, Policy, Supervisor
from supervisor.policy import Records

PACKAGE = Path(supervisor.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
# The packages of `evidence` that take text, trees or values, below what a session's past tells and what actions bring.
OF_TEXT = (
    "commands",
    "configuration",
    "javascript",
    "machine",
    "patch",
    "prose",
    "python",
    "reading",
    "secrets",
    "shell",
    "sql",
    "testing",
    "urls",
)
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


def test_every_package_is_one_that_a_wheel_contains() -> None:
    """The checkout runs without this list, and a wheel does not."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    setup = project["tool"]["setuptools"]
    packages = {".".join(path.parent.relative_to(PACKAGE.parent).parts) for path in PACKAGE.rglob("*.py")}
    assert packages ^ (set(setup["packages"]) - setup["package-dir"].keys()) == set()


# One action through the packages

MOST_ROOMS = 12


def floors() -> dict[str, int]:
    """The number of each room's floor, from the top, as import-linter holds it."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = (
        contract["layers"]
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["containers"] == ["supervisor"]
    )
    return {room: number for number, layer in enumerate(layers) for room in layer.split(" | ")}


def room_of(frame: FrameType | None) -> str:
    """The room whose code a frame runs, or that called the libraries which it is in; empty outside of all."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE):
            return path.relative_to(PACKAGE).with_suffix("").parts[0]
        frame = frame.f_back
    return ""


def test_an_action_goes_down_through_the_rooms_and_never_up(tmp_path: Path) -> None:
    policy = Policy(isolation="none", records=Records(str(tmp_path / "records"), str(tmp_path / "key.pem")))
    guard = Guard(Supervisor(policy))
    guard.check("bash", {"command": "git status"})  # opens what is opened at the first action
    steps: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call" and (here := room_of(frame)) and (before := room_of(frame.f_back)) not in ("", here):
            steps.add((before, here))

    sys.setprofile(note)
    try:
        decision = guard.check("bash", {"command": "git status && rm -rf build"})
    finally:
        sys.setprofile(None)
    guard.supervisor.close()
    assert decision.record
    floor = floors()
    assert [step for step in sorted(steps) if floor[step[1]] < floor[step[0]]] == []
    packages = {room for step in steps for room in step if (PACKAGE / room).is_dir()}
    assert {"adapters", "engine", "decision", "records"} <= packages
    assert len(packages) <= MOST_ROOMS
