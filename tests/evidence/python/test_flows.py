from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.python import read
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.modules import MAX_FOLLOWED
from supervisor.evidence.python.names import surroundings_of, words_of
from supervisor.evidence.python.origins import ANYBODY, Origin
from supervisor.evidence.python.sinks import Sinks, built_texts
from supervisor.evidence.python.statements import inserted
from supervisor.evidence.python.templates import templates_of
from supervisor.evidence.python.values import number_of
from supervisor.evidence.reading.sql_texts import is_statement

SINK = Sinks({"sink": (0, "value")})


def sources(code: str, asked: Origin = Origin.REQUEST) -> list[str]:
    return [found.source for found in SINK.reached(read(code), asked)]


@pytest.mark.parametrize(
    "code",
    [
        "from flask import request\nsink(request.args['a'])",
        "import flask\nsink(flask.request.form.get('a'))",
        "def view(request):\n    sink(request.GET['a'])",
        "def view(request):\n    sink(request['a'])",
        "class V:\n    def get(self):\n        sink(self.get_argument('a'))",
        "class V:\n    def get(self):\n        sink(self.request.body)",
        "async def view(request):\n    data = await request.json()\n    sink(data['a'])",
        "@app.route('/<name>')\ndef view(name):\n    sink(name)",
        "@app.get('/x')\nasync def view(q: str):\n    sink(q)",
        "def view(request, name):\n    sink(name)",
        "def handler(event, context):\n    sink(event['a'])",
        "def view(request):\n    a = request.POST.get('a')\n    b = f'x {a}'\n    c = b + 'y'\n    sink('%s' % c)",
        "def view(request):\n    a, b = request.GET.values()\n    sink([b])",
        "def view(request):\n    for a in request.GET.getlist('a'):\n        sink(a.strip())",
        "def view(request):\n    if (a := request.GET.get('a')):\n        sink(a)",
        "def view(request):\n    with request.FILES['f'] as f:\n        sink(f.read())",
        "def view(request):\n    sink(', '.join(x for x in request.GET))",
        "def view(request):\n    def inner():\n        return sink(request.GET['a'])",
        "class V:\n    def get(self):\n        self.a = self.request.args['a']\n        sink(self.a)",
        "def f(a):\n    sink(a)\ndef view(request):\n    f(request.GET['a'])",
        "def view(request):\n    print 'old'\n    sink(request.GET['a'])",
        "    sink(request.args['a'])",  # a fragment
    ],
)
def test_what_a_client_decides(code: str) -> None:
    assert sources(code)


@pytest.mark.parametrize(
    "code",
    [
        "sink('a')",
        "def f(a):\n    sink(a)",
        "def view(request):\n    sink(int(request.GET['a']))",
        "def view(request):\n    sink(check(request.GET['a']))",
        "def view(request):\n    sink(request.user)",
        "def view(request):\n    sink(request.GET['a'].isdigit())",
        "def view(request):\n    a = request.GET['a']\n    if a not in ALLOWED:\n        raise ValueError\n    sink(a)",
        "def view(request):\n    a = request.GET['a']\n    if is_safe(url=a):\n        sink(a)",
        "def view(request):\n    sink(TABLE[request.GET['a']])",
        "@app.route('/<int:n>')\ndef view(n):\n    sink(n)",
        "@app.get('/{n}')\ndef view(n: int):\n    sink(n)",
        "@app.get('/x')\ndef view(db=Depends(session)):\n    sink(db)",
        "@pytest.fixture\ndef folder(request, tmp_path):\n    sink(tmp_path)",
        "def test_view(request, name):\n    sink(name)",
        "import urllib.request\nsink(urllib.request.urlopen(u).data)",
        "request = make()\nsink(request.data)",
        "import re\ndef view(request):\n    a = request.GET['a']\n    if re.fullmatch('[a-z]+', a):\n        sink(a)",
        "# request.args['a']\nsink('request.args')",
    ],
)
def test_what_no_client_is_seen_to_decide(code: str) -> None:
    assert sources(code) == []


def test_others_than_clients_are_told_apart() -> None:
    local, network = "import sys\nsink(sys.argv[1])", "import requests\nsink(requests.get(u).text)"
    assert [sources(local), sources(local, ANYBODY)] == [[], ["sys.argv"]]
    assert [sources(network), bool(sources(network, Origin.NETWORK))] == [[], True]
    assert sources("sink(client.create(m).choices[0].message.content)", Origin.NETWORK)


def holes(code: str) -> list[tuple[str, str]]:
    found = read(code)
    ((_, value),) = SINK.calls(found)
    return [(before, found.text(hole)) for text in templates_of(found, value) for before, hole in text.holes()]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("sink(f'a {x} b {y}')", [("a ", "x"), ("a \0 b ", "y")]),
        ("sink('a %s b %d' % (x, y))", [("a ", "x")]),  # a number cannot carry text
        ("sink('a {} {k}'.format(x, k=y))", [("a ", "x"), ("a \0 ", "y")]),
        ("sink('{1}{0}'.format(x, y))", [("", "y"), ("\0", "x")]),
        ("sink('%(k)s' % {'k': x})", [("", "x")]),
        ("sink('a' + x + 'b' + y)", [("a", "x"), ("a\0b", "y")]),
        ("sink('100%%' + x)", [("100%%", "x")]),
        ("t = 'a ' + x\nsink(t + 'b')", [("a ", "x")]),
        ("t = 'a'\nt += x\nsink(t)", [("", "x")]),
        ("sink('a b')", []),
        ("x = x % y\nsink(x)", [("", "x % y")]),  # made of itself
        ("x = x.format(y)\nsink(x)", [("", "x.format(y)")]),
        ("sink(' '.join(['a', x]))", [("a ", "x")]),
        ("import textwrap\nsink(textwrap.dedent(f'a {x}').strip())", [("a ", "x")]),
    ],
)
def test_where_values_are_inserted(code: str, expected: list[tuple[str, str]]) -> None:
    assert holes(code) == expected


