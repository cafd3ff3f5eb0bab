# ruff: noqa: E501 - a pattern that is broken over lines reads worse
"""Queries that a change no longer limits to what belongs to whoever asks: `Order.find(id)` for `current_user.orders.find(id)`."""

from __future__ import annotations

import re
from itertools import islice

from supervisor.regexes import compile_later

_MOST_LINES = 4000
_LONGEST_LINE = 400
_MOST_LIMITED = 20  # lines that were limited
_MOST_COMPARED = 400  # new lines that may stand for them
# Who asks, as programs name them.
_WHO = (
    r"(?:\b(?:request|req|ctx|context|c|self\.request|event)\.(?:user|auth|session|account|tenant|principal)\b|\bcurrent_?[uU]ser\b"
    r"|\bcurrent_?(?:account|tenant|organi[sz]ation|team)\b|@current_user|\bauth\(\)->(?:id|user)|\bAuth::(?:id|user)|\$this->getUser\(\)"
    r"|\bsession\.(?:user|account)|\bUser\.(?:Identity|GetUserId|FindFirst)|\bprincipal\b|\bgetCurrentUser\w*\(|\b(?:viewer|me)\.id\b"
    r"|\b(?:user|owner|tenant|account|org|organi[sz]ation|team|customer|member|clinic|company|shop)_?[iI]d\b)"
)
_LIMITED = compile_later(_WHO)
_QUERY = compile_later(
    r"(?i)\b(?:find\w*|get\w*|where\w*|filter\w*|select\w*|first\w*|one|load\w*|query\w*|fetch\w*|lookup|delete\w*|update\w*|objects|from)\s{0,2}[({`\"'.]"
    r"|\bselect\b|\bwhere\b|\band\b|\bfrom\b"
)
_CHECKS = compile_later(
    r"(?i)authori[sz]e|policy|permission|\bcan\w{0,12}\(|ensure\w*owner|check\w*(?:owner|access)|is_?owner|belongs_?to|require\w*(?:owner|access)|scope\(|abort\(40[34]|Forbidden|guard"
)


# Places of those whose work it is to see what belongs to others.
_FOR_STAFF = re.compile(
    r"(?i)admin|moderat|staff|back-?office|support|internal|operator|manage(?:r|ment)|super|jobs?/|tasks?/|workers?/|cron|migrat|scripts?/|seeds?"
)


def unlimited_query(before: str, after: str, path: str) -> str:
    """The line of a query that was limited to whoever asks, if a like one without the limit takes its place; empty for
    most changes."""
    old, new = (text.splitlines()[:_MOST_LINES] for text in (before, after))
    known, kept = set(old), set(new)
    gone = [line for line in old if line.strip() and line not in kept]
    come = [line for line in new if line.strip() and line not in known][:_MOST_COMPARED]
    if (
        _FOR_STAFF.search(path)
        or not come
        or _count(new) >= _count(old)
        or any(_CHECKS.search(line[:_LONGEST_LINE]) for line in come)
    ):
        return ""
    limited = (line for line in gone if _LIMITED.search(line[:_LONGEST_LINE]) and _QUERY.search(line[:_LONGEST_LINE]))
    for line in islice(limited, _MOST_LIMITED):
        names = _names(line)
        for other in come:
            like = _names(other)
            is_query = _QUERY.search(other[:_LONGEST_LINE]) and not _LIMITED.search(other[:_LONGEST_LINE])
            if is_query and len(names & like) >= 2 and len(like - names) <= len(like) // 2:
                return line.strip()[:_LONGEST_LINE]
    return ""


def _count(lines: list[str]) -> int:
    return sum(1 for line in lines if _LIMITED.search(line[:_LONGEST_LINE]))


def _names(line: str) -> set[str]:
    return {name.lower() for name in re.findall(r"[A-Za-z_]\w+", line[:_LONGEST_LINE])}
