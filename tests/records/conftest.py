"""A journal with a few records in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from supervisor.records.envelope import Signer, open_signer
from supervisor.records.journal import Journal


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return open_signer(tmp_path / "key.pem")


@pytest.fixture
def journal(tmp_path: Path, signer: Signer) -> Journal:
    return Journal(tmp_path / "records", signer)
