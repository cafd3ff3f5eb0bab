"""Overwrites the history of a branch that others build on.

`--force` beside `--force-with-lease` counts as `--force`: it makes git ignore the lease. The lease alone refuses to
overwrite what was never seen, so on a shared branch it is only flagged.
"""

from supervisor.evidence.git import git_calls
from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell import Command, script, shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_SHARED = frozenset(
    {"dev", "develop", "development", "main", "master", "next", "prod", "production", "stable", "staging", "trunk"}
)
_SHARED_PREFIXES = ("release/", "release-", "releases/", "hotfix/", "support/")
_VALUED = frozenset({"-o", "--push-option", "--receive-pack", "--exec", "--repo"})


@specialist("shell")
def force_push_to_shared_branch(action: Action, context: Context) -> Opinion:
    leased = None
    for verb, command in git_calls(script(action, context)):
        if verb != "push" or command.has_flag("--dry-run", "-n", "--delete", "-d"):
            continue
        _, *refspecs = command.operands(_VALUED) or [""]
        marked = [ref for ref in refspecs if ref.startswith("+")]  # `+main` forces this one alone
        if marked or command.has_flag("-f", "--force"):
            branch = _shared_among(marked or refspecs) if refspecs else _current_branch(command, context)
            if branch is not None:
                return _corrected(branch, command)
        elif command.has_flag("--force-with-lease"):
            leased = leased or _shared_among(refspecs)
    if leased:
        return flag(f"It rewrites the shared branch {leased}, though only as far as this clone has seen it.")
    return ok()


def _shared_among(refspecs: list[str]) -> str | None:
    """The first shared branch that is pushed to."""
    branches = (ref.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/") for ref in refspecs)
    return next(filter(_is_shared, branches), None)


def _is_shared(branch: str) -> bool:
    return branch in _SHARED or branch.startswith(_SHARED_PREFIXES)


def _current_branch(command: Command, context: Context) -> str | None:
    """What is pushed when no branch is named: None where the context says that it is not shared."""
    known = context.facts.get("branch")
    if command.has_flag("--all", "--mirror", "--branches"):
        return "every branch"
    if isinstance(known, str):
        return known if _is_shared(known) else None
    return "the current branch"


def _corrected(branch: str, command: Command) -> Opinion:
    named = "a branch that is not named" if HOLE in branch else branch
    return nudge(
        f"A forced push replaces the history of {shown(named)} on the remote; commits of others there are lost.",
        correction="Push your work to a branch of your own (`git push origin HEAD:refs/heads/<your-branch>`) and open a"
        " pull request. To update a branch that is yours alone, name it and use `git push --force-with-lease origin"
        " <your-branch>`.",
        sharper=f"Do not force {shown(named)}: integrate what is there (`git pull --rebase`) and push without --force.",
        evidence=(command.text[:200],),
    )
