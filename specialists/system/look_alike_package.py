"""Installs a package whose name is one typing error away from a popular one."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package
from supervisor.evidence.effects.popular import imitated_package
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_SHORT = 5  # letters; shorter names are similar to many others


@specialist("shell", "python", "javascript", about=[Act.INSTALL])
def look_alike_package(action: Action, context: Context) -> Opinion:
    for package in effects(action, context).of(Act.INSTALL):
        if not isinstance(package, Package) or package.verb != "install" or package.source:
            continue
        popular = imitated_package(package.target, package.ecosystem)
        if popular is None:
            continue
        reason = f"The package {package.target!r} is not {popular!r}, but its name is one typing error away from it."
        if is_named(package.target, context) or len(popular) <= _SHORT:
            return flag(reason, confidence=0.5, evidence=(package.text[:200],))
        return nudge(
            reason,
            correction=f"Install {popular} if that is meant. If {package.target} is meant, ask the user to confirm it.",
            evidence=(package.text[:200],),
        )
    return ok()
