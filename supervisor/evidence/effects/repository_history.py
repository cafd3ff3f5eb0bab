"""What git does to refs, history and objects, and to the hooks and signatures that guard them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from supervisor.evidence.effects.effect import Act, Effect
from supervisor.evidence.effects.repository_remote import pushed, remote
from supervisor.evidence.effects.repository_settings import configured
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell.git import GitCall

_NOW = frozenset({"now", "all", "0"})
_Found = Iterator[Effect]


def of_ref(call: GitCall, verb: str, target: str = HOLE, *, whole: bool = False, reversible: bool = False) -> Effect:
    """An effect on a ref, a stash or the repository itself."""
    fields = (Act.REPOSITORY, target, Place.WORKSPACE, verb, whole, reversible, call.command.text)
    return Effect(*fields, command=call.command)


def _branch(call: GitCall) -> _Found:
    if call.has("delete", "D"):
        if call.has("D", "force") and not call.has("remotes"):
            yield from (of_ref(call, "delete-branch", name) for name in call.words)
    elif call.has("force") and not call.has("move", "copy"):
        yield from (of_ref(call, "move-branch", name) for name in call.operands[:1])
    elif len(call.operands) == 2 and not call.has("move", "copy"):
        yield of_ref(call, "keep", call.operands[1], reversible=True)


def _tag(call: GitCall) -> _Found:
    if not call.has("delete", "list", "verify"):
        yield of_ref(call, "keep", (*call.operands[1:], "HEAD")[0], reversible=True)


def _update_ref(call: GitCall) -> _Found:
    if call.has("d"):
        yield from (of_ref(call, "delete-branch", name.removeprefix("refs/heads/")) for name in call.operands[:1])
    elif len(call.operands) > 1 and call.operands[0].startswith("refs/heads/"):
        yield of_ref(call, "move-branch", call.operands[0].removeprefix("refs/heads/"))
    elif call.has("stdin") and "delete refs/heads/" in (call.command.stdin or ""):
        yield of_ref(call, "delete-branch", whole=True)


def _rewritten(call: GitCall) -> _Found:
    if not call.has("analyze", "dry-run"):
        yield of_ref(call, "rewrite-history", whole=True)


def _rebase(call: GitCall) -> _Found:
    if call.has("abort", "continue", "skip", "quit", "edit-todo", "show-current-patch"):
        return
    if call.has("root"):
        yield of_ref(call, "rewrite-history", whole=True)
    elif len(call.operands) == 2:
        yield of_ref(call, "rewrite-history", call.operands[1])
    yield from _skips(call)


def _reflog(call: GitCall) -> _Found:
    subcommand = next(iter(call.operands), "show")
    at_once = {call.options.get("expire"), call.options.get("expire-unreachable")} & _NOW
    if not call.has("dry-run") and (subcommand == "delete" or (subcommand == "expire" and at_once)):
        yield of_ref(call, "expire", "the reflog", whole=call.has("all"))


def _gc(call: GitCall) -> _Found:
    if call.options.get("prune") in _NOW:
        yield of_ref(call, "expire", "unreachable objects", whole=True)


def _prune(call: GitCall) -> _Found:
    if not call.has("dry-run") and call.options.get("expire", "now") in _NOW:
        yield of_ref(call, "expire", "unreachable objects", whole=True)


def _bundle(call: GitCall) -> _Found:
    if call.operands[:1] == ("create",):
        yield of_ref(call, "keep", "every ref", whole=True, reversible=True)


def _merge(call: GitCall) -> _Found:
    yield from (of_ref(call, "keep", name, reversible=True) for name in call.operands)
    yield from guards_dropped(call)


def _clone(call: GitCall) -> _Found:
    if call.has("mirror", "bare"):
        yield of_ref(call, "keep", "every ref", whole=True, reversible=True)


def _skips(call: GitCall) -> _Found:
    if call.has("no-verify"):
        yield of_ref(call, "skip-hooks", call.verb)


def _unsigns(call: GitCall) -> _Found:
    if call.has("no-gpg-sign"):
        yield of_ref(call, "unsign", call.verb)


def _pushed(call: GitCall) -> _Found:
    yield from pushed(call)
    yield from _skips(call)


def guards_dropped(call: GitCall) -> _Found:
    yield from _skips(call)
    yield from _unsigns(call)


VERBS: dict[str, Callable[[GitCall], _Found]] = {
    **dict.fromkeys(("am", "pull", "cherry-pick", "revert"), guards_dropped),
    "branch": _branch,
    "bundle": _bundle,
    "clone": _clone,
    "config": configured,
    **dict.fromkeys(("filter-branch", "filter-repo"), _rewritten),
    "gc": _gc,
    "merge": _merge,
    "prune": _prune,
    "push": _pushed,
    "rebase": _rebase,
    "reflog": _reflog,
    "remote": remote,
    "tag": _tag,
    "update-ref": _update_ref,
}
