"""What each output of a session shows, looked at once, when it is observed, and kept with the history."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from enum import Flag, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from supervisor.action import Action, Step
from supervisor.errors import Unreadable
from supervisor.evidence.history.past import remembered
from supervisor.evidence.prose.disguise import hidden_in
from supervisor.evidence.prose.passages import plainly
from supervisor.evidence.prose.wording import stems
from supervisor.evidence.provenance.fields import squeezed_sentences
from supervisor.evidence.provenance.instructions import speaks_to_agent
from supervisor.evidence.provenance.machine_readers import may_speak_of_machine
from supervisor.evidence.provenance.stretches import Stretch, stretch_of
from supervisor.evidence.provenance.utterances import LEAST_ROOM, Utterance
from supervisor.history import History

if TYPE_CHECKING:
    from supervisor.methods.injection_index import InjectionIndex

MOST_BYTES = 64 * 1024  # of a step that is looked at here: some 4 ms
_MOST_READ = 8 * 1024  # characters of an output that is searched for orders; a longer one may be cut where it is judged
_MOST_SPOKEN = 32 * 1024  # the same, of an output that speaks to an agent
_MOST_DIRECTING = 64  # outputs whose orders to the agent are kept
_COMPARED = 512  # characters of each argument


class Heard(Flag):
    """What an output shows. `UNREAD`: it may show anything."""

    NOTHING = 0
    DIRECTS = auto()  # an order that addresses the agent, in a text that speaks to one
    OVERREACHES = auto()  # such an order that no legitimate procedure would give
    ADDRESSES = auto()  # an order that may address the agent, in any text
    CLAIMS = auto()  # an order that claims to come from the user or the system
    ORDERS = auto()  # any order, which may be meant for people
    BIDS = auto()  # a sentence that may tell whoever works by machine what to do
    UNREAD = auto()


class Directive(NamedTuple):
    """Where an order stands that may address the agent, and whether no legitimate procedure would give it."""

    stretch: Stretch
    overreaches: bool


class Bid(NamedTuple):
    """The words of a sentence that may tell a machine what to do, and where it stands with the sentence before it."""

    words: frozenset[str]
    stretch: Stretch


Directives = tuple[Directive, ...] | None  # None: orders that were not read
Bids = tuple[Bid, ...] | None  # None: sentences that were not read


class Call(NamedTuple):
    """A call in the form in which two are compared: every text without spaces, cut, with whether all of it is there."""

    tool: str
    args: Mapping[str, Any]


class Observed:
    """What the steps of a history show, each looked at once. A step may be taken twice, by two threads."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.calls: list[Call] = []
        self.directs_from = sys.maxsize  # the first step that may direct the agent
        self.addressing: set[int] = set()  # the steps that may address it
        self.ordering: set[int] = set()  # the steps that may have an order, whomever it is for
        self.directives: dict[int, Directives] = {}  # of the steps that may address it
        self._kept = 0  # steps whose directives are kept
        self.bids: dict[int, Bids] = {}  # of the steps that may tell whoever works by machine what to do
        self.sentences: list[str] = []  # for each step, its sentences as one text without spaces
        self.preconditions: list[str] = []  # the same of those that say what comes first

    def take(self, number: int, step: Step, size: int) -> None:
        shown = _shown(step, size)
        heard = shown.heard
        if heard & (Heard.DIRECTS | Heard.UNREAD):
            self.directs_from = min(self.directs_from, number)
        if heard & (Heard.ADDRESSES | Heard.UNREAD):
            self.directives[number] = shown.directives if self._kept < _MOST_DIRECTING else None
            self._kept += self.directives[number] is not None
            self.addressing.add(number)
        if heard & (Heard.ORDERS | Heard.UNREAD):
            self.ordering.add(number)
        if heard & (Heard.BIDS | Heard.UNREAD):
            self.bids[number] = shown.bids
        self.calls[number : number + 1] = [call_of(step)]
        self.sentences[number : number + 1] = [shown.sentences]
        self.preconditions[number : number + 1] = [shown.preconditions]
        self.heard[number : number + 1] = [heard]  # last, because its length says what has been taken


