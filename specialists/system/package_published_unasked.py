"""Publishes a package to a registry although the task asks for no release."""

import re

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_ASKS = ("deploy", "distribut", "publish", "push", "releas", "ship", "upload")
_DEEDS = frozenset({Verb.DEPLOY, Verb.PUBLISH, Verb.PUSH})
# Who wants it in a registry of their own, and the registries that everybody reads.
_INTERNAL = re.compile(
    r"(?i)\b(?:internal|in-house|private|our own|company|intern\w*|hauseigen\w*|priv[ée]e?|privad[oa]|privat\w*"
    r"|prywatn\w*|wewn[ęe]trzn\w*|eigen|внутренн\w*)\b|内部|社内|사내"
)
_PUBLIC = re.compile(
    r"api\.nuget\.org|registry\.npmjs\.org|upload\.pypi\.org|(?:-r|--repository)[ =]pypi\b|rubygems\.org|crates\.io"
    r"|hub\.docker\.com|docker\.io/|packagist\.org|repo\.maven\.apache\.org|oss\.sonatype\.org"
)
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
        if is_asked(_DEEDS, context) and _is_named_version(action, context):
            continue
        public = _PUBLIC.search(package.text)
        if public and _INTERNAL.search(context.task or "") and not _names_host(public[0], context):
            return nudge(
                f"The request is for an internal registry, and everybody reads {public[0]}.",
                correction="Publish to the registry that the user means: name it in the command (`--source`,"
                " `--registry`).",
                evidence=(package.text[:200],),
            )
        if any(word in (context.task or "").lower() for word in _ASKS) or is_asked(_DEEDS, context):
            return flag(reason, confidence=0.5, evidence=(package.text[:200],))
        rehearsal = _REHEARSALS.get(package.ecosystem, "a local build")
        return nudge(
            reason,
            correction=f"Build and check it without publishing (`{rehearsal}`), and leave the release to the user.",
            evidence=(package.text[:200],),
        )
    return ok()


def _names_host(host: str, context: Context) -> bool:
    """Whether the user names a host, with or without what stands before its domain: `api.nuget.org`, "nuget.org"."""
    task, parts = (context.task or "").lower(), host.lower().split(".")
    return any(".".join(parts[at:]) in task for at in range(max(len(parts) - 1, 1)))


_VERSION = re.compile(r"(?<![\w.])v?(\d{1,6}\.\d{1,6}\.\d{1,6}(?:[-.+][\w.]{1,30})?)(?![\w-])")


def _is_named_version(action: Action, context: Context) -> bool:
    """Whether the user says which version is to be published, and the action is about that one alone."""
    wanted = {each.rstrip(".") for each in _VERSION.findall((context.task or "")[:16_384])}
    has = [each for each in wanted if each in action.text("command")]
    hosts = [host for host in _HOST.findall(action.text("command")) if not is_named(host, context)]
    return len(wanted) == 1 and bool(has) and not hosts


_HOST = re.compile(r"://([\w.-]{3,80})")  # a registry that the user does not name
