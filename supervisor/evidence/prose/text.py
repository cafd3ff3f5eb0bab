"""Quotations: the spans between quotation marks, and whether a source contains them word for word.

Each character is read a bounded number of times, and MAX_TEXT limits the text. A specialist that waits for a source
works in slices (`await quotations.unhurried(text)`), since other specialists share its event loop.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from heapq import merge
from itertools import chain

from supervisor.errors import Unreadable
from supervisor.evidence.reading.slices import Sliced, Work, lines, pieces

MAX_TEXT = 1_000_000  # characters; a long book
MAX_QUOTATION = 20_000  # characters of a quotation; about ten pages
MAX_QUOTATIONS = 5_000
MAX_SENTENCES = 50_000
_PIECE = 512  # characters that are normalised at a time; a word has fewer
_LONGEST_TITLE = 1_000  # characters
_RUN = 1_000
_WINDOW = 1_024  # characters that are searched for the end of a sentence at a time
_CLOSING = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", '"': '"'}
_MARKS = frozenset("".join([*_CLOSING, *_CLOSING.values()]))
_BEFORE_OPENING = "([{-–—:;,/'‘\"“„«*_>"
_INVISIBLE = str.maketrans(dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"))  # soft hyphen, zero-width characters
_WORD = re.compile(r"[^\W_]+|[%$€£¥°+]")  # a sign changes what a number means, so it is a word
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…][\"'”’)\]])\s+|\n+")
_LETTER_IN_BRACKETS = re.compile(r"\[(\w)\](?=\w)")
_GAP = re.compile(r"\.\s?\.\s?\.|\w{0,40}\[[^\[\]]{0,80}\]\w{0,40}")
_FILLER_WORDS = (
    "a an and are as at be been but by for from had has have he her his if in into is it its no not of on or our she "
    "so such than that the their them then there these they this to was we were which who will with would you your"
)
_FILLERS = frozenset(_FILLER_WORDS.split())


@Sliced
def words(text: str) -> Work[list[str]]:
    """The words of a text in order, without what typesetting changes (NFKC, case, punctuation, soft hyphens).

    Raises Unreadable for more than MAX_TEXT characters.
    """
    found: list[str] = []
    for piece in pieces(_readable(text), _PIECE):  # ordering one long run of combining marks takes quadratic time
        found += _words(piece)
        yield
    return found


def _words(piece: str) -> list[str]:
    if not piece.isascii():
        piece = unicodedata.normalize("NFKC", piece.translate(_INVISIBLE))
    return _WORD.findall(piece.casefold())


def _readable(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise Unreadable(f"a text of {len(text):,} characters, more than the {MAX_TEXT:,} that are searched")
    return text


@Sliced
def essence(text: str) -> Work[frozenset[str]]:
    """The set of words of a text without English fillers."""
    found: set[str] = set()
    for piece in pieces(_readable(text), _PIECE):
        found.update(_words(piece))
        yield
    return frozenset(found - _FILLERS)


@Sliced
def searchable(text: str) -> Work[str]:
    """The words of a source in one line, for `holds`. Joined in pieces: all at once takes milliseconds."""
    line = [""]
    for piece in pieces(_readable(text), _PIECE):
        if found := _words(piece):
            line.append(" ".join(found))
        yield
    return " ".join([*line, ""])


@Sliced
def holds(source: str, quotation: str) -> Work[bool]:
    """Whether a `searchable` source contains a quotation word for word.

    `...` and `[words]` in a quotation stand for omitted or changed text: the parts around them must occur in that
    order. `[T]he` is the word `the`. Raises Unreadable for a quotation of more than MAX_QUOTATION characters.
    """
    if len(quotation) > MAX_QUOTATION:
        size = f"{len(quotation):,} characters, more than the {MAX_QUOTATION:,} that are looked for word for word"
        raise Unreadable(f"a quotation or claim of {size}")
    at = 0
    for part in _GAP.split(_LETTER_IN_BRACKETS.sub(r"\1", quotation.replace("…", "..."))):
        wanted = yield from searchable.work(part)
        found = source.find(wanted, at) if wanted.strip() else at
        if found < 0:
            return False
        at = found + len(wanted.rstrip())
        yield
    return True


def is_title(text: str) -> bool:
    """Whether every word except fillers is capitalised, as in the title of a work or a name."""
    if len(text) > _LONGEST_TITLE:
        return False
    telling = (word for word in _WORD.findall(text) if len(word) > 1 and word.lower() not in _FILLERS)
    return not any(word[0].islower() for word in telling)


@Sliced
def quotations(text: str) -> Work[list[str]]:
    """The outermost spans in quotation marks (“…”, "…", «…», „…“), without them, and Markdown block quotes, in order.

    A mark that is not closed in its paragraph is ignored. Raises Unreadable beyond MAX_TEXT and MAX_QUOTATIONS.
    """
    found: list[str] = []
    quoted: list[str] = []
    prose: list[str] = []
    for line in chain(lines(_readable(text)), [""]):
        is_quoted = line.lstrip().startswith(">")
        if is_quoted:
            quoted.append(line.lstrip("> "))
        elif quoted:
            found.append(" ".join(quoted).strip(' "“”'))
            quoted = []
        if line.strip() and not is_quoted:
            prose.append(line)
        elif prose:
            found += yield from _in_marks("\n".join(prose))
            prose = []
        if len(found) > MAX_QUOTATIONS:
            raise Unreadable(f"a text of more than {MAX_QUOTATIONS:,} quotations")
        yield
    return [span for span in found if span]


def _in_marks(paragraph: str) -> Work[list[str]]:
    pending: list[tuple[int, str]] = []  # the start of each open span, and the marks that close it
    spans: list[tuple[int, int]] = []
    for at, mark in enumerate(paragraph):
        if not at % _PIECE:
            yield
        if mark not in _MARKS:
            continue
        if pending and mark in pending[-1][1] and _may_close(paragraph, at):
            start, _ = pending.pop()
            while spans and spans[-1][0] >= start:  # enclosed spans are part of it
                spans.pop()
            spans.append((start, at))
            if len(spans) > MAX_QUOTATIONS:
                break
        elif mark in _CLOSING and (mark != '"' or _may_open(paragraph, at)):
            pending.append((at + 1, _CLOSING[mark]))
    return [paragraph[start:end].strip() for start, end in spans]


def _may_open(text: str, at: int) -> bool:
    """Whether a straight mark may open: at the start, after a space or after opening punctuation."""
    return at == 0 or text[at - 1].isspace() or text[at - 1] in _BEFORE_OPENING


def _may_close(text: str, at: int) -> bool:
    """Whether a mark may close: a straight one neither inside a word nor between a space and a word."""
    before, after = text[at - 1], text[at + 1 : at + 2]
    return text[at] != '"' or not (after.isalnum() or (before.isspace() and after and not after.isspace()))


@Sliced
def sentences(text: str) -> Work[list[str]]:
    """The sentences and lines of a text, as written. Raises Unreadable for more than MAX_TEXT and MAX_SENTENCES."""
    found: list[str] = []
    start = at = 0
    while at < len(_readable(text)):
        end = _SENTENCE_END.search(text, at, at + _WINDOW)
        if end is None and at + _WINDOW < len(text):
            at += _WINDOW
        else:
            if sentence := text[start : end.start() if end else None].strip():
                found.append(sentence)
            start = at = end.end() if end else len(text)
        if len(found) > MAX_SENTENCES:
            raise Unreadable(f"a text of more than {MAX_SENTENCES:,} sentences")
        yield
    return found


@Sliced
def nearest_sentence(source: str, text: str, *, limit: int = 400) -> Work[str]:
    """The sentence of `source` most similar to `text`, as written, cut at `limit` characters; empty if none is."""
    parts = yield from sentences.work(source)
    ranked = yield from _ranked(parts, text)
    return next((parts[place][:limit] for place in ranked), "")


@Sliced
def nearest_passages(source: str, text: str, *, limit: int) -> Work[str]:
    """The sentences of `source` nearest to `text` that fit in `limit` characters, in the order of `source`."""
    parts = yield from sentences.work(source)
    chosen: list[int] = []
    for place in (yield from _ranked(parts, text)):
        if len(parts[place]) < limit:
            chosen.append(place)
            limit -= len(parts[place]) + 1
        yield
    return "\n".join(parts[place] for place in sorted(chosen))


def _ranked(parts: list[str], text: str) -> Work[Iterable[int]]:
    """The indexes of the parts that share words with `text`, best first.

    The weight of a word is one over the number of parts that contain it.
    """
    wanted = yield from essence.work(text)
    shared: list[frozenset[str]] = []
    spread: Counter[str] = Counter()
    for part in parts:
        shared.append((yield from essence.work(part)) & wanted)
        spread.update(shared[-1])
    runs: list[list[tuple[float, int]]] = [[]]  # sorted separately: sorting all at once takes too long
    for place, common in enumerate(shared):
        if common:
            runs[-1].append((-sum(1 / spread[word] for word in sorted(common)), place))
        if len(runs[-1]) == _RUN:
            runs[-1].sort()
            runs.append([])
        yield
    runs[-1].sort()
    return (place for _, place in merge(*runs))
