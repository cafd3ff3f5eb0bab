"""The attributes of the user on whose behalf an agent acts, and whether a phrase such as `under 18` describes the user.

A deployment may have any attributes: a phrase and an attribute are matched by their words (`a driver's licence` and
`dr_license`). For a phrase that matches no attribute, the answer is unknown.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from supervisor.action import Context
from supervisor.evidence.prose.vocabulary import stem
from supervisor.evidence.web.places import are_places, place_of, places_in

PROFILE_FACTS = ("user_profile", "profile", "user", "user_info", "customer", "account")
MAX_ATTRIBUTES = 100
ADULT = 18  # years

_WORD = re.compile(r"[a-z]+")
_NEGATION = re.compile(r"\b(?:without|not|no|non|never|lack(?:s|ing)?|un|missing|isn't|aren't|hasn't|haven't)\b|n't\b")
_MINORS = re.compile(r"\b(?:minors?|underage|children|child|kids?|teenagers?)\b")
_ADULTS = re.compile(r"\badults?\b|\bof (?:legal )?age\b")
_AGED = re.compile(r"\b(?:age|aged|ages|year|years|old|older|younger|yrs?)\b")
_NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
_SIGNED = r"[\s-]*(?:the age of|age|[$€£])?\s*"
Holds = Callable[[float], bool]
_BETWEEN = re.compile(rf"\b(?:between|aged?|from){_SIGNED}{_NUMBER}\s*(?:and|to|-|–)\s*{_NUMBER}")
# Each: the pattern around the limit, and the relation of the limit to a value that satisfies it.
_COMPARISONS: tuple[tuple[re.Pattern[str], Callable[[float, float], bool]], ...] = (
    (re.compile(rf"(?:\bat least|\bno less than|\bno younger than|\bminimum(?: age)?(?: of| is)?|>=)"
                rf"{_SIGNED}{_NUMBER}"),
     operator.le),
    (re.compile(rf"(?:\bat most|\bno more than|\bno older than|\bup to|\bmaximum(?: age)?(?: of| is)?|<=)"
                rf"{_SIGNED}{_NUMBER}"),
     operator.ge),
    (re.compile(rf"{_NUMBER}(?: years?)?(?: old| of age)?,? (?:or|and) (?:older|over|above|more|up)\b|{_NUMBER}\+"),
     operator.le),
    (re.compile(rf"{_NUMBER}(?: years?)?(?: old| of age)?,? (?:or|and) (?:younger|under|below|less|fewer)\b"),
     operator.ge),
    (re.compile(rf"(?:\bunder|\bbelow|\byounger than|\bless than|\bfewer than|\bnot yet|<){_SIGNED}{_NUMBER}"),
     operator.gt),
    (re.compile(rf"(?:\bover|\babove|\bolder than|\bmore than|\bexceeding|>){_SIGNED}{_NUMBER}"),
     operator.lt),
    (re.compile(rf"^\s*(?:be |is |are )?(?:aged? )?{_NUMBER}(?: years?)?(?: old| of age)?\s*$"),
     operator.le),
)  # fmt: skip
_YES_WORDS = "yes true valid active current full verified approved confirmed complete completed granted"
_YES = frozenset(_YES_WORDS.split())
_NO_WORDS = "no none false expired invalid inactive pending unverified missing suspended revoked never n/a"
_NO = frozenset(_NO_WORDS.split())
_VOID = _NO - {"no", "none", "never", "n/a"}  # states in which an existing thing counts as missing
# Words for the same attribute, by their stems.
_ALIKE = tuple(
    frozenset(stems.split())
    for stems in (
        "member subscr loyalt",
        "licens licenc",
        "vaccin immuni inocul",
        "insur cover",
        "verif confir",
        "pregn expec",
        "passpo",
        "reside",
        "studen",
        "emplo staff",
    )
)
_HOLDERS = re.compile(r"\b(?:users?|customers?|clients?|guests?|people|persons?|those|anyone|visitors?)\b")
_PLACE_STEMS = frozenset(
    ("domest", "local", "region", "countr", "nation", "locati", "reside", "citize", "state", "provin")
)
_TIERS = "tier plan level role status type group grade class rank"
_OF_ANY = frozenset(
    ("has", "age", "status", "num", "accoun", "user", "custom", "client", "guest")
)  # stems that do not identify an attribute
_PART = re.compile(r"[a-z]+|[A-Z][a-z]*|\d+")


def attributes(context: Context) -> dict[str, Any]:
    """The attributes of the user in the context's facts, including those of nested objects, by their own names."""
    found: dict[str, Any] = {}
    stack = [context.facts.get(name) for name in reversed(PROFILE_FACTS)]
    while stack and len(found) < MAX_ATTRIBUTES:
        node = stack.pop()
        if isinstance(node, Mapping):
            for name, value in node.items():
                if isinstance(value, Mapping):
                    stack.append(value)
                elif isinstance(value, (str, int, float, bool)) or value is None:
                    found.setdefault(str(name), value)
    return found


