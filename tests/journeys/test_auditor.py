"""A security engineer proves what agents were allowed to do: docs/start/auditor.md."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from supervisor.records.envelope import Signer, open_signer
from tests.journeys.traveller import travelling
from tests.records.aged import write_day

pytestmark = pytest.mark.thorough  # a dozen processes

PAGE = "docs/start/auditor.md"


@pytest.mark.skipif(
    not (shutil.which("openssl") and shutil.which("jq")), reason="openssl and jq are not both installed"
)
def test_an_auditor_verifies_looks_replays_exports_and_prunes(home: Path) -> None:
    with travelling(home) as auditor:
        auditor.follow(PAGE, "", "Records to practise on", "Verify them")
        assert "Signature Verified Successfully" in auditor.follow("docs/records.md", "Verifying without this library")
        auditor.follow(PAGE, "What the guard saw", "Run the decisions again", "Export them")
        page = (auditor.work / "night.html").read_text()
        assert "git push --force origin main" in page
        assert "<script" not in page
        old = write_day(auditor.work / "records", _signer(home), days=100)
        auditor.follow(PAGE, "Prune them")
        assert not (auditor.work / "records" / f"{old}.jsonl").exists()
        earlier = json.loads((auditor.work / "report.json").read_text())["checkpoints"]
        assert all((auditor.work / "records" / f"{each['segment']}.jsonl").exists() for each in earlier)
        auditor.has_taken(PAGE)


def _signer(home: Path) -> Signer:
    return open_signer(home / ".config" / "supervisor" / "signing-key.pem")