@pytest.mark.parametrize(
    ("text", "is_unsafe"),
    [
        ("f\"SELECT * FROM t WHERE a = '{x}'\"", True),
        ("f'SELECT * FROM t WHERE a = {x}'", True),
        ("f'SELECT * FROM t WHERE a IN ({x})'", True),
        ('f"INSERT INTO t VALUES (1, {x})"', True),
        ("f\"SELECT * FROM t WHERE a LIKE '%{x}%'\"", True),
        ("f'SELECT * FROM {x}'", False),
        ("f'SELECT {x} FROM t ORDER BY {x}'", False),
        ("f'INSERT INTO {x} (a) VALUES (?)'", False),
        ("f'SELECT * FROM t WHERE a = {int(x)}'", False),
        ("f'SELECT * FROM t WHERE a = {LIMIT}'", False),
        ("f'SELECT * FROM t WHERE a = {quote_literal(x)}'", False),
        ("f'SELECT * FROM t WHERE a IN ({placeholders})'", False),
    ],
)
def test_values_stand_where_a_parameter_could(text: str, is_unsafe: bool) -> None:
    found = read(f"def f(x, placeholders):\n    sink({text})")
    ((_, value),) = SINK.calls(found)
    (template,) = templates_of(found, value)
    assert is_statement(template.words)
    assert any(True for _ in inserted(found, template)) is is_unsafe


def test_texts_are_found_wherever_they_are_built() -> None:
    found = read("a = f'<{x}>'\nb = 'c' + d + 'e'\ng('{}'.format(h))\ni = j * 2\nk = 'l'")
    assert sorted(found.text(node) for node, _ in built_texts(found)) == ["'c' + d + 'e'", "'{}'.format(h)", "f'<{x}>'"]


def test_sinks_are_known_by_name_by_method_and_without_imports() -> None:
    table = Sinks({"os.remove": (0, "path"), ".execute": (0, "sql")})

    def named(code: str) -> list[str]:
        return [call.name for call, _ in table.calls(read(code))]

    assert named("import os\nos.remove(a)\nx.remove(a)\nc.execute(sql=q)\nexecute(q)") == ["os.remove", "c.execute"]
    assert named("from os import remove as rm\nrm(a)") == ["os.remove"]
    assert named("remove(a)") == ["remove"]


def test_names_around_a_place() -> None:
    found = read("def make_token(user):\n    resetKey = draw(user.mail)\n")
    (call,) = found.calls
    assert surroundings_of(found, call.node) == {"make", "token", "reset", "key", "draw", "user", "mail"}
    assert words_of("HTTPServer_name2") == {"http", "server", "name"}


@pytest.mark.parametrize(
    ("text", "value"), [("0o777", 511), ("0777", 511), ("1_024", 1024), ("'1'", None), ("x", None)]
)
def test_whole_numbers(text: str, value: int | None) -> None:
    found = read(f"asked = {text}")
    assert number_of(found, found.assignments[0][1]) == value


def test_what_a_shell_writes_into_a_file_is_read() -> None:
    def written(command: str) -> list[str] | None:
        found = module(Action("bash", {"command": command}, "shell"), Context())
        return [call.name for call in found.calls] if found else None

    assert written("cat > a.py <<'EOF'\nf(x)\nEOF\nls") == ["f"]
    assert written("cat > a.txt <<'EOF'\nf(x)\nEOF") is None
    assert written("cat > tests/test_a.py <<'EOF'\nf(x)\nEOF") is None
    assert written("echo 'f(x) > a.py'") is None


def test_trials_are_known_by_their_path() -> None:
    def of(path: str) -> bool:
        return is_trial(Action("write_file", {"path": path, "content": ""}, "file_write"))

    assert all(map(of, ["test_a.py", "a/tests/b.py", "reproduce_1.py", "c\\tests\\d.py", "conftest.py", "a_test.py"]))
    assert not any(map(of, ["app.py", "latest.py", "contest/main.py", ""]))


@pytest.mark.parametrize(
    "code",
    [
        "x0 = request.args['a']\n" + "".join(f"x{n + 1} = x{n} + x{n}\nsink(x{n})\n" for n in range(2_000)),
        "def f(a):\n" + "".join("  a = a + f'<b>{a}'\n  sink(a)\n" for _ in range(2_000)),
    ],
)
def test_following_is_bounded(code: str) -> None:
    found = read(code)

    def follow() -> None:
        for _, value in [*SINK.calls(found)] * 20:
            templates_of(found, value)
            origin_of(found, value)

    with pytest.raises(Unreadable, match=f"{MAX_FOLLOWED:,}"):
        follow()


PIECES = st.sampled_from(
    [
        "request",
        ".args",
        "['a']",
        "f'{",
        "}'",
        "sink(",
        ")",
        "x",
        " = ",
        "\n",
        "    ",
        "def f(x):",
        "%",
        "+",
        "'",
        "{0}",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_followed(code: str) -> None:
    found = read(code)
    for call in found.calls:
        for value in call.positional:
            origin_of(found, value, ANYBODY)
            for template in templates_of(found, value):
                list(inserted(found, template))
    list(built_texts(found))


@given(st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.integers(0, 6))
def test_names_in_between_lose_nothing(name: str, steps: int) -> None:
    names = [f"{name}_{number}" for number in range(steps + 1)]
    lines = [f"    {names[0]} = request.GET['a']"]
    lines += [f"    {after} = {before}" for before, after in pairwise(names)]
    assert sources("\n".join(["def view(request):", *lines, f"    sink({names[-1]})"]))
