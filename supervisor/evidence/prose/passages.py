"""Text as it is compared, however it is spelled and wrapped: cut into passages, folded, searched for values."""

from __future__ import annotations

import json
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from supervisor.errors import Unreadable
from supervisor.evidence.prose.disguise import BORROWED, INVISIBLE, LATIN, hidden_in, unmasked
from supervisor.evidence.prose.scripts import CYRILLIC, GREEK, UNSPACED

MAX_PASSAGE = 400  # characters
MAX_PLACES = 32  # where one value is looked for; a value in more places than this is no clue

_PUNCTUATION = [*map(ord, string.punctuation + "¡«·»¿"), *range(0x2010, 0x2028), *range(0x2030, 0x205F)]
_FOLD = dict.fromkeys([*_PUNCTUATION, *range(0x3000, 0x3030)], " ") | INVISIBLE
_PHRASES = dict.fromkeys([0xFDFA, 0xFDFB], " ")  # signs that unify to 18 letters and to 8; no other to more than 6
_SPREAD = _FOLD | dict.fromkeys(map(ord, "\t\n\v\f\r\x1c\x1d\x1e\x1f"), " ")
Joins = Callable[[str, str], bool]  # whether two neighbouring characters belong to one word or number
_STOPS = (". ", "! ", "? ", "。", "', '", '", "')  # the last two part the items of a list on one line
# What folds to plain letters though unifying compatible forms leaves it: sharp s, letters with marks, a Greek mark.
FOLDED_TO_LATIN = re.compile(f"[\u00df\u0130\u01f0\u0345\u1e96-\u1e99\u1e9e{CYRILLIC}{GREEK}]")
_UNSPACED = re.compile(f"[{UNSPACED}]+")
# Linear: what is taken is not given back, and begins where a run of plain letters does.
_BORDERING = re.compile(r"(?<=[^\x00-\x7f])[!-~]++|(?<![!-~])[!-~]++(?=[^\x00-\x7f])")
_CONTINUED = re.compile(r"\\\n[ \t]*(?:\\ )?")  # how YAML wraps a quoted text
# Letters, figures, `-`, `.` and `_` that JSON spells by their numbers, which nobody has to. Linear: a run of
# backslashes is read once.
_SPELT = re.compile(r"(?<!\\)(?:\\\\)*\\u00(?:2[d-eD-E]|3\d|[46][1-9a-fA-F]|[57][\daA]|5[fF])")
_WRAPPED = 60  # a line this long may be one that was wrapped
# How lines of logs begin: with a time, a level, a row's bar. None of them goes on with the line before.
_LOGGED = re.compile(
    r"[\[(]?(?:\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d|(?:time|ts|level)="
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b)|\|"
)
_MAX_WRAPPED = 32


class Passage(NamedTuple):
    """A sentence or line of a tool's output. `step` is its index in the history, `text` what it says."""

    step: int
    text: str
    folded: str


def fold(text: str) -> str:
    """Text as it is compared: compatibility forms unified, look-alike letters as Latin ones, lower case, every run of
    punctuation and space one space."""
    if text.isascii():
        return " ".join(text.translate(_FOLD).lower().split())
    runs = groupby(text.split("\n"), str.isascii)
    return " ".join(filter(None, (fold("\n".join(lines)) if plain else _fold_lines(lines) for plain, lines in runs)))


def folded_lines(lines: Sequence[str]) -> list[str]:
    """Each of these lines folded, at a third of the price."""
    text = "\n".join(lines)
    if not (text and text.isascii()):
        return [fold(line) for line in lines]
    return [" ".join(line.split()) for line in text.translate(_FOLD).lower().split("\n")]


def spread(text: str) -> str:
    """The words of a folded text between any number of spaces, in no certain order, at a fifth of the price."""
    if text.isascii():
        return text.translate(_SPREAD).lower()
    lines = text.split("\n")
    plain = "\n".join([line for line in lines if line.isascii()]).translate(_SPREAD).lower()
    return " ".join([plain, *(_fold_line(line) for line in lines if not line.isascii())])


def apart(folded: str) -> str:
    """A folded text with its words between spaces; of a run without spaces every two neighbours are words, and of a
    word in which other letters stand next to Latin ones or figures, those are too."""
    if folded.isascii():
        return f" {folded} "
    runs = _UNSPACED.findall(folded)
    pairs = [run[at : at + 2] for run in runs for at in range(max(len(run) - 1, 1))]
    words = _UNSPACED.sub(" ", folded) if runs else folded
    return f" {words} {' '.join(pairs)} {' '.join(_BORDERING.findall(words))} "


