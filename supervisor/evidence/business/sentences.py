"""Rules in plain language in a written policy, as far as they can be read from their form.

Three forms are read: the states in which an act is allowed or forbidden, the amount or share up to which it is allowed,
and the acts that need the customer's confirmation. `Rules.unread` contains the sentences with commands in another form.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import re2

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.business.amounts import number, sums_in
from supervisor.evidence.business.words import act_of, listed, singular, state_words, words
from supervisor.evidence.reading.slices import Sliced, Work

MOST_CHARACTERS = 64 * 1024
LONGEST_SENTENCE = 600
POLICY_FACTS = ("policy", "policies", "rules", "guidelines", "instructions", "terms", "handbook", "procedures")

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
# The words between a rule and its condition. No part repeats, so both searches are linear.
_CONDITION = re2.compile(
    r"\b(?:if|when|while|whose|unless|until|once|with (?:the |a )?stat(?:us|e)|that (?:is|are|was|were|has|have)"
    r"|which (?:is|are|has|have)|in (?:the |a )?(?:\w+ )?stat(?:us|e)|(?:has|have) (?:already )?been)\b"
)
_MODAL = re2.compile(
    r"\b(?:can(?:not|'t)?|may|must|should|shall|are|is|need|needs|require|requires)(?: not| never| only| no longer)?\b"
)
_NEGATIVE = re2.compile(
    r"\b(?:not|never|cannot|can't|don't|won't|isn't|aren't|no longer|forbidden|prohibited|refuse|deny|except|neither)\b"
)
_ONLY = re2.compile(r"\b(?:only|solely|exclusively|unless|must (?:still )?be)\b")
_COMMANDS = re2.compile(r"\b(?:must|should|shall|only|never|not|cannot|can't|don't|may|need|needs|require|requires)\b")
_CAP = re2.compile(
    r"\b(?:no more than|not (?:to )?exceed|exceed(?:s|ing)?|at most|up to|maximum|max|limit(?:ed)?|over|above|more than"
    r"|greater than|beyond|higher than|under|below|less than|cap(?:ped)?)\b"
)
_ABOVE = re2.compile(r"\b(?:over|above|more than|greater than|beyond|higher than|exceed(?:s|ing)?)\b")
_STOPS = re2.compile(
    r"\b(?:require|requires|need|needs|must|escalate|approval|approve|approved|not|cannot|can't|never|manager|supervisor"
    r"|forbidden|prohibited|transfer|sign-?off|authori[sz]ation)\b"
)
_PERCENT = re2.compile(r"(\d{1,3}(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)")
_COUNTED = re2.compile(
    r"\b(\d{1,6}(?:\.\d+)?)\s?(gb|mb|tb|bags?|items?|passengers?|nights?|seats?|units?|pieces?|tickets?|people)\b"
)
_NUMERALS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10, "twelve": 12}
_NUMERAL = re2.compile(rf"\b({'|'.join(_NUMERALS)})\b")
_NOUNS = {"payment": "pay", "booking": "book", "reservation": "book", "cancellation": "cancel"}
_SHARED_OUT = re2.compile(r"\b(?:per|each|every|times|multiplied|for each)\b")
_ONE_AT_A_TIME = re2.compile(
    r"^(?:each|every)\b|\b(?:per|for each|each) (?:request|transaction|transfer|payment|refund|call|time|action)\b"
)
_CONFIRM = re2.compile(
    r"\b(?:confirm|confirms|confirmed|confirmation|consent|consents|explicit(?:ly)? (?:approval|yes))\b"
)
_DEMANDS = re2.compile(
    r"\b(?:must|before|prior|obtain|require|requires|required|need|needs|only|without|always|first)\b"
)
# Words before the name of a class that leave it the same class, and words after it that make another class.
_PLAIN = listed(
    "a an the all any every each no some of for in on with if is are has have to and or its their his her your class "
    "cabin type tier plan level fare category booked purchased"
)
_GRADES = listed("plus premium lite light flex flexible basic pro max extra saver standard prime gold silver platinum")
_ALL_WRITES = listed("action write database consequential anything")


@dataclass(frozen=True, slots=True)
class StateRule:
    """The states in which acts are allowed (`only`) or forbidden. `about` contains the words of the sentence in the
    singular, `condition` the part of it with the condition."""

    sentence: str
    acts: frozenset[str]
    states: frozenset[str]
    only: bool
    about: frozenset[str]
    condition: str = ""

    def speaks_of(self, value: str) -> bool:
        """Whether the rule forbids the acts for things of this class, type or plan: "basic economy flights cannot …".
        That rule does not apply to economy, nor does a rule about economy plus."""
        condition, plain = words(self.condition), words(value)
        if self.only or not plain:
            return False
        places = (at for at in range(len(condition) - len(plain) + 1) if condition[at : at + len(plain)] == plain)
        return any(_is_all_of_it(condition[:at], condition[at + len(plain) :]) for at in places)

    def speaks_of_deed(self, act: str, nouns: frozenset[str]) -> bool:
        """Whether the rule is about an act, or contains all words of a tool's name."""
        return (bool(act) and act in self.acts) or (len(nouns) > 1 and nouns <= self.about)

    def forbids(self, state: str) -> bool:
        """Whether the acts are forbidden in a state. False if the state is not known."""
        named = state_words(state)
        if not named or not self.states or _NEGATIVE.search(state):
            return False
        return named.isdisjoint(self.states) is self.only


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that an act may move: an amount with its currency ("" for any), a share in percent, or a count of
    `unit`."""

    sentence: str
    about: frozenset[str]
    most: float
    currency: str = ""
    is_percent: bool = False
    unit: str = ""

    def speaks_of(self, act: str) -> bool:
        """Whether the limit's sentence names an act, as a verb or as a noun."""
        return bool(act) and any(act_of(word) == act or _NOUNS.get(word) == act for word in self.about)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that could be read from a written policy. `text` is the whole policy."""

    text: str = ""
    states: tuple[StateRule, ...] = ()
    limits: tuple[Limit, ...] = ()
    confirmed: tuple[tuple[frozenset[str], str], ...] = ()  # acts that need a confirmation, with the sentence
    unread: tuple[str, ...] = ()


@reader
def rules(action: Action, context: Context) -> Rules:
    """The rules in the deployment's written policy."""
    return rules_in(policy_text(context.facts))


