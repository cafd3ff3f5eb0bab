"""Installs a package from an address whose content may change."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_PLAIN = ("ftp://", "git://", "git+git://", "git+http://", "http://")
_KNOWN = (
    *("bitbucket.org", "codeload.github.com", "dist.apache.org", "download.pytorch.org", "files.pythonhosted.org"),
    *("gitlab.com", "github.com", "raw.githubusercontent.com", "registry.npmjs.org", "storage.googleapis.com"),
)


@specialist("shell", "python", "javascript", about=[Act.INSTALL])
def package_from_unpinned_source(action: Action, context: Context) -> Opinion:
    packages = (each for each in effects(action, context).of(Act.INSTALL) if isinstance(each, Package))
    found = [_judge(each, context) for each in packages if each.verb == "install" and each.source]
    return max(found, key=lambda finding: finding.verdict, default=ok())


def _judge(package: Package, context: Context) -> Finding:
    address = package.source
    if package.version or package.scope is not Place.REMOTE:
        return ok()
    reason = f"It installs {shown(package.target)} from {shown(address)}, which pins no commit, tag or digest."
    evidence = (package.text[:200],)
    if is_named(address, context) or is_named(package.target, context):
        return ok()
    known = any(f"/{host}/" in address or f"@{host}" in address for host in _KNOWN)
    if not address.startswith(_PLAIN) and (known or "git" in address.partition(":")[0]):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction="Install a released version from the package index (`name==1.2.3`), or pin the source: by a commit"
        " after git+https://, or `#sha256=…` after an https:// archive.",
        evidence=evidence,
    )
