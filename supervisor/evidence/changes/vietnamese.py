"""Vietnamese requests in English words, for the readers of requests.

Its words without their accents are those of other languages (`đẩy`, push, becomes `day`; `thêm`, add, becomes `them`),
so they are replaced before a text loses its accents.
"""

from __future__ import annotations

import functools
import re
import unicodedata

from supervisor.evidence.reading.tables import table_beside

__all__ = ["glossed"]

# Letters that no other language with an entry in the tables of requests has.
_LETTERS = re.compile("[ăơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]")


def glossed(text: str) -> str:
    """A text with its Vietnamese words of requests in English. Other texts are returned as they are."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    if not _LETTERS.search(composed.lower()):
        return text
    return _pattern().sub(lambda found: _words()[found[0].lower()], composed)


@functools.cache
def _words() -> dict[str, str]:
    table: dict[str, str] = table_beside(__file__, "vietnamese.yaml")
    return {word.strip(): english for words, english in table.items() for word in words.split(",")}


@functools.cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_words(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
