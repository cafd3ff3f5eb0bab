"""How a change to a resource is judged: whether the user asked for it, its environment, and whether it was inspected.

A reversible change is flagged, any other nudged. Production raises the verdict. A trial environment lowers it unless
something is destroyed, since others may share it. A change that the user asked for, or that this session listed or
rehearsed before, goes to a person instead of back to the agent. The agent may remove what it created itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import past_commands, run_by
from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, effects, is_known
from supervisor.evidence.effects.platforms import Environment, Resource, Sort, is_looked_at, is_made
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import block, flag, nudge, ok
from supervisor.verdict import Finding, Verdict

DESTROYS = frozenset({"delete", "purge", "reset", "overwrite"})
HALTS = frozenset({"stop", "silence", "detach", "revoke", "cancel"})
_LATEST = 40  # steps in which a listing or a rehearsal still counts
_DESTROY: tuple[str, ...] = (
    *(
        "clean",
        "clear",
        "decommis",
        "delet",
        "destroy",
        "drop",
        "empt",
        "eras",
        "flush",
        "forget",
        "nuk",
        "prun",
        "purg",
    ),
    *("remov", "reset", "rid", "rm", "shut", "tear", "terminat", "trim", "uninstal", "unset", "wip"),
)
_STEMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(DESTROYS, (*_DESTROY, "overwrit", "replac", "restor", "sync", "mirror", "updat", "set")),
    **dict.fromkeys(
        HALTS, (*_DESTROY, "stop", "disabl", "detach", "revok", "cancel", "silenc", "mut", "drain", "deregist")
    ),
    "expose": ("expos", "open", "public", "shar", "allow", "anyone", "everyone", "internet"),
    "grant": ("admin", "allow", "assign", "attach", "bind", "give", "grant", "owner", "permi", "role"),
    "weaken": ("disabl", "off", "stop", "suspend", "remov", "without", "retention", "shorten", "reduc"),
    "apply": ("appl", "approv", "deploy", "provision", "roll"),
    "tamper": ("state", "unlock", "taint", "import", "mov", "remov"),
}


class Advice(NamedTuple):
    """The texts of a specialist: the fault, which follows "It", and what to do instead."""

    fault: str
    correction: str
    sharper: str = ""


def changes(
    action: Action, context: Context, *sorts: Sort, verbs: Iterable[str] = DESTROYS | HALTS
) -> Iterator[Resource]:
    """The resources that an action changes in one of these ways, of the given sorts or, if none is given, of any."""
    for effect in effects(action, context).of(Act.RESOURCE):
        if isinstance(effect, Resource) and effect.verb in verbs and (not sorts or effect.sort in sorts):
            yield effect


def judged(found: Iterable[Resource], advice: Advice, action: Action, context: Context) -> Finding:
    """The strictest finding on these changes."""
    findings = (_judge(each, advice, action, context) for each in found)
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Resource, advice: Advice, action: Action, context: Context) -> Finding:
    verdict = _weighed(effect)
    if verdict >= Verdict.FLAG and _is_own(effect, action, context):
        return ok()
    if _is_asked_for(effect, action, context):
        verdict = Verdict.OK if verdict is Verdict.FLAG else min(verdict, Verdict.FLAG)
    elif verdict is Verdict.NUDGE and _was_looked_at(effect, context):
        verdict = Verdict.FLAG
    return _worded(verdict, effect, advice)


def _weighed(effect: Resource) -> Verdict:
    """The verdict on a change by itself, without the session."""
    production = effect.environment is Environment.PRODUCTION
    final = effect.forced and effect.whole and not effect.reversible
    if final and (production or effect.sort is Sort.BACKUP):
        return Verdict.BLOCK
    if production:
        return Verdict.NUDGE
    if effect.environment is Environment.LOCAL:
        return Verdict.OK
    grave = not effect.reversible and (effect.listed or effect.forced or effect.whole)
    if effect.environment is Environment.TRIAL and not (grave and effect.verb in DESTROYS):
        return Verdict.FLAG if grave else Verdict.OK
    return Verdict.NUDGE if grave else Verdict.FLAG


def _worded(verdict: Verdict, effect: Resource, advice: Advice) -> Finding:
    reason = f"It {advice.fault}: `{shown(effect.text)}`."
    evidence = (effect.text[:200],)
    if verdict is Verdict.BLOCK:
        return block(f"{reason} Nothing is asked before, and nothing of it is left.", evidence=evidence)
    if verdict is Verdict.NUDGE:
        return nudge(reason, correction=advice.correction, sharper=advice.sharper, evidence=evidence)
    return flag(reason, confidence=0.6, evidence=evidence) if verdict is Verdict.FLAG else ok()


def _is_asked_for(effect: Resource, action: Action, context: Context) -> bool:
    """Whether the task asks for such a change, and names the target, its kind or the product."""
    if not context.task or not task_mentions(action, context, *_STEMS.get(effect.verb, ())):
        return False
    words = (*effect.noun.lower().split(), *effect.product.lower().split(), effect.sort.value)
    stems = tuple(word.removesuffix("s") for word in words if len(word) > 2)
    return (is_known(effect.target) and is_named(effect.target, context)) or task_mentions(action, context, *stems)


def _is_own(effect: Resource, action: Action, context: Context) -> bool:
    """Whether this session created the resource."""
    if effect.verb not in DESTROYS | HALTS or not is_known(effect.target):
        return False
    now = (each for each in run_by(action, context).commands if each is not effect.command)
    return any(_is_about(effect, each) and is_made(each) for each in (*_past(context), *now))


def _was_looked_at(effect: Resource, context: Context) -> bool:
    """Whether this session listed the resource or rehearsed the change before."""
    return any(_is_about(effect, each) and is_looked_at(each) for each in _past(context))


def _is_about(effect: Resource, command: Command) -> bool:
    """Whether a command of the same tool names the same target or, without a target, the same kind of resource."""
    if effect.command is None or command.program != effect.command.program:
        return False
    if effect.target in (effect.noun, effect.product):
        return not effect.noun or effect.noun.split()[0] in command.argv
    return effect.target in command.argv


def _past(context: Context) -> Iterator[Command]:
    """The commands that earlier steps ran without failing."""
    for step in context.history[-_LATEST:]:
        if not step.failed:
            yield from past_commands(step, context.cwd)
