"""Escalation: a nudge that the agent ignores becomes sharper, then a block."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from supervisor.decision.union import Union, Voice
from supervisor.verdict import Finding, Verdict


@dataclass(frozen=True, slots=True)
class Escalated:
    """The verdict after escalation, the specialists that decided it, and the correction for the agent."""

    verdict: Verdict
    by: tuple[str, ...]
    correction: str


def escalate(
    united: Union, earlier: Mapping[str, int], patience: int, unheeded: Collection[str] = frozenset()
) -> Escalated:
    """Turns the union into the verdict and correction for the agent.

    `earlier` counts, by specialist, how often this session was already nudged for a near-equivalent action. The agent
    gets up to `patience` nudges, each after the first in its sharper form; then the action is blocked. It gets none of
    a specialist in `unheeded`, whose nudges it has ignored in other sessions as often as the policy allows.
    """
    by = tuple(voice.specialist for voice in united.by)
    if united.verdict is not Verdict.NUDGE:
        return Escalated(united.verdict, by, "")
    ignored = tuple(name for name in by if name in unheeded or earlier.get(name, 0) >= patience)
    if ignored:
        return Escalated(Verdict.BLOCK, ignored, "")
    corrections = [_correction(voice, earlier.get(voice.specialist, 0)) for voice in united.by]
    return Escalated(Verdict.NUDGE, by, "\n".join(dict.fromkeys(corrections)))


def _correction(voice: Voice, times: int) -> str:
    """The correction of one specialist. A block that the policy caps to a nudge has no correction of its own."""
    finding = voice.opinion
    if not isinstance(finding, Finding):
        return _SHORTER if times else _SIMPLER
    plain = finding.correction or f"Do not do this: {finding.reason} Find another way."
    if not times:
        return plain
    return finding.sharper or f"This was already refused, and proposing it again will be blocked. {plain}"


_SIMPLER = "This could not be judged, so it does not run. Write it simpler, or in parts, each an action of its own."
_SHORTER = (
    "This could not be judged again. Propose one step at a time, without nesting or padding, and write long data to a"
    " file with the tool for files."
)
