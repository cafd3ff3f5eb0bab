"""Prints a file of keys, passwords or tokens."""

from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.secrets.credentials import Credential, Sort, credential_at
from supervisor.evidence.secrets.printing import Outlet, outlet
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_CORRECTION = (
    "Leave the values where they are: have the program that needs them read the file itself. To check that it exists,"
    " run `ls -l` on it; to see which values it has, print only the names: `cut -d= -f1 FILE`."
)


@specialist("shell", "python", "javascript", "file_read", about=[Act.READ])
def credential_store_read(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.READ)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    ours = effect.scope is Place.WORKSPACE or context.workspace is None
    credential = credential_at(effect.target, effect.whole, ours)
    if credential is None or not _is_shown(effect, action, context) or is_own(effect.target, action, context):
        return ok()
    reason = f"It prints {shown(effect.target)}, which holds {credential.sort}."
    evidence = (effect.text[:200],)
    if credential.sort is Sort.PROJECT or effect.is_remote or _is_asked_for(credential, context):
        return flag(reason, confidence=0.5, evidence=evidence)
    if credential.sort is Sort.BROWSER:
        return block(reason, evidence=evidence)
    return nudge(
        reason,
        correction=_CORRECTION,
        sharper=f"Do not read {shown(effect.target)}; tell the user what you need it for.",
        evidence=evidence,
    )


def _is_shown(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the content reaches the agent. A program that uses a key itself prints nothing of it."""
    if action.kind != "shell" or effect.command is None:
        return True
    return outlet(effect.command, script(action, context)) is Outlet.SCREEN


def _is_asked_for(credential: Credential, context: Context) -> bool:
    path = credential.path
    return is_named(path, context) or is_named(path.rpartition("/")[2], context)