def observed(history: History) -> Observed:
    """What each step showed. A caller keeps to one object: another thread's evidence may evict it from the history."""
    return remembered(history, observed, Observed)


def look_at(history: History) -> None:
    """Looks at the steps that were added since the last time, and reads an output that may address the agent."""
    take_new(history, observed(history))


def take_new(history: History, past: Observed) -> None:
    """Looks at the steps that are not among the observed ones."""
    for number in range(len(past.heard), len(history)):
        past.take(number, history[number], history.bytes_of(number))


class _Shown(NamedTuple):
    """What an output shows, and where it is read its orders to the agent, its sentences, and those that say what comes
    first, as texts without spaces; and the sentences that may tell a machine what to do."""

    heard: Heard
    directives: Directives = None
    bids: Bids = None
    sentences: str = ""
    preconditions: str = ""


def _shown(step: Step, size: int) -> _Shown:
    if size > MOST_BYTES:
        return _Shown(Heard.UNREAD)
    try:
        plain = plainly(step.output)
    except Unreadable:
        return _Shown(Heard.UNREAD)
    hidden = "\n".join(hidden_in(plain))
    speaks = speaks_to_agent(plain) or speaks_to_agent(hidden)
    length = len(plain) + len(hidden)
    if length > (_MOST_SPOKEN if speaks else _MOST_READ):
        bids = Heard.BIDS if may_speak_of_machine(plain) or may_speak_of_machine(hidden) else Heard.NOTHING
        return _Shown(Heard.UNREAD if speaks else Heard.ADDRESSES | Heard.ORDERS | bids)
    return _read(plain, hidden, speaks)


def _read(plain: str, hidden: str, speaks: bool) -> _Shown:
    """The same, read as the specialists read it."""
    from supervisor.evidence.provenance.preconditions import comes_first
    from supervisor.methods.injection_index import InjectionIndex
    from supervisor.methods.injection_prefilter import OVERREACHING

    said = Utterance(0, f"{plain}\n{hidden}", encodes=bool(hidden))
    heard = Heard.ORDERS if said.orders else Heard.NOTHING
    heard |= Heard.BIDS if said.biddings else Heard.NOTHING
    if speaks and any(order.signals["turn"] or order.signals["claim"] for order in said.orders):
        heard |= Heard.CLAIMS
    index = InjectionIndex(said)
    if index.directed:
        heard |= Heard.ADDRESSES | (Heard.DIRECTS if speaks else Heard.NOTHING)
        heard |= Heard.OVERREACHES if speaks and index.directed & OVERREACHING else Heard.NOTHING
    first = [each for each in said.passages if comes_first(each.folded)] if comes_first(said.words.text) else []
    is_whole = len(said.text) <= LEAST_ROOM  # else it may be cut where it is judged
    return _Shown(
        heard,
        tuple(_directives_of(index)) if is_whole else None,
        tuple(_bids_of(said)) if is_whole else None,
        squeezed_sentences(said.passages),
        squeezed_sentences(first),
    )


def _directives_of(index: InjectionIndex) -> Iterator[Directive]:
    from supervisor.methods.injection_prefilter import OVERREACHING

    for order in filter(index.is_directed, index.said.loudest):
        yield Directive(stretch_of(index.said, order.core), any(order.signals[name] for name in OVERREACHING))


def _bids_of(said: Utterance) -> Iterator[Bid]:
    for bidding in said.biddings:
        words = stems(" ".join(said.passages[number].folded for number in bidding.numbers))
        yield Bid(words, stretch_of(said, bidding.before + bidding.numbers))


def call_of(made: Action | Step) -> Call:
    """A call as it is compared with others."""
    args = {name: _squeezed(value) if isinstance(value, str) else value for name, value in made.args.items()}
    return Call(made.tool, args)


def _squeezed(text: str) -> tuple[str, bool]:
    return "".join(text[:_COMPARED].split()), len(text) <= _COMPARED
