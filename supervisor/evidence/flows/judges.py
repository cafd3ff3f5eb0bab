"""When a value that arrives at a sink is a fault: one judge for each word of `judge` in the tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from supervisor.evidence.flows.pieces import Hole, Known, Pieces, holes, words
from supervisor.evidence.flows.program import words_of
from supervisor.evidence.flows.table import shared
from supervisor.evidence.reading.sql_texts import is_statement, stands_for_value

OF_TEXTS = frozenset({"address", "clause", "command", "markup", "statement", "whole"})  # which a list is not

_MARKUP = re.compile(r"<[a-zA-Z/!]")
_ALL = re.compile(
    r"(?i)(?:body|query|params|payload|form|all\(\)|post\(\)|json\(\)|_POST|_GET|_REQUEST|data|unsafe_h|permit!)$"
)
# What stands before a value that does not say which host it is: a whole host, a path of the same one, a query.
_HOST = re.compile(
    r"\A(?:[a-z][a-z0-9+.-]{0,20}:)?//[^/?#\0]+[/?#]|\A/(?![/\\\0])|\A[?#]|\A(?:mailto|tel):|\A[\w.-]+[/?#]"
    r"|\A\0[^\0]*[/?#]"
)
_LAST_NAME = re.compile(r"(\w{2,60})[\"'`\])!?]{0,3}$")
_FORMATS = frozenset({"fmt", "format", "formats", "msgid"})  # the parameter of a function that formats itself


def judged(judge: str, pieces: Pieces, weakness: str) -> Hole | None:
    """The value that is at fault; None if there is none."""
    return _JUDGES[judge](pieces, weakness)


def _client(pieces: Pieces, weakness: str) -> Hole | None:
    return next((hole for _, hole, _ in holes(pieces, weakness) if hole.source), None)


def _given(pieces: Pieces, weakness: str) -> Hole | None:
    given = (hole for _, hole, _ in holes(pieces, weakness) if hole.known is Known.GIVEN)
    return _client(pieces, weakness) or next(given, None)


def _given_whole(pieces: Pieces, weakness: str) -> Hole | None:
    found = _given(pieces, weakness) if len(pieces) == 1 else None
    return found if found is not None and _FORMATS.isdisjoint(words_of(found.text)) else None


def _any(pieces: Pieces, weakness: str) -> Hole | None:
    return next((piece for piece in pieces if isinstance(piece, Hole)), Hole("", None, Known.MADE))


def _statement(pieces: Pieces, weakness: str) -> Hole | None:
    if is_statement(words(pieces)):
        return _clause(pieces, weakness)
    return None if words(pieces).strip() else _client(pieces, weakness)


def _clause(pieces: Pieces, weakness: str) -> Hole | None:
    for before, hole, after in holes(pieces, weakness):
        open_ = hole.known is Known.GIVEN and stands_for_value(before)
        if hole.source or (open_ and not _is_part(hole, after)):
            return hole
    return None


def _is_part(hole: Hole, after: str) -> bool:
    """Whether a value is a part of a statement by its name, or the name of a table: a column follows it."""
    return after.startswith(".") or not set(shared("fragments")).isdisjoint(words_of(hole.text)[-4:])


def _command(pieces: Pieces, weakness: str) -> Hole | None:
    """A client's value anywhere, or another one in a text that is put together."""
    return _given(pieces, weakness) if words(pieces).strip() else _client(pieces, weakness)


def _address(pieces: Pieces, weakness: str) -> Hole | None:
    found = holes(pieces, weakness)
    return next((hole for before, hole, _ in found if hole.source and not _HOST.match(before)), None)


def _line(pieces: Pieces, weakness: str) -> Hole | None:
    return _client(pieces, weakness) if words(pieces).strip() else None


def _markup(pieces: Pieces, weakness: str) -> Hole | None:
    told, found = words(pieces), _client(pieces, weakness)
    if found is None or (told.strip() and not _MARKUP.search(told)):
        return None
    return found if told.strip() or found.text != found.source else None  # a whole request is sent as data


def _whole(pieces: Pieces, weakness: str) -> Hole | None:
    found = None if words(pieces).strip() else _client(pieces, weakness)
    return found if found is not None and _ALL.search(found.source or "") else None


def _secret(pieces: Pieces, weakness: str) -> Hole | None:
    return next((hole for _, hole, _ in holes(pieces, weakness) if is_secret_name(hole.text)), None)


def is_secret_name(text: str) -> bool:
    """Whether the name of a value says that it belongs in no log."""
    named = _LAST_NAME.search(text)
    found = words_of(named[1]) if named else ()
    pairs = {tuple(pair.split("_")) for pair in shared("logged_pairs")}
    is_one = not set(found).isdisjoint(shared("logged")) or any(pair in pairs for pair in pairwise(found))
    return is_one and set(found).isdisjoint(shared("about"))


def _setting(pieces: Pieces, weakness: str) -> Hole | None:
    return None


_JUDGES: dict[str, Callable[[Pieces, str], Hole | None]] = {
    "address": _address,
    "any": _any,
    "clause": _clause,
    "client": _client,
    "command": _command,
    "given": _given,
    "given_whole": _given_whole,
    "line": _line,
    "secret": _secret,
    "markup": _markup,
    "setting": _setting,
    "statement": _statement,
    "whole": _whole,
}
JUDGES = frozenset(_JUDGES)
