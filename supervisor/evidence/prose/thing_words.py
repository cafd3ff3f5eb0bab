"""What people call things, in the languages of the tests: a machine, a database, everything."""

from __future__ import annotations

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
