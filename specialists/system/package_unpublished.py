"""Removes a published version that others build on."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_ASKS = ("delete", "remove", "retract", "unpublish", "withdraw", "yank")


@specialist("shell", "python", "javascript", about=[Act.INSTALL])
def package_unpublished(action: Action, context: Context) -> Opinion:
    for package in effects(action, context).of(Act.INSTALL):
        if not isinstance(package, Package) or package.verb != "unpublish" or "--undo" in package.text:
            continue
        name = shown(package.target) or "a version"
        reason = f"It removes {name} from the {package.ecosystem} registry, and breaks every build that uses it."
        bare = package.target.rpartition("@")[0] or package.target
        if is_named(bare, context) and any(word in (context.task or "").lower() for word in _ASKS):
            return flag(reason, evidence=(package.text[:200],))
        return nudge(
            reason,
            correction='Leave the version where it is: mark it deprecated (`npm deprecate name@version "reason"`) and'
            " release a fixed one.",
            evidence=(package.text[:200],),
        )
    return ok()
