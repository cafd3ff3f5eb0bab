"""Suggesting the name that a misspelled one stands for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice

_LONGEST = 64  # characters of a name that are compared; the work grows with their square
_MOST = 3  # names of equal distance that are suggested
_MOST_COMPARED = 1_000  # known names; a file may list tens of thousands


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message: `; did you mean 'authority'?`, or "" if no known name is near.

    The distance is that of optimal string alignment: letters that are added, left out, replaced, or exchanged with
    their neighbour. At most one letter in three may differ. Names of equal distance are all suggested, at most three.
    If none is near, the shortest known name that begins with `name` is suggested. A letter of another script that looks
    like a Latin one is named, because nobody could see it.
    """
    names = list(islice(known, _MOST_COMPARED))
    found = nearest(name, names, max(1, len(_folded(name)) // 3))[:_MOST] or _begun(name, names)
    return f"; did you mean {' or '.join(map(repr, found))}?{_strange_letter(name)}" if found else ""


def choices(name: str, known: Collection[str]) -> str:
    """The end of an error: what to name instead of something that is not known."""
    return f"{did_you_mean(name, known) or ';'} there are {', '.join(known)}"


def nearest(name: str, known: Iterable[str], most: int) -> list[str]:
    """The known names of the least distance to a name, if that is at most `most` letters."""
    wanted = _folded(name)
    ranked = [(_distance(wanted, folded, most), each) for each in dict.fromkeys(known) if (folded := _folded(each))]
    near = [(distance, each) for distance, each in ranked if distance <= most]
    least = min((distance for distance, _ in near), default=0)
    return [each for distance, each in near if distance == least]


def _begun(name: str, known: Iterable[str]) -> list[str]:
    """The shortest known name that begins with a name of at least three letters, if there is one."""
    wanted = _folded(name)
    longer = [each for each in known if len(wanted) > 2 and len(name) <= _LONGEST and _folded(each).startswith(wanted)]
    return sorted(longer, key=lambda each: (len(each), each))[:1]


def _folded(name: str) -> str:
    """A name without what is rarely meant: case, the form of characters, and `-` or a space for `_`."""
    import unicodedata  # not at the start: only an error needs it

    return unicodedata.normalize("NFKC", name[:_LONGEST]).casefold().replace("-", "_").replace(" ", "_")


def _distance(one: str, other: str, most: int) -> int:
    """The distance of optimal string alignment; `most` + 1 if it is greater than `most`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        here = [row]
        for column, facing in enumerate(other, 1):
            cost = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != facing))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == facing:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        if min(here) > most:
            return most + 1
        before, above = above, here
    return min(above[-1], most + 1)


def _strange_letter(name: str) -> str:
    import unicodedata

    strange = next((each for each in name[:_LONGEST] if not each.isascii()), "")
    return f" It contains U+{ord(strange):04X}, {unicodedata.name(strange, 'an unnamed character')}." if strange else ""
