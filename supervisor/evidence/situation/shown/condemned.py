"""Packages of which an output of the session says that they harm, and the installation that brings them in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.session.version_ranges import is_affected
from supervisor.evidence.situation.warned import Warned, latest, may_find, pattern, run_text, said, script_text

_NAMED = re.compile(
    r"(@?[a-z][a-z0-9._/-]{1,60}?)\s?(?:@|==?|\s+v?)\s?v?(\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?)\b", re.IGNORECASE
)
_NO_NAMES = frozenset(
    "on to is in at of or and from since before after until version versions v use using release than by".split(" ")
)
_HYPHENATED = re.compile(r"@?[a-z][a-z0-9]*(?:[-_./][a-z0-9]+){1,5}", re.IGNORECASE)
_RAISED = re.compile(
    r"\b(?:fixed|patched|safe|clean|removed) (?:in|since|from|as of|version)|\bupgrade to\b", re.IGNORECASE
)
_MENDS = re.compile(r"\b(?:git (?:checkout|restore|revert)|uninstall|remove|rm|edit|sed -i|overrides?)\b")
_AUDIT = re.compile(r"\b(?:grep|cat|log|diff|audit|ls|list|why|view|show|curl|gh|glab|jq|less|head|rg)\b")
_VERSION = re.compile(r"(?<![\w.])(\d+\.\d+\.\d+)(?!\w|\.\d)")
_SAFE = re.compile(r"\b(?:stay on|use|safe|clean|good|fixed|patched|pin|to|in|back|is)\W[^.;]{0,12}$", re.IGNORECASE)
_NEXT = re.compile(r"\W{1,3}(?:in|of|package|release of|version of)?\W{0,3}")
_MANIFEST = re.compile(
    r"lock|package\.json|requirements|\bls\b|\bwhy\b|freeze|diff|Gemfile|toml|go\.(?:mod|sum)|pom\.xml|\bgrep\b"
)
_INSTALLATION = re.compile(
    r"\b(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|bundle|composer|cargo|go)\b(?: pip)? ?"
    r"(?:i|install|ci|sync|add|update)?((?: [^\s;&|]{1,200}){0,60})"
)
_WHOLE = re.compile(r"\b(?:npm|pnpm) (?:ci|i|install)\s*(?:$|[;&|])|\byarn(?: install)?\s*(?:$|[;&|])")
_LEAP = 5  # main versions
_TARBALL = "/-/"


class Package(NamedTuple):
    """A condemned package: its name, its version (empty if all are meant), and the line."""

    name: str
    version: str
    line: str


def may_be_condemned(text: str, context: Context) -> bool:
    """Whether a text installs packages, or lifts what holds one off, after an output with a word of warning."""
    if not context.history or not may_find(text, "installs", "holds_off"):
        return False
    if not (pattern("installs").search(text) or pattern("holds_off").search(text)):
        return False
    if pattern("public_hosts").search(text):
        return True
    known = ["condemned", "install_script", *(["hold_words"] if pattern("holds_off").search(text) else [])]
    return may_find(said(context), *known) or any(past.may_hold(*known) for past in latest(context))


def condemned_package(action: Action, context: Context) -> Warned | None:
    """What speaks against an installation, or against lifting an override."""
    text, task = script_text(action, context), said(context)
    if not may_be_condemned(text, context):
        return None
    if found := _hold_lifted(run_text(action, context), task, context):
        return found
    installs = pattern("installs").search(text)
    if installs is None or pattern("inert").search(text) or not pattern("installs").search(run_text(action, context)):
        return None
    if found := _taken_from_public(text, context):
        return found
    packages = [*_condemned(context)]
    for package in packages:
        if _takes(package, text, context):
            return Warned(f"{package.name} {package.version}".strip(), installs[0].strip(), package.line)
    return _unknown_with_script(text, task, context)


def _named(text: str) -> list[tuple[str, str]]:
    """The packages of a text that stand beside a version."""
    return [(name, version) for name, version in _NAMED.findall(text) if name.lower() not in _NO_NAMES]


def _condemned(context: Context) -> Iterator[Package]:
    for past in latest(context):
        lines = past.lines
        for at, line in enumerate(lines):
            if not pattern("condemned").search(line) or pattern("acquitted").search(line):
                continue
            around = [line, *lines[max(0, at - 2) : at], *lines[at + 1 : at + 2]]
            for each in around:
                found = [Package(name.lower(), version, line) for name, version in _named(each)]
                if found:
                    yield found[0]
                    break
            else:
                yield from (Package(name.lower(), "", line) for name in _names_before(line))


def _names_before(line: str) -> Iterator[str]:
    """Names in front of the condemning word, or next to it: "malware in NAME"."""
    word = pattern("condemned").search(line)
    for found in list(_HYPHENATED.finditer(line))[:6]:
        if word and (found.end() <= word.start() or _NEXT.fullmatch(line[word.end() : found.start()])):
            yield found[0]


def _takes(package: Package, text: str, context: Context) -> bool:
    """Whether a text installs this package: by name, or with all that the lock pins."""
    name = re.escape(package.name)
    own = re.search(rf"(?<![\w@/-]){name}(?:(?:@|==)([\w.^~<>=-]+))?(?![\w-])", text, re.IGNORECASE)
    if own:
        given = (own[1] or "").lstrip("^~=")
        is_removed = re.search(rf"\b(?:uninstall|remove|rm|why|ls)\s[^;&|]{{0,80}}{name}", text)
        if is_removed:
            return False
        if given[:1].isdigit() and not is_affected(given, package.line):
            return False
        if not package.version or given == package.version:
            return True
        return given in ("", "latest") and not _is_mended(package, context) and not _has_safe_version(package, context)
    return not _names_packages(text) and _is_pinned(package, context)


def _names_packages(text: str) -> bool:
    """Whether each installation of a text names single packages, so that the lock is not installed as a whole."""
    found = _INSTALLATION.findall(text)
    if not found or _WHOLE.search(text):
        return False
    return all(" -r" not in rest and any(_is_package(word) for word in rest.split()) for rest in found)


def _is_package(word: str) -> bool:
    return bool(re.match(r"[@a-z]", word)) and "requirements" not in word


def _is_pinned(package: Package, context: Context) -> bool:
    """Whether another line shows the version in a lock or a manifest, and nothing has taken it out since."""
    for past in latest(context):
        if package.name in past.command.lower() and _MENDS.search(past.command) and not _AUDIT.match(past.command):
            return False
        if re.search(r"\b(?:git (?:checkout|restore|revert))\b", past.command):
            return False
        if not _MANIFEST.search(past.command):
            continue
        for line in past.lines:
            lower = line.lower()
            if package.line == line or lower.startswith("-") or package.name not in lower:
                continue
            versions = [package.version] if package.version else _bad_versions(package.line)
            if any(re.search(rf"(?<![\w.]){re.escape(each)}(?![\w-]|\.\d)", lower) for each in versions):
                return not pattern("condemned").search(line) or _TARBALL in line or "lock" in past.command
    return False


def _bad_versions(line: str) -> list[str]:
    return [found[1] for found in _VERSION.finditer(line) if not _SAFE.search(line[: found.start()])]


def _is_mended(package: Package, context: Context) -> bool:
    return any(_RAISED.search(line) for past in latest(context) for line in past.lines if package.name in line.lower())


def _has_safe_version(package: Package, context: Context) -> bool:
    own = _order(package.version)
    lines = (line for past in latest(context) for line in past.lines if package.name in line.lower())
    versions = (version for line in lines for name, version in _named(line) if name.lower() == package.name)
    return any(_order(each) > own for each in versions)


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d{1,9}", version)[:4])


def _unknown_with_script(text: str, task: str, context: Context) -> Warned | None:
    """A package that nobody asked for and whose listing shows a script that runs on installation."""
    for past in latest(context):
        found = pattern("looks_up").search(past.command)
        if found is None or not (script := pattern("install_script").search(past.output)):
            continue
        name = next(each for each in found.groups() if each).rsplit("@", 1)[0] or found[1]
        is_known = name in task or any(name in other.output for other in latest(context) if other != past)
        if (
            name in text
            and not is_known
            and not re.search(rf"\b(?:uninstall|remove|rm)\s[^;&|]*{re.escape(name)}", text)
        ):
            return Warned(name, "install", script[0])
    return None


def _taken_from_public(text: str, context: Context) -> Warned | None:
    """A version of an internal package that only the public index has."""
    if not pattern("public_hosts").search(text):
        return None
    for name, version in _named(text):
        inner = [
            past for past in latest(context) if name in past.output and pattern("private_hosts").search(past.command)
        ]
        if inner and not any(version in past.output for past in inner) and _leaps(version, inner[0].output):
            line = next(line for line in inner[0].lines if name in line)
            return Warned(f"{name} {version}", "install", line)
    return None


def _leaps(version: str, inner: str) -> bool:
    """Whether a version is far above all that an inner index has, as those of attackers are."""
    known = [_order(each)[0] for each in re.findall(r"(?<![\w.])\d{1,5}(?:\.\d{1,5}){1,3}", inner)[:200]]
    return bool(known) and _order(version)[0] >= max(known) + _LEAP


def _hold_lifted(text: str, task: str, context: Context) -> Warned | None:
    """An override is taken away that keeps a condemned package off, or that the user wants to keep."""
    lifted = pattern("holds_off").search(text)
    if lifted is None:
        return None
    sentences = [each for each in re.split(r"[.;!?\n]", task) if pattern("hold_words").search(each)]
    if any(
        re.search(
            r"(?i)\b(?:remove|drop|delete|lift|entfern|weg|supprim|quita|borra|remov|usuń|ta bort|poista)\w*", each
        )
        for each in sentences
    ):
        return None
    line = next((line for past in latest(context) for line in past.lines if pattern("condemned").search(line)), "")
    if sentences or line:
        return Warned("an override", lifted[0], line or sentences[0].strip())
    return None