def policy_text(facts: Mapping[str, object]) -> str:
    """The texts of the facts in POLICY_FACTS, cut at MOST_CHARACTERS."""
    texts = [text for name in POLICY_FACTS for _, text in strings_in(facts.get(name))]
    return "\n".join(texts)[:MOST_CHARACTERS]


@Sliced
def rules_in(text: str) -> Work[Rules]:
    """The rules in a text. They are cached, because all actions of a deployment have the same text."""
    known = _known(text)
    if not known:
        known.append((yield from _read(text)))
    return known[0]


@functools.lru_cache(maxsize=16)
def _known(_: str) -> list[Rules]:
    """The cache entry of a text: empty, or a list with its rules once they are read."""
    return []


def _read(text: str) -> Work[Rules]:
    states: list[StateRule] = []
    limits: list[Limit] = []
    confirmed: list[tuple[frozenset[str], str]] = []
    unread: list[str] = []
    for sentence in _sentences(text):
        lower = sentence.lower().replace("\u2019", "'")
        found = [*_state_rules(sentence, lower)]
        capped = [*_limits(sentence, lower)]
        asks = _confirmation(sentence, lower)
        states += found
        limits += capped
        confirmed += asks
        if not (found or capped or asks) and _COMMANDS.search(lower):
            unread.append(sentence)
        yield
    return Rules(text, tuple(states), tuple(limits), tuple(confirmed), tuple(unread[:100]))


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text):
        plain = sentence.strip(" -*#>\t")
        if plain:
            yield plain[:LONGEST_SENTENCE]


def _state_rules(sentence: str, lower: str) -> Iterator[StateRule]:
    """The rules about states: "X can only be A-ed if it is S", "only S X may be A-ed", "S X cannot be…"."""
    parted = _CONDITION.search(lower)
    start = parted.start() if parted else 0
    modal = _MODAL.search(lower[parted.end() :] if parted else lower)
    modal_at = modal.start() + (parted.end() if parted else 0) if modal else len(lower)
    if parted and (_acts_in(lower[:start]) or not modal):
        rule, condition = lower[:start], lower[start:]
        negative = bool(_NEGATIVE.search(rule)) and not _ONLY.search(parted.group())
        if negative and _NEGATIVE.search(condition):
            return
    else:
        rule, condition = lower[modal_at:], lower[start:modal_at]
        negative = bool(_NEGATIVE.search(rule))
    acts, only = _acts_in(rule), bool(_ONLY.search(lower)) and not negative
    states = state_words(condition)
    if (acts or states) and (negative or (only and states)):
        yield StateRule(sentence, acts, states, only, _about(lower), condition)


def _is_all_of_it(before: tuple[str, ...], behind: tuple[str, ...]) -> bool:
    """Whether the words around the name of a class leave it the same class."""
    return (not before or before[-1] in _PLAIN) and (not behind or behind[0] not in _GRADES)


def _acts_in(text: str) -> frozenset[str]:
    return frozenset(filter(None, map(act_of, words(text))))


def _about(text: str) -> frozenset[str]:
    return frozenset([singular(word) for word in words(text)])


def _limits(sentence: str, lower: str) -> Iterator[Limit]:
    cap = _CAP.search(lower)
    if not cap or (_ABOVE.fullmatch(cap.group()) and not _STOPS.search(lower)):  # `no more than` is a cap by itself
        return
    for share in _PERCENT.finditer(lower):
        yield Limit(sentence, _about(lower), number(share.group(1)) or 0.0, is_percent=True)
        return
    if _SHARED_OUT.search(_ONE_AT_A_TIME.sub("", lower)):
        return  # the limit depends on the number of things
    for each in sums_in(sentence[cap.start() :])[:1]:
        yield Limit(sentence, _about(lower), each.amount, each.currency)
        return
    spelled = _NUMERAL.sub(lambda word: str(_NUMERALS[word.group(1)]), lower[cap.start() :])
    for count in _COUNTED.finditer(spelled):
        yield Limit(sentence, _about(lower), number(count.group(1)) or 0.0, unit=singular(count.group(2)))
        return


def _confirmation(sentence: str, lower: str) -> Collection[tuple[frozenset[str], str]]:
    if not _CONFIRM.search(lower) or not _DEMANDS.search(lower):
        return ()
    about = _about(lower)
    if about.isdisjoint({"user", "customer", "client", "member", "passenger", "caller", "guest", "patient"}):
        return ()
    acts = frozenset() if not about.isdisjoint(_ALL_WRITES) else _acts_in(lower)
    return ((acts, sentence),) if acts or not about.isdisjoint(_ALL_WRITES) else ()
