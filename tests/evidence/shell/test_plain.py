"""Plain scripts are read without parsing, and read the same."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.evidence.shell import Script, walk
from supervisor.evidence.shell.plain import plain_commands
from tests.evidence.shell_reading import read

QUOTED = ["'a b'", '"c d"', "x'y'z", "--i='*.c'", "'$x'", "'~'", '"~"', "'{a,b}'", "it''s", "a{b"]
BARE = "ls git cd a.txt -rf --x=1 2 a=b *.py ~/x ~ a$b test rm sudo xargs tee cat echo if [ HEAD^ %1 x?y read k k=v K="
WORDS = st.sampled_from([*QUOTED, *BARE.split()])
MARKS = st.sampled_from([" ", " ", " ", " && ", " || ", "; ", " | ", "|", "&&", "\n", " & ", ";;", "", "\t", " \n\n "])
REDIRECTS = st.sampled_from(
    ["", "", "", " > f", " 2>&1", " >>f", " 2> /dev/null", " < in", " 1>&2", " &> f", "2>&1", " > f x"]
)
SCRIPTS = st.lists(st.tuples(WORDS, REDIRECTS, MARKS).map("".join), min_size=1, max_size=8).map("".join)


def told(script: Script) -> list[Any]:
    return [
        (each.argv, each.text, each.cwd, each.redirects, each.stdin, each.wrappers, each.wraps, len(each.upstream))
        for each in script.commands
    ]


@settings(deadline=None, max_examples=400)
@given(SCRIPTS)
def test_the_short_way_and_the_long_way_agree(command: str) -> None:
    short = read(command, cwd="/w")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "plain_commands", lambda script: None)
        assert told(short) == told(read(command, cwd="/w"))


@pytest.mark.parametrize(
    "command",
    [
        "ls -la src",
        "cd /repo && git diff HEAD~1 -- a.py",
        "grep -rn 'a b' . --include='*.py' | sort | head -5",
        "a;b\n",
    ],
)
def test_ordinary_commands_are_plain(command: str) -> None:
    assert plain_commands(command)


@pytest.mark.parametrize(
    "command",
    [
        "echo $x",
        "ls &",
        "(ls)",
        "cat <<EOF\nEOF",
        "ls 'x",
        "if true",
        "l\\s",
        "{a,b}",
        "ls # x",
        "! ls",
        "",
        "a | ",
    ],
)
def test_what_needs_the_grammar_is_not(command: str) -> None:
    assert plain_commands(command) is None
