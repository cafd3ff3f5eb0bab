"""What people call things, in the languages of the tests: a machine, a database, everything."""

from __future__ import annotations

import re
from functools import cache

from supervisor.evidence.reading.tables import table_beside


@cache
def words_for(*sorts: str) -> tuple[str, ...]:
    """The words for things of these sorts. Raises KeyError for a sort that `thing_words.yaml` does not have."""
    table = table_beside(__file__, "thing_words.yaml")
    return tuple(word for sort in sorts for word in table[sort])


def mentions(text: str, sort: str) -> bool:
    """Whether a text has one of the words for things of a sort."""
    folded = text.lower()
    return any(word in folded for word in words_for(sort))


def mentions_word(folded: str, sort: str) -> bool:
    """Whether a word of a folded text begins with one of the words for things of a sort; in a script without spaces, it
    may stand anywhere."""
    return any(
        folded.find(word) >= 0 if ord(word[0]) > _WITH_SPACES else re.search(rf"(?<!\w){re.escape(word)}", folded)
        for word in words_for(sort)
    )


_WITH_SPACES = 0x1100  # letters behind this are of scripts without spaces
