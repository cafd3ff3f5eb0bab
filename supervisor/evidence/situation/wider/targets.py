"""The things that a request names for an act, apart from where they are and whose they are.

Of "kill job 884213 of mnowak on hpc2" the thing is the job; mnowak and hpc2 contain it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.changes.clauses import Clause, clauses_of, fold
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.commands.acts import words
from supervisor.evidence.situation.wider.words import absence, absences

_MOST = 40  # names of a request
_BEFORE = 60  # characters before a name that tell its part
_TOKEN = re.compile(r"[`'\"„“«]([^`'\"”»\n]{4,60})[`'\"”»]|(?<![\w/.@-])([A-Za-z0-9_][\w.@:-]*[\w/])")
_AMOUNT = re.compile(
    r"(?i)\d{1,3}|\d+(?:[.,:]\d+)*(?:[kmgt]i?b?|%|ms|s|min|h|d|x|gb|mb|tb|st|nd|rd|th|am|pm|uhr)?|\d{2,4}[-./]\d{1,2}(?:[-./]\d{1,4})?|q[1-4]"
    r"|v?\d+(?:\.\d+)+|(?:19|20)\d\d|(?:chg|rfc|cve|tel|inc|req|ops|sup|jira|tkt|gen)-\d+(?:-\d+)?"
)
_AFTER = 4  # sentences after a name in which a pronoun may mean it; "20. November" counts as two
_JOINTS = ("container", "narrower")  # words between a name and another
_PLACE = re.compile(r"(?:https?:|/|\w+\.(?:md|txt|csv|json|ya?ml|py|sh|conf|log|sql|tar|gz|pdf)$)", re.IGNORECASE)
_CAMEL = re.compile(r"[A-Z]?[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z]+[A-Z]\w*")


class Targets(NamedTuple):
    """What a request names for acts: the things, the words that narrow a selection, and what contains the things."""

    things: tuple[str, ...]
    narrowing: tuple[str, ...]
    containers: tuple[str, ...]

    @property
    def wanted(self) -> tuple[str, ...]:
        return self.things or self.narrowing


@lru_cache(maxsize=128)
def targets_in(task: str, verbs: frozenset[Verb]) -> Targets:
    """The things that a request names for one of some acts. Cached: all actions of a session share the request."""
    acting = [each for each in clauses_of(task) if each.asks and not each.verbs.isdisjoint(verbs)]
    if not acting:
        return Targets((), (), ())
    things: dict[str, None] = {}
    narrowing: dict[str, None] = {}
    containers: dict[str, None] = {}
    owned = frozenset(match[1].rstrip(".") for match in absence("owned").finditer(task))
    for name, before in islice(_names(task), _MOST):
        part = _part(name, before, owned)
        if part == "container":
            containers[name] = None
        elif _is_meant(name, acting, task):
            (narrowing if part == "narrower" else things)[name] = None
    known = [fold(name) for name in (*things, *narrowing, *containers)]
    if not all(absence("pronoun").search(each.text) or any(name in each.text for name in known) for each in acting):
        return Targets((), (), ())  # it also asks for the act on what it only describes
    return Targets(tuple(things), tuple(narrowing), tuple(containers))


def _names(task: str) -> Iterator[tuple[str, str]]:
    """The names in a request, each with the text before it."""
    for match in _TOKEN.finditer(task):
        name = (match[1] or match[2]).strip().rstrip(".:,")
        before = task[max(0, match.start() - _BEFORE) : match.start()]
        if _PLACE.search(name) and not re.fullmatch(r"[\w-]+/", name):
            continue
        if task.startswith(("*", ".*", "-*"), match.end()) or "*" in name:
            continue  # a pattern, which other relations hold against the listed names
        if match[1] or _is_name(name, before):
            yield name, before


def _is_name(name: str, before: str) -> bool:
    """Whether a word stands for one thing. A plain word does so behind the noun of a thing, or as what contains
    things."""
    is_single = absence("single").search(before) is not None
    if name.isdigit():
        return len(name) >= 2 and is_single and not re.fullmatch(r"(?:19|20)\d\d", name)
    if len(name) < 3 or _AMOUNT.fullmatch(name):
        return False
    if re.search(r"\d", name) or re.search(r"\w[_.@/]\w|/$", name) or _CAMEL.fullmatch(name):
        return True
    if re.search(r"\w-\w", name):
        return is_single or name.upper() == name or _is_contained(before)
    if name.lower() in _no_names() or any(absence(each).search(f" {name} ".rstrip()) for each in _JOINTS):
        return False
    return (is_single or _is_contained(before)) and not absence("single").match(f"{name} ")


@cache
def _no_names() -> frozenset[str]:
    return frozenset(absences("no_names").split()) | words("nouns")


def _is_contained(before: str) -> bool:
    return absence("container").search(_lead(before)) is not None


def _lead(before: str) -> str:
    """What stands before a name, without an article or a noun between."""
    bare = re.sub(r"[`'\"„“«(]\s*$", "", before).rstrip()
    return (
        bare
        if absence("container").search(bare) or absence("narrower").search(bare)
        else absence("between").sub("", before, count=1)
    )


def _part(name: str, before: str, owned: frozenset[str]) -> str:
    if name in owned:
        return "thing"
    lead = _lead(before)
    if absence("narrower").search(lead):
        return "narrower"
    return "container" if absence("container").search(lead) else "thing"


def _is_meant(name: str, acting: list[Clause], task: str) -> bool:
    """Whether a clause that asks for the act has the name, or means it by a pronoun and names nothing itself."""
    folded = fold(name)
    if any(folded in each.text for each in acting):
        return True
    naming = [each for each in clauses_of(task) if folded in each.text]
    if not naming or any(each.asks and each.verbs for each in naming):
        return False
    sentence = naming[0].sentence
    return any(0 <= each.sentence - sentence <= _AFTER and absence("pronoun").search(each.text) for each in acting)
