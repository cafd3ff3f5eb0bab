"""JavaScript as read: calls by their qualified names, and the texts of their arguments."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.errors import Unreadable
from supervisor.evidence.javascript import MAX_BYTES, read
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.paths import HOLE


def last(code: str) -> str:
    return read(code).calls[-1].name


@pytest.mark.parametrize(
    "code",
    [
        "require('fs').rm(x)",
        "require('node:fs').rm(x)",
        "const fs = require('fs'); fs.rm(x)",
        "const f = await import('fs'); f.rm(x)",
        "import f from 'fs'; f.rm(x)",
        "import * as f from 'node:fs'; f.rm(x)",
        "import { rm } from 'fs'; rm(x)",
        "import { rm as drop } from 'fs'; drop(x)",
        "const { rm } = require('fs'); rm(x)",
        "const { rm: drop } = require('fs'); drop(x)",
        "const drop = require('fs').rm; drop(x)",
        "const a = require('fs'); const { rm } = a; rm(x)",
        "require('fs')['rm'](x)",
        "(require('fs')).rm(x)",
    ],
)
def test_a_call_is_known_by_its_qualified_name(code: str) -> None:
    assert "fs.rm" in [call.name for call in read(code).calls]


@pytest.mark.parametrize("code", ["fs().rm(x)", "const fs = 'fs'; a.fs.rm(x)", "rm(x)", "'require(\"fs\").rm(x)'; f()"])
def test_others_are_not_taken_for_it(code: str) -> None:
    assert "fs.rm" not in [call.name for call in read(code).calls]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("'a'", "a"),
        ("`a${b}c`", f"a{HOLE}c"),
        ("'a' + ('b' + c)", f"ab{HOLE}"),
        ("require('path').join('/a', 'b')", "/a/b"),
        ("require('path').resolve('a', '/b', 'c')", "/b/c"),
        ("require('os').homedir() + '/x'", "~/x"),
        ("process.env.HOME", "~"),
        ("d", "/d"),
        ("unknown", HOLE),
        ("1 - 'a'", HOLE),
    ],
)
def test_texts(value: str, text: str) -> None:
    program = read(f"const d = '/d'; f({value})")
    call = next(each for each in program.calls if each.name == "f")
    assert text_of(program, call.argument(0)) == text


def test_options() -> None:
    (call,) = read("f(a, {recursive: true, 'force': true, deep: false}, ...b, c)").calls
    assert call.says(1, "recursive")
    assert call.says(1, "force")
    assert not call.says(1, "deep")
    assert not call.says(0, "recursive")
    assert call.argument(2) is None, "behind a spread no place is known"


def test_too_much_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        read("a" * (MAX_BYTES + 1))


SCRIPTISH = st.text(st.sampled_from(list("constrequire('f.m`${}[]=;, \n\"\\/")), max_size=80)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=200), SCRIPTISH))
def test_any_text_is_read_or_unreadable(code: str) -> None:
    program = read(code)
    for call in program.calls:
        assert isinstance(call.name, str)
        assert all(isinstance(text_of(program, each), str) for each in call.arguments)
