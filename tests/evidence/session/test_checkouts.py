"""What a session tells of a checkout: whose changes it holds, and what was put away."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.session.checkouts import is_own_change, kept_before, made_branches, saved_before

ACTION = Action("bash", {"command": "git restore src/a.py"}, "shell")


def shell(command: str, *, failed: bool = False, output: str = "") -> Step:
    return Step("bash", {"command": command}, output, "shell", failed=failed)


@pytest.mark.parametrize(
    ("step", "tracked", "untracked"),
    [
        (shell("git stash"), True, False),
        (shell("git stash push -u -m wip"), True, True),
        (shell("git commit -am wip"), True, True),
        (shell("git commit --dry-run"), False, False),
        (shell("git stash", failed=True), False, False),
        (shell("git status", output="nothing to commit, working tree clean"), True, True),
        (shell("echo git stash"), False, False),
    ],
)
def test_what_was_put_away(step: Step, tracked: bool, untracked: bool) -> None:
    context = Context(history=(step,))
    assert (saved_before(context), saved_before(context, untracked=True)) == (tracked, untracked)


def test_what_was_put_away_long_ago_does_not_count() -> None:
    assert not saved_before(Context(history=(shell("git stash -u"), *[shell("make")] * 3)))


@pytest.mark.parametrize(
    ("step", "own"),
    [
        (shell("sed -i s/a/b/ src/a.py"), True),
        (shell("cd src && printf x >> a.py"), True),
        (shell("python3 -c \"open('src/a.py','w').write('')\""), True),
        (shell("python3 - <<'E'\nopen('src/a.py', 'w')\nE"), True),
        (Step("edit", {"path": "/w/src/a.py"}, "ok", "file_edit"), True),
        (shell("cat src/a.py"), False),
        (shell("git status", output=" M src/a.py"), False),
        (shell("sed -i s/a/b/ src/b.py"), False),
        (shell("sed -i s/a/b/ src/a.py", failed=True), False),
    ],
)
def test_whose_change_it_is(step: Step, own: bool) -> None:
    assert is_own_change("src/a.py", ACTION, Context(history=(step,))) is own


def test_a_copy_in_the_same_action_counts() -> None:
    action = Action("bash", {"command": "cp src/a.py /tmp/a.py && git restore src/a.py"}, "shell")
    assert is_own_change("src/a.py", action, Context())
    assert not is_own_change("src/b.py", action, Context())


def test_branches_made_and_refs_kept() -> None:
    context = Context(
        history=(shell("git switch -c fix && git branch spare"), shell("git tag old main~3; git merge x"))
    )
    assert made_branches(ACTION, context) == {"fix", "spare"}
    assert kept_before(context) == {"main~3", "x"}
