"""Whether the condition of a change takes the other rows than the request: those after a day instead of those before
it, or all that match the last part of a condition because `or` binds less than `and`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.evidence.situation.wider.filters import Beyond
from supervisor.evidence.situation.wider.request import Request
from supervisor.evidence.situation.wider.words import scope

_LONGEST = 8 * 1024  # characters of a script
_MOST = 12  # statements of a script, and parts of a condition
_NEGATES = re.compile(
    r"(?i)(?:\b(?:not|never|no|nicht|kein\w{0,2}|nie|pas|jamais|nunca|n[aã]o|non|mai|niet|geen|inte|ei|eiv[aä]t)\b"
    r"|n['\u2019]t\b|не)[^.;\n]{0,40}$"
)
_NEGATED = re.compile(r"(?i)[^.;,\n]{0,40}\b(?:nicht|nie|niet|nooit|ikke|inte|ei)\b")
_SPARES = re.compile(r"(?i)\W{0,2}(?:except|keep|between|until|behalt|zwischen|bis|au[sß])")
_CHANGE = re.compile(
    r"(?is)\b(?:delete\s(?:top\s?\(\d{1,9}\)\s)?(?:from\s)?|update\s)[^;]{0,200}?\bwhere\b([^;]{0,800}?)"
    r"(?=;|\blimit\b|\breturning\b|\border\s+by\b|$)"
)
_NESTED = 6  # parentheses within one another
_INNER = re.compile(r"\([^()]{0,400}\)")
_BETWEEN = re.compile(r"(?i)\bbetween\s+\S{1,60}\s+and\s+\S{1,60}")
_OR = re.compile(r"(?i)\bor\b")
_AND = re.compile(r"(?i)\band\b")
_TEXT = re.compile(r"'[^'\n]{0,200}'")
_COLUMN = re.compile(r"(?i)\b([a-z_][\w.]{0,60})\s*(?:[=<>!]|\b(?:in|like|is|not)\b)")


def turned_around(text: str, request: Request) -> Iterator[Beyond]:
    """What is after a day, where the request has what is before it go; or the other way round."""
    said = request.text
    before, after = scope("before_day").search(said), scope("after_day").search(said)
    is_negated = after and (_NEGATES.search(said[: after.start()]) or _NEGATED.match(said, after.end()))
    if after and (is_negated or _SPARES.match(after[0])):
        return  # "not modified in the last 7 days", "except robots.txt"
    if bool(before) == bool(after) or not scope("takes_away").search(text[:_LONGEST]):
        return
    text = text[:_LONGEST]
    taken_before, taken_after = scope("takes_before").search(text), scope("takes_after").search(text)
    if before and taken_after and not taken_before:
        yield Beyond(taken_after[0].strip(), text[:200], before[0].strip())
    elif after and taken_before and not taken_after:
        yield Beyond(taken_before[0].strip(), text[:200], after[0].strip())


_ALL_BUT = re.compile(r"(?i)(?:<>|!=|\bnot\s+in\s*\(|\bnot\s+like\b|-ne\b|-notlike\b)\s*['\"]?([\w.@-]{2,80})")
_COUNTED = re.compile(r"(?i)(?:@@rowcount|\brow_count\(\)|\bsql%rowcount|@\w*(?:row|count)\w*)\s*$")
_LEFT = re.compile(
    r"(?i)\b(?:except|but|keep|other|others|rest|apart|besides|without|au[sß]er|bis auf|behalt\w*"
    r"|sauf|garde\w*|excepto|salvo|menos|exceto|tranne|opr[óo]cz|behalve|кроме)\b"
)


def all_but_named(text: str, request: Request) -> Iterator[Beyond]:
    """A change of everything but what the request names: `WHERE id <> 4411`."""
    if _LEFT.search(request.text) or not scope("takes_away").search(text[:_LONGEST]):
        return
    for found in islice(_ALL_BUT.finditer(text[:_LONGEST]), _MOST):
        name = found[1]
        if _COUNTED.search(text[max(0, found.start() - 40) : found.start()]):
            continue  # a guard on how many rows have been changed
        is_key = any(map(str.isdigit, name)) or "_" in name or "." in name
        if is_key and re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", request.text):
            yield Beyond(f"all but {name}", text[:200], name)
            return


def loose_alternative(text: str) -> Iterator[Beyond]:
    """A condition `a and b or c` without parentheses, whose last part lacks what the first one is bound to."""
    for found in islice(_CHANGE.finditer(text[:_LONGEST]), _MOST):
        parts = _alternatives(found[1])
        columns = [frozenset(each.lower() for each in _COLUMN.findall(part)) for part in parts]
        bound = next((each for part, each in zip(parts, columns, strict=True) if _AND.search(part)), frozenset[str]())
        loose = (part for part, each in zip(parts, columns, strict=True) if each < bound or not each & bound)
        if bound and (part := next(loose, "")):
            yield Beyond(f"or {part.strip()}", text[:200], parts[0].strip()[:120])


def _alternatives(condition: str) -> list[str]:
    """The parts of a condition between `or`, without what stands in parentheses or in texts."""
    plain = _BETWEEN.sub(" = x ", _TEXT.sub("x", condition))
    for _ in range(_NESTED):
        plain, count = _INNER.subn(" ", plain)
        if not count:
            break
    parts = _OR.split(plain)[:_MOST]
    return parts if len(parts) > 1 else []
