"""The deployment that a verb changes: its policy, its records and the key that signs them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from supervisor.errors import BadInput, BadRecord

if TYPE_CHECKING:
    from supervisor.policy import Policy
    from supervisor.records.envelope import Signer
    from supervisor.records.journal import Journal


@dataclass(frozen=True, slots=True)
class Deployment:
    """A policy, its folder of records and its signing key."""

    policy: Policy
    records: Path
    key: Path

    @classmethod
    def of(cls, policy_file: Path | None, records: Path | None = None) -> Deployment:
        """The deployment under a policy, or the default one. Raises BadPolicy, BadRecord."""
        from supervisor.policy import Policy, expanded, read_policy

        policy = read_policy(policy_file) if policy_file else Policy()
        path = str(records) if records else policy.records.path
        if path is None:
            raise BadRecord("the policy keeps no records; name a folder", code="no_journal")
        return cls(policy, expanded(path), expanded(policy.records.key))

    def signer(self) -> Signer:
        """The key. Raises BadRecord if it is not the one that signs these records: no other signature counts."""
        from supervisor.records.envelope import open_signer

        if not self.records.is_dir():
            cure = "nothing was recorded there yet; the right policy may be another (--policy)"
            raise BadRecord(f"is not a folder of records: {cure}", place=str(self.records), code="no_journal")
        if not self.key.exists():
            raise BadRecord("there is no signing key, so no answer is possible", place=str(self.key), code="no_key")
        signer = open_signer(self.key)
        if not (self.records / "keys" / f"{signer.key_id}.pem").exists():
            raise BadRecord("another key signs these records; name the policy", place=str(self.key), code="wrong_key")
        return signer

    @contextlib.contextmanager
    def journal(self) -> Iterator[tuple[Signer, Journal]]:
        """The key, and the journal to write to. Raises BadRecord."""
        from supervisor.records.journal import Journal

        signer = self.signer()
        with contextlib.closing(Journal(self.records, signer)) as journal:
            yield signer, journal


def must_be_here() -> None:
    """Raises BadInput if SUPERVISOR_URL names a daemon: it may keep its records under another user or machine."""
    if os.environ.get("SUPERVISOR_URL"):
        cure = "run this where the daemon runs, without SUPERVISOR_URL and with the daemon's --policy"
        raise BadInput(f"SUPERVISOR_URL names a daemon, which keeps its own records; {cure}", code="usage")
