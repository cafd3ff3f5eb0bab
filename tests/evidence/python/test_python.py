from __future__ import annotations

import keyword
import threading

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.actions.programs import module
from supervisor.evidence.python import MAX_BYTES, fingerprint_of, read
from supervisor.evidence.python.values import is_false, is_fixed, path_of, string_of


def names(code: str) -> list[str]:
    return [call.name for call in read(code).calls]


@pytest.mark.parametrize(
    "code",
    [
        "import yaml\nyaml.load(x)",
        "import yaml as y\ny.load(x)",
        "from yaml import load\nload(x)",
        "from yaml import (dump, load as parse)\nparse(x)",
        "def f():\n    import yaml\n    return yaml.load(x)",
        "    yaml.load(x)",  # a fragment
        "yaml.load(x)\ndef (",  # and a broken one
    ],
)
def test_a_call_is_known_by_its_qualified_name(code: str) -> None:
    assert names(code) == ["yaml.load"]


def test_what_is_called_on_a_result_is_named_after_it() -> None:
    assert names("import requests\nrequests.Session().get(u)") == ["requests.Session().get", "requests.Session"]


def test_usual_aliases_count_only_where_imports_are_not_shown() -> None:
    assert names("np.load(x)") == ["numpy.load"]
    assert names("import numerics as np\nnp.load(x)") == ["numerics.load"]


def test_arguments_are_told_by_place_and_by_name() -> None:
    (call,) = read("f(a, *b, c, key=1, **rest)").calls
    assert [call.code.text(node) for node in call.positional] == ["a"]
    assert [*call.keywords] == ["key"]
    assert call.argument(5, "key") is call.keywords["key"]


def value(code: str):
    """The value of the last assignment to `asked`."""
    found = read(code)
    return found, [node for target, node in found.assignments if target == "asked"][-1]


@pytest.mark.parametrize(
    "code",
    [
        "asked = 'ls'",
        "asked = 'a' 'b' + f'{1} c'",
        "A = 'x'\nasked = f'ls {A}'",
        "A = 'x'\ndef f():\n    asked = A",
        "asked = ' '.join(['ls', '-l'])",
        "asked = 'ls {}'.format('x')",
        "import shlex\nasked = 'ls ' + shlex.quote(name)",
        "asked = 'a' if unknown else 'b'",
        "for x in ['a', 'b']:\n    asked = x",
        "def f(c, d='x'):\n    asked = c + d\nf('ls')\nf(c='pwd', d='y')",
        "class A:\n    def f(self, c):\n        asked = c\n    def g(self):\n        self.f('ls')",
        "import sys\nasked = f'{sys.executable} -m pytest'",
        "T = {'a': 'ls'}\nasked = T[key]",
    ],
)
def test_what_the_code_fixes(code: str) -> None:
    assert is_fixed(*value(code))


@pytest.mark.parametrize(
    "code",
    [
        "asked = name",
        "asked = f'ls {name}'",
        "import sys\nasked = 'ls ' + sys.argv[1]",
        "A = 'x'\nA = input()\nasked = A",
        "A = 'x'\nA += input()\nasked = A",
        "for x in sys.stdin:\n    asked = x",
        "for x in open('f'):\n    asked = x",
        "def f(c):\n    asked = c",
        "def f(c):\n    asked = c\nf('ls')\nf(input())",
        "x = 'ls'\ndef f(x):\n    asked = x",
        "def f():\n    x = 'ls'\nasked = x",
        "asked = [n for n in names]",
        "asked = asked",
        "def f(c):\n    c = c.strip()\n    asked = c",
        "def f():\n    asked = name",  # a function that is all there is in its block
        "class A:\n    def f(self):\n        asked = name",
        "def f():\n    def g():\n        asked = name",
        "def f(self):\n    asked = self\nf()",
        "def f(self, x):\n    asked = self\nf('x')",
    ],
)
def test_what_comes_from_elsewhere(code: str) -> None:
    assert not is_fixed(*value(code))


def test_literals_are_followed_through_a_name() -> None:
    assert is_false(*value("V = False\nasked = V"))
    assert string_of(*value("V = 'text'\nasked = V")) == "text"
    assert string_of(*value("asked = f'{x}'")) is None
    found, node = value("with open(p, 'rb') as f:\n    asked = f.read()")
    assert found.text(path_of(found, node)) == "p"


