"""What bounded work tells of an action is never less than what the parser finds."""

import functools
import shlex
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.catalog.catalog import open_catalog
from supervisor.catalog.discovery import find_pairs
from supervisor.catalog.failure_mode import read_entry
from supervisor.decision.ask import ask
from supervisor.errors import Unreadable
from supervisor.evidence.changes.prefilter import prefiltered_acts
from supervisor.evidence.effects import PROGRAMS, effects
from supervisor.evidence.effects.effect import Act
from supervisor.evidence.effects.key_files import MEANING
from supervisor.evidence.shell import Script, read_script, walk
from supervisor.evidence.shell.plain import LONGEST, plain_words
from supervisor.policy import Taxonomy
from supervisor.specialist import Specialist
from supervisor.verdict import Refusal, Verdict

SHELL = "ab/.-=~*?[]{}()<>|&;!#$`'\"\\ \t\n012"
WORDS = st.text(SHELL, min_size=1, max_size=8)
TOKENS = [
    "rm",
    "-rf",
    "x",
    "./y",
    "'a b'",
    '"c d"',
    "'e'f",
    "2",
    "A=1",
    "~/z",
    "*.py",
    "&&",
    "||",
    "|",
    ";",
    "\n",
    "2>&1",
]
TOKENS += [">/dev/null", "2>/dev/null", "cd", "git", "grep", "-n", "if", "export", "B="]

WITH_RULES = Context(facts={"rules": "Do not change the tests."})  # somebody minds every change of a file
DECLARES = ("declare", "export", "local", "readonly", "typeset", "unset")  # to the grammar these are no commands


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """Scripts that are nearly plain: plain tokens, with a few characters put in or taken out anywhere."""
    script = " ".join(draw(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=12)))
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(script)))
        script = script[:at] + draw(st.sampled_from(["", *SHELL])) + script[at + draw(st.integers(0, 1)) :]
    return script


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ("cd /x && python3 -m pytest -q 2>&1 | tail -5", ["cd /x", "python3 -m pytest -q", "tail -5"]),
        ("grep -rn 'a b' src; ls", ["grep -rn a b src", "ls"]),
        ("A=1 B='2 3' /usr/bin/git status", ["/usr/bin/git status"]),
        ("rm -rf x 2>/dev/null\n\nls;", ["rm -rf x", "ls"]),
    ],
)
def test_plain_scripts_are_read_without_a_parser(script: str, commands: list[str]) -> None:
    assert [" ".join(words) for words in plain_words(script) or ()] == commands


@pytest.mark.parametrize(
    "script",
    [
        *(
            "echo $X",
            "cat a > b",
            "cat <<EOF\nEOF",
            "if true; then rm x; fi",
            "! ls",
            "ls & rm x",
            "echo a#b",
            "r'm' x",
        ),
        *(
            "r'm' x",
            "echo a2>b",
            "f(){ :; }",
            "ls 2>&1rm",
            "rm {a,b}",
            'echo "$(rm x)"',
            "echo `rm x`",
            "echo it's",
            "\\rm x",
        ),
        *("[ -f x ] && rm x", "time rm x", "*/rm x", "ls|&cat", "a\rb", "rм x", "a " * LONGEST),
    ],
)
def test_what_is_not_beyond_doubt_is_left_to_the_parser(script: str) -> None:
    assert plain_words(script) is None


@given(scripts())
@example("'a'b \"c d\"'e' && f >/dev/null 2>&1 | g=h i j=k")
def test_a_plain_script_is_read_as_the_parser_reads_it(script: str) -> None:
    plain = plain_words(script)
    if plain is None:
        return
    try:
        parsed = _parsed(script).commands
    except Unreadable:
        return  # nothing that is asked about it says ok
    theirs = [command.argv for command in parsed if command.argv and not command.wrappers]
    ours = [tuple(words) for words in plain if words and words[0] not in DECLARES]
    assert ours == [each for each in theirs if each[0] not in DECLARES]


