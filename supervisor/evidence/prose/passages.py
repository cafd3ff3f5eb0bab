"""Text normalised for comparison: split into passages, folded, searched for values."""

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
from supervisor.evidence.prose.scripts import CYRILLIC, DIGITS, GREEK, UNSPACED, ZEROS

MAX_PASSAGE = 400  # characters
_LEAST_FIGURES = 8  # of a number that is written in groups
MAX_PLACES = 32  # of one value; a value in more places than this proves nothing

_PUNCTUATION = [*map(ord, string.punctuation + "¡«·»¿"), *range(0x2010, 0x2028), *range(0x2030, 0x205F)]
_FIGURES = {zero + figure: str(figure) for zero in ZEROS for figure in range(10)}
_FOLD = dict.fromkeys([*_PUNCTUATION, *range(0x3000, 0x3030)], " ") | INVISIBLE | _FIGURES
_PHRASES = dict.fromkeys([0xFDFA, 0xFDFB], " ")  # NFKC expands these to 18 and 8 letters, others to at most 6
_SPREAD = _FOLD | dict.fromkeys(map(ord, "\t\n\v\f\r\x1c\x1d\x1e\x1f"), " ")
Joins = Callable[[str, str], bool]  # whether two adjacent characters belong to one word or number
_STOPS = (". ", "! ", "? ", "。", "', '", '", "')  # the last two separate the items of a list on one line
# Letters and figures that fold to plain ones although NFKC leaves them: sharp s, letters with marks, a Greek mark.
FOLDED_TO_LATIN = re.compile(f"[\u00df\u0130\u01f0\u0345\u1e96-\u1e99\u1e9e{CYRILLIC}{DIGITS}{GREEK}]")
_UNSPACED = re.compile(f"[{UNSPACED}]+")
# Linear: quantifiers are possessive, and a match begins at the start of a run of ASCII.
_BORDERING = re.compile(r"(?<=[^\x00-\x7f])[!-~]++|(?<![!-~])[!-~]++(?=[^\x00-\x7f])")
_CONTINUED = re.compile(r"\\\n[ \t]*(?:\\ )?")  # a line break in a quoted text of YAML
# Letters, digits, `-`, `.` and `_` that JSON escapes by number without need. Linear: a run of backslashes is read once.
_SPELT = re.compile(r"(?<!\\)(?:\\\\)*\\u00(?:2[d-eD-E]|3\d|[46][1-9a-fA-F]|[57][\daA]|5[fF])")
_WRAPPED = 60  # characters from which a line may have been wrapped
# The start of a log line: a time, a level, the bar of a table row. Such a line does not continue the one before.
_LOGGED = re.compile(
    r"[\[(]?(?:\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d|(?:time|ts|level)="
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b)|\|"
)
_LABEL = re.compile(r"[^\W\d_]{2,20}: ?\S")  # begins a part of a page, where the line before ends with a link
_MAX_WRAPPED = 32


class Passage(NamedTuple):
    """A sentence or line of a tool's output. `step` is its index in the history."""

    step: int
    text: str
    folded: str


def fold(text: str) -> str:
    """Text normalised for comparison: NFKC, look-alike letters as Latin ones, figures as ASCII ones, in lower case,
    with one space for every run of punctuation and space."""
    if text.isascii():
        return " ".join(text.translate(_FOLD).lower().split())
    runs = groupby(text.split("\n"), str.isascii)
    return " ".join(filter(None, (fold("\n".join(lines)) if plain else _fold_lines(lines) for plain, lines in runs)))


def folded_lines(lines: Sequence[str]) -> list[str]:
    """Each of these lines folded, in a third of the time."""
    text = "\n".join(lines)
    if not (text and text.isascii()):
        return [fold(line) for line in lines]
    return [" ".join(line.split()) for line in text.translate(_FOLD).lower().split("\n")]


