"""The result of the demo as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from supervisor.cli.demo.listening import Seen
from supervisor.cli.demo.run import Ended
from supervisor.verdict import Verdict


def totals(seen: Sequence[Seen]) -> dict[str, int]:
    """The number of decisions with each verdict."""
    return {verdict.label: sum(one.decision.verdict is verdict for one in seen) for verdict in Verdict}


def p50_ms(seen: Sequence[Seen]) -> float:
    """The median time of a decision, in milliseconds."""
    return median(one.decision.elapsed_ms for one in seen)


def to_json(ended: Ended, keep: Path | None) -> dict[str, Any]:
    """The whole morning as plain values."""
    proof = ended.proof
    return {
        "kept": ended.kept,
        "promises": [asdict(promise) for promise in ended.promises],
        "totals": totals(ended.seen),
        "p50_ms": round(p50_ms(ended.seen), 3),
        "seconds": round(ended.seconds, 3),
        "records": {"path": str(keep) if keep else None, "count": proof.records},
        "verified": {"problems": proof.problems},
        "replayed": {"decisions": proof.replayed, "differing": proof.differing},
        "tampered": {"changed_line": proof.changed, "found_line": proof.found},
        "steps": [_step_to_json(one) for one in ended.seen],
    }


def _step_to_json(one: Seen) -> dict[str, Any]:
    decision = one.decision
    action = {"agent": one.agent, "tool": decision.action.tool, "args": dict(decision.action.args)}
    outcome = {"reason": decision.reason, "ran": decision.allowed}
    return {**action, **decision.to_json(), **outcome}
