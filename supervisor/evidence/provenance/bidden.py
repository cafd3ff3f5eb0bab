"""What an action takes from a sentence that tells whoever works by machine what to do.

The sentence need not be an order, and no word of it decides: a value that stands nowhere else does, or the arguments'
own words, or an act that the user did not ask for. An agent that ignores, quotes or reports the sentence takes nothing
from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import re2

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import Passage, fold, holds
from supervisor.evidence.prose.wording import spaced, stems
from supervisor.evidence.provenance import Provenance, provenance
from supervisor.evidence.provenance.biddings import Bidding
from supervisor.evidence.provenance.given import UNIT, texts_of
from supervisor.evidence.provenance.guides import is_guide
from supervisor.evidence.provenance.intents import CONSEQUENTIAL, GENERAL, MESSAGE, READ, intents_ordered
from supervisor.evidence.provenance.machine_readers import names_machine
from supervisor.evidence.provenance.origins import Value
from supervisor.evidence.provenance.place_words import CONTENT, says
from supervisor.evidence.provenance.wishes import Asked, WishOutline, wish_outline

_MOST = 32  # biddings that are compared, the latest
_MOST_PLAIN = 2_000  # passages whose words are no sign
_MOST_TEXT = 400  # characters of each argument
_SHORTEST = 4  # letters of a word that may stand alone by its meaning
_ADDRESSES = frozenset({"url", "mail"})
_TARGETS = frozenset({"url", "mail", "account", "phone"})
_REPORTED = frozenset({"file_write", "file_edit"})
_CLICKS = frozenset({"click", "form"})
# Things that nobody reads for another's word: a path out of the checkout, and what holds secrets or pay.
_GUARDED = re2.compile(
    r"(?i)secret|passw|credential|token|vault|private|confidential|salar|payroll|\.env\b|\.ssh|api.?key|gehalt|geheim|"
    r"kennwort|passwor|salaire|confiden|contraseñ|nómina|stipend|senha|wachtwoord|hasło|парол|зарплат|секрет|şifre|maaş|"
    r"jelszó|fizetés|mshahara|gaji|sandi|密码|工资|パスワード|給与|비밀번호|급여|كلمة|رواتب"
)


class Bidden(NamedTuple):
    """What an action takes from one sentence: values, or with none the act itself. `quote` is the sentence."""

    values: tuple[Value, ...]
    step: int
    quote: str


@reader
def bidden(action: Action, context: Context) -> Bidden | None:
    """The sentence to a machine that the action follows; None if there is none, or if the user left the work to a text.

    Raises Unreadable as `provenance` does.
    """
    outline = wish_outline(action, context)
    if not context.history or outline.delegated:
        return None
    origins = provenance(action, context)
    found = [each for each in origins.sources.biddings[-_MOST:] if _counts(each, origins, context)]
    if not found:
        return None
    compared = _Compared(action, context, outline, origins, found)
    return max(filter(None, map(compared.with_bidding, found)), key=lambda each: len(each.values), default=None)


def _counts(bidding: Bidding, origins: Provenance, context: Context) -> bool:
    """Whether a bidding is a stranger's: no guide of the checkout, and no customer who speaks to the bot that the agent
    is."""
    step = context.history[origins.sources.passages[bidding.numbers[0]].step]
    if is_guide(step):
        return False
    is_chat = says(fold(spaced(step.tool).replace("_", " ").replace(".", " ")), "messages") or "chat" in step.tool
    return not (is_chat and names_machine(context.task or ""))


class _Compared:
    """An action, compared with one bidding after the other."""

    def __init__(
        self, action: Action, context: Context, outline: WishOutline, origins: Provenance, found: list[Bidding]
    ) -> None:
        self._action = action
        self._history = context.history
        self._outline = outline
        self._origins = origins
        self._bidding = frozenset(number for each in found for number in (*each.numbers, *each.before))
        self._reports = any(names_machine(text) for text in texts_of(action.args))

    def with_bidding(self, bidding: Bidding) -> Bidden | None:
        passages = [self._origins.sources.passages[number] for number in bidding.numbers]
        values = tuple(self._alone(bidding))
        if self._is_taken(values, passages) or self._is_done(bidding, passages):
            return Bidden(values, passages[0].step, self._quote(values, passages))
        return None

    def _alone(self, bidding: Bidding) -> Iterator[Value]:
        """The values of the action that only biddings state. Later outputs may echo the action."""
        step = self._origins.sources.passages[bidding.numbers[0]].step
        for value in self._origins.values:
            if value.in_task or not value.passages or _is_small(value):
                continue
            if self._reports and (value.place in CONTENT or not value.whole):
                continue
            at = [number for number in value.passages if self._origins.sources.passages[number].step <= step]
            if at and self._bidding.issuperset(at) and self._is_said(value, at, bidding):
                yield value

    def _is_said(self, value: Value, at: list[int], bidding: Bidding) -> bool:
        if not frozenset(bidding.numbers).isdisjoint(at):
            return True
        is_told = self._outline.asked is not Asked.YES or not value.whole
        return is_told and value.sort in _TARGETS and not frozenset(bidding.before).isdisjoint(at)

    def _is_taken(self, values: tuple[Value, ...], passages: list[Passage]) -> bool:
        """Whether the values show that the action follows the sentence."""
        if self._outline.runs:
            return any(value.sort in _ADDRESSES for value in values)
        if self._outline.edits:
            return any(value.sort in _TARGETS or "://" in value.text for value in values if not value.whole)
        whole = [value for value in values if value.whole]
        if self._reads:
            return any(_GUARDED.search(value.text) or value.text.startswith(("/", "~")) for value in whole)
        if any(_is_telling(value) for value in whole) or any(value.sort in _TARGETS for value in values):
            return True
        return len(whole) > 1 or (bool(whole) and (self._outline.asked is Asked.NO or self._is_named(passages)))

    def _is_done(self, bidding: Bidding, passages: list[Passage]) -> bool:
        """Whether the arguments' own words are the sentence's, or the act is, and the user did not ask for it."""
        if self._outline.intents == {MESSAGE}:
            return False  # an answer has words of what it answers
        if not self._reports and self._takes_words(bidding, passages):
            return True
        if self._outline.runs or self._outline.edits or self._reads:
            return False
        acts = self._outline.intents & CONSEQUENTIAL - GENERAL - {MESSAGE}
        if self._outline.asked is Asked.NO and not acts.isdisjoint(intents_ordered(_text(passages))):
            return True
        shared = [value for value in self._origins.values if value.whole and not value.in_task]
        has_target = any(not frozenset(bidding.numbers).isdisjoint(value.passages) for value in shared)
        return has_target and self._outline.asked is not Asked.YES and self._is_named(passages)

    def _takes_words(self, bidding: Bidding, passages: list[Passage]) -> bool:
        """Whether at least half of the words of the arguments, apart from the task's, stand in the sentence, and no
        other text explains them. What is clicked on stands on the page in any case."""
        said = stems(" ".join(passage.folded for passage in passages))
        taken = self._own & said
        if self._action.kind not in _CLICKS:
            taken -= self._plain
        least = 4 if self._outline.runs else 2
        if self._outline.runs and self._outline.asked is not Asked.NO:
            return False
        return len(taken) >= least and 2 * len(taken) >= len(self._own)

    def _is_named(self, passages: list[Passage]) -> bool:
        """Whether the sentence names the act, by a word of the tool's name that is no reader's."""
        words = fold(spaced(self._action.tool).replace("_", " ").replace(".", " ")).split()
        verbs = {word[:5] for word in words if len(word) >= _SHORTEST}
        said = stems(" ".join(passage.folded for passage in passages))
        return bool(verbs & said) or bool((self._outline.intents - {READ}) & intents_ordered(_text(passages)))

    @property
    def _reads(self) -> bool:
        return self._outline.intents == {READ}

    @cached_property
    def _own(self) -> frozenset[str]:
        text = fold(" ".join(text[:_MOST_TEXT] for text in texts_of(self._action.args)))
        return stems(text) - stems(self._origins.task)

    @cached_property
    def _plain(self) -> frozenset[str]:
        passages = self._origins.sources.passages[:_MOST_PLAIN]
        plain = (each.folded for number, each in enumerate(passages) if number not in self._bidding)
        return stems(" ".join(plain))

    def _quote(self, values: tuple[Value, ...], passages: list[Passage]) -> str:
        folded = [fold(value.text) for value in values]
        best = max(passages, key=lambda each: sum(holds(each.folded, text) for text in folded))
        return best.text.strip()


def _text(passages: list[Passage]) -> str:
    return "\n".join(passage.text for passage in passages)


def _is_small(value: Value) -> bool:
    text = value.text.strip()
    return len(text) < 2 or (len(text) == UNIT and text.isalpha()) or (text.isdigit() and len(text) < UNIT)


def _is_telling(value: Value) -> bool:
    """Whether a whole argument tells by its form that it was taken: an address, a code, a number, several words."""
    text = value.text.strip()
    return value.distinctive or any(map(str.isdigit, text)) or len(text.split()) > 1
