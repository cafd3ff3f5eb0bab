"""Removes a published version that others build on."""

import re

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package
from supervisor.evidence.prose.request_names import named_in
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_VERBS = frozenset({Verb.DELETE, Verb.REVOKE, Verb.RESET})
_VERSION = re.compile(r"(?<![\w.])\d{1,5}(?:\.\d{1,6}){1,3}(?:[-+][\w.]{1,30})?(?![\w])")
_ASKS = ("take", "delete", "remove", "retract", "unpublish", "withdraw", "yank")


@specialist("shell", "python", "javascript", about=[Act.INSTALL])
def package_unpublished(action: Action, context: Context) -> Opinion:
    findings = [
        _judge(package, context)
        for package in effects(action, context).of(Act.INSTALL)
        if isinstance(package, Package) and package.verb == "unpublish" and "--undo" not in package.text
    ]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(package: Package, context: Context) -> Finding:
    if others := _versions_beside(package.text, context.task or ""):
        return nudge(
            f"The request names a version, and this takes {shown(others)}.",
            correction="Name that version alone: `npm deprecate name@version`, `cargo yank --version … name`.",
            evidence=(package.text[:200],),
        )
    name = shown(package.target) or "a version"
    reason = f"It removes {name} from the {package.ecosystem} registry, and breaks every build that uses it."
    bare = package.target.rpartition("@")[0] or package.target
    version = package.target.rpartition("@")[2]
    named = is_named(bare, context) or (version[:1].isdigit() and is_named(version, context))
    asked = any(word in (context.task or "").lower() for word in _ASKS) or is_asked(_VERBS, context)
    if named and asked and package.ecosystem == "cargo" and _has_named_version(package.text, context):
        return ok()  # a yank hides it from new builds, and can be undone
    if named and asked:
        return flag(reason, evidence=(package.text[:200],))
    return nudge(
        reason,
        correction='Leave the version where it is: mark it deprecated (`npm deprecate name@version "reason"`) and'
        " release a fixed one.",
        evidence=(package.text[:200],),
    )


def _has_named_version(text: str, context: Context) -> bool:
    """Whether the versions that go are those that the user names."""
    found = _VERSION.findall(text[:8192])
    return bool(found) and all(is_named(each, context) for each in found)


def _versions_beside(text: str, task: str) -> str:
    """The versions that a command takes beside the ones that the request names, or "all versions"; or ""."""
    wanted, taken = ({*_VERSION.findall(each[:8192])} for each in (task, text))
    if not wanted or named_in(task).everything:
        return ""
    return ", ".join(sorted(taken - wanted)) if taken else "all versions"
