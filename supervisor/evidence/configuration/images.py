"""A Dockerfile: as whom it runs, what it copies into the image, what it fetches, which image it begins with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.containers import floating
from supervisor.evidence.configuration.directives import words_of
from supervisor.evidence.configuration.documents import Document
from supervisor.evidence.configuration.fault import Fact, Fault, Weight, short
from supervisor.evidence.configuration.fetched import faults_of_commands
from supervisor.evidence.secrets.names import sort_of_name

_ROOT = frozenset({"root", "0", "root:root", "0:0", "root:0"})
_KEYS = re.compile(
    r"(?:^|/)(?:\.env(?:\.(?!example|sample|template|dist|test)[\w-]+)?|id_(?:rsa|dsa|ecdsa|ed25519)|\.ssh"
    r"|\.aws|\.gnupg|\.netrc"
    r"|\.pgpass|\.git-credentials|\.docker/config\.json|\.kube(?:/config)?|\.npmrc|\.pypirc|[\w.-]+\.(?:p12"
    r"|pfx|keystore)"
    r"|[\w.-]*(?:private|server|tls|secret)[\w.-]*\.(?:key|pem)|(?:service[-_]?account|credentials"
    r"|gcp[-_]key)[\w-]*\.json)/?$"
)
_REFERENCE = re.compile(r"^\$\{?(\w+)(?::?[-+?][^}]*)?\}?$")
_IN_URL = re.compile(r"://(?:[\w.-]+:)?\$\{?\w*(?:TOKEN|PASS|SECRET|KEY|PAT)\w*\}?@", re.IGNORECASE)
_PRINTED = re.compile(
    r"\becho\s+[^|;&>\n]{0,80}\$\{?\w*(?:TOKEN|PASSWORD|SECRET|API_?KEY)\w*\}?[^"
    r"|;&\n]{0,80}(?P<to>>{1,2}\s*(?P<file>\S+))?",
    re.IGNORECASE,
)
_MOUNTED = re.compile(r"--mount=type=(?:secret|ssh)")


def faults_of_images(document: Document) -> Iterator[Fact]:
    """What is wrong with the instructions of a Dockerfile, or with a part of one."""
    stages: set[str] = set()
    users: list[str] = []
    for name, rest in document.instructions:
        if name == "from":
            users = []
            yield from _begins(rest, stages)
        elif name == "user":
            users.append(rest.split()[0] if rest.split() else "")
        elif name == "run":
            yield from faults_of_commands(rest)
            yield from _kept(rest)
        elif name in ("copy", "add"):
            yield from _copied(name, rest)
        elif name in ("env", "arg"):
            yield from _set(name, rest)
    if users and users[-1] in _ROOT:
        yield Fact(
            Fault.HOST, "user=root", f"USER {users[-1]} at the end", Weight.SERIOUS if len(users) > 1 else Weight.SLIGHT
        )


def drops_its_user(before: Document, after: Document) -> bool:
    """Whether an image ran as a user of its own, and as root from now on."""
    return bool(_last_user(before)) and not _last_user(after) and bool(after.instructions)


def _last_user(document: Document) -> str:
    last = ""
    for name, rest in document.instructions:
        if name == "from":
            last = ""
        elif name == "user":
            last = "" if (rest.split() or [""])[0] in _ROOT else rest
    return last


def _begins(rest: str, stages: set[str]) -> Iterator[Fact]:
    words = [word for word in rest.split() if not word.startswith("--")]
    image = words[0] if words else ""
    if image.lower() not in stages and image != "scratch" and (loose := floating(image)):
        yield Fact(Fault.FLOATING, f"image={image}", f"FROM {short(image)} ({loose})", Weight.SLIGHT)
    if len(words) > 2 and words[1].lower() == "as":
        stages.add(words[2].lower())


def _copied(name: str, rest: str) -> Iterator[Fact]:
    words = words_of(rest.strip("[]").replace(",", " ") if rest.startswith("[") else rest)
    sources = [word for word in words if not word.startswith("--")][:-1]
    options = [word for word in words if word.startswith("--")]
    if any(option.startswith("--from=") for option in options):
        return
    is_checked = any(option.startswith("--checksum=") for option in options)
    for source in sources:
        if _KEYS.search(source):
            yield Fact(Fault.SECRET, f"copies {source}", f"{name.upper()} {short(source)}")
        elif name == "add" and source.startswith(("http://", "https://")) and not is_checked:
            weight = Weight.SERIOUS if source.startswith("http://") else Weight.SLIGHT
            yield Fact(Fault.UNVERIFIED, f"adds {source}", f"ADD {short(source)}", weight)


def _set(name: str, rest: str) -> Iterator[Fact]:
    """A secret that stays in the image: `ENV TOKEN=$TOKEN`, `ARG PASSWORD=hunter22`."""
    words = words_of(rest)
    pairs = [word.partition("=")[::2] for word in words if "=" in word]
    if not pairs and len(words) > 1 and name == "env":
        pairs = [(words[0], " ".join(words[1:]))]
    for key, value in pairs:
        if sort_of_name(key) is None or not value or value.startswith(("/", "./")):
            continue
        reference = _REFERENCE.match(value)
        if name == "env" and reference is not None and sort_of_name(reference[1]) is not None:
            yield Fact(Fault.SECRET, f"env {key}", f"{name.upper()} {key}={short(value)}")
        elif reference is None and len(value) > 5 and "$" not in value and not _MADE_UP.search(value):
            yield Fact(Fault.SECRET, f"env {key}", f"{name.upper()} {key}=…")


_MADE_UP = re.compile(
    r"(?i)^(?:change|replace|your|example|dummy|test|none|null|true|false|xxx|todo|placeholder|insert|set[-_]"
    r"|<|not[-_]?set|unset|build|fake"
    r"|\d+$)|change.?me|example|placeholder|dummy|(?:^|/)(?:run|etc|var)/"
)


def _kept(rest: str) -> Iterator[Fact]:
    """A secret that a layer keeps or the log of the build shows."""
    if _MOUNTED.search(rest):
        return
    if found := _IN_URL.search(rest):
        yield Fact(Fault.SECRET, "in an address", f"RUN … {found[0]}")
    for found in _PRINTED.finditer(rest):
        if not found["to"] or not re.search(rf"\brm\b[^;&]*{re.escape(found['file'])}", rest):
            yield Fact(
                Fault.SECRET,
                "prints or keeps a secret",
                f"RUN {' '.join(found[0].split())[:120]}",
                Weight.SLIGHT if found["to"] else Weight.SERIOUS,
            )
