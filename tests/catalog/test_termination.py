"""What may run in the host's own process: read off the source of a specialist, rule by rule."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from supervisor.catalog.termination import unbounded
from supervisor.methods.pattern import Pattern

SHIPPED = sorted(Path(__file__).parents[2].glob("specialists/*/*.py"))
HEAD = """\
import math
from collections.abc import Iterable
from datetime import timedelta
from itertools import chain, islice

from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, block, ok, specialist

"""
JUDGE = """
@specialist("*")
def judge(action: Action, context: Context) -> Opinion:
"""


def reason(body: str = "return ok()", above: str = "") -> str:
    """What is said of a specialist with this body, and with this above it."""
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    return unbounded(f"{HEAD}{above}\n{JUDGE}{indented}\n".encode())


PAIRS = [  # what breaks a rule, and what only just does not
    ("while context.history:\n    pass", "for step in context.history:\n    pass"),
    ("key = lambda step: step.tool\nreturn ok()", "key = action.tool\nreturn ok()"),
    (
        "for a in action.tool:\n  for b in a:\n    for c in b:\n      pass",
        "for a in action.tool:\n  for b in a:\n    pass",
    ),
    ("return [x for a in action.args for b in a for x in b]", "return [b for a in action.args for b in a]"),
    ("return [[[c for c in b] for b in a] for a in action.args]", "return [b for b in [c for c in [d for d in 'x']]]"),
    ("n = 2 ** len(action.tool)", "n = 2 + len(action.tool)"),
    ("n = 1 << len(action.tool)", "n = 1 | len(action.tool)"),
    ("s = action.tool * len(action.tool)", "s = 3 * action.tool"),
    ("s = action.tool * 1_000_000_000", "s = 1024 * len(action.tool)"),
    ("s = action.tool % action.args", "s = f'{action.tool}'"),
    ("n = 1\nn *= len(action.tool)", "n = 1\nn += len(action.tool)"),
    ("s = f'{1:1000000}'", "s = f'{1:,.2f}'"),
    ("s = f'{1:{len(action.tool)}}'", "s = f'{1:08.3f}'"),
    ("s = action.tool.ljust(1_000_000_000)", "s = action.tool.strip()"),
    ("s = action.text('template').format(action)", "s = action.text('template').replace('a', 'b')"),
    ("n = math.factorial(len(action.tool))", "n = math.floor(len(action.tool))"),
    ("n = sum(range(int(action.tool)))", "n = sum(len(word) for word in action.tool)"),
    ("getattr(action, 'text')('a')", "action.text('a')"),
    ("eval(action.tool)", "str(action.tool)"),
    ("run = exec", "run = str"),
    ("t = type(action)", "t = isinstance(action, Action)"),
    ("b = __builtins__", "b = ok"),
    ("c = action.__class__", "c = action.kind"),
    ("m = action.tool._private()", "m = action.tool.upper()"),
    ("f = ok\nreturn f()", "f = ok()\nreturn f"),
    ("return {'a': ok}['a']()", "return {'a': ok()}['a']"),
    ("return something()", "return block('It is there.')"),
    ("len = action.text\nreturn len('a')", "size = len(action.text('a'))"),
    ("for ok in context.history:\n    pass", "for step in context.history:\n    pass"),
    ("def inner():\n    return inner()\nreturn inner()", "return ok()"),
    ("class Own:\n    pass", "raise ValueError('It is wrong.')"),
    ("xs = []\nfor x in xs:\n    xs.append(1)", "xs = []\nfor x in context.history:\n    xs.append(1)"),
    ("xs = []\nfor x in xs:\n    xs += [x]", "xs = 0\nfor x in context.history:\n    xs += len(x.tool)"),
    ("xs = []\nfor x in xs:\n    xs[len(xs):] = [x]", "xs = []\nfor x in action.args:\n    ys = xs[1:]"),
    ("s = 'a'\nfor c in action.tool:\n    s = s + s", "for c in action.tool:\n    s = c + c"),
    ("s = 'a'\nfor c in action.tool:\n    s += s", "s = ''\nfor c in action.tool:\n    s += c"),
    ("a = b = 1\nfor c in action.tool:\n    a += b\n    b += a", "a = b = 1\nfor c in action.tool:\n    a += b"),
    (
        "s = 'a'\nfor c in action.tool:\n    s = ''.join(s for s in (s, s))",
        "for c in action.tool:\n    d = [d for d in c]",
    ),
    ("xs = []\ny = [xs.append(x) for x in xs]", "y = [x for x in action.args]"),
    ("s = 'a'\ny = [s := s + s for c in action.tool]", "if s := action.text('a'):\n    return block(s)"),
    ("p = Pattern(action.tool)", "p = action.tool"),
]


@pytest.mark.parametrize(("breaking", "within"), PAIRS)
def test_breaks_a_rule_or_only_just_does_not(breaking: str, within: str) -> None:
    assert re.match(r"line \d+: \w|line \d+: `", reason(breaking))
    assert reason(within) == ""


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("import re", "imports re"),
        ("import subprocess", "imports subprocess"),
        ("import math as m", "another name"),
        ("from itertools import count", "imports count from itertools"),
        ("from itertools import count as islice", "another name"),
        ("from itertools import *", "imports * from itertools"),
        ("from functools import cache", "imports functools"),
        ("from ctypes import CDLL", "imports ctypes"),
        ("from supervisor.evidence.actions.scripts import script", "imports supervisor.evidence.actions.scripts"),
        ("from . import neighbour", "imports ."),
        ("async def wait() -> None: ...", "`async def wait() -> None:`"),
    ],
)
def test_only_what_is_known_to_be_bounded_is_imported(line: str, named: str) -> None:
    assert named in reason(above=line)
    assert named in reason(f"{line}\nreturn ok()")


@pytest.mark.parametrize(
    "helpers",
    [
        "def first(x): return first(x)",
        "def first(x): return second(x)\ndef second(x): return first(x)",
        "def first(x): yield from (first(y) for y in x)",
        "def first(x): return list(max(x, key=first))",
    ],
)
def test_functions_that_reach_themselves(helpers: str) -> None:
    assert "calls itself" in reason(above=helpers) or "handed on as a value" in reason(above=helpers)


def test_the_one_that_is_recursive_is_named_with_its_line() -> None:
    helpers = "def a(x): return b(x)\ndef b(x): return c(x)\ndef c(x): return b(x)"
    assert re.fullmatch(r"line (10|11): (b|c) calls itself", reason(above=helpers))


def test_loops_of_called_functions_count_where_they_are_called() -> None:
    helper = "def letters(x):\n    return [c for word in x for c in word]"
    assert reason("return letters(action.args)", helper) == ""
    assert "judge nests loops" in reason("for step in context.history:\n    letters(step.args)", helper)
    assert reason("for one in letters(action.args):\n    pass", helper) == ""


def test_a_function_leaves_what_it_is_given_as_it_is() -> None:
    """Else a loop could run over what a function that it calls lengthens."""
    assert "changes what it was given" in reason(above="def add(xs):\n    xs.append(1)")
    assert reason(above="def made(x):\n    xs = []\n    xs.append(x)\n    return xs") == ""


def test_patterns_are_linear_and_compiled_at_the_import() -> None:
    assert reason(above='WORD = Pattern(r"a+b" r"|c")') == ""
    assert reason(above=r'WORD = Pattern(r"(a)\1")').endswith(r"its pattern '(a)\\1' needs a backtracking engine")
    assert "needs a backtracking engine" in reason(above='WORDS = [Pattern("a"), Pattern("(?!a)b")]')
    assert "compiles a pattern" in reason('return Pattern("a")')
    assert "cannot be read" in reason(above='WORD = Pattern("(")')


def test_a_pattern_that_is_put_together_is_looked_up_in_the_module() -> None:
    source = (HEAD + 'WORD = Pattern("|".join(("a", "b")))\n').encode()
    module = ModuleType("imported")
    assert unbounded(source).endswith("a pattern that is not written out")
    vars(module)["WORD"] = Pattern("a|b")
    assert unbounded(source, module) == ""
    vars(module)["WORD"] = Pattern("a(?=b)")
    assert "needs a backtracking engine" in unbounded(source, module)


def test_the_reason_names_the_line() -> None:
    assert reason("while True:\n    pass").startswith(f"line {HEAD.count(chr(10)) + 5}: `while True:`")


@pytest.mark.parametrize("source", [b"def (", b"\0", b"x = " + b"-" * 100_000 + b"1"])
def test_what_is_not_python_is_not_bounded(source: bytes) -> None:
    assert unbounded(source).startswith("it cannot be read")


def test_what_ships_and_is_bounded() -> None:
    bounded = {file.stem for file in SHIPPED if not unbounded(file.read_bytes())}
    assert bounded >= {"budget_overrun", "step_budget_overrun"}


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_nothing_that_parses_backtracks_or_waits_is_bounded(file: Path) -> None:
    source = file.read_text()
    evidence = set(re.findall(r"^from supervisor\.evidence\.([\w.]+)", source, re.M))
    evidence -= {"reading.facts", "session.budgets", "session.spending"}
    if evidence or re.search(r"^import re$|^async def", source, re.M):
        assert unbounded(file.read_bytes())
