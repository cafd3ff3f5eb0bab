"""Puts a private key or a file of credentials where others can read it."""

import re

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.secrets.credentials import Credential, Sort, credential_at, is_shared
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_FOR_OTHERS = re.compile(r"(?:[ugoa]*[oa][ugoa]*|)(?:[+=])[wxXst]*r[rwxXst]*")
_IN_HOME = re.compile(r"(?:/root|~|/home/[^/]+|/Users/[^/]+)/[^/]+")  # where one works in one's own home
_CORRECTION = "Keep it where it is with mode 600 (`chmod 600 FILE`), and tell the program that needs it the path."


@specialist("shell", "python", "javascript", about=[Act.PERMISSION, Act.READ])
def private_key_exposed(action: Action, context: Context) -> Opinion:
    found = list(effects(action, context).of(Act.PERMISSION, Act.READ, Act.WRITE))
    opened = (_opened(each, action, context) for each in found if each.act is Act.PERMISSION)
    copied = (_copied(each, found, context) for each in found if each.act is Act.READ)
    return max((*opened, *copied), key=lambda finding: finding.verdict, default=ok())


def _opened(effect: Effect, action: Action, context: Context) -> Finding:
    credential = credential_at(effect.target, effect.whole)
    if credential is None or effect.verb != "mode" or not lets_others_read(effect.content or ""):
        return ok()
    if is_own(effect.target, action, context):
        return ok()
    return _found(credential, f"lets every user read {shown(effect.target)}", effect, context)


def _copied(effect: Effect, among: list[Effect], context: Context) -> Finding:
    """Judges a key that a copying program reads and writes to another place in the same command."""
    credential = credential_at(effect.target, effect.whole)
    if credential is None or credential.sort is Sort.PROJECT or effect.command is None:
        return ok()
    for written in among:
        if written.act is not Act.WRITE or written.command is not effect.command or not is_known(written.target):
            continue
        in_project = written.scope is Place.WORKSPACE and not _IN_HOME.fullmatch(written.target)
        if is_shared(written.target) or (in_project and effect.scope is not Place.WORKSPACE):
            return _found(credential, f"copies {shown(effect.target)} to {shown(written.target)}", effect, context)
    return ok()


def _found(credential: Credential, what: str, effect: Effect, context: Context) -> Finding:
    reason = f"It {what}; that is {credential.sort}."
    if is_named(credential.path, context) or effect.is_remote:
        return flag(reason, evidence=(effect.text[:200],))
    return nudge(reason, correction=_CORRECTION, evidence=(effect.text[:200],))


def lets_others_read(mode: str) -> bool:
    """`644`, `o+r`, `+r`, but not `640` and `u+r`."""
    if mode.isdecimal():
        return bool(int(mode[-1], 10) & 4)
    return any(_FOR_OTHERS.fullmatch(part) for part in mode.split(","))
