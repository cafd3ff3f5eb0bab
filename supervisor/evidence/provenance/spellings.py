"""The values in an action's arguments, and the ways in which each may be written elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote_plus

import re2

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.dates import spellings_of
from supervisor.evidence.prose.disguise import hidden_in, unmasked
from supervisor.evidence.prose.passages import MAX_PASSAGE, fold, is_numeric, sentences
from supervisor.evidence.provenance.addresses import bare_forms

MAX_TEXT = 64 * 1024  # characters of an argument
MAX_VALUES = 48
MAX_NAME = 120  # an argument longer than this is a text, not a name
_ADDRESSES = frozenset({"url", "host", "name"})  # a whole argument may be an address that looks like a name
_SHORTEST_PATH = 4  # characters of a relative path; a shorter one occurs in many texts
DISTINCTIVE = frozenset({"url", "mail", "path", "account", "phone", "code", "host"})

# Sorts of value that identify exactly one person, place or account. A date does not.
_TOKEN = re2.compile(
    r"(?P<date>\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?)"
    r"|(?P<url>(?:[a-z][a-z0-9+.-]*://|www\.)[^\s\"'<>)\]]+)"
    r"|(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<path>(?:~|\.\.?)?(?:/[\w.@+-]+)+|[A-Za-z]:\\[^\s\"'<>|]+)"
    r"|(?P<account>\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b)"
    r"|(?P<phone>\+\d[\d ()/.-]{6,20}\d\b)"
    r"|(?P<code>\+?\b[\w-]*\d[\w-]{5,}\b)"
    r"|(?P<host>\b[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,6}(?:/[^\s\"']*)?)"
    r"|(?P<quoted>\"[^\"\n]{4,120}\"|“[^”\n]{4,120}”)"
)

OUTSIDE = frozenset({"url", "host", "mail"})  # sorts of addresses on a network
_OUTSIDE_MARKS = ("://", "www.", "@", "+")
_PATHS = re.compile(r"(?:/[\w.@+-]+)+", re.ASCII)
_DOTTED = re.compile(r"[\w-]\.[A-Za-z]{2}", re.ASCII)

_LONGEST_TOKEN = 48  # characters of an account or a telephone number in groups
_AMOUNT = re2.compile(r"[-+]?\p{Sc}?\s?\d{1,9}(?:[.,]\d{1,4})*\s?(?:\p{Sc}|\p{Lu}{3})?")
_PRICED = re2.compile(r"(?:\p{Lu}{2,3}\s?)?\p{Sc}\s?(\d{2,9})[.,]00")  # "CA$185.00": the user says 185
_MONTH = re2.compile(r"(?:19|20)\d{2}-(?:0[1-9]|1[0-2])")  # a period that many records share


class SpelledValue(NamedTuple):
    """A value before it is looked up. `spellings` are folded."""

    text: str
    sort: str
    place: str
    whole: bool
    spellings: tuple[str, ...]

    @property
    def distinctive(self) -> bool:
        return self.sort in DISTINCTIVE

    @property
    def is_word(self) -> bool:
        """Whether the value is one word, so that it is found wherever the word is."""
        return len(self.spellings) == 1 and self.spellings[0].isalnum() and not self.is_glued

    @property
    def is_glued(self) -> bool:
        """Whether the value may be inside a longer word, as in scripts without spaces, or next to a currency sign."""
        return any(not folded.isascii() or is_numeric(folded) for folded in self.spellings)


@reader
def values_of(action: Action, context: Context) -> tuple[SpelledValue, ...]:
    """The values of an action's arguments, each once. A path below the working directory may be written relative to
    it."""
    found: dict[str, SpelledValue] = {}
    for value in (_with_relative(each, context.cwd) for each in _candidates(action.args)):
        if value.spellings:
            found.setdefault(value.spellings[0], value)
        if len(found) >= MAX_VALUES:
            break
    return tuple(found.values())


def sort_of(text: str) -> str:
    """The sort of a text that is one value, by its form; "number" for an amount, "name" for any other text."""
    text = text.strip()
    if text.isalpha() or (len(text) > _LONGEST_TOKEN and " " in text):
        return "name"
    if _AMOUNT.fullmatch(text):
        return "number"
    token = _TOKEN.fullmatch(text)
    return token.lastgroup if token else "name"


def may_name_outside(action: Action) -> bool:
    """Whether a text of an argument may hold an address on a network (OUTSIDE). Where this is false, `values_of` yields
    none of them."""
    for _, leaf in _leaves(action.args):
        if not isinstance(leaf, str):
            continue
        texts = [text for text in (leaf[:MAX_TEXT], *hidden_in(leaf[:MAX_TEXT])) if not _names_nothing_outside(text)]
        whole = _TOKEN.fullmatch(leaf.strip()) if texts and len(leaf) <= MAX_NAME else None
        if whole is not None and whole.lastgroup in OUTSIDE:
            return True
        if any(token.lastgroup in OUTSIDE for text in texts for token in _TOKEN.finditer(text)):
            return True
    return False


def _names_nothing_outside(text: str) -> bool:
    """Whether a text has no address on a network, by its marks and the dots outside of paths: at a tenth of the cost of
    its tokens. A telephone number may end inside what looks like a path."""
    if any(mark in text for mark in _OUTSIDE_MARKS):
        return False
    return _DOTTED.search(_PATHS.sub("/", text) if "/" in text else text) is None


def _candidates(args: Mapping[str, Any]) -> Iterator[SpelledValue]:
    leaves = list(_leaves(args))
    for place, leaf in leaves:
        if not isinstance(leaf, str):
            yield SpelledValue(str(leaf), "number", place, True, _figures(leaf))
        elif len(leaf) <= MAX_NAME:
            token = None if _MONTH.fullmatch(leaf.strip()) else _TOKEN.fullmatch(leaf.strip())
            yield _spelt(leaf, token.lastgroup if token else "name", place, whole=True)
    for place, leaf in leaves:
        if isinstance(leaf, str):
            for text in (leaf[:MAX_TEXT], *hidden_in(leaf[:MAX_TEXT])):
                yield from _tokens(text, place)
    for place, leaf in leaves:
        if isinstance(leaf, str) and len(leaf) > MAX_NAME:
            for text in sentences(leaf[:4096]):
                if len(text) >= 20:
                    yield _spelt(text, "text", place, whole=False)


def _tokens(text: str, place: str) -> Iterator[SpelledValue]:
    """The addresses, numbers and quotations inside a text, and the values in the queries of its URLs."""
    for token in _TOKEN.finditer(text):
        yield _spelt(token.group(), token.lastgroup, place, whole=False)
        _, asks, query = token.group().partition("?")
        for part in re2.split(r"[&=;#]", query) if asks else ():
            if len(part) >= 4:
                yield _spelt(unquote_plus(part), "name", place, whole=False)


def _leaves(value: Any) -> Iterator[tuple[str, str | int | float]]:
    """Strings and numbers, each with the name of its argument."""
    stack = [("", value)]
    while stack:
        place, node = stack.pop()
        if isinstance(node, Mapping):
            stack.extend([(place or str(key), node[key]) for key in node][::-1])
        elif isinstance(node, (list, tuple)):
            stack.extend((place, each) for each in reversed(node))
        elif isinstance(node, str) or (isinstance(node, (int, float)) and not isinstance(node, bool)):
            yield place, node


def _spelt(text: str, sort: str, place: str, *, whole: bool) -> SpelledValue:
    """A string with its spellings; without any if it is too short to be compared."""
    plain = unmasked(text[:MAX_PASSAGE])
    forms = [plain, *hidden_in(plain)] if "%" in plain else [plain]
    if whole and (amount := _PRICED.fullmatch(plain.strip())):
        forms.append(amount[1])
    if sort == "date":
        forms += spellings_of(plain)
    elif sort in _ADDRESSES:
        forms += bare_forms(plain)
    folded = dict.fromkeys(filter(None, map(fold, forms)))
    return SpelledValue(text, sort, place, whole, tuple(each for each in folded if len(each) >= 2))


def _with_relative(value: SpelledValue, cwd: str | None) -> SpelledValue:
    """A value, with its form relative to the working directory if it is a path below that."""
    base = (cwd or "").rstrip("/")
    if value.sort != "path" or not base or not value.text.startswith(f"{base}/"):
        return value
    relative = fold(value.text[len(base) + 1 :])
    return value._replace(spellings=(*value.spellings, relative)) if len(relative) >= _SHORTEST_PATH else value


def _figures(value: int | float) -> tuple[str, ...]:
    """The ways to write a number that is distinctive enough to be compared."""
    if not -1e15 < value < 1e15 or -10 < value < 10:
        return ()
    plain = f"{value:.2f}".removesuffix(".00")
    return tuple(dict.fromkeys(fold(form) for form in (plain, f"{value:,.2f}".removesuffix(".00"), f"{value:.2f}")))
