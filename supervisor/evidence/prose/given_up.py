"""Whether a user gives up the uncommitted changes of a checkout: "I don't need my local changes"."""

from __future__ import annotations

import re
from functools import cache

from supervisor.evidence.reading.tables import table_beside


def gives_up_changes(folded: str) -> bool:
    """Whether a text, in lower case and without accents, says that local changes may go."""
    return _pattern("changes").search(folded) is not None


def asks_to_discard(folded: str) -> bool:
    """Whether a text, in lower case and without accents, asks to have all local changes discarded."""
    return _pattern("discards").search(folded) is not None


def speaks_of_checkout(folded: str) -> bool:
    """Whether a text, in lower case and without accents, speaks of all that is checked out."""
    return _pattern("checkout").search(folded) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    words = (each.replace("{not}", _NOT) for each in table_beside(__file__, "given_up.yaml")[name])
    return re.compile("|".join(f"(?:{each})" for each in words))


# No word that forbids stands before the verb.
_NOT = "".join(
    rf"(?<!\b{word} )"
    for word in ("not", "don't", "never", "nicht", "nie", "niemals", "pas", "no", "nao", "non", "niet", "не", "without")
)
