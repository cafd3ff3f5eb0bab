"""Records in HTML: the rows of tables, and lists of terms with their descriptions."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from supervisor.evidence.reading.scalars import scalar
from supervisor.intake.kinds import snake

_MOST_ROWS = 200
_MOST_OPEN = 50  # signs of tags that never end: the parser reads to the end of the text for each
_CELLS = frozenset({"th", "td", "dt", "dd"})


class _Reader(HTMLParser):
    """The rows of each table, and the pairs of each list, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.lists: list[list[tuple[str, str]]] = []
        self._cell: list[str] | None = None
        self._term = ""
        self._is_full = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "dl":
            self.lists.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
            del self.tables[-1][_MOST_ROWS + 1 :]
            self._is_full = len(self.tables[-1]) > _MOST_ROWS
        if tag in _CELLS:
            self._cell = []

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _CELLS or self._cell is None:
            return
        text, self._cell = " ".join("".join(self._cell).split()), None
        if tag == "dt":
            self._term = text
        elif tag == "dd" and self.lists and self._term:
            self.lists[-1].append((self._term, text))
        elif tag in ("th", "td") and self.tables and self.tables[-1] and not self._is_full:
            self.tables[-1][-1].append(text)


def html_records(text: str) -> list[dict[str, Any]] | None:
    """The records of the tables and lists in a text of HTML; None if there are none."""
    if text.count("<") - text.count(">") > _MOST_OPEN:
        return None
    reader = _Reader()
    try:
        reader.feed(text)
        reader.close()
    except AssertionError:  # of a marked section without an end, in Python 3.11
        return None
    found = [{snake(name): scalar(value) for name, value in pairs} for pairs in reader.lists if pairs]
    for rows in reader.tables:
        found += _of_table([row for row in rows if row])
    return found or None


def _of_table(rows: list[list[str]]) -> list[dict[str, Any]]:
    """The rows below the one that names the columns."""
    if len(rows) < 2 or not all(rows[0]) or any(len(row) != len(rows[0]) for row in rows):
        return []
    names = [snake(name) for name in rows[0]]
    return [{name: scalar(cell) for name, cell in zip(names, row, strict=True) if cell} for row in rows[1:]]
