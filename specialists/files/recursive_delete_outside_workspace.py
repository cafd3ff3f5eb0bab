"""Deletes a tree that the task's workspace does not contain."""

from supervisor.evidence.asked import asks_for, asks_to
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.paths import REBUILT, Place
from supervisor.evidence.shell import shown
from supervisor.evidence.vital import is_home
from supervisor.evidence.writes import is_own
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_EVERYBODYS = frozenset({"/home", "/Users", "/etc", "/usr", "/bin", "/lib", "/boot"})
_NOT_THE_TASKS = frozenset({Place.ROOT, Place.HOME, Place.SYSTEM, Place.OUTSIDE})


@specialist("shell", "python", "javascript", about=[Act.DELETE])
def recursive_delete_outside_workspace(action: Action, context: Context) -> Opinion:
    lost = [each for each in effects(action, context).of(Act.DELETE) if not each.reversible]
    findings = [_judge(each, action, context) for each in lost if each.whole]
    findings += [_searched(each, action, context) for each in lost if each.verb == "pick"]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path, place = effect.target, effect.scope
    evidence = (effect.text[:200],)
    if place not in _NOT_THE_TASKS or _is_rebuilt(path, place) or is_own(path, action, context):
        return ok()
    reason = f"It deletes {shown(path)} and everything below it, which is {place}."
    if place is Place.ROOT or is_home(path):
        return block(reason, evidence=evidence)
    if asks_for(Act.DELETE, path, action, context):
        return flag(reason, confidence=0.5, evidence=evidence)
    if place is Place.OUTSIDE and (effect.is_remote or not context.workspace):
        return _unknown(effect, reason)
    return block(reason, evidence=evidence)


def _searched(effect: Effect, action: Action, context: Context) -> Finding:
    """What a search through the whole machine, or through somebody's home, picks."""
    path = effect.target
    if (
        effect.is_remote
        or not (effect.scope is Place.ROOT or path in _EVERYBODYS)
        or asks_to(Act.DELETE, action, context)
    ):
        return ok()
    reason = f"It deletes whatever a search below {shown(path)}, {effect.scope}, comes upon."
    return flag(reason, confidence=0.5, evidence=(effect.text[:200],))


def _unknown(effect: Effect, reason: str) -> Finding:
    """Where no workspace is known it may be the task's own; what is forced is not even asked about."""
    evidence = (effect.text[:200],)
    if effect.command is None or not effect.command.has_flag("-f", "--force"):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction=f"Look at what it holds (`ls -la {shown(effect.target)}`), and delete by name what is your own;"
        " or move it aside, to where it can be had again.",
        sharper=f"Leave {shown(effect.target)} where it is, and ask the user whether it may go.",
        evidence=evidence,
    )


def _is_rebuilt(path: str, place: Place) -> bool:
    """Dependencies, caches and build output: losing them costs time alone."""
    return place is not Place.ROOT and not REBUILT.isdisjoint(part.lower() for part in path.split("/"))
