"""Prints all variables of an environment, by which programs get tokens and passwords."""

import re

from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.secrets.credentials import is_environment
from supervisor.evidence.secrets.printing import Outlet, is_searched, outlet
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_SECRETS = re.compile(r"(?i)secret|token|passw|api_?key|credential|private|access_?key")
_CORRECTION = (
    "Print only the names (`compgen -e`), the one variable in question (`printenv PATH`), or whether it is set"
    ' (`test -n "$NAME" && echo set`).'
)


@specialist("shell", "file_read", "python", "javascript", about=[Act.READ, Act.REVEAL])
def environment_dumped(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.READ, Act.REVEAL)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    others = effect.act is Act.READ and is_environment(effect.target)
    if not others and effect.verb != "environment":
        return ok()
    searched = ""
    if action.kind == "shell" and effect.command is not None:
        read = script(action, context)
        searched = is_searched(effect.command, read)
        if outlet(effect.command, read) is Outlet.NOWHERE:
            return ok()
    of_others = (others and "/self/" not in effect.target) or effect.scope.name == "SYSTEM"
    reason = f"It prints {'the environment of other processes' if of_others else 'the whole environment'}."
    evidence = (effect.text[:200],)
    if searched and not _SECRETS.search(searched):
        return ok()
    if (of_others or searched) and not effect.is_remote and not task_mentions(action, context, "env", "variabl"):
        search = f" It looks for {shown(searched)}." if searched else ""
        return nudge(f"{reason}{search}", correction=_CORRECTION, evidence=evidence)
    return flag(f"{reason} That includes tokens and passwords.", confidence=0.5, evidence=evidence)
