"""Prose as people quote it: the spans between quotation marks, and whether a source holds them word for word.

Each character is looked at a bounded number of times, and MAX_TEXT caps what is read at all.
"""

from __future__ import annotations

import re
import unicodedata

from supervisor.errors import Unreadable

MAX_TEXT = 1_000_000  # characters; a long book
_CLOSING = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", '"': '"'}
_BEFORE_OPENING = "([{-–—:;,/'‘\"“„«*_>"  # noqa: RUF001
_INVISIBLE = str.maketrans(dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"))  # soft hyphen, zero-width characters
_WORD = re.compile(r"[^\W_]+|[%$€£¥°+]")  # a sign changes what a number says, so it is a word
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…][\"'”’)\]])\s+|\n+")  # noqa: RUF001
_LETTER_IN_BRACKETS = re.compile(r"\[(\w)\](?=\w)")
_GAP = re.compile(r"\.\s?\.\s?\.|\w{0,40}\[[^\[\]]{0,80}\]\w{0,40}")
_FILLER_WORDS = (
    "a an and are as at be been but by for from had has have he her his if in into is it its no not of on or our she "
    "so such than that the their them then there these they this to was we were which who will with would you your"
)
_FILLERS = frozenset(_FILLER_WORDS.split())


def words(text: str) -> list[str]:
    """The words of a text in order, without what typesetting changes (NFKC, case, punctuation, soft hyphens).

    Raises Unreadable for more than MAX_TEXT characters.
    """
    if len(text) > MAX_TEXT:
        raise Unreadable(f"a text of {len(text):,} characters, more than the {MAX_TEXT:,} that are searched")
    return _WORD.findall(unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).casefold())


def essence(text: str) -> frozenset[str]:
    """The words that carry meaning, once each: those that are not mere fillers of English."""
    return frozenset(words(text)) - _FILLERS


def searchable(text: str) -> str:
    """The words of a source in one line, for `holds`."""
    return f" {' '.join(words(text))} "


def holds(source: str, quotation: str) -> bool:
    """Whether a `searchable` source holds a quotation word for word.

    `...` and `[words]` in a quotation stand for what was left out or changed: the parts around them must appear in
    that order. `[T]he` is the word `the`.
    """
    at = 0
    for part in _GAP.split(_LETTER_IN_BRACKETS.sub(r"\1", quotation.replace("…", "..."))):
        wanted = searchable(part)
        found = source.find(wanted, at) if wanted.strip() else at
        if found < 0:
            return False
        at = found + len(wanted.rstrip())
    return True


def is_title(text: str) -> bool:
    """Whether every word that carries meaning is capitalised, as in the title of a work or the name of a thing."""
    telling = (word for word in _WORD.findall(text) if len(word) > 1 and word.lower() not in _FILLERS)
    return not any(word[0].islower() for word in telling)


def quotations(text: str) -> list[str]:
    """The outermost spans in quotation marks (“…”, "…", «…», „…“), without them, and Markdown block quotes, in order.

    A mark that its paragraph does not close opens nothing.
    """
    found: list[str] = []
    quoted: list[str] = []
    prose: list[str] = []
    for line in [*text.split("\n"), ""]:
        is_quoted = line.lstrip().startswith(">")
        if is_quoted:
            quoted.append(line.lstrip("> "))
        elif quoted:
            found.append(" ".join(quoted).strip(' "“”'))
            quoted = []
        if line.strip() and not is_quoted:
            prose.append(line)
        elif prose:
            found.extend(_in_marks("\n".join(prose)))
            prose = []
    return [span for span in found if span]


def _in_marks(paragraph: str) -> list[str]:
    pending: list[tuple[int, str]] = []  # where each open span begins, and the marks that would close it
    spans: list[tuple[int, int]] = []
    for at, mark in enumerate(paragraph):
        if pending and mark in pending[-1][1] and _may_close(paragraph, at):
            start, _ = pending.pop()
            while spans and spans[-1][0] >= start:  # what it encloses is part of it
                spans.pop()
            spans.append((start, at))
        elif mark in _CLOSING and (mark != '"' or _may_open(paragraph, at)):
            pending.append((at + 1, _CLOSING[mark]))
    return [paragraph[start:end].strip() for start, end in spans]


def _may_open(text: str, at: int) -> bool:
    """A straight mark opens at the start, behind a space or behind opening punctuation."""
    return at == 0 or text[at - 1].isspace() or text[at - 1] in _BEFORE_OPENING


def _may_close(text: str, at: int) -> bool:
    """A straight mark closes where no word goes on, and not where one begins behind a space."""
    before, after = text[at - 1], text[at + 1 : at + 2]
    return text[at] != '"' or not (after.isalnum() or (before.isspace() and after and not after.isspace()))


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, as they stand."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def nearest_sentence(source: str, text: str, *, limit: int = 400) -> str:
    """The sentence of `source` that shares most with `text`, as it stands, cut at `limit` characters; else empty."""
    ranked = _ranked(sentences(source), text)
    return ranked[0][1][:limit] if ranked else ""


def nearest_passages(source: str, text: str, *, limit: int) -> str:
    """As many of the sentences of `source` nearest to `text` as `limit` characters hold, in their order."""
    chosen: list[tuple[int, str]] = []
    for place, sentence in _ranked(sentences(source), text):
        if len(sentence) < limit:
            chosen.append((place, sentence))
            limit -= len(sentence) + 1
    return "\n".join(sentence for _, sentence in sorted(chosen))


def _ranked(parts: list[str], text: str) -> list[tuple[int, str]]:
    """The parts that share words with `text`, best first. A word counts by one over the number of parts it is in."""
    wanted = essence(text)
    shared = [essence(part) & wanted for part in parts]
    spread: dict[str, int] = {}
    for common in shared:
        for word in common:
            spread[word] = spread.get(word, 0) + 1
    scores = [sum(1 / spread[word] for word in sorted(common)) for common in shared]
    order = sorted((place for place in range(len(parts)) if scores[place]), key=lambda place: (-scores[place], place))
    return [(place, parts[place]) for place in order]
