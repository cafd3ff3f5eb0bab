"""The exemptions in force in one engine: of its policy, those that people made with `supervisor allow`, and what was
learned from their labels."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from supervisor.action import Action, Context
from supervisor.catalog.catalog import Catalog
from supervisor.decision.exemptions import Exemption, fitting
from supervisor.decision.learned import lifted
from supervisor.decision.settle import Opinions, Terms, stopping
from supervisor.engine.terms import is_floor, unexemptible
from supervisor.errors import BadPolicy
from supervisor.policy import Policy
from supervisor.policy.exemptions import DeclaredExemption
from supervisor.records.ledger import Ledger
from supervisor.version import VERSION

if TYPE_CHECKING:
    from supervisor.evidence.secrets import Masker


class Lifting:
    """Finds the exemptions that fit an action. Costs nothing where no specialist stops it."""

    def __init__(self, policy: Policy, catalog: Catalog, ledger: Ledger) -> None:
        """Raises BadPolicy if the policy declares an exemption from a specialist that allows none."""
        for each in policy.exemptions.allow:
            for name in each.specialists:
                if name in catalog.entries and (why := unexemptible(catalog.entries[name], policy)):
                    raise BadPolicy(f"exemptions.allow: nobody may exempt an action from {name}: {why}")
        self._policy, self._catalog, self._ledger = policy, catalog, ledger
        self._declared: tuple[Exemption, ...] | None = None

    def fitting(
        self, opinions: Opinions, terms: Mapping[str, Terms], action: Action, context: Context, now: datetime
    ) -> dict[str, Exemption]:
        """By specialist that stops the action, the exemption that lifts its objection."""
        objecting = stopping(opinions, terms)
        if not objecting:
            return {}
        store = self._ledger.exemptions
        known = (*self._of_policy(), *(store.in_force() if store else ()))
        found = fitting(known, objecting, action, context, now) if known else {}
        left = [name for name in objecting if name not in found]
        return found | self._learned(left, action, context) if left else found

    def _learned(self, objecting: list[str], action: Action, context: Context) -> dict[str, Exemption]:
        """By specialist, what was learned from labels that its objection is a false alarm."""
        store = self._ledger.promotions
        in_force = store.in_force() if store else None
        if in_force is None or in_force[0].library != VERSION:
            return {}
        from supervisor.evidence.actions.traits import traits_of  # with the reader of shell scripts

        objecting = [name for name in objecting if not is_floor(self._catalog.entries[name])]
        return lifted(*in_force, objecting, self._catalog.digests(), traits_of(action, context))

    def _of_policy(self) -> tuple[Exemption, ...]:
        if self._declared is None:
            declared = self._policy.exemptions.allow
            self._declared = tuple(declared_exemption(each, self._policy, self._ledger.masker) for each in declared)
        return self._declared


def declared_exemption(declared: DeclaredExemption, policy: Policy, masker: Masker) -> Exemption:
    """The exemption that a policy declares. `masker` masks secrets in its command, as in every action."""
    return Exemption(
        id=hashlib.sha256(orjson.dumps(asdict(declared), option=orjson.OPT_SORT_KEYS)).hexdigest(),
        specialists=declared.specialists,
        reason=declared.reason,
        by="the policy",
        given=None,
        expires=declared.expiry(),
        form=form_of_command(declared.command, declared.project, masker) if declared.command else "",
        shown=masker.mask_output(declared.command),
        path=declared.path,
        tool=declared.tool,
        project="" if declared.command else declared.project,
        agent=declared.agent,
        environment=declared.environment,
        home=str(Path.home()),
        origin="policy",
    )


def form_of_command(command: str, cwd: str, masker: Masker) -> str:
    """The form of a shell command that is typed in a directory. Secrets count as their masks."""
    from supervisor.evidence.actions.form import form_of  # with the reader of shell scripts

    args = masker.mask({"command": command})
    return form_of(Action("bash", args, "shell"), Context(facts={"cwd": cwd}))