def spread(text: str) -> str:
    """The folded words of a text, separated by any number of spaces, in no particular order, in a fifth of the time."""
    if text.isascii():
        return text.translate(_SPREAD).lower()
    lines = text.split("\n")
    plain = "\n".join([line for line in lines if line.isascii()]).translate(_SPREAD).lower()
    return " ".join([plain, *(_fold_line(line) for line in lines if not line.isascii())])


def apart(folded: str) -> str:
    """A folded text with its words between spaces.

    In scripts without spaces, every two adjacent characters count as a word; so does each ASCII part of a mixed word.
    """
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
    # In pieces, since ordering a long run of combining marks takes quadratic time.
    line = "".join(unicodedata.normalize("NFKC", line[at : at + 256]) for at in range(0, len(line), 256))
    line = line.translate(_FOLD).casefold()
    return " ".join((line.translate(LATIN) if BORROWED.search(line) else line).split())


def said(output: Any) -> str:
    """A tool's output as plain text, with its decoded parts appended, one a line.

    JSON has one item a line; escapes are undone and disguises removed. Raises Unreadable for what is not JSON.
    """
    text = plainly(output)
    return "\n".join((text, *hidden_in(text)))


def plainly(output: Any) -> str:
    """The same without the decoded parts, in a tenth of the time."""
    if output is None:
        return ""
    if isinstance(output, str):
        output = unpacked(output)
    if not isinstance(output, str):
        try:
            output = json.dumps(output, ensure_ascii=False, separators=("\n", ": "))
        except (TypeError, ValueError, RecursionError) as error:
            raise Unreadable(f"an output in the history is not JSON: {error}") from None
    text: str = output
    if "\\" in text:
        text = _CONTINUED.sub(" ", text).replace("\\n", "\n").replace("\\", " ")
    return unmasked(text)


def unpacked(text: str) -> Any:
    """The value of a JSON text, with floats as written.

    The text itself if it is not JSON, repeats a key, or escapes plain letters: secrets were masked in the text as
    written, and decoding must not reveal others.
    """
    if not text.startswith(("{", "[")) or ("\\u00" in text and _SPELT.search(text)):
        return text
    try:
        return json.loads(text, object_pairs_hook=_unrepeated, parse_float=str)
    except (ValueError, RecursionError):
        return text


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a repeated key")
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
    """Lines, joined where a long line without a final stop continues: mail and YAML wrap text, logs do not."""
    held: list[str] = []
    for line in text.split("\n"):
        if held and (_LOGGED.match(line.lstrip()) or ("/" in held[-1].rpartition(" ")[2] and _LABEL.match(line))):
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
    """Whether a value is mostly digits, which people write in groups: account and telephone numbers."""
    if len(folded) < _LEAST_FIGURES:
        return False
    figures = sum(map(str.isdigit, folded))
    return figures >= _LEAST_FIGURES and figures * 2 >= len(folded)


def same_word(left: str, right: str) -> bool:
    """Whether two adjacent characters belong to one word; scripts without spaces have no word boundaries."""
    return bool(left and right) and left.isascii() and right.isascii() and left != " " != right


def same_number(left: str, right: str) -> bool:
    return left.isdigit() and right.isdigit()


def holds(text: str, needle: str) -> bool:
    """Whether a folded text contains a folded value as whole words."""
    return next(positions(needle, text, same_word), None) is not None


def holds_number(text: str, needle: str) -> bool:
    """Whether a folded text contains a long folded number, however either groups its figures."""
    if not is_numeric(needle):
        return False
    return next(positions(needle.replace(" ", ""), text.replace(" ", ""), same_number), None) is not None


def positions(needle: str, text: str, joins: Joins) -> Iterator[int]:
    """The indexes of a folded value in a folded text, at most MAX_PLACES, not as part of something longer."""
    at = text.find(needle)
    for _ in range(MAX_PLACES):
        if at < 0:
            return
        end = at + len(needle)
        if not (joins(text[at - 1 : at], needle[0]) or joins(needle[-1], text[end : end + 1])):
            yield at
        at = text.find(needle, at + 1)
