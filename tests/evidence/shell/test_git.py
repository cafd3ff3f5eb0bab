"""How git command lines are taken, and what git, its kin and the hosts' clients are seen to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.effects import PROGRAMS, Act, Effect, Ground, effects_of_script
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import Command, read_script
from supervisor.evidence.shell.git import GitCall, git_call, git_calls

WORDS = (
    "status stash list drop clear pop branch -D -a x tag -l -d remote set-url show log push -f --no-pager -C -c "
    "checkout . clean -fd repo delete view api -X DELETE repos/o/r update revert -R purge op abandon uninstall commit "
    "-n restore https://api.github.com/repos/o/r gc --prune=now filter-repo"
)


def call(command: str) -> GitCall:
    (only,) = git_calls(read_script(command, None))
    return only


def done(command: str) -> list[Effect]:
    return list(effects_of_script(read_script(command, None), Ground()).of(Act.REPOSITORY))


def told(command: str) -> list[tuple[str, str]]:
    return [(effect.verb, effect.target) for effect in done(command)]


@pytest.mark.parametrize(
    ("command", "options", "operands"),
    [
        ("git reset --har HEAD~1", {"hard": ""}, ("HEAD~1",)),
        ("git reset HEAD~1 --hard", {"hard": ""}, ("HEAD~1",)),
        ("git checkout -bfoo", {"b": "foo"}, ()),
        ("git checkout -tf main", {"track": "", "force": ""}, ("main",)),
        ("git checkout --conflict merge main", {"conflict": "merge"}, ("main",)),
        ("git commit -anm 'x y'", {"all": "", "no-verify": "", "message": "x y"}, ()),
        ("git commit -mn", {"message": "n"}, ()),
        ("git push -f --no-force origin x", {"no-force": ""}, ("origin", "x")),
        ("git push --force-with-lease=x:1 origin x", {"force-with-lease": "x:1"}, ("origin", "x")),
        ("git clean -nfd", {"dry-run": "", "force": "", "d": ""}, ()),
        ("git gc --prune=now", {"prune": "now"}, ()),
        ("git tag -n3 v1", {"n": "3"}, ("v1",)),
        ("git frobnicate --what=1 -xy z", {"what": "1", "x": "", "y": ""}, ("z",)),
    ],
)
def test_options_are_taken_as_git_takes_them(command: str, options: dict[str, str], operands: tuple[str, ...]) -> None:
    taken = call(command)
    assert (dict(taken.options), taken.operands) == (options, operands)


def test_what_stands_before_the_subcommand() -> None:
    taken = call("git -C api -c Core.HooksPath=/x -c a.b --no-pager --work-tree=web restore -- -f")
    assert (taken.verb, taken.command.cwd, taken.operands, taken.paths) == ("restore", "web", (), ("-f",))
    assert taken.settings == {"core.hookspath": "/x", "a.b": "true"}


@pytest.mark.parametrize("command", ["git", "git --help reset --hard", "git reset -h", "git reset --help", "git -C"])
def test_help_and_nothing_do_nothing(command: str) -> None:
    assert list(git_calls(read_script(command, None))) == []
    assert done(command) == []


@given(st.lists(st.text(max_size=12) | st.sampled_from(["--", "-", "-f", "--force", "-C", "-c", HOLE]), max_size=12))
def test_no_words_break_it(words: list[str]) -> None:
    for program in ("git", "gh", "glab", "hub", "hg", "svn", "jj", "curl", "java"):
        command = Command((program, *words))
        git_call(command)
        read = effects_of_script(read_script([program, *words], None), Ground())
        assert all(effect.act is Act.REPOSITORY for effect in read.of(Act.REPOSITORY))


@given(
    st.sampled_from(["reset --hard", "clean --force", "checkout --force main", "branch --delete --force x"]),
    st.lists(st.sampled_from(["-q", "--quiet", "-c", "--no-pager"]), max_size=2, unique=True),
)
def test_what_is_lost_does_not_hang_on_how_it_is_spelled(deed: str, more: list[str]) -> None:
    """Quiet options stand anywhere; long options by any clear beginning of at least four letters."""
    verb, *words = deed.split()
    expected = [(effect.verb, effect.target, effect.whole) for effect in done(f"git {deed}")]
    assert expected
    short = [word[: max(6, len(word) - 1)] if word.startswith("--") else word for word in words]
    before = " ".join("-c a.b=c" if option == "-c" else option for option in more if option in ("-c", "--no-pager"))
    quiet = [option for option in more if "q" in option]
    spelled = f"git {before} {verb} {' '.join([*quiet, *short])}"
    assert [(effect.verb, effect.target, effect.whole) for effect in done(spelled)] == expected


@pytest.mark.parametrize(
    ("command", "effects"),
    [
        ("git checkout -- a.py src/", [("discard", "a.py"), ("discard", "src")]),
        ("git checkout a.py", [("discard-or-switch", "a.py")]),
        ("git checkout main a.py", [("discard", "a.py")]),
        ("git checkout feature/x", []),
        ("git checkout -b fix origin/main", []),
        ("cd api && git restore .", [("discard", "api")]),
        ("git restore --staged x", []),
        ("git stash -u && git stash drop", [("save", HOLE), ("drop-stash", "stash@{0}")]),
        (
            "git push origin :old +main v1:refs/tags/v1",
            [("delete-branch", "old"), ("force-push", "main"), ("keep", "v1")],
        ),
        ("git stash push -m x -- a.py", [("save-file", "a.py")]),
        ("git push -f", [("force-push", HOLE)]),
        ("git push -f origin HEAD", [("force-push", HOLE)]),
        ("git push --repo=up +x", [("force-push", "x")]),
        ("git push -f origin 'refs/heads/*'", [("force-push", "every branch")]),
        ("git push -d origin tag v1", [("delete-tag", "v1")]),
        ("git push -fn origin main", []),
        ("HUSKY=0 git push", [("skip-hooks", "HUSKY")]),
        ("HUSKY=1 git push", []),
        ("git config core.hooksPath .githooks", []),
        ("git config --get core.hooksPath /dev/null", []),
        ("git config unset core.hooksPath", [("disable-hooks", "core.hookspath")]),
        ("git reflog expire --expire=now --all", [("expire", "the reflog")]),
        ("git reflog expire --expire=90.days", []),
        ("git update-ref -d refs/heads/x", [("delete-branch", "x")]),
        ("git update-ref --stdin <<< 'delete refs/heads/x'", [("delete-branch", HOLE)]),
        ("gh repo delete o/r --yes", [("delete-repository", "o/r")]),
        ("gh api repos/o/r -X GET", []),
        ("gh api -X DELETE repos/o/r/git/refs/heads/a/b", [("delete-branch", "a/b")]),
        ("gh api -X DELETE repos/$R", [("delete-repository", HOLE)]),
        ("glab mr delete 4", [("delete-record", "4")]),
        ("curl -XDELETE https://api.github.com/repos/o/r?x=1", [("delete-repository", "o/r")]),
        ("curl -XDELETE https://shop.example/repos/o/r", []),
        ("hg update -C", [("discard", ".")]),
        ("svn revert file.c", []),
        ("echo git reset --hard", []),
    ],
)
def test_effects(command: str, effects: list[tuple[str, str]]) -> None:
    assert told(command) == effects


@given(
    st.sampled_from(["git", "gh", "hg", "svn", "jj", "curl", "pre-commit"]),
    st.lists(
        st.sampled_from(WORDS.split()),
        max_size=6,
    ),
)
def test_what_is_quiet_loses_nothing(program: str, words: list[str]) -> None:
    if all(reading.is_quiet(words) for reading in PROGRAMS[program] if Act.REPOSITORY in reading.acts):
        read = effects_of_script(read_script([program, *words], None), Ground())
        assert {effect.verb for effect in read.of(Act.REPOSITORY)} <= {"keep", "save"}


def test_what_most_agents_run_is_quiet() -> None:
    for command in ("status --short", "-C api --no-pager log -3", "diff", "add -A", "branch -a", "stash list", "fetch"):
        assert not effects_of_script(read_script(f"git {command}", None), Ground()).acts


def test_a_branch_here_is_not_one_there() -> None:
    scopes = [effect.scope for effect in done("git branch -D x; git push origin :x")]
    assert scopes == [Place.WORKSPACE, Place.REMOTE]


def test_a_lease_can_be_undone_and_force_beside_it_cannot() -> None:
    assert [effect.reversible for effect in done("git push --force-with-lease origin x")] == [True]
    assert [effect.reversible for effect in done("git push --force-with-lease -f origin x")] == [False]
    assert [effect.reversible for effect in done("git push --force-with-lease origin +x")] == [False]


def test_a_plain_stash_leaves_untracked_files() -> None:
    assert [effect.whole for effect in done("git stash; git stash push --include")] == [False, True]
