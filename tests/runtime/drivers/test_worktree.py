"""Each task works in a worktree of its own, and what it does is kept on a branch."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

import pytest

from supervisor.runtime.drivers.worktree import NoWorktree, Worktree, discard, git, prepare


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / "below").mkdir(parents=True)
    (folder / "below" / "file").write_text("first\n")
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "first")
    return folder


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    return tmp_path / "state" / "worktrees"


def test_a_task_works_beside_the_repository(repository: Path, folders: Path) -> None:
    made = prepare(repository / "below", "one", folders)
    assert made.folder == folders / "one" / "below"
    (made.folder / "file").write_text("second\n")
    (made.root / "fresh").write_text("new\n")
    kept = made.keep("what was done")
    assert (repository / "below" / "file").read_text() == "first\n"
    assert git(repository, "rev-parse", "supervisor/one") == kept
    assert git(repository, "show", "--stat", "--format=%s %an", kept).splitlines()[0] == "what was done Supervisor"
    assert git(repository, "show", f"{kept}:fresh") == "new"
    assert git(repository, "status", "--porcelain") == ""


def test_the_next_attempt_goes_on_where_the_last_one_was_cut_off(repository: Path, folders: Path) -> None:
    first = prepare(repository, "one", folders)
    (first.root / "half").write_text("done by half\n")
    second = prepare(repository, "one", folders)
    assert (second.root / "half").read_text() == "done by half\n"
    assert git(second.root, "log", "-1", "--format=%s") == "Task one: left by an attempt that was cut off"
    assert git(second.root, "status", "--porcelain") == ""


def test_a_worktree_that_is_gone_is_made_again_from_its_branch(repository: Path, folders: Path) -> None:
    first = prepare(repository, "one", folders)
    (first.root / "half").write_text("done by half\n")
    first.keep("half")
    discard(first.root)
    assert not first.root.exists()
    assert (prepare(repository, "one", folders).root / "half").exists()


def test_a_worktree_without_changes_keeps_the_commit_that_it_began_with(repository: Path, folders: Path) -> None:
    assert prepare(repository, "one", folders).keep("nothing") == git(repository, "rev-parse", "main")


def test_two_tasks_never_share_one(repository: Path, folders: Path) -> None:
    made: list[Worktree] = []

    def work(task: str) -> None:
        each = prepare(repository, task, folders)
        (each.root / "own").write_text(task)
        each.keep(task)
        made.append(each)

    threads = [threading.Thread(target=work, args=(f"task-{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.root for each in made}) == 6
    assert all((each.root / "own").read_text() == each.root.name for each in made)
    assert all(git(repository, "show", f"{each.branch}:own") == each.root.name for each in made)


def test_hooks_that_a_worker_wrote_do_not_run(repository: Path, folders: Path) -> None:
    ran = repository.parent / "ran"
    for name in ("pre-commit", "commit-msg", "post-commit", "post-checkout"):
        hook = repository / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
        hook.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(repository / ".git" / "hooks" / "pre-commit"))
    made = prepare(repository, "one", folders)
    (made.root / "fresh").write_text("new\n")
    made.keep("with hooks")
    assert not ran.exists()
    subprocess.run(["git", "commit", "--quiet", "--allow-empty", "-m", "x"], cwd=made.root, check=False)
    assert ran.exists()  # without our care they would have


@pytest.mark.parametrize("kind", ["no repository", "no commit", "no folder"])
def test_what_is_no_repository_is_told(kind: str, tmp_path: Path, folders: Path) -> None:
    place = tmp_path / "place"
    if kind != "no folder":
        place.mkdir()
    if kind == "no commit":
        git(place, "init", "--quiet")
    with pytest.raises(NoWorktree):
        prepare(place, "one", folders)
