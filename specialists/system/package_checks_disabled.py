"""Lets a package manager install packages that it cannot verify."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.effects.packages import Package
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_CORRECTION = (
    "Leave verification on and use an https:// index. If its certificate is the company's own, name that with `--cert`"
    " or `cafile`; if a signing key is missing, ask the user for it."
)


@specialist("shell", "python", "javascript", about=[Act.INSTALL])
def package_checks_disabled(action: Action, context: Context) -> Opinion:
    packages = (each for each in effects(action, context).of(Act.INSTALL) if isinstance(each, Package))
    return max((_judge(each, context) for each in packages), key=lambda finding: finding.verdict, default=ok())


def _judge(package: Package, context: Context) -> Finding:
    plain = package.verb in ("extra-index", "index") and package.source.startswith("http://")
    if not plain and package.verb != "unchecked":
        return ok()
    if package.source and place_of_host(host_in(package.source)) is not Place.REMOTE:
        return ok()
    how = "comes unencrypted" if plain else "is not verified any more"
    name, kind = shown(package.target), package.ecosystem
    reason = f"With {name}, what {kind} packages bring {how}, and anyone on the way may change it."
    if is_named(package.target, context) or _is_local(package):
        return flag(reason, evidence=(package.text[:200],))
    return nudge(reason, correction=_CORRECTION, evidence=(package.text[:200],))


def _is_local(package: Package) -> bool:
    """Whether the packages are local files, so that none is changed in transit."""
    words = package.command.operands() if package.command else []
    return any(word.endswith((".apk", ".deb", ".rpm")) and "://" not in word for word in words)
