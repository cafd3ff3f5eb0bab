"""The refused steps of a session, and the harm that they would have done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.actions.commands import RUNNERS
from supervisor.evidence.effects import Act, Effect, Ground, effects, effects_of_script, is_known
from supervisor.evidence.effects.effect import Effects
from supervisor.evidence.history.past_scripts import PastStep, latest_steps
from supervisor.evidence.reading.paths import resolve

LOOKED_AT = 12  # last steps that are read
_LONGEST = 4_000  # characters of an output that may report a refusal
# Answers of guards, hosts and people in place of an output. Programs report "permission denied" themselves.
_REFUSED = re.compile(
    r"\"verdict\"\s{0,4}:\s{0,4}\"(?:nudge|block)\""
    r"|\b(?:blocked|denied|rejected|refused|stopped|vetoed) by (?:the |a |your )?"
    r"(?:supervisor|guard|hook|policy|user|human|operator|sandbox|administrator|safety)"
    r"|\bthe user (?:does(?:n't| not) want|declined|rejected|denied|said no|refused)"
    r"|\bpermission to use \w{1,40} (?:has been|was) denied|\btool use was rejected"
    r"|\b(?:action|command|tool call|request) (?:was |is |has been )?"
    r"(?:blocked|denied|rejected|refused|not approved|not permitted)",
    re.IGNORECASE,
)
_HARMS = (Act.DELETE, Act.MOVE, Act.SEND, Act.DATABASE, Act.RESOURCE, Act.SERVICE, Act.PROCESS, Act.REVEAL)


class Harm(NamedTuple):
    """The fields of an effect that identify its harm, independent of the language it is written in."""

    act: Act
    target: str
    whole: bool


def harms_of(done: Effects) -> Iterator[tuple[Harm, Effect]]:
    """The irreversible effects whose target is named."""
    for effect in done.of(*_HARMS):
        if is_known(effect.target) and effect.target and not effect.reversible:
            yield Harm(effect.act, effect.target, effect.whole), effect


def refused_harms(context: Context) -> dict[Harm, Step]:
    """The harms of the latest refused steps, each with its step."""
    found: dict[Harm, Step] = {}
    for past in latest_steps(context, LOOKED_AT):
        if was_refused(past.step):
            for harm in _harms_of(past, context):
                found.setdefault(harm, past.step)
    return found


def was_refused(step: Step) -> bool:
    """Whether a guard, the host or a person kept a step from running."""
    return bool(step.text) and len(step.text) <= _LONGEST and _REFUSED.search(step.text) is not None


def _harms_of(past: PastStep, context: Context) -> Iterator[Harm]:
    ground, step = Ground(context.workspace), past.step
    try:
        if past.script is not None:
            yield from (harm for harm, _ in harms_of(effects_of_script(past.script, ground)))
        elif step.kind in RUNNERS:
            earlier = Action(step.tool, step.args, step.kind)
            yield from (harm for harm, _ in harms_of(effects(earlier, Context(facts=context.facts))))
        elif step.kind == "file_delete" and isinstance(path := step.args.get("path"), str):
            yield Harm(Act.DELETE, resolve(path, context.cwd or "."), False)
    except Unreadable:
        return
