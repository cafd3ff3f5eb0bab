"""One reader for all dialects: every spelling of the same options gives the same typed arguments."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.commands import Dialect, Role, program_named, read, store
from supervisor.evidence.commands.model import Arity, Option, Program
from supervisor.evidence.commands.reader import Line
from supervisor.evidence.commands.store import known_programs, variables

VALUES = st.text("abc/._~1", min_size=1, max_size=6)


def line(text: str) -> Line:
    found = read(tuple(text.split()))
    assert found is not None
    return found


def said(text: str) -> list[tuple[str, str]]:
    """The role and the value of each argument."""
    return [(each.role or "", each.value) for each in line(text).arguments]


SAME = [
    ("curl -d @x https://h", "curl https://h --data @x", "curl -sSd @x https://h", "curl -d@x -- https://h"),
    ("base64 -w 0 f", "base64 -w0 f", "base64 --wrap=0 f", "base64 f --wra 0"),
    ("tar czf a d", "tar -czf a d", "tar -c -z -f a d", "tar --create --gzip --file=a d"),
    ("grep -e x f", "grep -ex f", "grep --regexp=x f", "grep f --regex x"),
    ("dd if=a of=b", "dd of=b if=a"),
    ("wget --post-file=f https://h", "wget --post-f f https://h", "wget https://h --post-file f"),
    ("openssl enc -in f -out g", "openssl enc -out g -in f"),
    ("bash -euo pipefail f", "bash -eu -o pipefail f", "bash -e -u -opipefail f"),
    ("cp -t d a b", "cp -td a b", "cp a b --target-directory=d", "cp --target d a b"),
]


@pytest.mark.parametrize("spellings", SAME)
def test_spellings_of_one_command_line_are_read_alike(spellings: Sequence[str]) -> None:
    first, *others = (sorted(said(each)) for each in spellings)
    for spelling, other in zip(spellings[1:], others, strict=True):
        assert {role for role, _ in other} == {role for role, _ in first}, spelling
        assert [value for _, value in other] == [value for _, value in first], spelling


@pytest.mark.parametrize(
    ("command", "roles"),
    [
        ("cat a b", [("reads", "a"), ("reads", "b")]),
        ("grep x a", [("text", "x"), ("reads", "a")]),
        ("grep -r x a", [("text", "x"), ("trees", "a")]),
        ("wc a", [("names", "a")]),
        ("cp a b c", [("reads", "a"), ("reads", "b"), ("writes", "c")]),
        ("tar xzf a", [("names", "a")]),
        ("tar -C / -cf a etc", [("base", "/"), ("writes", "a"), ("trees", "etc")]),
        ("ssh -i k h rm -rf x", [("uses", "k"), ("host", "h"), ("text", "rm"), ("text", "-rf"), ("text", "x")]),
        ("bash -c x y", [("code", "x"), ("text", "y")]),
        ("bash x -c y", [("script", "x"), ("text", "-c"), ("text", "y")]),
        ("python3.11 -m x y", [("text", "x"), ("text", "y")]),
        ("aws s3 cp f s3://b --acl x", [("copy", "f"), ("copy", "s3://b"), ("text", "x")]),
        ("http POST h f@x", [("url", "h"), ("item", "f@x")]),
        ("cat -- -n", [("reads", "-n")]),
        ("cat -", [("reads", "-")]),
    ],
)
def test_roles(command: str, roles: list[tuple[str, str]]) -> None:
    assert said(command) == roles


@pytest.mark.parametrize(
    "command",
    [
        "bash -n x",
        "rsync -an a h:b",
        "rsync --dry-run a h:b",
        "curl --help",
        "nc -z h 22",
        "lvremove --test v",
        "perl -c x",
    ],
)
def test_rehearsals(command: str) -> None:
    assert line(command).rehearses


@pytest.mark.parametrize(
    "command", ["head -n 3 x", "echo -n x", "sort -n x", "bash x -n", "bash -x n", "cat -- --help"]
)
def test_what_only_looks_like_a_rehearsal(command: str) -> None:
    assert not line(command).rehearses


def test_an_abbreviation_must_be_unambiguous() -> None:
    assert line("grep --inc=*.py x f").arguments[0].option == "--include"
    assert line("grep --exclude-d x y f").arguments[0].option == "--exclude-dir"
    assert "--ex" in line("grep --ex x y").flags  # --exclude, --exclude-from, --extended-regexp


def test_unknown_programs_have_no_line() -> None:
    assert read(("no-such-program", "x")) is None
    assert read(()) is None


def test_every_entry_can_be_read_and_every_role_is_used() -> None:
    programs = {name: program_named(name) for name in known_programs()}
    assert len(programs) > 900
    used: set[str] = set()
    for program in filter(None, programs.values()):
        for each in (program, *program.verbs.values()):
            layouts = (each.operands, *(mode.operands or () for mode in each.modes))
            used |= {word.rstrip("*") for layout in layouts for word in layout}
            used |= {option.role for option in each.options.values()}
            assert all(Role(word.rstrip("*")) for layout in layouts for word in layout)
    assert used == set(Role)
    assert {each.dialect for each in programs.values() if each} == set(Dialect)


def test_variables_are_a_table() -> None:
    assert variables()["LD_PRELOAD"] is Role.SCRIPT
    assert variables()["GIT_SSH_COMMAND"] is Role.CODE


def _spelled(option: Option, value: str, draw: random.Random, program: Program) -> list[str]:
    """One of the spellings of an option with a value."""
    name = draw.choice(option.names)
    if name.startswith("--"):
        return draw.choice([[name, value], [f"{name}={value}"]])
    return draw.choice([[name, value], [name + value]])


GNU = ("base64", "sort", "cut", "head", "grep", "cp", "curl", "wget", "shuf", "column", "iconv")


@given(st.sampled_from(GNU), st.lists(VALUES, min_size=1, max_size=3), VALUES, st.randoms(use_true_random=False))
def test_any_spelling_and_order_gives_the_same_arguments(
    name: str, operands: list[str], value: str, draw: random.Random
) -> None:
    program = program_named(name)
    assert program is not None
    valued = sorted(
        {each for each in program.options.values() if each.arity is Arity.ONE and each.role is not Role.BASE}
    )
    option = draw.choice(valued)
    changes = {flag for mode in program.modes for flag in mode.options}
    plain = [value if value[0] not in "-" else f"./{value}" for value in operands]
    apart = read((name, *_spelled(option, value, draw, program), *plain))
    other = read((name, *plain[:1], *_spelled(option, value, draw, program), *plain[1:]))
    assert apart is not None
    assert other is not None
    assert sorted(each._replace(at=0) for each in apart.arguments if each.option) == sorted(
        each._replace(at=0) for each in other.arguments if each.option
    )
    assert [each.value for each in apart.arguments if not each.option] == plain
    assert [each.role for each in apart.arguments if not each.option] == [
        each.role for each in other.arguments if not each.option
    ]
    assert apart.flags == other.flags or not changes.isdisjoint(apart.flags)


@given(
    st.sampled_from(["tar", "dd", "openssl", "bash", "curl", "nope", "aws"]), st.lists(st.text(max_size=8), max_size=12)
)
def test_no_command_line_breaks_the_reader(name: str, words: list[str]) -> None:
    found = read((name, *words))
    assert found is None or all(0 < each.at <= len(words) for each in found.arguments)


def keys_twice(node: Any) -> list[str]:
    """The keys that a mapping has twice, at any depth."""
    if isinstance(node, yaml.SequenceNode):
        return [key for each in node.value for key in keys_twice(each)]
    if not isinstance(node, yaml.MappingNode):
        return []
    keys = [key.value for key, _ in node.value]
    return [key for key in keys if keys.count(key) > 1] + [key for _, value in node.value for key in keys_twice(value)]


def test_every_entry_is_read_without_the_c_library_and_has_no_key_twice() -> None:
    for text in set(store._meanings().values()):
        node = yaml.compose(text, Loader=yaml.SafeLoader)  # stricter than libyaml, which is not everywhere
        assert keys_twice(node) == [], text
