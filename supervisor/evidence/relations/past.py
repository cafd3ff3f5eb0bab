"""What the session did before: failures, the same call, the same things."""

from __future__ import annotations

import re

from supervisor.evidence.business.words import words
from supervisor.evidence.relations.act import ACT_OF
from supervisor.evidence.relations.atoms import atoms_in, folded
from supervisor.evidence.relations.seen import Features, Seen
from supervisor.evidence.relations.sources import leaves


def past(seen: Seen, found: Features) -> None:
    """Features of the earlier steps."""
    action, slots, context = seen.action, seen.slots, seen.context
    history = context.history
    found[f"steps.{min(len(history), 3)}"] += 1
    found["steps.many"] += len(history) > 4
    if history:
        last = history[-1]
        low = folded(str(last.output)[:3000])
        found["last.failed"] += bool(
            last.failed or re.search(r"\b(?:error|failed|timeout|not found|denied|exception)\b", low)
        )
        found["any.failed"] += any(
            step.failed
            or re.search(r"^\W{0,3}(?:error|failed|timeout|exception)|\"error\"", folded(str(step.output)[:300]))
            for step in history
        )
    same = [step for step in history if step.tool == action.tool]
    found["tool.again"] += bool(same)
    if any(dict(step.args) == dict(action.args) for step in same):
        found["call.again"] += 1
    for step in same:
        one = {(atom.sort, atom.key) for _, text in leaves(step.args) for atom in atoms_in(text)}
        two = {(atom.sort, atom.key) for slot in slots for atom in slot.atoms}
        if one and two and len(one & two) >= 2:
            found["call.alike"] += 1
    writes = [
        step
        for step in history
        if {ACT_OF.get(word) for word in words(step.tool)} & {"send", "pay", "delete", "update", "create", "approve"}
    ]
    found["wrote"] += bool(writes)
