"""Parses shell text into a syntax tree, within a limited number of steps, so that hostile text cannot stall it."""

from __future__ import annotations

import re
import time

import tree_sitter_bash
from tree_sitter import Language, Node

from supervisor.errors import CutOff, Unreadable
from supervisor.evidence.reading.syntax_trees import Parsers
from supervisor.evidence.shell.words import BACKSLASH

MAX_BYTES = 1024 * 1024
MAX_STEPS = 4_000  # of tree-sitter, about 20 µs each; real commands take fewer than 100
MAX_SECONDS = 0.12

_PARSERS = Parsers(Language(tree_sitter_bash.language()))
# The grammar's scanner passes characters to C functions such as isalpha, whose table ends at 255, and reads out of
# bounds for those beyond. A shell treats them as letters, so the parser is given a letter for each of their bytes.
_LETTERS_ONLY = bytes(range(128)) + b"x" * 128
# It misreads two more forms: a line that begins with a backslash (`\\rm`), which it joins to the line before, and a
# command that begins with braces (`{rm,-r,x}`), which it takes for a group. Letters replace these as well.
_ESCAPED = re.compile(rb"((?:^|\n)[ \t]*)\\(?=[A-Za-z])")
_BRACES = re.compile(rb"((?:^|[\n;&|(])[ \t]*)(\{[^\s{}'\"$`;|&()<>\\]*+\})(?=[\s;&|)]|\Z)")


# Two more forms are rewritten in the text: `$IFS/x`, and the backslash with which a here-document begins.
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
    """The start of a here-document with its backslash marked, unless it is in a quoted word."""
    before = found.string[: found.start()]
    inside = before.rpartition("$(")[2]
    before = inside if ")" not in inside else before  # a substitution has quotes of its own
    quoted = before.count("'") % 2 or before.count('"') % 2
    return found[0] if quoted else f"{found[1]}{BACKSLASH}"


def _as_word(found: re.Match[bytes]) -> bytes:
    before, braces = found.groups()
    return before + (b"x" * len(braces) if b"," in braces else braces)


class Allowance:
    """The steps and CPU time that parsing an action's whole text may take, including nested scripts.

    Steps are counted, so that a replay reaches the same result. The CPU time of this thread is a second limit, for text
    on which a single step takes long. It counts from the first step: most scripts are read without a parser, and
    reading a thread's CPU time is a system call.
    """

    def __init__(self) -> None:
        self._steps = MAX_STEPS
        self._end: float | None = None

    def is_spent(self) -> bool:
        """Takes one step; returns whether the allowance is spent."""
        self._steps -= 1
        return self._steps < 0 or self.is_late()

    def is_late(self) -> bool:
        """Whether the time is spent."""
        now = time.thread_time()
        if self._end is None:
            self._end = now + MAX_SECONDS
        return now > self._end


def parse(source: bytes, allowance: Allowance) -> Node:
    """The root of the syntax tree, with byte offsets into `source`; a node's own `text` may differ from the source.

    Raises Unreadable if the steps are spent, CutOff if the time is. (The parser calls its progress callback only if the
    source is a callable.)
    """
    parser = _PARSERS.own
    replaced = source if source.isascii() else source.translate(_LETTERS_ONLY)
    if b"\\" in replaced or b"," in replaced:
        replaced = _BRACES.sub(_as_word, _ESCAPED.sub(rb"\1x", replaced))
    try:
        tree = parser.parse(
            lambda offset, _: replaced[offset : offset + 8192],
            encoding="utf8",
            progress_callback=lambda *_: allowance.is_spent(),
        )
    except ValueError:
        parser.reset()
        reason = "a shell script that takes too long to parse"
        raise (CutOff if allowance.is_late() else Unreadable)(reason) from None
    return tree.root_node