def _parsed(script: str) -> Script:
    """The script as the grammar reads it, however plain it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "plain_commands", lambda script: None)
        return read_script(script, None)


@given(st.lists(st.tuples(st.sampled_from(sorted(PROGRAMS)), st.lists(WORDS | st.just("-rf"), max_size=4)), max_size=4))
def test_no_act_is_overlooked(commands: list[tuple[str, list[str]]]) -> None:
    _is_covered(Action("bash", {"command": " && ".join(" ".join([name, *words]) for name, words in commands)}, "shell"))


def test_no_act_of_any_case_is_overlooked() -> None:
    told = [_is_covered(action) for action in _shell_actions_of_the_taxonomy()]
    assert sum(told) > 50, "too few of the cases are plain to show anything"


EVERYDAY = ["sed -i s/a/b/ src/x.py", "rm reproduce.py lib/y.js", "cd sub && rm -f x.md", "rm /repo/x.py"]


@pytest.mark.parametrize("command", EVERYDAY)
def test_nobody_minds_a_change_of_a_source_file(command: str) -> None:
    assert prefiltered_acts(_shell(command), Context(facts={"cwd": "/repo"})) == frozenset()


@pytest.mark.parametrize(
    "command",
    [
        *("sed -i s/a/b/ tests/test_x.py", "sed -i '1i # type: ignore' x.py", "sed -i s/a/b/ .github/x.py"),
        *("rm x.bak.py", "rm -r x.py", "rm ../y.py", "rm /etc/x.py", "cd / && rm x.py", "cd .. && rm x.py"),
        *("cd - && rm x.py", "rm *.py", "rm credentials.txt", "rm Makefile", "sed -i -e s/a/b/ x.py y.py"),
        *("rm lib/site-packages/usercustomize.py", "cd $X && rm x.py", "rm /var/log/x.txt", "sed -i.bak s/a/b/ x.py"),
    ],
)
def test_the_least_unusual_change_is_minded(command: str) -> None:
    assert prefiltered_acts(_shell(command), Context(facts={"cwd": "/repo"})) != frozenset()


@pytest.mark.parametrize(
    "context",
    [
        WITH_RULES,
        Context(task="Leave src/x.py as it is."),
        Context(facts={"cwd": "/var/log"}),
        Context(facts={"cwd": "/repo", "policy_file": "src/x.py"}),
        Context(history=(Step("bash", {"command": "ls"}, "", "shell"),)),
        Context(facts={"cwd": "/repo", "workspace": "/other"}),
    ],
)
def test_a_change_is_minded_where_something_is_known(context: Context) -> None:
    assert prefiltered_acts(_shell("sed -i s/a/b/ src/x.py"), context)


PATHS = [
    "x.py",
    "src/y.js",
    "../z.py",
    "/etc/cron.d/a.txt",
    "~/.bashrc",
    "test_a.py",
    "a b.md",
    ".git/hooks/pre-commit.py",
]
PATHS += [
    "conftest.py",
    "/repo/src/x.py",
    "notes.txt",
    "id_rsa.txt",
    "backup/x.txt",
    "site-packages/supervisor/x.py",
    "*",
]
SED = [
    "s/a/b/",
    "1i # type: ignore",
    "s/x/# ... rest of the code .../",
    "1d",
    "s|a|curl x \\| sh|",
    "/a/d",
    "$d",
    "1e id",
    "w /etc/x",
]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["sed -i", "rm", "rm -f", "sed", "/bin/rm"]),
            st.sampled_from(SED),
            st.lists(st.sampled_from(PATHS), min_size=1, max_size=2),
        )
        | st.tuples(
            st.just("cd"),
            st.just(""),
            st.lists(st.sampled_from(["/repo", "sub", "/etc", ".."]), min_size=1, max_size=1),
        ),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from(["/repo", "/home/dev/app", "/etc", ".", "/var/log"]),
)
def test_nobody_says_anything_of_what_is_passed_over(commands: list[tuple[str, str, list[str]]], cwd: str) -> None:
    """Whoever judges changes of files, asked in spite of the glance, has nothing to say."""
    script = " && ".join(
        shlex.join([*name.split(), *([text] if name.startswith("sed") else []), *names])
        for name, text, names in commands
    )
    action, context = _shell(script), Context(facts={"cwd": cwd})
    passed = prefiltered_acts(action, context)
    if passed is None or effects(action, context).acts <= passed:
        return
    for each in _judges_of_shells():
        if each.about and each.about.isdisjoint(passed):
            opinion = ask(each, action, context, 60)
            assert isinstance(opinion, Refusal) or opinion.verdict is Verdict.OK, (script, each.id, opinion)


def test_other_kinds() -> None:
    assert (
        _glance(Action("write_file", {"path": "x"}, "file_write")) == {Act.ANALYSIS, Act.CODE, Act.WRITE} | MEANING.acts
    )
    assert _glance(Action("read_file", {"path": "src/app.py"}, "file_read")) == frozenset()
    assert _glance(Action("read_file", {"path": "~/.netrc"}, "file_read")) == {Act.READ}
    assert _glance(Action("lookup", {"order": 1}, "tool")) == frozenset()
    assert _glance(Action("python", {"code": "1"}, "python")) is None
    assert _glance(Action("bash", {"command": ["ls"]}, "shell")) is None


def _shell(command: str) -> Action:
    return Action("bash", {"command": command}, "shell")


@functools.cache
def _judges_of_shells() -> list[Specialist]:
    catalog = open_catalog(Taxonomy())
    return [catalog.specialist(entry.id) for entry in catalog.for_kind("shell") if not entry.uses_doors]


def _is_covered(action: Action) -> bool:
    """Whether a glance tells anything; asserts that it is enough."""
    glance = prefiltered_acts(action, WITH_RULES)
    if glance is None:
        return False
    try:
        assert effects(action, Context()).acts <= glance
    except Unreadable:
        return False
    return True


def _glance(action: Action) -> frozenset[Act] | None:
    return prefiltered_acts(action, Context())


def _shell_actions_of_the_taxonomy() -> Iterator[Action]:
    for pair in find_pairs(Taxonomy())[0]:
        cases = read_entry(pair.taxonomy).cases
        for case in (*cases.caught, *cases.let_through):
            if isinstance(case.args.get("command"), str):
                yield Action("bash", {"command": case.args["command"]}, "shell")
