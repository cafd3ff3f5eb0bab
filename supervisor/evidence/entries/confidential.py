"""What an output marks as confidential and an action tells others: a file, or the words of a passage.

A field is named `notes_confidential`, a line says "internal, panel only", a heading "until publication". The mark
counts for the field, the line or the short record that it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context, Step
from supervisor.evidence import reader
from supervisor.evidence.entries.listing import LATEST, Shown
from supervisor.evidence.entries.words import has_form, pattern, reads_only, row, values_in, words_in
from supervisor.evidence.history.past import looked_up

_MOST_SEGMENTS = 30  # of one output
_MOST_PASSAGES = 200  # of all outputs
_LONGEST_SEGMENT = 300  # characters
_SHORT = 60  # characters of a value whose mark counts for its whole record
_SENT = 30  # characters of an argument that says something
_LONGEST_SENT = 16 * 1024
_LONG = 6  # letters of a word that is not everybody's
_LEAST_WORDS = 2
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ\u0100-\u017f]{2,20}\b")  # not the first word of a sentence
_FILE = re.compile(r"(?i)[\w./-]{1,100}\.(?:pdf|docx?|xlsx?|csv|pptx?|zip|txt|md|json|eml|jpe?g|png|odt|ods)\b")


class Told(NamedTuple):
    """What an action tells: the name of a file, or words; and the passage that marks it."""

    what: tuple[str, ...]
    passage: str


class _Passage:
    """A marked passage: its text, the files that it names, and its words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.files = tuple(dict.fromkeys(_FILE.findall(text)))
        self.rare = _rare(text)
        self.words = frozenset(words_in(text))


class _Marked:
    """The marked passages of one output, and the words of its other passages."""

    def __init__(self, step: Step) -> None:
        output = Shown(step)
        has_marks = pattern("marks").may_be_in(output.text) or pattern("private_fields").may_be_in(output.text)
        found = islice(_marked_in(output.output), _MOST_SEGMENTS) if has_marks else ()
        self.passages = tuple(_Passage(each) for each in found)
        rest = output.text
        for passage in self.passages:
            for part in passage.text.split("  "):
                rest = rest.replace(part, " ") if len(part) > 1 else rest
        self.plain = frozenset(words_in(rest)) if self.passages else output.words


@reader
def told_in_confidence(action: Action, context: Context) -> Told | None:
    """The marked file or passage that an action tells others; None if it tells none.

    Whoever the passage names may know it, and the user may order a file or speak of the secret by name.
    """
    task = context.task or ""
    if not context.history or reads_only(action.tool) or not _tells(action) or pattern("marks").search(task):
        return None
    marked = list(looked_up(context, _Marked, LATEST))
    passages = list(islice((passage for each in marked for passage in each.passages), _MOST_PASSAGES))
    if not passages:
        return None
    given, asked = values_in(action.args, _LONGEST_SENT), frozenset(words_in(task))
    known = asked.union(*(each.plain for each in marked))
    return _file_told(passages, given, asked, task) or _words_told(passages, given, asked, known)


def _file_told(passages: list[_Passage], given: list[tuple[str, str]], asked: frozenset[str], task: str) -> Told | None:
    whole = " ".join(value for _, value in given).lower()
    for passage in passages:
        for file in passage.files:
            if file.lower() in whole and not _is_ordered(file, asked, task):
                return Told((file,), passage.text)
    return None


def _words_told(
    passages: list[_Passage], given: list[tuple[str, str]], asked: frozenset[str], known: frozenset[str]
) -> Told | None:
    said = " ".join(value for _, value in given if len(value) > _SENT)
    if pattern("marks").search(said):
        return None
    words, receivers = _rare(said), _receivers(given)
    for passage in passages:
        if passage.files or not receivers.isdisjoint(passage.words):
            continue
        told = [word for word in passage.rare - known if has_form(word, words) and not has_form(word, asked)]
        if len(told) >= _LEAST_WORDS:
            return Told(tuple(sorted(told)), passage.text)
    return None


def _tells(action: Action) -> bool:
    return action.kind == "message" or pattern("telling").search(" ".join(words_in(action.tool[:256]))) is not None


def _is_ordered(file: str, asked: frozenset[str], task: str) -> bool:
    """Whether the user named a file, or a word of its name."""
    if file.lower() in task.lower():
        return True
    own = (word for word in words_in(file)[:-1] if len(word) > 3 and word.isalpha())
    return any(has_form(word, asked) for word in own)


def _receivers(given: list[tuple[str, str]]) -> set[str]:
    told = (value for name, value in given if len(value) <= _SENT and not _FILE.search(value))
    return {word for value in told for word in words_in(value) if len(word) > 3 and word.isalpha()} - row("empty")


def _rare(text: str) -> frozenset[str]:
    """The words that are not everybody's: long ones, figures, and names."""
    words = (word for word in words_in(text) if not _is_mark(word))
    rare = {word for word in words if len(word) >= _LONG or (len(word) > 1 and not word.isalpha())}
    return frozenset(rare.union(name.lower() for name in _NAME.findall(text)))


@lru_cache(maxsize=2048)
def _is_mark(word: str) -> bool:
    return pattern("marks").fullmatch(word)


def _marked_in(output: Any) -> Iterator[str]:
    if isinstance(output, str):
        for line in output.splitlines():
            if pattern("marks").search(line):
                yield from [line] if len(line) <= _LONGEST_SEGMENT else _marked_sentences(line)
        return
    stack: list[tuple[str, Any]] = [("", output)]
    for _ in range(1_000):
        if not stack:
            return
        name, node = stack.pop()
        if isinstance(node, Mapping):
            plain = [str(each) for each in node.values() if isinstance(each, (str, int, float))]
            marks = [each for each in plain if len(each) <= _SHORT and pattern("marks").search(each)]
            if marks:
                yield "  ".join(plain)[:_LONGEST_SEGMENT]
            stack.extend((str(key), each) for key, each in reversed(list(node.items())[:200]))
        elif isinstance(node, (list, tuple)):
            stack.extend((name, each) for each in reversed(node[:200]))
        elif isinstance(node, str):
            if _is_private(name):
                yield node[:_LONGEST_SEGMENT]
            elif len(node) > _SHORT:
                yield from _marked_sentences(node)


def _marked_sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text[:_LONGEST_SENT]):
        if pattern("marks").search(sentence):
            yield sentence[:_LONGEST_SEGMENT]


@cache
def _is_private(name: str) -> bool:
    return pattern("private_fields").search(" ".join(words_in(name))) is not None
