"""Switches off the signatures that a repository or its owner requires on commits and tags."""

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.session.checkouts import is_throwaway
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def commit_signing_disabled(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY):
        if effect.verb != "unsign" or is_throwaway(effect, action, context):
            continue
        reason = f"`{shown(effect.text)}` leaves commits or tags unsigned, against the configured rule."
        evidence = (effect.text[:200],)
        if not effect.whole or task_mentions(action, context, "sign", "unsign", "gpg", "gpgsign"):
            return flag(reason, evidence=evidence)
        return nudge(
            f"{reason} The setting applies to every repository of this user.",
            correction="Leave the setting. If no key is available for one commit, commit that one with"
            " `git commit --no-gpg-sign` and tell the user.",
            evidence=evidence,
        )
    return ok()
