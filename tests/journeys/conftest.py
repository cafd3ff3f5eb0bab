"""An empty home for each journey."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def home() -> Iterator[Path]:
    """A path as short as people's are: that of a socket below pytest's own folder is too long."""
    with tempfile.TemporaryDirectory(prefix="home-") as folder:
        yield Path(folder)