def _fold_lines(lines: Iterable[str]) -> str:
    return " ".join(filter(None, map(_fold_line, lines)))


def _fold_line(line: str) -> str:
    if "\ufdfa" in line or "\ufdfb" in line:
        line = line.translate(_PHRASES)
    # In slices, since ordering a long run of combining marks takes quadratic time.
    line = "".join(unicodedata.normalize("NFKC", line[at : at + 256]) for at in range(0, len(line), 256))
    line = line.translate(_FOLD).casefold()
    return " ".join((line.translate(LATIN) if BORROWED.search(line) else line).split())


def said(output: Any) -> str:
    """A tool's output as plain text: JSON one item a line, escapes undone, nothing hidden; what it encodes stands at
    its end, a line each. Raises Unreadable for what is no JSON."""
    text = plainly(output)
    return "\n".join((text, *hidden_in(text)))


def plainly(output: Any) -> str:
    """The same without what it encodes, which takes a tenth of the time."""
    if output is None:
        return ""
    if isinstance(output, str):
        output = _unpacked(output)
    if not isinstance(output, str):
        try:
            output = json.dumps(output, ensure_ascii=False, separators=("\n", ": "))
        except (TypeError, ValueError, RecursionError) as error:
            raise Unreadable(f"an output in the history is not JSON: {error}") from None
    text: str = output
    if "\\" in text:
        text = _CONTINUED.sub(" ", text).replace("\\n", "\n").replace("\\", " ")
    return unmasked(text)


def _unpacked(text: str) -> Any:
    """What a text of JSON holds, as many tools answer, numbers as they stand there; the text itself where it is none,
    says a key twice, or spells letters by their numbers: secrets were masked as it stands, so none may appear here."""
    if not text.startswith(("{", "[")) or ("\\u00" in text and _SPELT.search(text)):
        return text
    try:
        return json.loads(text, object_pairs_hook=_unrepeated, parse_float=str)
    except (ValueError, RecursionError):
        return text


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def sentences(text: str) -> Iterator[str]:
    """The sentences and lines of a text, none longer than MAX_PASSAGE."""
    text = "\n".join(_unwrapped(text))
    for stop in _STOPS:
        text = text.replace(stop, f"{stop.rstrip()}\n")
    for sentence in filter(None, text.split("\n")):
        if len(sentence) <= MAX_PASSAGE:
            yield sentence
        else:
            yield from (sentence[at : at + MAX_PASSAGE] for at in range(0, len(sentence), MAX_PASSAGE))


def _unwrapped(text: str) -> Iterator[str]:
    """Lines, where a long line that ends in no stop goes on in the next: mail and YAML wrap their text, logs do not."""
    held: list[str] = []
    for line in text.split("\n"):
        if held and _LOGGED.match(line.lstrip()):
            yield " ".join(held)
            held.clear()
        if len(line) < _WRAPPED and not held:
            yield line.strip()
            continue
        held.append(line.strip())
        if len(line) < _WRAPPED or not held[-1].removesuffix(",")[-1:].isalnum() or len(held) >= _MAX_WRAPPED:
            yield " ".join(held)
            held.clear()
    if held:
        yield " ".join(held)


def is_numeric(folded: str) -> bool:
    """Whether a value is mostly figures, which people write in groups: account and telephone numbers."""
    figures = sum(letter.isdigit() for letter in folded)
    return figures >= 8 and figures * 2 >= len(folded)


def same_word(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word; scripts without spaces have no such bounds."""
    return bool(left and right) and left.isascii() and right.isascii() and left != " " != right


def same_number(left: str, right: str) -> bool:
    return left.isdigit() and right.isdigit()


def holds(text: str, needle: str) -> bool:
    """Whether a folded text says a folded value, as words of its own."""
    return next(positions(needle, text, same_word), None) is not None


def positions(needle: str, text: str, joins: Joins) -> Iterator[int]:
    """Where a folded value stands in a folded text (at most MAX_PLACES), not as a part of something longer."""
    at = text.find(needle)
    for _ in range(MAX_PLACES):
        if at < 0:
            return
        end = at + len(needle)
        if not (joins(text[at - 1 : at], needle[0]) or joins(needle[-1], text[end : end + 1])):
            yield at
        at = text.find(needle, at + 1)
