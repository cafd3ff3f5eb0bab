"""Two records that a call unites although an identifier tells them apart.

People of one name are united by one call, and no call parts them again. Their birth dates, tax numbers or contracts
stood in what the agent read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.entries.listing import LONGEST, Shown, shown
from supervisor.evidence.entries.words import pattern, values_in, words_in

_MOST_NAMED = 20  # records that one call unites
_MOST_PLACES = 20  # of an id in one output
_NEAR = 80  # characters behind an id in a line in which its identifier is looked for
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}")
_FIGURES = 4  # of an identifier

Profile = Mapping[str, frozenset[str]]  # identifiers by name


class Parted(NamedTuple):
    """Two records, the identifier that parts them, and its value in each."""

    one: str
    other: str
    by: str
    values: tuple[str, str]


@reader
def parted_by_identifier(action: Action, context: Context) -> Parted | None:
    """The two records that a merging call unites and an identifier parts; None if every identifier that both have
    agrees somewhere, or none is known."""
    if not context.history or not _merges(action):
        return None
    past = list(shown(context))
    ids = list(dict.fromkeys(value for _, value in values_in(action.args, LONGEST) if _may_be_an_id(value)))
    known = [(each, _profile(each, ids, past)) for each in ids[:_MOST_NAMED]]
    for (one, mine), (other, theirs) in combinations(known, 2):
        both = [name for name in mine if name in theirs]
        if not both or any(mine[name] & theirs[name] for name in both):
            continue
        return Parted(one, other, both[0], (min(mine[both[0]]), min(theirs[both[0]])))
    return None


def _merges(action: Action) -> bool:
    names = (action.tool, *(str(name) for name in action.args))
    return any(pattern("merging").search(" ".join(words_in(name[:200]))) for name in names)


def _profile(identifier: str, others: list[str], past: list[Shown]) -> Profile:
    """What identifies the thing with this id, apart from the id itself."""
    folded, rest = identifier.lower(), {each.lower() for each in others} - {identifier.lower()}
    found: dict[str, set[str]] = {}
    for step in past:
        for entry in step.entries:
            if folded not in entry.values or entry.values & rest:
                continue
            for name, text in entry.fields:
                told = pattern("identifying").search(" ".join(words_in(name)))
                if told and text.lower() != folded and _is_identifier(text):
                    found.setdefault(told.text.lower(), set()).add(_plain(text))
        for name, text in _beside(identifier, others, step.text):
            found.setdefault(name, set()).add(text)
    return {name: frozenset(values) for name, values in found.items()}


def _beside(identifier: str, others: list[str], text: str) -> list[tuple[str, str]]:
    """The identifiers that a line has behind an id and before the next one: "8811 (Porto, VAT PT501)"."""
    found: list[tuple[str, str]] = []
    at = -1
    for _ in range(_MOST_PLACES):
        at = text.find(identifier, at + 1)
        if at < 0:
            break
        end = at + len(identifier)
        if _joins(text[at - 1 : at] if at else "") or _joins(text[end : end + 1]):
            continue
        behind = text[end : end + _NEAR].split("\n", 1)[0]
        cut = min((next_one for each in others if (next_one := behind.find(each)) >= 0), default=len(behind))
        told = pattern("identifying").search(behind[:cut])
        value = re.match(r"\W{0,3}([\w./-]{4,40})", behind[told.end : cut]) if told else None
        if told and value and _is_identifier(value[1]):
            found.append((told.text.lower(), _plain(value[1])))
    return found


def _joins(letter: str) -> bool:
    return letter.isalnum() or letter in ("_", "-")


def _may_be_an_id(text: str) -> bool:
    return any(map(str.isdigit, text)) and not _DATE.fullmatch(text)


def _is_identifier(text: str) -> bool:
    return sum(map(str.isdigit, text)) >= _FIGURES


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()
