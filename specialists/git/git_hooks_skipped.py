"""Skips or switches off the checks that a repository runs before a commit or a push."""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.session.checkouts import is_throwaway
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_HOOKS = ("/.git/hooks", "/.husky", "/.githooks")
_SAMPLE = ".sample"


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY, Act.DELETE])
def git_hooks_skipped(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY, Act.DELETE):
        if _skips(effect) and not is_throwaway(effect, action, context):
            return _judge(effect, action, context)
    return ok()


def _skips(effect: Effect) -> bool:
    if effect.act is Act.REPOSITORY:
        return effect.verb in ("skip-hooks", "disable-hooks")
    place, _, name = f"/{effect.target}".rpartition("/")
    return f"/{effect.target}".endswith(_HOOKS) or (place.endswith(_HOOKS) and not name.endswith(_SAMPLE))


def _judge(effect: Effect, action: Action, context: Context) -> Opinion:
    lasting = effect.verb != "skip-hooks"
    verb = "switches off" if lasting else "skips"
    reason = f"`{shown(effect.text)}` {verb} the checks that this repository runs before a commit or a push."
    evidence = (effect.text[:200],)
    if task_mentions(action, context, "hook", "husky") or is_named("--no-verify", context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Run it with the hooks in place and fix what they report. If a hook itself is broken, tell the"
        " user.",
        sharper="Read the hook's output and fix its cause; then commit without --no-verify.",
        evidence=evidence,
    )
