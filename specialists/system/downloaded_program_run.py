"""Downloads a program and runs it in the same command, or later without a look at it."""

from collections.abc import Iterator

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.effects.execution import DOWNLOADERS, files_downloaded
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.history.past_scripts import PastStep
from supervisor.evidence.history.traces import traces
from supervisor.evidence.reading.paths import Place, resolve
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

# Hosts whose installers are run every day: these are flagged, not stopped.
_INSTALLERS = (
    "aka.ms astral.sh awscli.amazonaws.com bootstrap.pypa.io bun.sh cli.github.com deb.nodesource.com deno.land "
    "dot.net dot.microsoft.com get.docker.com get.pnpm.io get.sdkman.io install.python-poetry.org "
    "packages.microsoft.com raw.githubusercontent.com sdk.cloud.google.com sh.rustup.rs static.rust-lang.org"
)
_KNOWN = frozenset(_INSTALLERS.split())
# Addresses of releases, which do not change under their version.
_RELEASES = (
    *("https://archive.apache.org/", "https://dl.google.com/", "https://dl.k8s.io/", "https://downloads.apache.org/"),
    *("https://files.pythonhosted.org/", "https://get.helm.sh/", "https://go.dev/dl/", "https://nodejs.org/dist/"),
    *("https://registry.npmjs.org/", "https://releases.hashicorp.com/", "https://repo.anaconda.com/"),
    *("https://repo1.maven.org/", "https://storage.googleapis.com/kubernetes-release/", "https://www.python.org/ftp/"),
)
_SHOWS = frozenset(
    {"bat", "cat", "file", "grep", "head", "less", "more", "nl", "rg", "sed", "sha256sum", "strings", "tail"}
)
_CORRECTION = (
    "Download it to a file and stop there; read the file, or check its published checksum (`sha256sum -c`), and "
    "run it in a later step."
)


@specialist("shell", "python", "javascript", about=[Act.EXECUTE])
def downloaded_program_run(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.EXECUTE):
        if effect.verb == "download":
            return _judge(effect, context)
    unread = next(_run_unread(action, context), None)
    if unread is None:
        return ok()
    return flag(f"It runs {shown(unread)}, which this session downloaded and never looked at.")


def _judge(effect: Effect, context: Context) -> Opinion:
    url, host = effect.target, host_in(effect.target)
    if place_of_host(host) is Place.NEAR or _is_release(url):
        return ok()
    reason = f"It runs the content of {shown(url)} before it can be read."
    if host in _KNOWN or is_named(url, context) or is_named(host, context):
        return flag(reason, confidence=0.5, evidence=(effect.text,))
    return nudge(reason, correction=_CORRECTION, evidence=(effect.text,))


def _is_release(url: str) -> bool:
    return url.startswith(_RELEASES) or (url.startswith("https://github.com/") and "/releases/download/" in url)


def _run_unread(action: Action, context: Context) -> Iterator[str]:
    """The files that this action runs, that an earlier step downloaded, and that no step has displayed."""
    if not context.history:
        return
    downloaded, shown_before = traces(context, _downloaded), traces(context, _shown)
    for effect in effects(action, context).of(Act.EXECUTE):
        if effect.verb == "file" and effect.target in downloaded and effect.target not in shown_before:
            yield effect.target


def _downloaded(past: PastStep) -> Iterator[str]:
    for command in past.commands:
        if command.program in DOWNLOADERS:
            yield from files_downloaded(command)


def _shown(past: PastStep) -> Iterator[str]:
    if past.step.kind == "file_read":
        yield from (resolve(value, past.cwd or ".") for value in past.step.args.values() if isinstance(value, str))
    for command in past.commands:
        if command.program in _SHOWS:
            yield from (command.path(word) for word in command.operands())
