"""What a tool does, and what a user requests, as a dozen intents: enough to decide whether an action was requested.

Words are looked up in twenty-seven languages. `send me the list` requests an answer and not a message, and `an email`
is a thing: such words count as wishes only in the position of a verb.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import re2

from supervisor.evidence.prose.passages import fold, sentences
from supervisor.evidence.provenance.intent_words import (
    ADMIT,
    ALWAYS,
    BOOK,
    BUY,
    CHANGE,
    CREATE,
    DELETE,
    INSIDE,
    LEADING,
    MADE,
    MESSAGE,
    NAMING,
    PAY,
    PUBLISH,
    READ,
    RUN,
    STORE,
)

__all__ = [
    "ADMIT",
    "BOOK",
    "BUY",
    "CHANGE",
    "CONSEQUENTIAL",
    "CREATE",
    "DELETE",
    "GENERAL",
    "MESSAGE",
    "PAY",
    "PUBLISH",
    "READ",
    "STORE",
    "intents_in",
    "intents_of",
    "intents_ordered",
]


# Intents with effects on other people or that cannot be undone.
CONSEQUENTIAL = frozenset({MESSAGE, PAY, DELETE, BOOK, BUY, ADMIT, CHANGE, PUBLISH, RUN})
GENERAL = frozenset({CREATE, CHANGE, STORE, READ})  # mean little without the object that is made or changed
_MAKING = frozenset({CREATE, CHANGE, ADMIT, STORE, BOOK})
_MAX_ASKED = 16 * 1024  # characters of the user's text

_OF_KIND = {
    "message": MESSAGE,
    "payment": PAY,
    "refund": PAY,
    "shell": RUN,
    "python": RUN,
    "javascript": RUN,
    "sql": RUN,
    "browse": READ,
    "file_read": READ,
    "file_write": STORE,
    "file_edit": CHANGE,
    "file_delete": DELETE,
}
_LEADS_WORDS = (
    "please pls kindly to and then also you or must should can could would will let us i ll we just now bitte por "
    "favor merci de per favore 1 2 3 4 5 a b c so finally afterwards next"
)
_LEADS = frozenset(_LEADS_WORDS.split())
_TO_ME = re2.compile(
    r"(?i)\b(?:tell|give|show|send|let|text|write|report|message|get|bring|find|list|sag|sage|zeig|zeige|gib|schick|schicke|"
    r"schreib|dis|donne|montre|envoie|dites|dime|dame|muestra|envía|manda|dimmi|dammi|mostra|geef|vertel|stuur)[ -]"
    r"(?:(?:it|them|this|that) (?:to|back to) )?(?:me|us|mir|uns|moi|nous)\b(?: know)?"
)
_REMIND_ME = re2.compile(
    r"(?i)\bremind me\b|\berinnere? mich\b|\brappelle[ -]moi\b|\brecu[ée]rdame\b|\bricordami\b|\blembre-me\b"
)
# Phrases that mention a message without requesting one (its contents, its parts), a person who is already invited, or a
# act in the past.
_SPOKEN_OF = re2.compile(
    r"(?i)\b(?:in|from|of|about|aus|von|dans|de|en|nel|nella|del|della|uit)\s(?:\w+\s){0,2}"
    r"(?:e-?mails?|mails?|messages?|nachricht|courriel|correo|mensaje|messaggio|mensagem|bericht)\b"
    r"|\be-?mail (?:address(?:es)?|account|inbox|thread)\b"
    r"|\b(?:is|are|was|were|been|already)\s(?:\w+\s)?(?:invited|booked|reserved|scheduled)\b"
    r"|\b(?:did|have|had|has)\s(?:i|we|he|she|they|anyone|anybody|someone|somebody)\s(?:already\s|ever\s)?\w+\b"
)
_NEVER = re2.compile(r"(?i)\b(?:never|nunca|jamais|niemals|nooit|nigdy|никогда) \pL+")
_BE = re2.compile(r"(?i)\b(?:be|been|being|get|gets)\b")
_DONE = re2.compile(r"(?i)\b(add|cancel|book|publish|post|transfer|grant)[lr]?ed\b")
_DONE_TO = re2.compile(r"(?i)\b(delet|remov|invit|reschedul|schedul|shar)ed\b")
# Thanks to the agent, which do not request a message.
_COURTESY = re2.compile(r"(?i)\bthank(?:s|\W?you)\b|\blook(?:ing)? forward\b")
_LET_KNOW = re2.compile(r"(?i)\blet\b[^.!?\n]{1,40}\bknow\b")
_READERS_WORDS = (
    "get search list read find lookup look view show check count query describe cat ls fetch retrieve browse "
    "calculate compute analyze analyse summarize summarise monitor inspect is has now"
)
_READERS = frozenset(_READERS_WORDS.split())


def intents_of(kind: str, name: str) -> frozenset[str]:
    """The intents of an action, by its kind and the words of its tool's name, folded. Empty if neither shows any."""
    if kind in _OF_KIND:
        return frozenset({_OF_KIND[kind]}) | (_named(name) & {PUBLISH})
    words = name.split()
    if words and (words[0] in _READERS or (words[1:2] and words[1] in _READERS and not _named(words[0]))):
        return frozenset({READ})
    return _named(name)


