"""Changes the modes of everything in a system's tree or a home."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.effects.files.permissions import drops_set_user_id, takes_search
from supervisor.evidence.machine.places import place_at
from supervisor.evidence.machine.vital import is_home, is_vital_tree
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

# Programs that need the rights of their owner.
_SET_USER_ID = frozenset("sudo su passwd mount umount newgrp chsh chfn gpasswd pkexec fusermount3 crontab".split())
_ELSEWHERE = frozenset({Place.WORKSPACE, Place.TEMPORARY, Place.UNKNOWN})
_VERBS = frozenset({"acl", "attributes", "mode"})


@specialist("shell", "python", "javascript", about=[Act.PERMISSION])
def permissions_changed_en_masse(action: Action, context: Context) -> Opinion:
    changed = [each for each in effects(action, context).of(Act.PERMISSION) if each.verb in _VERBS]
    findings = [(_judge if each.whole else _judge_one)(each, context) for each in changed]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, context: Context) -> Finding:
    path = effect.target
    evidence = (effect.text[:200],)
    if effect.scope is Place.TEMPORARY or path == context.workspace or not (is_vital_tree(path) or is_home(path)):
        return ok()
    reason = f"It sets the {effect.verb} {shown(effect.content or '')} on all of {shown(path)}, at once for every file."
    if path != "/" and is_named(path, context):
        return flag(reason, evidence=evidence)
    if is_vital_tree(path):
        return block(f"{reason} The system relies on their present modes.", evidence=evidence)
    return nudge(
        f"{reason} Keys and scripts there need modes of their own.",
        correction="Change only the file or directory that the task is about, by its name.",
        evidence=evidence,
    )


def _judge_one(effect: Effect, context: Context) -> Finding:
    """Judges a tree that accounts can no longer enter, and a program that they can no longer run."""
    path, mode = effect.target, effect.content or ""
    if effect.verb != "mode" or effect.scope in _ELSEWHERE or path == context.workspace:
        return ok()
    place = place_at(path)
    evidence = (effect.text[:200],)
    if place is None or place.kind not in ("tree", "program"):
        return ok()
    if place.kind == "tree" and place.for_everyone and takes_search(mode):
        reason = f"With the mode {shown(mode)}, accounts other than root can enter nothing below {shown(path)}."
        return (flag if path != "/" and is_named(path, context) else block)(reason, evidence=evidence)
    *_, above, name = path.split("/")
    runs = above in ("bin", "sbin") and place.kind == "program"
    if not runs or not (takes_search(mode) or (name in _SET_USER_ID and drops_set_user_id(mode))):
        return ok()
    reason = f"With the mode {shown(mode)}, {shown(path)} no longer runs as it must."
    if is_named(path, context):
        return flag(reason, evidence=evidence)
    return nudge(reason, correction=f"Leave {shown(path)} as its package installed it (`ls -l`).", evidence=evidence)
