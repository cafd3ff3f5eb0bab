"""A git worktree of a task's own, in which its attempts work one after the other, and a branch that keeps what they do.

The worktree is never another task's. Hooks and the file watcher of the repository do not run, because a worker may have
changed them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from supervisor.errors import SupervisorError

_TIME = 120  # seconds for one git command
_QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "commit.gpgSign=false")
_AUTHOR = {
    "GIT_AUTHOR_NAME": "Supervisor",
    "GIT_AUTHOR_EMAIL": "supervisor@localhost",
    "GIT_COMMITTER_NAME": "Supervisor",
    "GIT_COMMITTER_EMAIL": "supervisor@localhost",
}


class NoWorktree(SupervisorError):
    """A worktree cannot be made or read."""

    code = "no_worktree"


@dataclass(frozen=True, slots=True)
class Worktree:
    """The worktree of one task. `folder` is where its commands run: the same place in it as in the repository."""

    repository: Path
    root: Path
    folder: Path
    branch: str

    def keep(self, message: str) -> str:
        """Commits whatever has changed. Returns the newest commit of the branch. Raises NoWorktree."""
        git(self.root, "add", "--all")
        if git(self.root, "status", "--porcelain"):
            git(self.root, "commit", "--quiet", "--no-verify", "--message", message)
        return git(self.root, "rev-parse", "HEAD")


def prepare(place: Path, task: str, folders: Path) -> Worktree:
    """The worktree of a task whose repository contains `place`. It is made at the task's first attempt, from the commit
    that is checked out there; later ones find it, or make it again from the branch. What an attempt that was lost has
    left in it is committed. Raises NoWorktree."""
    repository, below = Path(git(place, "rev-parse", "--show-toplevel")), git(place, "rev-parse", "--show-prefix")
    branch, root = f"supervisor/{task}", folders / task
    made = Worktree(repository, root, root / below, branch)
    folders.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _alone(folders):
        if root.exists():
            made.keep(f"Task {task}: left by an attempt that was cut off")
        else:
            git(repository, "worktree", "prune")
            known = git(repository, "branch", "--list", branch)
            which = (str(root), branch) if known else ("-b", branch, str(root))
            git(repository, "worktree", "add", "--quiet", *which)
    return made


def discard(root: Path) -> None:
    """Removes the folder of a worktree. Its branch stays. Raises NoWorktree."""
    common = Path(git(root, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    with _alone(root.parent):
        git(common, "worktree", "remove", "--force", "--force", str(root))


@contextlib.contextmanager
def _alone(folders: Path) -> Iterator[None]:
    """Nobody else adds or removes worktrees meanwhile: git does not expect it."""
    descriptor = os.open(folders, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def git(folder: Path, *words: str) -> str:
    """What a git command prints, without the end of its last line. Raises NoWorktree."""
    command = ["git", *_QUIET, *words]
    environment = {**os.environ, **_AUTHOR, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        ran = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_TIME, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoWorktree(f"git {words[0]}: {error}", place=str(folder)) from None
    if ran.returncode:
        raise NoWorktree(f"git {words[0]}: {' '.join(ran.stderr.split())}", place=str(folder))
    return ran.stdout.strip("\n")
