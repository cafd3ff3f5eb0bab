"""What a user's request names, whether it says everything or a part, and the numbers in it.

A name is a word that no plain sentence has: a path, an address, a word with digits or underscores, a quoted word, and
the word behind the noun of a thing that has a name ("user claire", "Branch hotfix").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

import re2

from supervisor.evidence.reading.tables import table_beside

_LONGEST = 8 * 1024  # characters of a request


class _Lexicon(NamedTuple):
    """Words of one sense in the languages of the tests: whole words, beginnings of words, and texts that stand anywhere
    (phrases, and scripts without spaces)."""

    words: frozenset[str]
    beginnings: tuple[str, ...]
    anywhere: tuple[str, ...]

    def first_in(self, words: tuple[str, ...], folded: str) -> str:
        """The first of its words in a text, or ""."""
        found = next((each for each in words if each in self.words or each.startswith(self.beginnings)), "")
        return found or next((each for each in self.anywhere if each in folded), "")


@cache
def _lexicon(name: str) -> _Lexicon:
    given: dict[str, str] = table_beside(__file__, "request_names.yaml")[name]
    anywhere = tuple(each for each in given["anywhere"].split("|") if each)
    return _Lexicon(frozenset(given["words"].split()), tuple(given["beginnings"].split()), anywhere)


_WORD = re.compile(r"\w+")
_ISOLATED = re2.compile(r"(?:^|[\s(])[`\"'“”«»「」]([^`\"'“”«»「」\n]{2,60})[`\"'“”«»「」](?:$|[\s).,;:!?가-힣ぁ-ヿ])")
_NAME = re2.compile(r"[\w@~./:+-]*[\w/]")
_TICKET = re2.compile(r"^[A-Z]{2,6}-\d{2,}$")
_AMOUNT = re2.compile(r"(?i)^\d+(?:[.,:]\d+)*(?:[kmgt]i?b?|%|ms|s|min|h|d|x|px|st|nd|rd|th|am|pm)?$")
_DATE = re2.compile(r"^\d{2,4}[-./]\d{1,2}(?:[-./]\d{1,4})?$|^(?:Q[1-4]|FY\d+|24/7|v\d)$")
# Endings of a case that a name takes with a colon: "users.csv:stä", "API:n".
_ENDING = re2.compile(r"(?i):(?:n|t|a|en|et|in|iin|s|ss|ssa|st|sta|ll|lla|lle|lt|lta|ksi|na|ta)$")
ADDRESS = re2.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
# Nouns of things that have names, with the word behind them.
_THING = re2.compile(
    r"(?i)\b(?:users?|accounts?|hosts?|servers?|nodes?|vms?|containers?|jobs?|branch|tables?|topics?|queues?|buckets?|"
    r"pods?|deployments?|namespaces?|services?|databases?|clusters?|groups?|volumes?|snapshots?|benutzer(?:in|s)?|konto|knoten|"
    r"dienst|tabelle|utilisat(?:eur|rice)|compte|serveur|usuari[oa]|cuenta|servidor|conta|utilizador[ae]?|utente|server|"
    r"gebruiker|użytkownik\w*|kont[oa]|kullan.c.|пользовател\w+)\s+([A-Za-z][\w.@-]{2,})"
)
# Nouns of other things, whose names do not look like plain words: "configmap feature-flags", "task NightlyCopy".
_OTHER_THING = re2.compile(
    r"(?i:\b(?:tasks?|configmaps?|secrets?|statefulsets?|releases?|tags?|labels?|rules?|policy|zones?|records?|domains?|devices?|"
    r"printers?|disks?|index|roles?|keys?|tokens?|pools?|apps?|applications?|projects?|repositor(?:y|ies)|repos?|channels?|lists?|"
    r"mailbox|shares?|units?|workflows?|pipelines?|stacks?|functions?|environments?|sites?|interfaces?|streams?|packages?|"
    r"drucker|gerät|aufgabe|regel|projekt|liste|postfach|freigabe|tâche|règle|projet|imprimante|boîte|tarea|regla|proyecto|"
    r"impresora|buzón|tarefa|regra|projeto|impressora|attività|regola|progetto|stampante|zadanie|drukarka|taak|printer|задач\w|görev)"
    r"\s+)[`'\"]?([A-Za-z]\w*(?:-\w+)+|[A-Za-z][a-z]+[A-Z]\w+)"
)
_NO_NAME = frozenset(
    "and are but can das dass der des die dos est for from had has have her his how its nao não not only our out pas"
    " por que qui running should son that the their then there they this und was were when where which while who will"
    " with would wird".split()
)


class Named(NamedTuple):
    """What a request names, and whether it has a word for everything."""

    names: tuple[str, ...]
    numbers: tuple[int, ...]
    everything: bool  # whether it has a word for everything
    newest: bool  # whether it has a word for the newest
    part: str  # the word with which it leaves out a part, or ""
    administers: bool  # whether it speaks of the rights of an administrator
    things: tuple[str, ...] = ()  # names with hyphens or capitals behind nouns of other things


# In Polish and Czech the word means one. The German word that is spelled the same means each, save in one phrase.
_ONE = re.compile(r"\b(?:ten|tylko|jest|ani|o|na|w|z|jen|by[łl])\s{1,3}jeden\b|\bauf jeden fall\b")


_THOUSANDS = re.compile(r"(?<![\w.,-])[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?![\w.,-])")  # "20 000"


@lru_cache(maxsize=256)
def named_in(request: str) -> Named:
    """The things that a request names, in its own order: words that no plain sentence has."""
    text = _THOUSANDS.sub(lambda number: re.sub(r"\s", "", number[0]), request[:_LONGEST])
    names = dict.fromkeys(match[1].strip() for match in _ISOLATED.finditer(text))
    names |= dict.fromkeys(_behind_things(text))
    numbers: list[int] = []
    words = _NAME.findall(text)
    for before, word in zip(("", *words), words, strict=False):
        bare = word.strip(".:/-+") if not word.startswith(("/", "~", "./", "../")) else word.rstrip(".:")
        bare = _ENDING.sub("", bare)
        if bare.isdigit():
            numbers.append(int(bare[:9]))
            if before.isalpha() and before.isupper() and len(bare) > 1:  # "VM 114", "PR 88"
                names[bare] = None
        elif _is_name(bare):
            names[bare] = None
    folded = _ONE.sub(" ", text.casefold())
    spoken = tuple(_WORD.findall(folded))
    return Named(
        tuple(names),
        tuple(numbers),
        bool(_lexicon("everything").first_in(spoken, folded)),
        bool(_lexicon("newest").first_in(spoken, folded)),
        _lexicon("part").first_in(spoken, folded),
        bool(_lexicon("administration").first_in(spoken, folded)),
        tuple(dict.fromkeys(match[1] for match in _OTHER_THING.finditer(text))),
    )


def _behind_things(text: str) -> Iterator[str]:
    """The words behind nouns of things that have names: of "service account ci", that is "ci"."""
    start = 0
    while match := _THING.search(text, start):
        start = match.start(1)
        if match[1].lower() not in _NO_NAME and not _THING.match(f"{match[1]} name"):
            yield match[1].rstrip(".-")


def _is_name(word: str) -> bool:
    if ADDRESS.match(word):
        return True
    if len(word) < 3 or _TICKET.match(word) or _AMOUNT.match(word) or _DATE.match(word):
        return False
    inner = word[1:-1]
    has_letter = any(letter.isalpha() for letter in word)
    if any(letter.isdigit() for letter in word):
        return has_letter
    return has_letter and (
        any(mark in inner for mark in "_/@") or word.startswith(("/", "~")) or ("." in inner and inner.isascii())
    )
