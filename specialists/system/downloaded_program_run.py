"""Downloads a program and runs it in the same command, or later without a look at it."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.machine.vendors import INSTALLER_HOSTS
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

# Hosts whose installers are run every day: these are flagged, not stopped.
_KNOWN = INSTALLER_HOSTS | {"raw.githubusercontent.com"}
# Addresses of releases, which do not change under their version.
_RELEASES = (
    *("https://archive.apache.org/", "https://dl.google.com/", "https://dl.k8s.io/", "https://downloads.apache.org/"),
    *("https://files.pythonhosted.org/", "https://get.helm.sh/", "https://go.dev/dl/", "https://nodejs.org/dist/"),
    *("https://registry.npmjs.org/", "https://releases.hashicorp.com/", "https://repo.anaconda.com/"),
    *("https://repo1.maven.org/", "https://storage.googleapis.com/kubernetes-release/", "https://www.python.org/ftp/"),
)
_BUILDS = frozenset({"Configure", "autogen.sh", "bootstrap", "config", "configure"})  # of sources that were unpacked
_CORRECTION = (
    "Download it to a file and stop there; read the file, or check its published checksum (`sha256sum -c`), and "
    "run it in a later step."
)


@specialist("shell", "python", "javascript", about=[Act.EXECUTE])
def downloaded_program_run(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.EXECUTE):
        if effect.verb == "download":
            return _judge(effect, context)
    return ok()


def _judge(effect: Effect, context: Context) -> Opinion:
    url, host = effect.target, host_in(effect.target)
    if place_of_host(host) is Place.NEAR or _is_release(url):
        return ok()
    reason = f"It runs the content of {shown(url)} before it can be read."
    is_build = effect.command is not None and effect.command.program in _BUILDS
    if host in _KNOWN or is_build or is_named(url, context) or is_named(host, context):
        return flag(reason, confidence=0.5, evidence=(effect.text,))
    return nudge(reason, correction=_CORRECTION, evidence=(effect.text,))


def _is_release(url: str) -> bool:
    return url.startswith(_RELEASES) or (url.startswith("https://github.com/") and "/releases/download/" in url)
