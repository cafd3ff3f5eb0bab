"""The entry of a list that the request describes, where a call takes another one beside it.

The agent has read a list: workers, files, bookings, channels. The request says "the staff nurse", "the merit matrix",
"the customers of Meppel"; one entry has these words, and the call names its neighbour, which has none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.changes.clauses import FORBIDS, fold
from supervisor.evidence.entries.listing import LONGEST, Entry, Listing, Shown, shown
from supervisor.evidence.entries.words import Asked, asked_for, has_form, pattern, reads_only, row, values_in, words_in

_MOST_ENTRIES = 40  # of a list in which one is described
_MOST_VALUES = 6  # of a call
_MOST_LISTINGS = 3  # the latest ones that have a value
_MOST_TASK = 4 * 1024  # characters
_LEAST_WITHIN = 5  # letters of a word that may stand within another
_DATE = re.compile(r"\d{4}-\d\d-\d\d\b.*")
_FILE = re.compile(r"[^\s/]{1,100}\.[A-Za-z]{2,4}")
_PIECES = re.compile(r"[\s|,;()\[\]\"'<>]+")
_FIGURE = re.compile(r"[\d.,]{1,3}")


class Neighbour(NamedTuple):
    """The value that a call takes, the entry it belongs to, and the one that has the `words` of the request."""

    value: str
    taken: str
    described: str
    words: tuple[str, ...]


@reader
def neighbour_of_described(action: Action, context: Context) -> Neighbour | None:
    """The entry that a call takes beside the one that the request describes; None if there is none.

    A value that the request names is what the user wants. An entry that the call or an earlier call of this tool takes
    as well is not missed, and who wants something done to all describes none of them by a single word.
    """
    task = _without_prohibitions((context.task or "")[:_MOST_TASK])
    if not task or not context.history or reads_only(action.tool):
        return None
    folded, given = task.lower(), values_in(action.args, LONGEST)
    named = [value for name, value in given if _names_an_entry(name, value) and value.lower() not in folded]
    if not named:
        return None
    past, asked = list(shown(context)), asked_for(task, action.tool)
    taken = {value.lower() for _, value in given}
    for step in past:
        taken.update(step.asked if step.step.tool == action.tool else ())
    for value in list(dict.fromkeys(named))[:_MOST_VALUES]:
        listings = (each for step in past for each in step.listings if _own(value, each) is not None)
        latest = list(islice(listings, _MOST_LISTINGS))
        known = frozenset(_known_of(value, past)) if latest else frozenset[str]()
        for listing in latest:
            found = _beside(value, listing, asked, known, taken)
            if found is not None:
                return found
    return None


def _without_prohibitions(task: str) -> str:
    """A request without the clauses that forbid something: "not Tomáš's" describes nothing that is wanted."""
    return " ".join(each for each in _CLAUSE.split(task) if not FORBIDS.search(fold(each)))


_CLAUSE = re.compile(r"(?<=[.,;!?\n])\s")


def _names_an_entry(name: str, value: str) -> bool:
    """Whether an argument may name an entry: an id, an address, a file, or a name of several words."""
    if not row("content").isdisjoint(words_in(name)[-1:]) or _DATE.fullmatch(value) or _FIGURE.fullmatch(value):
        return False
    return len(value) > 1 and (any(not each.isalpha() for each in value) or not value.isascii())


def _own(value: str, listing: Listing) -> Entry | None:
    """The one entry of a listing that a value names; None if it names none or several."""
    if len(listing.entries) > _MOST_ENTRIES:
        return None
    mine = [each for each in listing.entries if _is_of(value.lower(), each, listing)]
    return mine[0] if len(mine) == 1 else None


def _beside(value: str, listing: Listing, asked: Asked, known: frozenset[str], taken: set[str]) -> Neighbour | None:
    own, entries = _own(value, listing), listing.entries
    if own is None:
        return None
    others = [each for each in entries if each is not own]
    shared = _shared(asked.wanted, others)
    has = {word for word in asked.wanted if has_form(word, known) or _is_within(word, own)}
    has |= {each for each in asked.acronyms & own.words if not any(each in other.words for other in others)}
    best: list[tuple[int, Entry, set[str]]] = []
    for other in others:
        words = _affirmed(other)
        more = {word for word in asked.wanted - shared if has_form(word, words)}
        fits = _is_like(value, own, other, listing) and not _is_left_out(other, own, asked)
        if more - has and has - shared <= more and fits:
            best.append((len(more - has), other, more - has))
    best.sort(key=lambda each: -each[0])
    if not best or (len(best) > 1 and best[1][0] == best[0][0]):
        return None
    _, other, words_of_it = best[0]
    if not has and len(words_of_it) == 1 and asked.means_all:
        return None
    if any(len(each) > 1 and each in taken and each not in own.pieces for each in other.pieces):
        return None
    return Neighbour(value, own.text[:200], other.text[:200], tuple(sorted(words_of_it)))


def _is_of(folded: str, entry: Entry, listing: Listing) -> bool:
    """Whether a value names an entry: it is one of its fields, or stands in its line as a whole."""
    if folded in entry.values:
        return True
    if listing.is_named:
        return False
    at = (text := entry.text.lower()).find(folded)
    before, after = text[at - 1 : at] if at > 0 else " ", text[at + len(folded) : at + len(folded) + 1]
    return at >= 0 and not (_joins(before, ".-") or _joins(after, "-"))


def _is_like(value: str, own: Entry, other: Entry, listing: Listing) -> bool:
    """Whether the other entry has a value of the same sort, which the call could have taken instead."""
    if listing.is_named:
        names = {name for name, text in own.fields if text.lower() == value.lower()}
        return any(name in names and text for name, text in other.fields)
    sort = _sort_of(value)
    return sort == "name" or any(_sort_of(each) == sort for each in _PIECES.split(other.text))


def _sort_of(text: str) -> str:
    """What a value is by its form: an address, a channel, a file, a number, a code; else a name."""
    if "@" in text:
        return "address"
    if text[:1] == "#":
        return "channel"
    if _FILE.fullmatch(text):
        return "file"
    if any(map(str.isdigit, text)):
        return "code" if any(map(str.isalpha, text)) else "number"
    return "slug" if "_" in text else "name"


def _is_within(word: str, entry: Entry) -> bool:
    """Whether a word stands within a longer one of an entry: "Urlaub" in "Sonderurlaub", "44120" in "RE44120"."""
    return len(word) >= _LEAST_WITHIN and word in entry.text.lower()


def _joins(letter: str, marks: str) -> bool:
    return letter.isalnum() or letter == "_" or (letter != "" and letter in marks)


def _known_of(value: str, past: list[Shown]) -> Iterator[str]:
    """Everything that outputs tell of what a value names: the words of its other entries, and of what was looked up
    by it."""
    folded = value.lower()
    yield from words_in(value)
    for step in past:
        if folded in step.asked:
            yield from step.words
        for listing in step.listings:
            for entry in listing.entries:
                if _is_of(folded, entry, listing):
                    yield from entry.words
        for entry in step.entries:
            if folded in entry.values:
                yield from entry.words


def _shared(wanted: frozenset[str], others: list[Entry]) -> set[str]:
    """The words that describe several of the entries, and so none of them."""
    words = [each.words for each in others]
    least = max(2, (len(words) + 1) / 2)
    return {word for word in wanted if sum(has_form(word, each) for each in words) >= least}


def _affirmed(entry: Entry) -> frozenset[str]:
    """The words of an entry, without those after a "no" or a "not"."""
    found = set[str]()
    for _, text in entry.fields:
        denied = pattern("negations").search(text)
        found.update(words_in(text[: denied.start] if denied else text))
    return frozenset(found)


def _is_left_out(other: Entry, own: Entry, asked: Asked) -> bool:
    """Whether the user excluded the other entry, by words that this one does not have."""
    return any(has_form(word, other.words) and not has_form(word, own.words) for word in asked.excluded)
