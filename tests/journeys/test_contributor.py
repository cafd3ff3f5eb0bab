"""A contributor adds a failure mode in ten minutes: CONTRIBUTING.md."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.journeys.traveller import travelling

pytestmark = pytest.mark.thorough  # a dozen processes

PAGE = "CONTRIBUTING.md"
CHECKOUT = ("supervisor", "specialists", "taxonomy", "tests", "docs", "pyproject.toml")


def test_a_contributor_adds_a_failure_mode(home: Path) -> None:
    """In a copy of the checkout. Its `make` targets are looked up: CI runs them."""
    with travelling(home, variables={"PYTHONPATH": str(home / "work")}) as contributor:
        for name in CHECKOUT:
            source, copy = ROOT / name, contributor.work / name
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, copy, ignore=ignored) if source.is_dir() else shutil.copy(source, copy)
        told = contributor.follow(PAGE, "Add a failure mode in ten minutes")
        assert "still holds the placeholder" in told
        assert "1 failure mode, 7 cases: complete" in told
        assert '"by":["quantity_in_another_unit"]' in told
        assert re.search(r"^\d+ passed", told, re.MULTILINE)
        assert (contributor.work / "docs" / "failure-modes" / "conduct" / "quantity_in_another_unit.md").is_file()
        contributor.has_taken(PAGE, "Add a failure mode in ten minutes")
