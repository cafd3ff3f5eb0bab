"""The visible text of an HTML page, so that a quotation can be searched in what a reader sees.

The page is untrusted, so this is an own scanner with linear time: it reads every character once, however tags are left
unclosed.
"""

from __future__ import annotations

import html
import re

from supervisor.evidence.reading.slices import Sliced, Work, pieces

_PIECE = 2 * 1024  # characters that are unescaped at a time
_PARTS = 8 * 1024  # parts of a text before they are joined
_UNSEEN = frozenset({"script", "style", "template"})
_INLINE_NAMES = (
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u "
    "var wbr"
)
_INLINE = frozenset(_INLINE_NAMES.split())
_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_STOP = re.compile(r"[\"'>]")


@Sliced
def text_of(markup: str) -> Work[str]:
    """The visible text. A block element begins a new line; an inline one (`<em>`, `<a>`) does not split a word."""
    shown: list[str] = []
    at = 0
    while (start := markup.find("<", at)) >= 0:
        shown.append(markup[at:start].replace("\n", " "))
        words, at = yield from _tag(markup, start)
        shown.append(words)
        if len(shown) > _PARTS:
            shown = ["".join(shown)]
        yield
    shown.append(markup[at:].replace("\n", " "))
    text: list[str] = []
    gap = ""
    for piece in pieces("".join(shown), _PIECE):
        words, gap = _collapsed(html.unescape(piece), gap)
        text.append(words)
        yield
    return "".join(text).strip()


def _collapsed(text: str, gap: str) -> tuple[str, str]:
    """A text without empty lines and repeated spaces, preceded by `gap`; and the gap at its end."""
    parts: list[str] = []
    for number, line in enumerate(text.split("\n")):
        words = " ".join(line.split())
        gap = "\n" if number else gap or " " * line[:1].isspace()
        if words:
            parts += [gap, words]
            gap = " " * line[-1].isspace()
    return "".join(parts), gap


def _tag(markup: str, start: int) -> Work[tuple[str, int]]:
    """The visible text of the `<` at `start`, and the offset where the text continues."""
    if markup.startswith("<!--", start):
        return "", _after(markup.find("-->", start + 4), 3, markup)
    name = _NAME.match(markup, start)
    if name is None:
        if markup[start + 1 : start + 2] in ("!", "?", "/"):  # <!doctype>, <?xml?>, </>
            return "", _after(markup.find(">", start), 1, markup)
        return "<", start + 1
    end = yield from _tag_end(markup, name.end())
    element = name[1].lower()
    if element in _UNSEEN and markup[start + 1] != "/":
        closing = re.compile(f"</{element}", re.IGNORECASE).search(markup, end)
        return "", closing.start() if closing else len(markup)
    return "" if element in _INLINE else "\n", end


def _tag_end(markup: str, at: int) -> Work[int]:
    """The offset after the `>` that ends a tag. A `>` inside a quoted attribute does not end it."""
    while (stop := _STOP.search(markup, at)) and stop[0] != ">":
        at = _after(markup.find(stop[0], stop.end()), 1, markup)
        yield
    return stop.end() if stop else len(markup)


def _after(found: int, length: int, markup: str) -> int:
    return found + length if found >= 0 else len(markup)
