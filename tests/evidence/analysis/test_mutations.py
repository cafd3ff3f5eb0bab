"""Each caught analysis of the taxonomy is caught in other words as well: other names, other aliases, two cells.

The variants are generated from the entries' own cases, so an entry that is added is tested too.
"""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Callable, Iterator

import pytest

from supervisor.action import Action, Context, Step
from supervisor.catalog.catalog import load_specialist
from supervisor.catalog.discovery import find_pairs
from supervisor.catalog.failure_mode import Case, read_entry
from supervisor.decision.ask import ask
from supervisor.evidence.analysis.tables import ALIASES
from supervisor.policy import Taxonomy
from supervisor.specialist import Specialist
from supervisor.verdict import Finding

# Names by which a part of the data, a table or a quantity is known: to change them changes what the code says.
TELLING = ("train", "test", "val", "dev", "holdout", "best", "total", "overall", "num", "n_", "_df")


class Renamed(ast.NodeTransformer):
    """Names that the code assigns itself, under other names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


class Aliased(ast.NodeTransformer):
    """Imports under another alias, and the uses of it."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for each in node.names:
            if "." not in each.name or each.asname:
                self.names[each.asname or each.name] = f"lib_{each.name.replace('.', '_')}"
        return ast.Import([ast.alias(each.name, self.names.get(each.asname or each.name)) for each in node.names])

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def renamed(code: str) -> str | None:
    tree = ast.parse(code)
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    own = [name for name in dict.fromkeys(stored) if _says_nothing(name)]
    return ast.unparse(Renamed({name: f"zz{place}" for place, name in enumerate(own)}).visit(tree)) if own else None


def _says_nothing(name: str) -> bool:
    known = name in ALIASES or hasattr(builtins, name)
    return not known and len(name) <= 3 and not any(word in name.lower() for word in TELLING)


def aliased(code: str) -> str | None:
    tree = ast.parse(code)
    change = Aliased()
    changed = ast.unparse(change.visit(tree))
    return changed if change.names else None


def in_cells(code: str) -> str | None:
    """A notebook with one statement a cell."""
    body = ast.parse(code).body
    cells = [{"cell_type": "code", "source": [ast.unparse(each)]} for each in body]
    return json.dumps({"cells": cells, "nbformat": 4}) if len(body) > 1 else None


def caught() -> Iterator[tuple[Specialist, Case, str]]:
    """The specialists of the family, each with a case of Python that it catches by the code alone."""
    for pair in find_pairs(Taxonomy())[0]:
        if pair.family != "analysis":
            continue
        judge = load_specialist(pair)
        for case in read_entry(pair.taxonomy).cases.caught:
            code = case.args.get("code", case.args.get("content"))
            is_python = case.tool == "python" or str(case.args.get("path", "")).endswith(".py")
            if is_python and isinstance(code, str) and not case.context:
                yield judge, case, code


CAUGHT = list(caught())
every_case = pytest.mark.parametrize(
    ("judge", "case", "code"), CAUGHT, ids=[f"{judge.id}-{case.because}" for judge, case, _ in CAUGHT]
)


def stops(judge: Specialist, action: Action, context: Context) -> bool:
    opinion = ask(judge, action, context, 30)
    return isinstance(opinion, Finding) and opinion.verdict.stops


def written(case: Case, suffix: str, content: str) -> Action:
    path = str(case.args.get("path", "analysis.py")).replace(".py", suffix)
    return Action("write_file", {"path": path, "content": content}, "file_write")


@every_case
@pytest.mark.parametrize("change", [renamed, aliased])
def test_other_names(judge: Specialist, case: Case, code: str, change: Callable[[str], str | None]) -> None:
    changed = change(code)
    if changed is not None:
        assert stops(judge, written(case, ".py", changed), Context()), changed


@every_case
def test_cells_of_a_notebook(judge: Specialist, case: Case, code: str) -> None:
    cells = in_cells(code)
    if cells is not None:
        assert stops(judge, written(case, ".ipynb", cells), Context()), cells


@every_case
def test_two_calls_of_an_interpreter(judge: Specialist, case: Case, code: str) -> None:
    """Either call shows the fault: the first by itself, or the last one after it."""
    body = ast.parse(code).body
    if len(body) < 2 or "path" in case.args:
        return
    first, last = (ast.unparse(ast.Module(part, [])) for part in (body[:-1], body[-1:]))
    before = Step("python", {"code": first}, "", "python")
    calls = (
        (Action("python", {"code": first}, "python"), Context()),
        (
            Action("python", {"code": last}, "python"),
            Context(history=[before]),
        ),
    )
    assert any(stops(judge, action, context) for action, context in calls), last
