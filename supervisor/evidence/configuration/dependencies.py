"""What a package says of its dependencies and of the scripts that run when it is installed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.documents import Document
from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, scalar, short
from supervisor.evidence.configuration.fetched import faults_of_commands

_LISTS = frozenset(
    "dependencies devdependencies optionaldependencies overrides resolutions packages devpackages require".split()
)
_INSTALLS = ("preinstall", "install", "postinstall", "prepare", "prepublish", "preprepare", "postprepare")
_COMMIT = re.compile(
    r"[#@](?:[0-9a-f]{7,64}|v?\d+(?:\.\d+)+[\w.-]*|semver:\S+)(?:$|[#&])|\?(?:rev|ref|tag)=|sha256="
    r"|subdirectory=.*[0-9a-f]{40}"
)
_REMOTE = re.compile(
    r"(?:git\+)?(?:https?|git|ssh)://|^(?:github|gitlab|bitbucket|gist):|^[\w-]+/[\w.-]+(?:#|$)", re.IGNORECASE
)
_SENDS = re.compile(
    r"\b(?:curl|wget|nc|Invoke-WebRequest)\b[^;&|\n]{0,200}(?:\$\(|\benv\b|process\.env|~/\.(?:ssh|aws|npmrc)|\$HOME)"
    r"|\bnode\s+(?:-e|--eval)\b[^\n]{0,300}(?:require\([\"'](?:https?|net|child_process)|\bfetch\()"
)
_MODULE = re.compile(r"^(?:git::|git@|https?://|github\.com/|bitbucket\.org/)")


def faults_of_dependencies(document: Document) -> Iterator[Fact]:
    """Dependencies without a version or from plain HTTP, and scripts of an installation that fetch."""
    for line in document.lines:
        yield from _of_line(line)
    for block in document.blocks:
        if (block.path and block.path[-1] in _LISTS) or _is_part_of_list(document, block):
            yield from _of_list(block)
        if block.path and block.path[-1] == "scripts":
            yield from _of_scripts(block)
        if "module" in block.path[:1]:
            yield from _of_module(block)


def _is_part_of_list(document: Document, block: Block) -> bool:
    """Whether a part of a manifest of npm is of its dependencies: every value is a version or a place."""
    if block.path or not document.path.endswith("package.json") or not block.values:
        return False
    return all(_VERSION.match(scalar(value)) for value in block.values.values())


_VERSION = re.compile(r"^(?:[\^~><=v*]*\d[\w.*+-]*|latest|next|\*|(?:git\+|github:|gitlab:|https?:|git:)\S+)$")


def _of_line(line: str) -> Iterator[Fact]:
    yield from faults_of_commands(line)
    if line.startswith(("-", "#")):
        return
    if "http://" in line and not re.search(r"http://(?:localhost|127\.)", line):
        yield Fact(Fault.UNVERIFIED, f"from {line}", short(line))
    elif _REMOTE.search(line.split("@", 1)[-1].strip()) and "://" in line and not _COMMIT.search(line):
        yield Fact(Fault.FLOATING, line, short(line), Weight.SLIGHT)


def _of_list(block: Block) -> Iterator[Fact]:
    for key, value in block.values.items():
        version = scalar(value) or (scalar(value.get("git") or value.get("url")) if isinstance(value, dict) else "")
        pinned = isinstance(value, dict) and bool({"rev", "tag", "ref", "integrity", "hash"} & value.keys())
        if not version or pinned or version.startswith(("workspace:", "file:", "link:", "npm:", "./", "../", "$")):
            continue
        name = block.spelt.get(key, key)
        if version.startswith("http://"):
            yield Fact(Fault.UNVERIFIED, f"{name} from {version}", f"{name}: {short(version)}")
        elif version in ("*", "latest", "x", "next") or (_REMOTE.search(version) and not _COMMIT.search(version)):
            yield Fact(Fault.FLOATING, f"{name}={version}", f"{name}: {short(version)}", Weight.SLIGHT)


def _of_scripts(block: Block) -> Iterator[Fact]:
    for name in _INSTALLS:
        text = scalar(block.values.get(name))
        for fact in faults_of_commands(text):
            yield fact._replace(weight=Weight.SERIOUS, text=f"{name}: {short(text)}")
        if _SENDS.search(text):
            yield Fact(Fault.UNVERIFIED, f"{name} sends", f"{name}: {short(text)}")


def _of_module(block: Block) -> Iterator[Fact]:
    source = scalar(block.values.get("source"))
    if _MODULE.match(source) and "ref=" not in source and "version" not in block.values and "checksum" not in source:
        yield Fact(Fault.FLOATING, f"module={source}", f"source: {short(source)}", Weight.SLIGHT)
