"""The ledger: writes a deployment's decisions, with its key, its mask and its journal."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.action import Action, Context
from supervisor.decision.decision import Decision
from supervisor.decision.settle import Settled
from supervisor.errors import BadPolicy, RecordFailed
from supervisor.history import Content, address_of
from supervisor.policy import Policy, expanded
from supervisor.records.codec import (
    Answers,
    Prepared,
    action_to_json,
    answers_contents,
    content,
    names_content,
    predicate_of,
    prepared_of,
    reverted_of,
    scene_of,
)
from supervisor.records.declined import KIND as DECLINED
from supervisor.records.declined import Declined

if TYPE_CHECKING:
    from supervisor.evidence.secrets import Masker
    from supervisor.records.envelope import Signer
    from supervisor.records.exemptions import Exemptions
    from supervisor.records.journal import Journal
    from supervisor.records.memories import Memories
    from supervisor.records.promotions import Promotions
    from supervisor.records.queue import Queue


class Ledger:
    """Writes decisions under one policy. Nothing is opened before the first decision.

    `versions` contains the library's version and the digest of every specialist. Raises BadPolicy if a path in the
    policy is invalid.
    """

    def __init__(self, policy: Policy, versions: Mapping[str, Any]) -> None:
        self._policy = policy
        self._folder = None if policy.records.path is None else expanded(policy.records.path)
        self._key = expanded(policy.records.key)
        self._versions = content(versions)
        self._policy_content: Content | None = None
        self._masker: Masker | None = None
        self._journal: Journal | None = None
        self._lock = threading.RLock()
        self._signer: Signer | None = None
        self._queue: Queue | None = None
        self._exemptions: Exemptions | None = None
        self._promotions: Promotions | None = None

    @property
    def masker(self) -> Masker:
        """Masks secrets with a salt derived from the signing key, so that a deployment's tokens stay the same.

        If the key cannot be read, the salt is random: secrets are masked in any case.
        """
        if self._masker is None:
            with self._lock:
                self._masker = self._masker or self._make_masker()
        return self._masker

    def prepare(self, action: Action, context: Context, now: datetime) -> Prepared | None:
        """The part of this action's record that does not depend on the verdict, so that it is encoded while specialists
        judge; None if records are off. Raises TypeError if the context contains values that are not JSON.
        """
        if self._folder is None:
            return None
        contents = (content(scene_of(context)), self._versions, self._recorded_policy())
        return prepared_of(action, context, now.isoformat(), *contents)

    def record(
        self,
        prepared: Prepared | None,
        settled: Settled,
        asked: tuple[str, ...],
        answers: Answers,
        *,
        id: str,
        elapsed_ms: float,
    ) -> str | None:
        """Writes one decision and all that it was based on. Returns the record's address, None if records are off.
        Raises RecordFailed."""
        if prepared is None or self._folder is None:
            return None
        names, stored = names_content(asked), answers_contents(answers) if answers else []
        address = stored[0][0] if stored else None
        predicate = predicate_of(prepared, settled, names[0], address, id=id, elapsed_ms=elapsed_ms)
        journal, contents = self._opened(self._folder), (*prepared.contents, names, *stored)
        kind = "decision" if prepared.stage == "before" else "outcome"
        line = journal.append(kind, predicate, prepared.subject, contents, prepared.history.nodes)
        if settled.approval is not None and settled.approval.state == "asked":
            self.queue.ask(settled.approval, line)
        return address_of(line)

    @property
    def queue(self) -> Queue:
        """The questions that wait for a person. Raises BadPolicy if records are off."""
        from supervisor.records.queue import Queue

        if self._folder is None:
            raise BadPolicy("a question is a record, and there are none: set records.path", place="approval")
        folder = self._folder
        with self._lock:
            self._queue = self._queue or Queue(
                folder, self._policy.approval.valid_for, self._open_signer, lambda: self._opened(folder)
            )
            return self._queue

    @property
    def exemptions(self) -> Exemptions | None:
        """The exemptions that people made; None if records are off."""
        from supervisor.records.exemptions import Exemptions

        if self._folder is None:
            return None
        folder = self._folder
        with self._lock:
            self._exemptions = self._exemptions or Exemptions(folder, self._open_signer, lambda: self._opened(folder))
            return self._exemptions

    @property
    def promotions(self) -> Promotions | None:
        """What was learned from labels; None if records are off."""
        from supervisor.records.promotions import Promotions

        if self._folder is None:
            return None
        folder = self._folder
        with self._lock:
            self._promotions = self._promotions or Promotions(folder, self._open_signer, lambda: self._opened(folder))
            return self._promotions

    def memories(self) -> Memories | None:
        """What agents were refused across their sessions; None if the policy keeps no memory, or no records."""
        if self._folder is None or not self._policy.memory.days:
            return None
        from supervisor.records.memories import Memories

        return Memories(self._folder, self._policy.memory.days, sync=self._policy.records.durability == "sync")

    def record_revert(self, decision: Decision, now: datetime) -> None:
        """Writes whether the decided action was undone. Raises RecordFailed."""
        if self._folder is None:
            return
        subject, _ = content(action_to_json(decision.action))
        self._opened(self._folder).append("revert", reverted_of(decision, now.isoformat()), subject)

    def record_declined(self, declined: Declined) -> None:
        """Writes that a host's user has said no to an action that was let through. Raises RecordFailed."""
        if self._folder is None:
            return
        note: Any = self.masker.mask_output(declined.note)
        self._opened(self._folder).append(DECLINED, replace(declined, note=note).to_json(), declined.record)

    def standing(self) -> dict[str, str]:
        """The state of the records: `folder` is its device and inode, `problem` why records cannot be kept."""
        if self._folder is None:
            return {}
        try:
            if self._journal is not None:
                self._journal.look()
            status = os.stat(self._folder)
        except RecordFailed as error:
            return {"folder": "", "problem": error.message}
        except OSError as error:
            return {"folder": "", "problem": f"the folder is not there: {error.strerror}" if self._journal else ""}
        return {"folder": f"{status.st_dev}:{status.st_ino}", "problem": ""}

    def close(self) -> None:
        """Seals the journal."""
        with self._lock:
            if self._journal is not None:
                self._journal.close()

    def _opened(self, folder: Path) -> Journal:
        """The journal. If its key cannot be read, each decision tries again."""
        from supervisor.records.journal import Journal

        with self._lock:
            if self._journal is None:
                kept = self._policy.records
                limits = {"most_bytes": kept.rotate_mb * 1024 * 1024, "most_seconds": kept.rotate_hours * 3600}
                sync = kept.durability == "sync"  # then a record waits for the disk, which takes longer than signing
                seals = kept.signatures == "sealed" and not sync
                self._journal = Journal(folder, self._open_signer(), sync=sync, seals=seals, **limits)
            return self._journal

    def _open_signer(self) -> Signer:
        from supervisor.records.envelope import open_signer

        with self._lock:
            self._signer = self._signer or open_signer(self._key)
            return self._signer

    def _make_masker(self) -> Masker:
        from supervisor.evidence.secrets import Masker
        from supervisor.records.envelope import open_signer
        from supervisor.records.masking import masker_of

        if self._folder is None:
            return Masker(os.urandom(32))
        try:
            return masker_of(open_signer(self._key))
        except RecordFailed:  # the decision's record fails with the same error, and the policy decides
            return Masker(os.urandom(32))

    def _recorded_policy(self) -> Content:
        if self._policy_content is None:
            # Only facts and doors are masked: an id such as `leaked_password` is a name, not a secret.
            json = self._policy.to_json()
            self._policy_content = content(json | {part: self.masker.mask(json[part]) for part in ("facts", "doors")})
        return self._policy_content
