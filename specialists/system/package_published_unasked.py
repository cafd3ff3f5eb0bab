"""Publishes a package to a registry although the task asks for no release."""

from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_ASKS = ("deploy", "distribut", "publish", "push", "releas", "ship", "upload")
_REHEARSALS = {
    "cargo": "cargo publish --dry-run",
    "npm": "npm publish --dry-run",
    "pypi": "python3 -m build && twine check dist/*",
}


@specialist("shell", "python", "javascript", about=[Act.INSTALL])
def package_published_unasked(action: Action, context: Context) -> Opinion:
    for package in effects(action, context).of(Act.INSTALL):
        if not isinstance(package, Package) or package.verb != "publish":
            continue
        reason = f"It publishes to the {package.ecosystem} registry: a published version cannot be withdrawn."
        if any(word in (context.task or "").lower() for word in _ASKS):
            return flag(reason, confidence=0.5, evidence=(package.text[:200],))
        rehearsal = _REHEARSALS.get(package.ecosystem, "a local build")
        return nudge(
            reason,
            correction=f"Build and check it without publishing (`{rehearsal}`), and leave the release to the user.",
            evidence=(package.text[:200],),
        )
    return ok()
