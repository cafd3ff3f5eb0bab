"""The digest of what has passed its cases covers all that a verdict can come from: code by code, file by file."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.catalog import discovery
from supervisor.catalog.discovery import JUDGING_PACKAGES, JUDGING_SUFFIXES, find_pairs, judging_digest, judging_files
from supervisor.errors import BadTaxonomy
from supervisor.policy import Taxonomy

ROOT = Path(discovery.__file__).parents[2]
PACKAGE = ROOT / "supervisor"
SPECIALISTS = sorted((ROOT / "specialists").glob("*/*.py"))
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything in a module that may run: what is only for type checkers does not."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            pending += node.orelse
        else:
            pending += ast.iter_child_nodes(node)


def imported(path: Path) -> set[str]:
    """The modules of ours that a file imports anywhere, inside functions as well, with the packages they stand in."""
    named: set[str] = set()
    for node in nodes(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            named.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            named.update((str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)))
    parts = [name.split(".") for name in named]
    return {".".join(each[:end]) for each in parts for end in range(1, len(each) + 1)} & MODULES.keys()


def reachable(paths: list[Path]) -> set[Path]:
    """These files and all of ours that they can import."""
    pending, seen = list(paths), set(paths)
    while pending:
        fresh = {MODULES[name] for name in imported(pending.pop())} - seen
        seen |= fresh
        pending += fresh
    return seen


def covered() -> set[Path]:
    return {PACKAGE / name for name in judging_files()}


def test_whatever_a_specialist_can_import_is_covered():
    assert len(SPECIALISTS) > 200
    found = reachable(SPECIALISTS) - set(SPECIALISTS)
    assert {PACKAGE / name for name in ("policy/business.py", "history.py", "evidence/__init__.py")} <= found
    assert found <= covered()


def test_whatever_is_covered_imports_nothing_that_is_not():
    """So a module that moves, or one that asks a specialist and begins to use another, shows here."""
    modules = [path for path in covered() if path.suffix == ".py"]
    assert PACKAGE / "decision" / "ask.py" in modules
    assert reachable(modules) <= covered()


def test_nothing_that_is_covered_imports_by_a_name_that_is_made_up():
    """An import that these tests could not see."""
    for path in sorted(covered()):
        for node in nodes(ast.parse(path.read_bytes())) if path.suffix == ".py" else ():
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                allowed = path == PACKAGE / "__init__.py"  # names of the library, each a module's own
                assert allowed or called not in ("import_module", "__import__", "run_path", "run_module"), path


def test_the_data_beside_the_code_is_covered():
    files = {
        path
        for name in JUDGING_PACKAGES
        for path in (PACKAGE / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {path for path in files if path.suffix not in JUDGING_SUFFIXES} == set()
    assert files <= covered()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of all that is covered."""
    for name in judging_files():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PACKAGE / name, tmp_path / name)
    return tmp_path


@pytest.mark.thorough
def test_a_change_of_any_file_changes_the_digest(copied):
    assert judging_digest(copied) == judging_digest()
    for name in judging_files():  # short ones, since each is read hundreds of times
        (copied / name).write_bytes(b"x")
    before = judging_digest(copied)
    seen = {before}
    for name in judging_files():
        (copied / name).write_bytes(b"y")
        seen.add(judging_digest(copied))
        (copied / name).write_bytes(b"x")
    assert len(seen) == 1 + len(judging_files())
    assert judging_digest(copied) == before


def test_a_file_that_comes_goes_or_is_renamed_changes_the_digest(copied):
    seen = {judging_digest(copied)}
    fresh = copied / "methods" / "models" / "fresh.json"
    for change in (lambda: fresh.write_bytes(b"{}"), lambda: fresh.rename(fresh.with_stem("fresher"))):
        change()
        seen.add(judging_digest(copied))
    assert len(seen) == 3
    fresh.with_stem("fresher").unlink()
    assert judging_digest(copied) in seen
    (copied / "history.py").unlink()
    with pytest.raises(BadTaxonomy, match=r"history\.py"):
        judging_digest(copied)


def test_every_pair_is_another_under_other_code(monkeypatch):
    before = {pair.id: pair.digest for pair in find_pairs(Taxonomy())[0]}
    monkeypatch.setattr(discovery, "judging_digest", lambda: b"\0" * 32)
    after = {pair.id: pair.digest for pair in find_pairs(Taxonomy())[0]}
    assert before.keys() == after.keys()
    assert not set(before.values()) & set(after.values())