@functools.lru_cache(maxsize=1024)
def _named(name: str) -> frozenset[str]:
    exact, beginnings = _lexicon("naming")
    words = name.split()
    return _meant([*words, *filter(None, map(_with_umlauts, words))], exact, beginnings)


def _with_umlauts(word: str) -> str:
    """A word with each two-letter umlaut (`ae`) as one letter, since tools' names are ASCII; "" for one without."""
    found = word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")
    return found if found != word else ""


@functools.lru_cache(maxsize=2048)
def intents_in(text: str) -> frozenset[str]:
    """The intents that a user's text requests. Empty if none of its words is known."""
    found: set[str] = set()
    exact, beginnings = _lexicon("always")
    (leading, _), (made, _) = _lexicon("leading"), _lexicon("made")
    plain = _COURTESY.sub(" ", _LET_KNOW.sub("notify", _TO_ME.sub(" show ", text[:_MAX_ASKED])))
    plain = _SPOKEN_OF.sub(" it ", _REMIND_ME.sub(" schedule ", plain))
    for sentence in sentences(plain):
        for clause in sentence.replace(",", "\n").replace(":", "\n").replace(";", "\n").split("\n"):
            words = fold(clause).split()
            firsts = (word for at, word in enumerate(words) if not at or words[at - 1] in _LEADS)
            meant = _meant(words, exact, beginnings) | _meant(firsts, leading, {})
            found |= meant | (_meant(words, made, {}) if meant & _MAKING else frozenset())
    if not text.isascii():
        found.update(intent for intent, words in INSIDE.items() if any(word in text for word in words.split()))
    return frozenset(found)


@functools.lru_cache(maxsize=2048)
def intents_ordered(text: str) -> frozenset[str]:
    """The intents that a text orders its reader to carry out, including the passive ("is to be deleted"). What it
    forbids it does not order: "never delete this"."""
    text = _NEVER.sub(" ", text)
    return intents_in(_DONE_TO.sub(r"\1e", _DONE.sub(r"\1", text))) if _BE.search(text) else intents_in(text)


def _meant(words: Iterable[str], exact: dict[str, set[str]], beginnings: dict[str, set[str]]) -> frozenset[str]:
    found: set[str] = set()
    for word in words:
        found |= exact.get(word, set())
        for length in range(3, min(len(word), 11) + 1) if beginnings else ():
            found |= beginnings.get(word[:length], set())
    return frozenset(found)


@functools.cache
def _lexicon(which: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The intents of each word, and of each prefix."""
    tables = {
        "always": (ALWAYS,),
        "leading": (LEADING,),
        "made": (MADE,),
        "naming": (ALWAYS, NAMING),
    }[which]
    exact: dict[str, set[str]] = {}
    beginnings: dict[str, set[str]] = {}
    for table in tables:
        for intent, words in table.items():
            if which == "naming" and intent == READ:
                continue  # `intents_of` accepts a reading verb only at the start of a tool's name
            for word in words.split():
                where = beginnings if word.endswith("*") else exact
                where.setdefault(fold(word.rstrip("*")), set()).add(intent)
    return exact, beginnings
