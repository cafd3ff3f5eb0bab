"""What package managers install, remove and publish, from which source, and whether they verify what they download."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.effects.managers import MANAGERS, MODULES, Request, request_of
from supervisor.evidence.effects.network import options_of
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set


@dataclass(slots=True, eq=False)
class Package(Effect):
    """One thing done with packages. `target` is the package's name, or the address of an index or a host.

    `verb`       install · remove · publish · unpublish · index (packages come only from this address) · extra-index
                 (packages may also come from this address) · unchecked (downloads are not verified)
    `ecosystem`  pypi · npm · gem · cargo · go · system (an operating system's) · …
    `version`    the version, commit, tag or digest that the command pins; empty if it pins nothing
    `source`     the address that the package comes from, if it is not the index
    """

    ecosystem: str = ""
    version: str = ""
    source: str = ""


class Spec(NamedTuple):
    """A package as a command line names it."""

    name: str
    version: str = ""
    source: str = ""


_ADDRESSES = ("bzr+", "ftp://", "git+", "git://", "git@", "hg+", "http://", "https://", "ssh://", "svn+")
_HOSTED = {"bitbucket": "bitbucket.org", "gist": "gist.github.com", "github": "github.com", "gitlab": "gitlab.com"}


def _read(command: Command, ground: Ground) -> Iterator[Effect]:
    request = request_of(command)
    if request is None:
        return
    yield from _trust(request)
    if request.operation in ("install", "remove"):
        listed = _option(request, "-r", "--requirement") if request.operation == "remove" else ""
        for word in [*request.operands, *([listed] if HOLE in listed else [])]:
            yield _package(request, spec_of(word, request.manager.ecosystem))
        address = _option(request, "--git", "-e", "--editable")
        if address.startswith(_ADDRESSES):
            pinned = _option(request, "--rev", "--tag")
            spec = spec_of(address, request.manager.ecosystem)
            yield _package(request, spec._replace(version=pinned or spec.version))
    elif request.operation in ("publish", "unpublish"):
        name = next(iter(request.operands), "") if request.manager.ecosystem != "maven" else ""
        yield _package(request, Spec(name))


def _package(request: Request, spec: Spec, verb: str = "") -> Package:
    host = host_in(spec.source.rpartition("+")[2].removeprefix("git@")) if spec.source else ""
    place = place_of_host(host) if host else Place.REMOTE
    return Package(
        *(Act.INSTALL, spec.name, place, verb or request.operation),
        text=request.command.text,
        command=request.command,
        ecosystem=request.manager.ecosystem,
        version=spec.version,
        source=spec.source,
    )


def _option(request: Request, *names: str) -> str:
    """The value of the first of these options on the command line; empty if there is none."""
    options = options_of(request.command, request.manager.valued | frozenset(names))
    return next((value for name, value, _ in options if name in names), "")


# Names, versions and addresses


def spec_of(word: str, ecosystem: str) -> Spec:
    """A package's name, the version that pins it, and the address that it comes from, if there is one.

    A name that begins with `.` or `/` is a path in the workspace.
    """
    name, at, address = word.partition(" @ ") if " @ " in word else word.partition("@http")
    if at:
        return _at_address(address.strip() if at == " @ " else f"http{address}", name)
    if word.startswith(_ADDRESSES):
        return _at_address(word)
    if ecosystem == "npm":
        return _npm(word)
    if word.startswith((".", "/", "~")):
        return Spec(word)
    if ecosystem == "pypi" or ecosystem == "conda":
        end = next((at for at, letter in enumerate(word) if letter in "=<>!~;[ @"), len(word))
        version = word[end:].partition("==")[2] or (word[end:].removeprefix("=") if ecosystem == "conda" else "")
        return Spec(word[:end].strip(), version.partition(";")[0].strip())
    name, _, version = word.partition("=" if ecosystem == "system" else "@")
    return Spec(name, "" if version == "latest" else version)


def _npm(word: str) -> Spec:
    host, colon, rest = word.partition(":")
    if colon and host in _HOSTED:
        path, _, version = rest.partition("#")
        return Spec(path, version, f"https://{_HOSTED[host]}/{path}")
    if "/" in word and not word.startswith((".", "/", "@", "~")):  # user/repository
        path, _, version = word.partition("#")
        return Spec(path, version, f"https://github.com/{path}")
    scope, slash, bare = word.partition("/") if word.startswith("@") else ("", "", word)
    name, _, version = bare.partition("@")
    return Spec(f"{scope}{slash}{name}", "" if version in ("latest", "next") else version)


def _at_address(address: str, name: str = "") -> Spec:
    """`git+https://host/a/b.git@v1#egg=b`, `https://host/b-1.0.tgz#sha256=…`, `git+ssh://git@host/b.git#v1`."""
    place, _, fragment = address.partition("#")
    path = place.partition("://")[2].partition("/")[2]
    ref = path.rpartition("@")[2] if "@" in path else ""
    egg = next((part[4:] for part in fragment.split("&") if part.startswith("egg=")), "")
    digest = next((part for part in fragment.split("&") if part.startswith(("sha256=", "sha384=", "sha512="))), "")
    loose = fragment if fragment and "=" not in fragment else ""  # npm writes the commit as a fragment
    tail = path.rstrip("/").rpartition("/")[2].partition("@")[0].removesuffix(".git")
    return Spec(name or egg or tail, ref or digest or loose.removeprefix("semver:"), place)


# Where packages come from, and whether they are verified

_INDEXES = frozenset(
    {"--default-index", "--index-url", "-i", "--registry", "--source", "-s", "--repository", "-X", "--index"}
)
_EXTRA_INDEXES = frozenset({"--extra-index-url", "--find-links", "-f", "--channel", "-c"})
_HOSTS_TRUSTED = frozenset({"--allow-insecure-host", "--trusted-host"})
_UNCHECKED = word_set(
    "--allow-empty-checksums --allow-insecure-repositories --allow-unauthenticated --allow-untrusted "
    "--force-bad-verify --force-yes --ignore-checksums --insecure-skip-tls-verify --no-gpg-checks --no-gpgcheck "
    "--no-gpg-check --no-strict-ssl --nodigest --nogpgcheck --nosignature --no-check-gpg --no-check-certificate"
)
# Settings that turn verification off, and the values that do so (in lower case).
_SETTINGS = {
    "acquire::allowinsecurerepositories": ("true", "1", "yes"),
    "acquire::allowweakrepositories": ("true", "1", "yes"),
    "acquire::https::verify-peer": ("false", "0", "no"),
    "apt::get::allowunauthenticated": ("true", "1", "yes"),
    "disable-tls": ("true", "1"),
    "gosumdb": ("off",),
    "gonosumcheck": ("1", "true"),
    "secure-http": ("false", "0"),
    "sslverify": ("0", "false"),
    "ssl_verify": ("false", "no"),
    "enablestrictssl": ("false",),
}
_INDEX_SETTINGS = ("index-url", "npmregistryserver", "registry", "goproxy")


def _trust(request: Request) -> Iterator[Package]:
    command, manager = request.command, request.manager
    for name, value, _ in options_of(command, manager.valued):
        if name in _UNCHECKED:
            yield _package(request, Spec(name), "unchecked")
        elif name in _HOSTS_TRUSTED:
            yield _package(request, Spec(value, source=value), "unchecked")
        elif name in _EXTRA_INDEXES and "://" in value:
            yield _package(request, Spec(value, source=value), "extra-index")
        elif name in _INDEXES and "://" in value:
            yield _package(request, Spec(value, source=value), "index")
    yield from _settings(request, [*command.args])
    if request.operation == "config":
        addresses = [word for word in request.operands if word.startswith(("http://", "https://"))]
        if addresses and (request.verb in ("repo", "source", "sources", "tap") or _sets_index(request.operands)):
            yield _package(request, Spec(addresses[0], source=addresses[0]), "index")


def _sets_index(words: list[str]) -> bool:
    return any(word.lower().rpartition(".")[2].rpartition(":")[2] in _INDEX_SETTINGS for word in words)


def _settings(request: Request, words: list[str]) -> Iterator[Package]:
    """`-o APT::Get::AllowUnauthenticated=true`, `--setopt=sslverify=0`."""
    for index, word in enumerate(words):
        name, equals, value = word.removeprefix("--setopt=").lstrip("-").rpartition("=")
        if not equals:
            name, value = word, words[index + 1] if index + 1 < len(words) else ""
        name = name.lower()
        if value.lower() in _SETTINGS.get(name, _SETTINGS.get(name.rpartition(".")[2], ())):
            yield _package(request, Spec(f"{name}={value}"), "unchecked")
        elif request.operation == "config" and name.endswith("trusted-host"):
            yield _package(request, Spec(value, source=value), "unchecked")


def _quiet(program: str) -> Callable[[Sequence[str]], bool]:
    """An `is_quiet` that holds if no argument is one of the manager's verbs: `npm test`, `go build`."""
    manager = MANAGERS.get(program)
    if manager is None:
        return lambda words: "-m" not in words or not any(word in MODULES for word in words)
    if manager.default:
        return lambda words: False
    return lambda words: manager.operations.keys().isdisjoint(words)


_BY_MODULE = ("python", "python3", "python3.10", "python3.11", "python3.12", "python3.13", "python3.14")
_VERSIONED = {f"pip3.{minor}": "pip" for minor in range(8, 15)}
PROGRAMS = {
    **{name: Reading(frozenset({Act.INSTALL}), _read, _quiet(name)) for name in (*MANAGERS, *_BY_MODULE)},
    **{name: Reading(frozenset({Act.INSTALL}), _read, _quiet(plain)) for name, plain in _VERSIONED.items()},
}
