"""The extent of a value that begins at a position of a text, in quotes or bare.

Nothing is parsed: the text may be in any language, and its quotes may belong to another text around it.
"""

from __future__ import annotations

from typing import NamedTuple

from supervisor.regexes import compile_later

LONGEST = 1024  # bytes of a value; a longer one is not a password, and the formats find long keys

_OPENER = compile_later(rb"(?:[A-Za-z_][\w:.]{0,30}\(|[rbuRBUF@$L]{1,2})?(\\{0,3}[\"'`])")
# How a quote is closed: doubled or escaped quotes, and the `'"'"'` of a shell, belong to the value.
_WITHIN = {
    b'"': compile_later(rb'(?:[^"\\\r\n]|\\[^\r\n]|"")*+(?=")'),
    b"'": compile_later(rb"(?:[^'\\\r\n]|\\[^'\r\n]|'\"'\"'|'\\''|\\'(?=[^\r\n]*')|'')*+(?=')"),
    b"`": compile_later(rb"[^`\r\n]*+(?=`)"),
}
_PLAIN = {b'"': compile_later(rb'[^"\r\n]*+(?=")'), b"'": compile_later(rb"[^'\r\n]*+(?=')")}
_BARE = compile_later(rb"(?:(?!\\+[nrt\"'])[^\s\"'`]|\\+(?![nrt\"'])|[\"'`](?=[^\s\"'`,;:)\]}>]))+")
# Ends of a bare value without a space: at the next `name=` of a list, at a tag, at a pipe to a program.
_NEXT = compile_later(rb"[;&,|?](?=[ ]?[A-Za-z_][\w. -]*=)|</|\\u0026|&amp;|[;&|<>)]+$|%26(?=\w+%3D)")
_CLOSERS = {b")": b"(", b"]": b"[", b"}": b"{", b">": b"<"}
_REST = compile_later(rb"[^\r\n\"'\\#]*")


# The simple case: letters and digits, up to a space or the end of a line.
_SIMPLE = compile_later(rb"[A-Za-z0-9_]+(?=[ \t\r\n]|\Z)")


class Value(NamedTuple):
    """A value's span, and whether it is in quotes."""

    start: int
    stop: int
    quoted: bool


def value_at(raw: bytes, at: int) -> Value | None:
    """The value that begins at `at`; None if there is none."""
    simple = _SIMPLE.match(raw, at, at + LONGEST)
    if simple is not None:
        return Value(*simple.span(), False)
    opener = _OPENER.match(raw, at, at + LONGEST)
    if opener is None:
        return bare_at(raw, at)
    quote, start = opener[1], opener.end()
    stop = _close(raw, start, quote)
    if stop is None and opener.start(1) == at:
        return bare_at(raw, start)  # an unclosed quote: the text was cut
    return Value(start, stop, True) if stop is not None and stop > start else None


def _close(raw: bytes, start: int, quote: bytes) -> int | None:
    limit = min(len(raw), start + LONGEST)
    if len(quote) > 1:  # escaped: the quotes of a text within a text
        stop = raw.find(quote, start, limit)
        return stop if stop >= 0 and b"\n" not in raw[start:stop] else None
    within = _WITHIN[quote].match(raw, start, limit) or (quote != b"`" and _PLAIN[quote].match(raw, start, limit))
    if not within:
        return None
    return None if within.end() == start and raw[start : start + 1] == quote else within.end()


def bare_at(raw: bytes, at: int) -> Value | None:
    """A value without quotes: up to a space, or to its end in a list, a call or a sentence."""
    found = _BARE.match(raw, at, at + LONGEST)
    if found is None:
        return None
    stop = found.end()
    following = _NEXT.search(raw, at, stop)
    if following is not None and following.start() > at:
        stop = following.start()
    while stop > at and (raw[stop - 1 : stop] in b".,;:!?" or _closes_more(raw, at, stop)):
        stop -= 1
    return Value(at, stop, False) if stop > at else None


def _closes_more(raw: bytes, start: int, stop: int) -> bool:
    """Whether the last bracket closes one that is opened before the value."""
    opener = _CLOSERS.get(raw[stop - 1 : stop])
    return opener is not None and raw.count(opener, start, stop) < raw.count(raw[stop - 1 : stop], start, stop)


def line_at(raw: bytes, value: Value) -> Value:
    """A bare value with the rest of its line, as in an INI file."""
    rest = _REST.match(raw, value.stop, value.start + LONGEST)
    stop = rest.end() if rest else value.stop
    return Value(value.start, value.start + len(raw[value.start : stop].rstrip(b" \t|,;")), False)
