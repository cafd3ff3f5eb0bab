"""What git and other version control systems do to the files of a repository and to changes in them.

`repository_history` reads effects on refs and commits, `repository_remote` on remotes, `repository_host` those of
hosting services, `repository_settings` those of settings, `repository_kin` those of other systems and tools.

Verbs: "discard" (uncommitted changes), "discard-or-switch" (only git can decide whether a word is a file or a branch),
"clean" and "clean-ignored" (untracked files), "drop-stash", "remove-worktree", "delete-branch", "move-branch",
"rewrite-history", "expire" (commits that the reflog or unreachable objects could still restore), "skip-hooks",
"disable-hooks", "unsign", "redirect", "store-credentials", "weaken"; and verbs that make others harmless: "save" (all
changes), "save-file", "keep" (a ref).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from supervisor.evidence.effects import repository_history, repository_host, repository_kin
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.effects.repository_history import guards_dropped, of_ref
from supervisor.evidence.effects.repository_remote import redirected
from supervisor.evidence.effects.repository_settings import set_for_one_run
from supervisor.evidence.reading.paths import resolve, without_glob
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.git import GitCall, git_call

_EVERYTHING = frozenset({".", "./", "*", ":/", ":/.", ":", "./*", "**", ":/*"})
_FILE = re.compile(r"(?:.*/)?[^/]*\.[A-Za-z][A-Za-z0-9_]{0,9}$|.*/$|\./.*")
_Found = Iterator[Effect]


def _git(command: Command, ground: Ground) -> Iterator[Effect]:
    call = git_call(command)
    if call is None:
        return
    yield from set_for_one_run(call)
    if call.verb in _FILES:
        yield from _FILES[call.verb](call, ground)
    elif call.verb in repository_history.VERBS:
        yield from repository_history.VERBS[call.verb](call)


def _on_files(call: GitCall, ground: Ground, words: Iterable[str], verb: str = "discard") -> _Found:
    """An effect on each file that pathspecs name, or on all files."""
    for word in words:
        whole = word in _EVERYTHING
        path = call.command.cwd if whole else resolve(word.removeprefix(":/"), call.command.cwd)
        bare = without_glob(path)
        scope = ground.scope_of(bare, call.command)
        yield Effect(
            Act.REPOSITORY, bare, scope, verb, whole or bare != path, text=call.command.text, command=call.command
        )


def _all_files(call: GitCall, ground: Ground) -> _Found:
    return _on_files(call, ground, ["."])


# Changes and files


def _checkout(call: GitCall, ground: Ground) -> _Found:
    if call.has("patch", "ours", "theirs"):
        return
    if call.has("force") or (call.has("pathspec-from-file") and not call.paths):
        yield from _all_files(call, ground)
    elif call.paths:
        yield from _on_files(call, ground, call.paths)
    elif not call.has("b", "B", "orphan", "detach", "track"):
        yield from _checked_out(call, ground)


def _checked_out(call: GitCall, ground: Ground) -> _Found:
    """`git checkout word …`: the words are a branch, a commit and files of it, or files."""
    first, *others = call.operands or ("",)
    if first in _EVERYTHING or _FILE.fullmatch(first):
        surely = first in _EVERYTHING
        yield from _on_files(call, ground, call.operands, "discard" if surely else "discard-or-switch")
    else:
        yield from _on_files(call, ground, others)


def _restore(call: GitCall, ground: Ground) -> _Found:
    if (call.has("staged") and not call.has("worktree")) or call.has("patch", "ours", "theirs"):
        return
    yield from _on_files(call, ground, ["."] if call.has("pathspec-from-file") else call.words)


def _reset(call: GitCall, ground: Ground) -> _Found:
    if call.has("hard", "merge"):
        yield from _all_files(call, ground)


def _switch(call: GitCall, ground: Ground) -> _Found:
    if call.has("force", "discard-changes"):
        yield from _all_files(call, ground)


def _clean(call: GitCall, ground: Ground) -> _Found:
    forced = call.has("force") or call.settings.get("clean.requireforce", "").lower() in ("false", "no", "off", "0")
    if forced and not call.has("dry-run", "interactive"):
        verb = "clean-ignored" if call.has("X") else "clean"
        yield from _on_files(call, ground, call.words or ["."], verb)


def _removed(call: GitCall, ground: Ground) -> _Found:
    if call.has("force") and not call.has("cached", "dry-run"):
        yield from (each for each in _on_files(call, ground, call.words) if each.whole)


def _stash(call: GitCall, ground: Ground) -> _Found:
    subcommand, *names = call.operands or ("push",)
    if subcommand in ("drop", "clear"):
        yield of_ref(call, "drop-stash", names[0] if names else "stash@{0}", whole=subcommand == "clear")
    elif subcommand == "push" and (names or call.paths):
        yield from _on_files(call, ground, [*names, *call.paths], "save-file")
    elif subcommand in ("push", "save"):
        yield of_ref(call, "save", whole=call.has("include-untracked", "all"), reversible=True)
    elif subcommand in ("apply", "branch"):
        yield of_ref(call, "keep", names[-1] if names else "stash@{0}", reversible=True)


def _commit(call: GitCall, ground: Ground) -> _Found:
    if not call.has("dry-run"):
        yield of_ref(call, "save", reversible=True)
        yield from guards_dropped(call)


def _worktree(call: GitCall, ground: Ground) -> _Found:
    subcommand, *paths = call.operands or ("list",)
    if subcommand == "remove" and call.has("force"):
        yield from _on_files(call, ground, [*paths, *call.paths][:1], "remove-worktree")


def _submodule(call: GitCall, ground: Ground) -> _Found:
    subcommand, *paths = call.operands or ("status",)
    if call.has("force") and subcommand == "deinit":
        yield from _on_files(call, ground, [*paths, *call.paths] or ["."])
    elif subcommand == "set-url":
        yield from redirected(call, paths[-1:])


def _read_tree(call: GitCall, ground: Ground) -> _Found:
    if call.has("reset") and call.has("u") and not call.has("dry-run"):
        yield from _all_files(call, ground)


def _checkout_index(call: GitCall, ground: Ground) -> _Found:
    if call.has("force") and not call.has("prefix"):
        yield from _on_files(call, ground, ["."] if call.has("all") else call.words)


_FILES: dict[str, Callable[[GitCall, Ground], _Found]] = {
    "checkout": _checkout,
    "checkout-index": _checkout_index,
    "clean": _clean,
    "commit": _commit,
    "read-tree": _read_tree,
    "reset": _reset,
    "restore": _restore,
    "rm": _removed,
    "stash": _stash,
    "submodule": _submodule,
    "switch": _switch,
    "worktree": _worktree,
}

# Subcommands of which only some forms lose something, and the first words of the forms that do not.
_QUIET_FORMS: dict[str, frozenset[str]] = {
    "branch": frozenset({"-a", "-r", "-v", "-vv", "--show-current", "--list"}),
    "remote": frozenset({"-v", "show", "get-url"}),
    "stash": frozenset({"list", "show", "pop", "apply"}),
    "tag": frozenset({"-l", "--list"}),
}


def _is_quiet(words: Sequence[str]) -> bool:
    """Whether a subcommand loses nothing with any options. `git -c` may make every subcommand lose something."""
    at = 0
    while at < len(words) and words[at] in ("--no-pager", "-C"):
        at += 2 if words[at] == "-C" else 1
    verb, *rest = words[at:] or [""]
    if verb in _QUIET_FORMS:
        return rest[0] in _QUIET_FORMS[verb] and len(rest) == 1 if rest else verb != "stash"
    return not verb.startswith("-") and verb not in _FILES and verb not in repository_history.VERBS


_ACTS = frozenset({Act.REPOSITORY})
PROGRAMS = {
    "git": Reading(_ACTS, _git, _is_quiet),
    **repository_kin.PROGRAMS,
    **repository_host.PROGRAMS,
}
