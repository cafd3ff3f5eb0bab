"""Parses shell text into a syntax tree, within a number of steps that hostile text cannot stretch."""

from __future__ import annotations

import re
import time

import tree_sitter_bash
from tree_sitter import Language, Node

from supervisor.errors import CutOff, Unreadable
from supervisor.evidence.reading.syntax_trees import Parsers
from supervisor.evidence.shell.words import BACKSLASH

MAX_BYTES = 1024 * 1024
MAX_STEPS = 4_000  # of tree-sitter, mostly of about 20 µs; real commands take less than 100
MAX_SECONDS = 0.12

_PARSERS = Parsers(Language(tree_sitter_bash.language()))
# The grammar's scanner looks characters up in a C table that ends at 255 (isalpha and its kin), and reads wild memory
# for those beyond. To a shell they are letters like any other, so the parser is shown a letter for each of their bytes.
_LETTERS_ONLY = bytes(range(128)) + b"x" * 128
# Two more things that it takes for something else: a line that begins with a backslash (`\\rm`), which it joins to the
# line before, and a command that begins with braces (`{rm,-r,x}`), which it takes for a group. It is shown letters too.
_ESCAPED = re.compile(rb"((?:^|\n)[ \t]*)\\(?=[A-Za-z])")
_BRACES = re.compile(rb"((?:^|[\n;&|(])[ \t]*)(\{[^\s{}'\"$`;|&()<>\\]*+\})(?=[\s;&|)]|\Z)")


# Two more again are told apart in the text: `$IFS/x`, and the backslash with which a here-document begins.
_BARE_IFS = re.compile(r"\$IFS(?!\w)")
_BEGINS_ESCAPED = re.compile(r"(<<[^\n<]*\n)\\(?=[^A-Za-z\n])")


def source_of(script: str) -> bytes:
    """The text that is parsed. Raises Unreadable beyond MAX_BYTES."""
    if "$IFS" in script:
        script = _BARE_IFS.sub("${IFS}", script)
    if "\n\\" in script and "<<" in script:
        script = _BEGINS_ESCAPED.sub(_marked, script)
    source = script.encode("utf-8", "replace")
    if len(source) > MAX_BYTES:
        raise Unreadable(f"a shell script of {len(source):,} bytes, more than the {MAX_BYTES:,} that are read")
    return source


def _marked(found: re.Match[str]) -> str:
    """The start of a here-document with its backslash marked, unless it stands in a quoted word."""
    before = found.string[: found.start()]
    inside = before.rpartition("$(")[2]
    before = inside if ")" not in inside else before  # quotes begin anew in a substitution
    quoted = before.count("'") % 2 or before.count('"') % 2
    return found[0] if quoted else f"{found[1]}{BACKSLASH}"


def _as_word(found: re.Match[bytes]) -> bytes:
    before, braces = found.groups()
    return before + (b"x" * len(braces) if b"," in braces else braces)


class Allowance:
    """What parsing an action's whole text may take, scripts within it included.

    Steps are counted, so that a replay agrees. The time, of this thread on a processor, is a backstop for text
    on which a single step grows long. It runs from the first step: most scripts are read without a parser, and to ask
    for a thread's time is a call of the system, no glance at a clock.
    """

    def __init__(self) -> None:
        self._steps = MAX_STEPS
        self._end: float | None = None

    def is_spent(self) -> bool:
        """Takes one step."""
        self._steps -= 1
        return self._steps < 0 or self.is_late()

    def is_late(self) -> bool:
        """Whether it is the time that is used up."""
        now = time.thread_time()
        if self._end is None:
            self._end = now + MAX_SECONDS
        return now > self._end


def parse(source: bytes, allowance: Allowance) -> Node:
    """The root of the syntax tree, with byte offsets into `source`; its nodes' own `text` is not that of the source.

    Raises Unreadable where the allowance is spent, CutOff where that is its time. (The parser asks its progress
    callback only where the source is a callable.)
    """
    parser = _PARSERS.own
    shown = source if source.isascii() else source.translate(_LETTERS_ONLY)
    if b"\\" in shown or b"," in shown:
        shown = _BRACES.sub(_as_word, _ESCAPED.sub(rb"\1x", shown))
    try:
        tree = parser.parse(
            lambda offset, _: shown[offset : offset + 8192],
            encoding="utf8",
            progress_callback=lambda *_: allowance.is_spent(),
        )
    except ValueError:
        parser.reset()
        told = "a shell script that takes too long to parse"
        raise (CutOff if allowance.is_late() else Unreadable)(told) from None
    return tree.root_node
