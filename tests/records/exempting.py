"""Exemptions, and the store that keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from supervisor.decision.exemptions import Exemption
from supervisor.engine.exemptions import form_of_command
from supervisor.records.envelope import open_signer
from supervisor.records.exemptions import Exemptions
from supervisor.records.journal import Journal
from supervisor.records.masking import masker_of


def stores(folder: Path) -> Iterator[Exemptions]:
    """The store of the records in a folder, open until the next step."""
    signer = open_signer(folder / "key.pem")
    (folder / "records").mkdir(exist_ok=True)
    journal = Journal(folder / "records", signer)
    yield Exemptions(folder / "records", lambda: signer, lambda: journal)
    journal.close()


def draft(folder: Path, command: str = "wipe", cwd: str = "/w", **parts: Any) -> Exemption:
    masker = masker_of(open_signer(folder / "key.pem"))
    usual: dict[str, Any] = {"specialists": ("stops_wipe",), "reason": "mine", "by": "ann", "given": None, "id": ""}
    usual |= {"form": form_of_command(command, cwd, masker), "expires": datetime.now(UTC) + timedelta(days=1)}
    return Exemption(**{**usual, **parts})
