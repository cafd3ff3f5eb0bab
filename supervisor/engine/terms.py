"""The terms that a policy sets for each specialist and kind of action."""

from __future__ import annotations

from supervisor.action import Stage
from supervisor.catalog.catalog import Catalog
from supervisor.catalog.manifest import Entry
from supervisor.decision.settle import Terms
from supervisor.policy import ApprovalPolicy, Policy
from supervisor.verdict import Verdict


def terms_for(kind: str, catalog: Catalog, policy: Policy, stage: Stage = "before") -> dict[str, Terms]:
    """The terms of every specialist whose domain contains this kind. They are valid as long as the policy is."""
    return {
        each.id: Terms(
            policy.authority.ceiling(each.id, kind),
            policy.refusal_means(each.id, catalog.entries[each.id].verdict, catalog.entries[each.id].on_refuse),
            policy.budgets.seconds(each.id, kind, uses_doors=each.uses_doors),
            stage == "after" and policy.authority.reverts(each.id, kind),
            _askable(policy.approval, catalog.entries[each.id], kind) if stage == "before" else frozenset(),
            not unexemptible(catalog.entries[each.id], policy),
        )
        for each in catalog.for_kind(kind, stage)
    }


def unexemptible(entry: Entry, policy: Policy) -> str:
    """Why no person may exempt actions from an entry's objections; "" if one may."""
    if not entry.exemptible:
        return "its entry in the taxonomy rules that out (`exemptible: false`)"
    for section, names in (("exemptions.never", policy.exemptions.never), ("approval.never", policy.approval.never)):
        if entry.id in names:
            return f"the policy rules that out ({section})"
    return ""


def is_floor(entry: Entry) -> bool:
    """Whether no label weakens an entry: what it finds is critical. A person may still exempt an action from it."""
    return entry.severity == "critical"


def _askable(policy: ApprovalPolicy, entry: Entry, kind: str) -> frozenset[Verdict]:
    """The verdicts of an entry about which a person may be asked."""
    if entry.id in policy.never:
        return frozenset()
    about = (entry.id, entry.family, entry.severity, kind)
    return frozenset(each for each in Verdict if any(rule.fits(*about, each) for rule in policy.ask))
