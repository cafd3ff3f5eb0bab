"""Gives everything in a system's tree, a file of the system or a service's data to another owner or group."""

import re
from itertools import pairwise

from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.machine.places import Deed, place_at
from supervisor.evidence.machine.vital import is_vital_tree
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_VERBS = frozenset({"group", "owner"})
_ACCOUNTS = frozenset({"/root"})  # a home folder may be given to its own account


_ELSEWHERE = frozenset({Place.WORKSPACE, Place.TEMPORARY, Place.UNKNOWN})
_FOR_THE_SYSTEM = frozenset({"0", "root", ""})
_CONTAINED = ("/var/lib/docker/", "/var/lib/containers/", "/var/lib/kubelet/")  # owned by accounts of containers


@specialist("shell", "python", "javascript", about=[Act.PERMISSION])
def owner_changed_en_masse(action: Action, context: Context) -> Opinion:
    given = [each for each in effects(action, context).of(Act.PERMISSION) if each.verb in _VERBS]
    return max((_judge(each, action, context) for each in given), key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path = effect.target
    if path in _ACCOUNTS or path == context.workspace or effect.scope in _ELSEWHERE:
        return ok()
    if not is_vital_tree(path) or not effect.whole:
        return _one(effect, action, context)
    reason = (
        f"It gives all of {shown(path)} to {shown(effect.content or 'another owner')}. Programs that must belong to"
        " root stop working, and the former owners are not recorded."
    )
    judge = flag if path != "/" and is_named(path, context) else block
    return judge(reason, evidence=(effect.text[:200],))


def _one(effect: Effect, action: Action, context: Context) -> Finding:
    """Judges a file of the system, a tree without what is below it, and a service's data given to a stranger."""
    path, place = effect.target, place_at(effect.target)
    owner, _, group = (effect.content or HOLE).replace(".", ":").partition(":")
    if effect.verb == "group":
        owner, group = "", owner
    if place is None or not place.stops(Deed.OWN) or {owner, group} <= _FOR_THE_SYSTEM:
        return ok()
    if effect.is_contained or _is_home_of(path, owner):
        return ok()
    if place.kind == "data" and (_belongs(owner, group, place.accounts) or path.startswith(_CONTAINED)):
        return ok()
    if place.kind != "data" and owner in _FOR_THE_SYSTEM:  # a group of its own for a file of root is ordinary
        return ok()
    reason = f"It gives {shown(path)}, {place.name}, to {shown(effect.content or 'another owner')}."
    named = is_named(path, context) and not (effect.whole and _is_place_alone(path, context))
    if named or _is_made_for(effect, owner, action, context):
        return flag(reason, evidence=(effect.text[:200],))
    return nudge(
        reason,
        correction=f"Leave the owner as it is (`ls -ld {shown(path)}`). To read a file there, ask for the right:"
        " `sudo -u <its owner> …`, or a group that may read it.",
        evidence=(effect.text[:200],),
    )


def _is_home_of(path: str, owner: str) -> bool:
    """Whether a path lies in the home folder of its new owner."""
    return bool(owner) and path.startswith((f"/home/{owner}/", f"/Users/{owner}/"))


_AS_PLACE = r"\b(?:leave|put|save|store|write|keep|drop)\b[^.;]{0,60}\b(?:in|into|under|to)\s"


def _is_place_alone(path: str, context: Context) -> bool:
    """Whether the task names a folder only as the place for a thing: "leave it in /backup"."""
    return re.search(_AS_PLACE + re.escape(path), context.task or "", re.IGNORECASE) is not None


def _is_made_for(effect: Effect, owner: str, action: Action, context: Context) -> bool:
    """Whether the same script makes the file before it gives it away, no earlier step knew it, and the task names the
    new owner."""
    command = effect.command
    named = bool(owner) and (is_named(owner, context) or is_named(owner.capitalize(), context))
    if command is None or action.kind != "shell" or effect.whole or not named or was_shown(effect.target, context):
        return False
    for each in script(action, context).commands:
        if each is command:
            return False
        written = (word.target for word in each.redirects if word.writes)
        if effect.target in written or any(
            option in _OUTPUTS and value == effect.target for option, value in pairwise(each.args)
        ):
            return True
    return False


_OUTPUTS = frozenset({"-f", "-o", "--file", "--output", "--out"})


def _belongs(owner: str, group: str, accounts: frozenset[str]) -> bool:
    return (owner or group) in accounts
