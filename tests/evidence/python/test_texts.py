"""The texts that a value in Python code may have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.python import read
from supervisor.evidence.python.texts import MAX_TEXTS, is_path, texts_of
from supervisor.evidence.reading.paths import HOLE

IMPORTS = "import os, glob, pathlib, tempfile\nfrom pathlib import Path\n"


def asked(code: str):
    module = read(f"{IMPORTS}{code}")
    return module, [value for target, value in module.assignments if target == "asked"][-1]


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("asked = 'a' 'b'", ["ab"]),
        ("asked = '/a/' + name", [f"/a/{HOLE}"]),
        ("asked = f'/a/{name}.txt'", [f"/a/{HOLE}.txt"]),
        ("asked = '/a/%s' % name", [f"/a/{HOLE}"]),
        ("asked = '/a/{}'.format(name)", [f"/a/{HOLE}"]),
        ("asked = os.path.join('/a', 'b', name)", [f"/a/b/{HOLE}"]),
        ("asked = Path('/a') / 'b' / 'c.txt'", ["/a/b/c.txt"]),
        ("asked = Path('/a', 'b').resolve()", ["/a/b"]),
        ("asked = Path.home().joinpath('x')", ["~/x"]),
        ("asked = os.path.expanduser('~/x')", ["~/x"]),
        ("asked = os.environ['HOME'] + '/x'", ["~/x"]),
        ("asked = os.getenv('HOME')", ["~"]),
        ("asked = os.getenv('OTHER')", [HOLE]),
        ("asked = tempfile.mkdtemp()", [f"/tmp/{HOLE}"]),
        ("for f in ['a', 'b']:\n    asked = '/' + f", ["/a", "/b"]),
        ("for f in Path('/a').rglob('*.py'):\n    asked = f", ["/a/*.py"]),
        ("for f in Path('/a').iterdir():\n    asked = f", ["/a/*"]),
        ("for f in os.listdir('/a'):\n    asked = os.path.join('/a', f)", ["/a/*"]),
        ("def f(d='/a'):\n    asked = d\nf('/b')", ["/b", "/a"]),
        ("asked = asked", [HOLE]),
        ("asked = input()", [HOLE]),
        ("asked = 3", [HOLE]),
    ],
)
def test_texts(code: str, texts: list[str]) -> None:
    assert texts_of(*asked(code)) == texts


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ("asked = Path('a')", True),
        ("asked = pathlib.Path('a') / 'b'", True),
        ("p = Path('a')\nasked = p.parent", True),
        ("for p in Path('a').glob('*'):\n    asked = p", True),
        ("asked = 'a'", False),
        ("asked = 6 / 3", False),
        ("asked = name", False),
    ],
)
def test_paths(code: str, path: bool) -> None:
    assert is_path(*asked(code)) is path


@given(st.lists(st.sampled_from(["'a'", "x", "['a', 'b', 'c']", "f'{x}{y}'", "(1, 2)"]), min_size=1, max_size=8))
def test_texts_stay_few(parts: list[str]) -> None:
    found = texts_of(*asked(f"for x in {parts[0]}:\n    y = {' + '.join(parts)}\n    asked = {' + '.join(parts)}"))
    assert 0 < len(found) <= MAX_TEXTS