def describes(phrase: str, user: Mapping[str, Any]) -> bool | None:
    """Whether every part of a phrase (lower case) holds for the user; None if no part matches an attribute.

    In a phrase with `or`, one part is enough.
    """
    answers = list(_answers(phrase, user))
    if not answers:
        return None
    return (
        any(answers)
        if re.search(r"\bor\b(?! (?:older|over|above|more|up|younger|under|below)\b)", phrase)
        else all(answers)
    )


def _answers(phrase: str, user: Mapping[str, Any]) -> Iterator[bool]:
    comparison = _comparison(phrase)
    if comparison is not None:
        value = _number_meant(phrase, user)
        if value is not None:
            yield comparison(value)
    elif _MINORS.search(phrase) and (age := _age(user)) is not None:
        yield age < ADULT
    elif _ADULTS.search(phrase) and (age := _age(user)) is not None:
        yield age >= ADULT
    yield from _of_place(phrase, user)
    yield from _of_kinds(phrase, user)


def _comparison(phrase: str) -> Holds | None:
    """The condition on a number in the phrase; None if it has none."""
    between = _BETWEEN.search(phrase)
    if between:
        low, high = _float(between[1]), _float(between[2])
        return lambda value: low <= value <= high
    for pattern, stands in _COMPARISONS:
        found = pattern.search(phrase)
        if found:
            return partial(stands, _float(next(group for group in found.groups() if group)))
    return None


def _number_meant(phrase: str, user: Mapping[str, Any]) -> float | None:
    """The user's number that the phrase names, or the age if it names none."""
    stems = _stems(phrase)
    for name, value in user.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool) and _parts(name) & stems - {"age"}:
            return float(value)
    return _age(user) if _AGED.search(phrase) or not stems & _THINGS else None


_THINGS_WORDS = "point score balanc credit income salar order purcha follow rating review dollar euro mile"
_THINGS = frozenset(_THINGS_WORDS.split())


def _age(user: Mapping[str, Any]) -> float | None:
    value = next((value for name, value in user.items() if "age" in _parts(name)), None)
    if isinstance(value, str) and value.strip().isdecimal():
        return float(value)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _of_place(phrase: str, user: Mapping[str, Any]) -> Iterator[bool]:
    if not are_places(phrase):
        return
    named = places_in(phrase)
    outside = bool(re.search(r"\b(?:outside|foreign|international|abroad|not|other than|non)\b", phrase))
    for name, value in user.items():
        parts = _parts(name) & _PLACE_STEMS
        if isinstance(value, bool) and (parts & {"domest", "local", "region"} or parts & _stems(phrase)):
            yield value is not outside
            return
        if isinstance(value, str) and parts and (named or value.strip().lower() in phrase):
            yield (place_of(value) in named or value.strip().lower() in phrase) is not outside
            return


def _of_kinds(phrase: str, user: Mapping[str, Any]) -> Iterator[bool]:
    """Whether the phrase holds for attributes that a user has or lacks, or that name a sort of user."""
    stems = _stems(phrase)
    best = max((len(_alike(name) & stems) for name in user), default=0)
    for name, value in user.items():
        if best and len(_alike(name) & stems) == best and (has := _has(value)) is not None:
            yield has is not _denied(phrase, _alike(name))
            return
    for name, value in user.items():
        if isinstance(value, str) and _parts(name) & frozenset(_TIERS.split()):
            words = frozenset(map(stem, _WORD.findall(value.lower())))
            if words and words <= _bare(phrase):
                yield not _NEGATION.search(phrase)
                return


def _denied(phrase: str, stems: frozenset[str]) -> bool:
    """Whether the phrase is about users who lack an attribute: `without a licence`, `unvaccinated`, `non-members`."""
    for word in _WORD.findall(phrase):
        if word.startswith("un") and word[2:8] in stems:
            return True
        if word.startswith("non") and word[3:9] in stems:
            return True
    return bool(_NEGATION.search(phrase)) or bool(_VOID & frozenset(_WORD.findall(phrase)))


def _has(value: Any) -> bool | None:
    if isinstance(value, bool) or value is None:
        return bool(value)
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in _YES else False if word in _NO or not word else None
    return None


def _stems(phrase: str) -> frozenset[str]:
    """The first six letters of the words of a phrase, and of words without the prefix `un` or `non`."""
    words = _WORD.findall(phrase)
    bare = [word[2:] for word in words if word.startswith("un")] + [
        word[3:] for word in words if word.startswith("non")
    ]
    return frozenset(word[:6] for word in [*words, *bare] if len(word) > 2) - {"user", "users", "person", "must"}


def _bare(phrase: str) -> frozenset[str]:
    return frozenset(map(stem, _WORD.findall(_HOLDERS.sub(" ", phrase))))


def _parts(name: str) -> frozenset[str]:
    """The stems of an attribute's name, which are the same for `drLicense` and `dr_license`."""
    return frozenset(part.lower()[:6] for part in _PART.findall(name))


def _alike(name: str) -> frozenset[str]:
    """The stems of words for an attribute."""
    parts = frozenset(part for part in _parts(name) if len(part) > 2 and part not in _OF_ANY)
    return parts.union(*(group for group in _ALIKE if group & parts))


def _float(figures: str) -> float:
    return float(figures.replace(",", "").rstrip("."))