def test_only_python_is_read() -> None:
    def of(kind: str, **args: object):
        return module(Action("tool", args, kind), Context())

    assert of("file_write", path="a.md", content="f(x)") is None
    assert of("shell", command="f(x)") is None
    assert [call.name for call in of("file_write", path="a.py", content="f(x)").calls] == ["f"]
    assert [call.name for call in of("python", code="g(x)").calls] == ["g"]


def test_an_edit_brings_only_what_was_not_there() -> None:
    args = {"path": "a.py", "edits": [{"old_string": "f(x)", "new_string": "f(x)\ng(x)"}]}
    found = module(Action("multi_edit", args, "file_edit"), Context())
    assert [(call.name, call.is_new) for call in found.calls] == [("f", False), ("g", True)]


def test_a_patch_is_read_by_its_added_lines() -> None:
    patch = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-f(1)\n+g(1)\n--- a/y.md\n+++ b/y.md\n@@ -1 +1 @@\n+h(1)\n"
    found = module(Action("apply_patch", {"patch": patch}, "file_edit"), Context())
    assert [call.name for call in found.calls] == ["g"]
    assert (
        module(Action("apply_patch", {"patch": "--- a/y.md\n+++ b/y.md\n@@ -1 +1 @@\n+h(1)\n"}, "file_edit"), Context())
        is None
    )


def test_oversized_code_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        read("x" * (MAX_BYTES + 1))


def test_code_that_takes_too_long_is_unreadable_and_harms_nothing_after_it() -> None:
    with pytest.raises(Unreadable):
        read("a(" + "'x'+" * 60_000)
    assert names("f(x)") == ["f"]


@pytest.mark.parametrize("line", ["\\\n", "\\\r\n", "x \\\n\\\n", "#\n\n", "a\\\n"])
def test_what_takes_quadratic_time_is_unreadable(line: str) -> None:
    assert read("if x:\n  f()\n" + line * 900).calls
    with pytest.raises(Unreadable):
        read("if x:\n  f()\n" + line * 20_000)


def test_a_long_file_with_comments_is_read() -> None:
    assert len(read("# why\n# so\nf(1)\n\n\n" * 5_000).calls) == 5_000


def test_threads_do_not_share_a_parser() -> None:
    found: list[list[str]] = []
    code = "\n".join(f"f{number}(x)" for number in range(500))
    threads = [threading.Thread(target=lambda: found.append(names(code))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[f"f{number}" for number in range(500)]] * 4


@given(st.text(max_size=300))
def test_any_text_is_read(code: str) -> None:
    found = read(code)
    fingerprint_of(found)
    for call in found.calls:
        for node in call.positional:
            is_fixed(found, node)


@given(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.sampled_from(["import pickle as {}\n{}.loads(x)"]))
def test_an_alias_keeps_the_name(alias: str, form: str) -> None:
    assume(not keyword.iskeyword(alias) and alias not in ("print", "exec", "match", "type"))
    assert names(form.format(alias, alias)) == ["pickle.loads"]
    assert fingerprint_of(read(f"from pickle import loads as {alias}\n{alias}(x)")) == {"pickle.loads 0=x"}


@given(st.text(st.characters(exclude_characters="\"'\\{}\r\n", exclude_categories=["Cs", "Cc"]), max_size=80))
def test_strings_and_comments_are_no_calls(text: str) -> None:
    assert names(f'x = "{text} f(1)"  # {text} os.system(1)\n') == []


def test_a_tree_is_kept_for_the_next_reader_and_nothing_else_is() -> None:
    """What one reader of a code follows does not count for another, and what an edit replaces belongs to the edit."""
    first, second = read("import os\nos.remove('a')"), read("import os\nos.remove('a')", "os.remove('a')")
    assert first._tree is second._tree
    assert [call.name for call in first.calls] == [call.name for call in second.calls] == ["os.remove"]
    first.cache["read"] = 1
    first.follow()
    assert not second.cache
    assert second._followed == 0
    assert [each.is_new(each.root) for each in (first, second)] == [True, True]
    assert not second.is_new(second.calls[0].node)
