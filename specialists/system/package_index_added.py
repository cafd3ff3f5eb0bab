"""Installs packages from an index that the project did not choose, where an attacker may own any name."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.hosts import host_in, is_among, place_of_host
from supervisor.evidence.effects.packages import Package
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, ok, specialist

# Public indexes in common use, and the usual mirrors of the large ones.
_PUBLIC = (
    "aliyun.com anaconda.org bfsu.edu.cn conda.anaconda.org crates.io data.pyg.org douban.com download.pytorch.org "
    "flutter.dev gitlab.com huaweicloud.com ngc.nvidia.com npm.pkg.github.com npmjs.org npmmirror.com nuget.org "
    "nvidia.com packagist.org proxy.golang.org pypi.org python.org pythonhosted.org rubygems.org rust-lang.org "
    "sustech.edu.cn taobao.org tencent.com tsinghua.edu.cn ustc.edu.cn whl.pytorch.org yarnpkg.com pytorch.org "
    "azure.com amazonaws.com pkg.dev googleapis.com jfrog.io cloudsmith.io fury.io jsr.io charts.bitnami.com "
    "charts.helm.sh github.io kubernetes.github.io helm.releases.hashicorp.com bitnami.com jetstack.io helm.sh"
)
_KNOWN = tuple(_PUBLIC.split())


@specialist("shell", "python", "javascript", about=[Act.INSTALL], facts=["allowed_domains"])
def package_index_added(action: Action, context: Context) -> Opinion:
    for package in effects(action, context).of(Act.INSTALL):
        if not isinstance(package, Package) or package.verb not in ("extra-index", "index"):
            continue
        host = host_in(package.source)
        known = is_among(host, _KNOWN) or is_among(host, context.facts.get("allowed_domains"))
        mixed = package.verb == "extra-index"  # the highest version wins, whichever index has it
        if package.ecosystem == "helm" or known or place_of_host(host) is not Place.REMOTE or is_named(host, context):
            continue
        means = "beside the public index, and the higher version wins" if mixed else "instead of the public index"
        return flag(f"Packages also come from {shown(host)}, {means}.", confidence=0.6, evidence=(package.text[:200],))
    return ok()
