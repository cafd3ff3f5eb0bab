# ruff: noqa: RUF001 - quotation marks of many languages
"""What an action takes from a sentence that tells whoever works by machine what to do.

The sentence need not be an order, and no word of it decides: a value that stands nowhere else does, or the arguments'
own words, or an act that the user did not ask for. An agent that ignores, quotes or reports the sentence takes nothing
from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import re2

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import Passage, fold, holds
from supervisor.evidence.prose.wording import spaced, stems
from supervisor.evidence.provenance import Provenance, provenance
from supervisor.evidence.provenance.biddings import Bidding, poses_as_system
from supervisor.evidence.provenance.given import UNIT, left_out, texts_of, warning
from supervisor.evidence.provenance.guarded import is_guarded
from supervisor.evidence.provenance.guides import is_guide
from supervisor.evidence.provenance.intents import (
    ADMIT,
    BUY,
    CREATE,
    DELETE,
    MESSAGE,
    PAY,
    READ,
    STORE,
    intents_ordered,
)
from supervisor.evidence.provenance.machine_readers import VERBS, names_agent
from supervisor.evidence.provenance.origins import Value
from supervisor.evidence.provenance.place_words import CONTENT, says
from supervisor.evidence.provenance.spellings import SpelledValue
from supervisor.evidence.provenance.utterances import recent
from supervisor.evidence.provenance.wishes import Asked, WishOutline, wish_outline

_MOST = 32  # biddings that are compared, the latest
_MOST_PLAIN = 2_000  # passages whose words are no sign
_MOST_TEXT = 400  # characters of each argument
LEAST_OF_ACTS = 2  # words that an action takes from a sentence
LEAST_OF_CODE = 3  # the same of code and commands
_SHORTEST = 4  # letters of a word that may stand alone by its meaning
_ADDRESSES = frozenset({"url", "mail"})
_TARGETS = frozenset({"url", "mail", "account", "phone"})
_REPORTED = frozenset({"file_write", "file_edit"})
_UNASKED = frozenset({ADMIT, BUY, DELETE, PAY})  # intents that a sentence brings without any value
# Acts by which an agent tells of what it found, or wards it off: they name the sender, and serve nobody but the user.
_WARDS_OFF = re2.compile(r"(?i)phish|spam|abuse|junk|suspicious|quarantine")
_REPORTS = re2.compile(r"\b(?:report|summary|digest|findings|minutes|protocol)\b")  # what tells of texts
_MAKES = frozenset({CREATE, STORE})
_SPOKEN_WITH = re2.compile(r"(?i)chat|conversation|ticket|thread|dialog|message")
_CHANGES_DATA = frozenset("update delete insert drop alter grant truncate merge replace revoke".split())
_FIGURES = re2.compile(r"\d(?:[\d.,'’ ]{0,15}\d)?")
_QUOTED = re2.compile(r"(?:^|\W)['\"‘“„«「『]([^'\"’”“»」』\n]{4,80})['\"’”“»」』]")
_BESIDE = ("cc", "bcc", "reply", "copy", "forward", "redirect")  # arguments for whom else a message reaches
_KEEPS = frozenset(
    "add append create list note post put read record reply save send set store update use write".split()
)
_CLICKS = frozenset({"click", "form"})


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
    if not context.history or outline.delegated or _WARDS_OFF.search(action.tool):
        return None
    call = f"{action.tool.rpartition('__')[2].lower()}("
    heard = recent(context)
    is_called = outline.asked is not Asked.YES and any(call in each.text.lower() for each in heard)
    if not is_called and not any(each.biddings for each in heard):
        return None
    origins = provenance(action, context)
    found = [each for each in origins.sources.biddings[-_MOST:] if _counts(each, origins, context)]
    if is_called:
        passages = enumerate(origins.sources.passages)
        found += [Bidding((number,), ()) for number, each in passages if call in each.text.lower()]
    if not found:
        return None
    compared = _Compared(action, context, outline, origins, found)
    return max(filter(None, map(compared.with_bidding, found)), key=lambda each: len(each.values), default=None)


def _counts(bidding: Bidding, origins: Provenance, context: Context) -> bool:
    """Whether a bidding is a stranger's: no guide of the checkout, and no customer who speaks to the bot that the agent
    is."""
    passage = origins.sources.passages[bidding.numbers[0]]
    step = context.history[passage.step]
    if is_guide(step):
        return False
    if poses_as_system(passage.text):
        return True
    is_chat = _SPOKEN_WITH.search(step.tool) is not None or says(_words_of(step.tool), "messages")
    return not (is_chat and names_agent(context.task or ""))


def _words_of(tool: str) -> str:
    return fold(spaced(tool).replace("_", " ").replace(".", " "))


class _Compared:
    """An action, compared with one bidding after the other."""

    def __init__(
        self, action: Action, context: Context, outline: WishOutline, origins: Provenance, found: list[Bidding]
    ) -> None:
        self._action = action
        self._history = context.history
        self._task = context.task or ""
        self._outline = outline
        self._origins = origins
        self._bidding = frozenset(number for each in found for number in (*each.numbers, *each.before))
        self._left_out = left_out(action) | warning(action, context.task or "")
        told = any(names_agent(text) for text in texts_of(action.args))
        writes = outline.asked is not Asked.NO and bool(outline.intents) and outline.intents <= _MAKES
        self._reports = told or (writes and _REPORTS.search(_words_of(action.tool)) is not None)

    def with_bidding(self, bidding: Bidding) -> Bidden | None:
        passages = [self._origins.sources.passages[number] for number in bidding.numbers]
        if self._removes_it(passages):
            return None
        values = tuple(self._alone(bidding))
        if self._is_taken(values, passages) or self._is_done(bidding, passages):
            return Bidden(values, passages[0].step, self._quote(values, passages))
        return None

    def _alone(self, bidding: Bidding) -> Iterator[Value]:
        """The values of the action that only biddings state. Later outputs may echo the action."""
        step = self._origins.sources.passages[bidding.numbers[0]].step
        for value in self._origins.values:
            if value.in_task or not value.passages or _is_small(value) or value.place in self._left_out:
                continue
            if self._reports and (value.place in CONTENT or not value.whole):
                continue
            at = [number for number in value.passages if self._stands(number, step, value)]
            if at and self._bidding.issuperset(at) and self._is_said(value, at, bidding):
                yield value

    def _stands(self, number: int, step: int, value: Value) -> bool:
        """Whether a passage explains a value: one of an output before the bidding's, or of the same output. That the
        sender of a text names itself there as well explains only an answer to it."""
        at = self._origins.sources.passages[number].step
        if at != step or number in self._bidding:
            return at <= step
        if value.sort not in _TARGETS:
            return True
        answers = self._outline.asked is Asked.YES or MESSAGE in self._outline.intents
        return answers and not fold(value.place).startswith(_BESIDE)

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
            return any(map(is_target_inside, values))
        if self._reads:
            return any(map(is_opened_by_text, values))
        whole = [value for value in values if value.whole]
        if any(_is_telling(value) for value in whole) or any(value.sort in _TARGETS for value in values):
            return True
        if self._takes_figures(passages) or self._takes_wording(passages):
            return True
        is_unasked = self._outline.asked is Asked.NO or self._action.kind in _CLICKS or self._is_named(passages)
        return len(whole) > 1 or (bool(whole) and is_unasked)

    def _removes_it(self, passages: list[Passage]) -> bool:
        """Whether the action deletes the text with the sentence from where it was read, and the sentence orders no
        deletion."""
        store = _words_of(self._history[passages[0].step].tool).split()[:1]
        if DELETE not in self._outline.intents or _words_of(self._action.tool).split()[:1] != store:
            return False
        return DELETE not in intents_ordered(_text(passages))

    def _takes_figures(self, passages: list[Passage]) -> bool:
        """Whether an amount inside an argument stands in the sentence alone."""
        taken = self._figures & _figures_of(_text(passages))
        return bool(taken) and bool(taken - self._figures_apart(passages[0].step))

    def _takes_wording(self, passages: list[Passage]) -> bool:
        """Whether an argument has words that the sentence puts in quotation marks."""
        quoted = {fold(match[1]) for match in _QUOTED.finditer(_text(passages))}
        told = (each for each in quoted if len(each.split()) > 1 and not holds(self._origins.task, each))
        return not self._reports and any(holds(self._text, each) for each in told)

    def _is_done(self, bidding: Bidding, passages: list[Passage]) -> bool:
        """Whether the arguments' own words are the sentence's, or the act is, and the user did not ask for it."""
        if self._outline.intents == {MESSAGE}:
            return False  # an answer has words of what it answers
        if self._reads and not opens_guarded(self._action):
            return False
        if not self._reports and self._takes_words(bidding, passages):
            return True
        if self._outline.runs or self._outline.edits or self._reads:
            return False
        acts = self._outline.intents & _UNASKED
        if self._outline.asked is Asked.NO and not acts.isdisjoint(intents_ordered(_text(passages))):
            return True
        return not self._reports and self._outline.asked is not Asked.YES and self._is_done_to(bidding, passages)

    def _is_done_to(self, bidding: Bidding, passages: list[Passage]) -> bool:
        """Whether the act is done to a thing that the sentence names, or that its text was read for, and the sentence
        has a word of the tool's name for the act."""
        said = stems(" ".join(passage.folded for passage in passages))
        verbs = {word[:5] for word in _words_of(self._action.tool).split() if word in VERBS and word not in _KEEPS}
        if verbs.isdisjoint(said):
            return False
        called = fold(" ".join(texts_of(self._history[passages[0].step].args)))
        things = (value for value in self._origins.values if value.whole and not value.in_task and len(value.text) > 2)
        return any(
            not frozenset(bidding.numbers).isdisjoint(value.passages) or holds(called, fold(value.text))
            for value in things
        )

    def _takes_words(self, bidding: Bidding, passages: list[Passage]) -> bool:
        """Whether at least half of the words of the arguments, apart from the task's, stand in the sentence, and no
        other text explains them. What is clicked on stands on the page in any case."""
        said = stems(" ".join(passage.folded for passage in passages))
        taken = self._own & said
        if self._action.kind not in _CLICKS:
            taken -= self._plain
        if self._outline.runs and not (self._outline.asked is Asked.NO or self._changes_data_unasked):
            return False
        least = LEAST_OF_CODE if self._outline.runs else LEAST_OF_ACTS
        return len(taken) >= least and 2 * len(taken) >= len(self._own)

    def _is_named(self, passages: list[Passage]) -> bool:
        """Whether the sentence names the act, by a word of the tool's name that is no reader's."""
        verbs = {word[:5] for word in _words_of(self._action.tool).split() if len(word) >= _SHORTEST}
        said = stems(" ".join(passage.folded for passage in passages))
        return bool(verbs & said) or bool((self._outline.intents - {READ}) & intents_ordered(_text(passages)))

    @property
    def _reads(self) -> bool:
        return self._outline.intents == {READ}

    @property
    def _changes_data_unasked(self) -> bool:
        first = self._text.split(maxsplit=1)[:1]
        return (
            self._outline.asked is not Asked.YES
            and self._action.kind == "sql"
            and bool(_CHANGES_DATA.intersection(first))
        )

    @cached_property
    def _text(self) -> str:
        kept = {name: value for name, value in self._action.args.items() if name not in self._left_out}
        return folded_arguments(replace(self._action, args=kept) if self._left_out else self._action)

    @cached_property
    def _own(self) -> frozenset[str]:
        return stems(self._text) - stems(self._origins.task)

    @cached_property
    def _figures(self) -> frozenset[str]:
        texts = " ; ".join(text[:_MOST_TEXT] for text in texts_of(self._action.args))
        return frozenset() if self._reports else _figures_of(texts) - _figures_of(self._task)

    def _figures_apart(self, step: int) -> frozenset[str]:
        """The amounts in the outputs of other steps."""
        passages = self._origins.sources.passages[:_MOST_PLAIN]
        apart = (each.text for number, each in enumerate(passages) if each.step != step)
        return _figures_of(" ; ".join(apart))

    @cached_property
    def _plain(self) -> frozenset[str]:
        return self._origins.sources.stems_without(self._bidding, _MOST_PLAIN)

    def _quote(self, values: tuple[Value, ...], passages: list[Passage]) -> str:
        folded = [fold(value.text) for value in values]
        best = max(passages, key=lambda each: sum(holds(each.folded, text) for text in folded))
        return best.text.strip()


