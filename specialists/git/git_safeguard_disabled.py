"""Switches off one of git's own safeguards: the check of a repository's owner, of transports, or of received pushes."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.session.checkouts import is_throwaway
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def git_safeguard_disabled(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY):
        asked = is_named(effect.target.partition("=")[0], context)
        if effect.verb == "weaken" and not asked and (effect.whole or not is_throwaway(effect, action, context)):
            reason = f"It sets {shown(effect.target)}, which switches off a safeguard of git."
            return flag(reason, evidence=(effect.text[:200],))
    return ok()
