"""The shell parser is C, and reads wild memory where it meets letters beyond 255; what shields it has to hold.

It is tried in a process of its own, so that a crash is a finding and not the end of the tests. What crashed it is kept
in `.hypothesis/crashes`.
"""

from __future__ import annotations

import hashlib
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import strategies as st

from tests.fuzz.texts import SHELL, grammar, mutated, unicode, words
from tests.fuzz.watch import fuzzed, watched

CRASHES = Path(".hypothesis/crashes")
_CHILD = """
import struct, sys
from supervisor.errors import Unreadable
from supervisor.evidence.shell import syntax
from supervisor.evidence.reading.syntax_trees import walk

syntax.MAX_SECONDS, syntax.MAX_STEPS = 60.0, 200

def shape(source):
    nodes = [(node.type, node.start_byte, node.end_byte) for node in walk(syntax.parse(source, syntax.Allowance()))]
    assert all(0 <= start <= end <= len(source) for _, start, end in nodes), nodes
    return nodes

def told(source):
    try:
        return shape(source)
    except Unreadable as unreadable:
        return str(unreadable)

while size := sys.stdin.buffer.read(4):
    source = sys.stdin.buffer.read(*struct.unpack("I", size))
    # To a shell, a letter beyond ASCII is a letter: the tree is that of the same script with other letters for it.
    letters = bytes(byte if byte < 128 else ord("x") for byte in source)
    sys.stdout.buffer.write(b"=" if told(source) == told(letters) else b"!")
    sys.stdout.buffer.flush()
"""

# What the scanner itself reads letter by letter: delimiters, variables, expansions, tests, and letters far beyond 255.
_LETTERS = st.characters(min_codepoint=256, exclude_categories=["Cs"]) | st.sampled_from("\x80\xe9\xff\u0100")
_FAR = st.text(_LETTERS, min_size=1, max_size=6)
_SCANNED = r"""
<<◌⏎◌⏎◌ ¦ <<-◌⏎	◌⏎	◌⏎ ¦ <<'◌'⏎◌⏎◌ ¦ cat <<E◌ <<F⏎◌⏎E◌⏎$◌⏎F ¦ <<\◌⏎$◌⏎◌ ¦ ◌<<<◌ ¦ 2◌>◌ ¦ #◌⏎◌ ¦ \◌ ¦ `◌`
$◌ ¦ ${◌} ¦ ${◌:◌} ¦ ${#◌} ¦ ${!◌[@]} ¦ ${x/◌/◌} ¦ ${x##◌} ¦ $((◌)) ¦ {◌..◌} ¦ {a,◌} ¦ $'◌' ¦ $"◌" ¦ "$◌" ¦ @(◌|◌)
◌=◌ ¦ ◌+=(◌) ¦ x[◌]=◌ ¦ [[ ◌ =~ ◌ ]] ¦ [[ a == ◌* ]] ¦ case ◌ in ◌) ◌;; esac ¦ ◌() { ◌; } ¦ for ◌ in ◌; do ◌; done
"""
scanned = st.lists(grammar(_FAR | _FAR | words("x EOF"), _SCANNED, _SCANNED), min_size=1, max_size=3).map("\n".join)


class Child:
    """The process that parses; begun again whenever it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def answer(self, source: bytes) -> bytes:
        """`=` where the tree is what it should be, `!` where not; nothing where the process has died of it."""
        process = self._process = self._process or subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-c", _CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin
        assert process.stdout
        process.stdin.write(struct.pack("I", len(source)) + source)
        process.stdin.flush()
        answer = process.stdout.read(1)
        if not answer:
            self.end()
        return answer

    def end(self) -> None:
        """Ends the process and waits for it."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    parser = Child()
    yield parser
    parser.end()


@fuzzed(st.one_of(scanned, mutated(scanned), mutated(SHELL), unicode).map(str.encode) | st.binary(max_size=80))
def test_the_parser_lives_and_sees_letters(child: Child, source: bytes) -> None:
    with watched(source):
        answer = child.answer(source)
        if not answer:
            CRASHES.mkdir(parents=True, exist_ok=True)
            (CRASHES / f"{hashlib.sha256(source).hexdigest()[:16]}.sh").write_bytes(source)
        assert answer == b"=", "the parser crashed" if not answer else "the tree is another"