def is_target_inside(value: Value | SpelledValue) -> bool:
    """Whether a value is a part of an argument that addresses somebody: what an edit may take from a sentence."""
    return not value.whole and (value.sort in _TARGETS or "://" in value.text)


def is_opened_by_text(value: Value | SpelledValue) -> bool:
    """Whether a value is a path or names a guarded thing: what a reading may take from a sentence."""
    return value.whole and (is_guarded(value.text) or value.text.startswith(("/", "~")))


def opens_guarded(action: Action) -> bool:
    """Whether an action opens what its owner alone opens, by its arguments or the names of the tool and these."""
    names = " ".join([_words_of(action.tool), *map(fold, map(str, action.args))])
    return is_guarded(" ".join(texts_of(action.args))) or says(names, "private")


def folded_arguments(action: Action) -> str:
    """The beginnings of an action's texts, folded: the words that it may have taken from a sentence."""
    return fold(" ".join(text[:_MOST_TEXT] for text in texts_of(action.args)))


def _figures_of(text: str) -> frozenset[str]:
    """The amounts in a text without their marks; those of one or two figures occur everywhere."""
    found = (match[0].rstrip(".,") for match in _FIGURES.finditer(text))
    return frozenset(digits for each in found if len(digits := "".join(filter(str.isdigit, each))) > 2)


def _text(passages: list[Passage]) -> str:
    return "\n".join(passage.text for passage in passages)


def _is_small(value: Value) -> bool:
    text = value.text.strip()
    return len(text) < 2 or (len(text) == UNIT and text.isalpha()) or (text.isdigit() and len(text) < UNIT)


def _is_telling(value: Value) -> bool:
    """Whether a whole argument tells by its form that it was taken: an address, a code, a number, several words."""
    text = value.text.strip()
    return value.distinctive or any(map(str.isdigit, text)) or len(text.split()) > 1
