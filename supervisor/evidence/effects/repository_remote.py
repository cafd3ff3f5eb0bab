"""What git does to a remote: history overwritten, branches and tags deleted or moved, the remote itself changed.

Verbs: "force-push" (reversible if a lease protects commits that were never fetched), "delete-branch", "delete-tag",
"move-tag", "redirect", "add-remote"; and "keep", which saves a ref on the remote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect
from supervisor.evidence.effects.repository_settings import redirect
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell.git import GitCall

_VERSION = re.compile(r"v?\d+(?:\.\d+){0,3}(?:[-+.][0-9A-Za-z.-]+)?")


def is_tag(ref: str) -> bool:
    """Whether a ref is a tag by its full name, or by its form: `v1.2.3`, `2.0`."""
    return ref.startswith("refs/tags/") or bool(_VERSION.fullmatch(ref))


def pushed(call: GitCall) -> Iterator[Effect]:
    """The effects of `git push`."""
    if call.has("dry-run"):
        return
    refspecs = _refspecs(call)
    forced = call.has("force", "mirror")
    leased = call.has("force-with-lease") and not forced
    if call.has("prune"):
        yield _remote(call, "delete-branch", HOLE, whole=True)
    if call.has("delete"):
        yield from (_deleted(call, ref) for ref in refspecs)
        return
    for refspec in refspecs:
        source, colon, target = refspec.lstrip("+").rpartition(":")
        if colon and not source and target:
            yield _deleted(call, target)
        elif forced or leased or refspec.startswith("+"):
            yield _overwritten(call, target, leased and not refspec.startswith("+"))
        else:
            yield _remote(call, "keep", source or target, reversible=True)
    if forced and call.has("tags"):
        yield _remote(call, "move-tag", "every tag", whole=True)
    if (forced or leased) and not refspecs and not (call.has("tags") and not call.has("all", "mirror")):
        whole = call.has("all", "mirror", "branches")
        yield _remote(call, "force-push", "every branch" if whole else HOLE, whole=whole, reversible=leased)


def remote(call: GitCall) -> Iterator[Effect]:
    """The effects of `git remote`."""
    if call.operands[:1] == ("set-url",) and not call.has("delete"):
        yield from redirected(call, call.operands[2:3])
    elif call.operands[:1] == ("add",):
        yield from (_remote(call, "add-remote", url, reversible=True) for url in call.operands[2:3])


def redirected(call: GitCall, urls: Sequence[str]) -> Iterator[Effect]:
    """The effect of a new URL for a remote or a submodule."""
    yield from (redirect(call, url) for url in urls)


def _refspecs(call: GitCall) -> list[str]:
    """The refspecs of a push. `tag v1` is one refspec. The first operand is the remote unless an option names it."""
    words = list(call.words) if call.has("repo") else list(call.words[1:])
    refspecs: list[str] = []
    while words:
        word = words.pop(0)
        refspecs.append(f"refs/tags/{words.pop(0)}" if word == "tag" and words else word)
    return refspecs


def _deleted(call: GitCall, ref: str) -> Effect:
    if is_tag(ref):
        return _remote(call, "delete-tag", ref.removeprefix("refs/tags/"))
    return _remote(call, "delete-branch", ref.removeprefix("refs/heads/"))


def _overwritten(call: GitCall, ref: str, leased: bool) -> Effect:
    if is_tag(ref):
        return _remote(call, "move-tag", ref.removeprefix("refs/tags/"), reversible=leased)
    branch = ref.removeprefix("refs/heads/")
    if branch in ("HEAD", "@"):
        branch = HOLE
    return _remote(
        call, "force-push", "every branch" if branch == "*" else branch, whole="*" in branch, reversible=leased
    )


def _remote(call: GitCall, verb: str, target: str, *, whole: bool = False, reversible: bool = False) -> Effect:
    fields = (Act.REPOSITORY, target, Place.REMOTE, verb, whole, reversible, call.command.text)
    return Effect(*fields, command=call.command)
