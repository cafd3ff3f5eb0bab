"""What a session's past shows, by bounded work in the host, so that an ordinary action after a quiet past waits for no
worker.

Some specialists judge every action that has a past: whether it repeats a call, whether the last output imitates the
user, whether an output dictated it. Most pasts hold none of that. Each output is looked at once, when it is observed,
and what it shows is kept with the history. When in doubt a sign is there: a sign too many costs a worker's turn, one
too few would change a verdict.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import Flag, auto
from typing import Any, NamedTuple

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.history.past import remembered
from supervisor.evidence.prose.disguise import hidden_in
from supervisor.evidence.prose.passages import fold, holds, plainly
from supervisor.evidence.prose.wording import spaced
from supervisor.evidence.provenance.fields import squeezed_sentences
from supervisor.evidence.provenance.instructions import speaks_to_agent
from supervisor.evidence.provenance.intents import READ, intents_of
from supervisor.evidence.provenance.machine_readers import may_speak_of_machine
from supervisor.evidence.provenance.spellings import may_name
from supervisor.evidence.provenance.wishes import EDITING, RUNNING
from supervisor.history import History
from supervisor.specialist import DICTATED, IMITATED, REPEATED

MOST_BYTES = 64 * 1024  # of a step that is looked at here: some 4 ms
_MOST_READ = 8 * 1024  # characters of an output that is searched for orders; a longer one may be cut where it is judged
_MOST_SPOKEN = 32 * 1024  # the same, of an output that speaks to an agent
_MOST_NEW = 4  # steps that a decision looks at; a session that was told at once is left to the workers
_LATEST = 20  # steps that may be repeated: as far as any judge of repetition looks
_COMPARED = 512  # characters of each argument
_LIMITS = frozenset({"max_alternations", "max_failed_repeats", "max_same_repeats"})  # facts; a bad one is reported
_EVERY = frozenset({DICTATED, IMITATED, REPEATED})


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
        self.overreaches_from = sys.maxsize  # the first step that may do so beyond any procedure
        self.bids_from = sys.maxsize  # the first step that may tell whoever works by machine what to do
        self.addressing: set[int] = set()  # the steps that may address it
        self.ordering: set[int] = set()  # the steps that may have an order, whomever it is for
        self.sentences: list[str] = []  # for each step, its sentences as one text without spaces
        self.preconditions: list[str] = []  # the same of those that say what comes first

    def take(self, number: int, step: Step, size: int) -> None:
        heard, sentences, preconditions = _shown(step, size)
        if heard & (Heard.DIRECTS | Heard.UNREAD):
            self.directs_from = min(self.directs_from, number)
        if heard & (Heard.OVERREACHES | Heard.UNREAD):
            self.overreaches_from = min(self.overreaches_from, number)
        if heard & (Heard.BIDS | Heard.UNREAD):
            self.bids_from = min(self.bids_from, number)
        if heard & (Heard.ADDRESSES | Heard.UNREAD):
            self.addressing.add(number)
        if heard & (Heard.ORDERS | Heard.UNREAD):
            self.ordering.add(number)
        self.calls[number : number + 1] = [_call_of(step)]
        self.sentences[number : number + 1] = [sentences]
        self.preconditions[number : number + 1] = [preconditions]
        self.heard[number : number + 1] = [heard]  # last, because its length says what has been taken


def look_at(history: History) -> None:
    """Looks at the steps that were added since the last time, and reads an output that may address the agent."""
    _look_at(history, _observed(history))


def signs_of_past(action: Action, context: Context) -> frozenset[str]:
    """What the past of an action shows of `supervisor.specialist.PAST_SIGNS`."""
    history = context.history
    if not history:
        return frozenset()
    if context.ran is not None or not isinstance(history, History):
        return _EVERY
    return frozenset(_signs(action, context, history))


def _signs(action: Action, context: Context, history: History) -> Iterator[str]:
    past, steps = _observed(history), len(history)
    is_told_at_once = steps - len(past.heard) > _MOST_NEW
    if not is_told_at_once:
        _look_at(history, past)
    first = max(0, steps - _LATEST)
    latest = past.calls[first:steps] if not is_told_at_once else [*map(_call_of, history[first:])]
    if not _LIMITS.isdisjoint(context.facts) or _may_repeat(action, latest):
        yield REPEATED
    if is_told_at_once:
        yield from (DICTATED, IMITATED)
        return
    if past.heard[steps - 1] & (Heard.CLAIMS | Heard.UNREAD):
        yield IMITATED
    if _may_be_dictated(action, context, past, steps):
        yield DICTATED


def _observed(history: History) -> Observed:
    """What each step showed. A caller keeps to one object: another thread's evidence may evict it from the history."""
    return remembered(history, look_at, Observed)


def _look_at(history: History, past: Observed) -> None:
    for number in range(len(past.heard), len(history)):
        past.take(number, history[number], history.bytes_of(number))


class _Shown(NamedTuple):
    """What an output shows, and where it is read its sentences, and those that say what comes first, as texts without
    spaces."""

    heard: Heard
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
    from supervisor.evidence.provenance.utterances import Utterance
    from supervisor.methods.injection_index import InjectionIndex
    from supervisor.methods.injection_prefilter import OVERREACHING

    said = Utterance(0, f"{plain}\n{hidden}", encodes=bool(hidden))
    heard = Heard.ORDERS if said.orders else Heard.NOTHING
    heard |= Heard.BIDS if said.biddings else Heard.NOTHING
    if speaks and any(order.signals["turn"] or order.signals["claim"] for order in said.orders):
        heard |= Heard.CLAIMS
    if directed := InjectionIndex(said).directed:
        heard |= Heard.ADDRESSES | (Heard.DIRECTS if speaks else Heard.NOTHING)
        heard |= Heard.OVERREACHES if speaks and directed & OVERREACHING else Heard.NOTHING
    first = [each for each in said.passages if comes_first(each.folded)] if comes_first(said.words.text) else []
    return _Shown(heard, squeezed_sentences(said.passages), squeezed_sentences(first))


def _may_be_dictated(action: Action, context: Context, past: Observed, steps: int) -> bool:
    """Whether an output may be the source of an action. Of code or a command: any output if it has an address, else one
    that directs the agent beyond any procedure. Of an act that reaches others: any output. Of a reading or an edit: one
    of the latest that may address the agent. Of another act: one of the latest that orders anything. Of all but an
    edit: one of the latest that states a value of it in a sentence, of a reading one that says what comes first."""
    from supervisor.evidence.provenance.utterances import MAX_STEPS
    from supervisor.evidence.session.marks import marks_given
    from supervisor.methods.injection_prefilter import OUTSIDE
    from supervisor.methods.parts import REACHES_OTHERS

    intents = intents_of(action.kind, fold(spaced(action.tool)))
    if intents & REACHES_OTHERS or past.bids_from < steps:
        return True
    if action.kind in RUNNING:
        return past.overreaches_from < steps or may_name(action, OUTSIDE)
    latest = range(max(0, steps - MAX_STEPS), steps)
    shown = past.addressing if action.kind in EDITING or intents == {READ} else past.ordering
    if past.directs_from < steps or any(number in shown for number in latest):
        return True
    if action.kind in EDITING:
        return False
    if any(marks_given(action)):
        return True
    texts = past.preconditions if intents == {READ} else past.sentences
    return _takes_stated(action, context, [texts[number] for number in latest])


def _takes_stated(action: Action, context: Context, texts: Sequence[str]) -> bool:
    """Whether one of these texts may state a value of the action that the task does not have, or name one of its
    switches."""
    from supervisor.evidence.provenance import folded_task
    from supervisor.evidence.provenance.spellings import values_of
    from supervisor.evidence.session.riders import switches_of

    task = folded_task(context)
    values = (value for value in values_of(action, context) if value.whole or value.distinctive)
    sought = [
        each for value in values if not any(holds(task, each) for each in value.spellings) for each in value.spellings
    ]
    squeezed = [each.replace(" ", "") for each in (*sought, *switches_of(action))]
    return any(each in text for text in texts for each in squeezed)


def _may_repeat(action: Action, latest: Sequence[Call]) -> bool:
    """Whether one of the latest steps may be the same call, apart from spaces. Long texts are compared by their
    beginnings."""
    same = [call for call in latest if call.tool == action.tool]
    if not same:
        return False
    args = _call_of(action).args
    return any(
        call.args.keys() == args.keys() and all(_may_equal(value, args[name]) for name, value in call.args.items())
        for call in same
    )


def _call_of(made: Action | Step) -> Call:
    args = {name: _squeezed(value) if isinstance(value, str) else value for name, value in made.args.items()}
    return Call(made.tool, args)


def _squeezed(text: str) -> tuple[str, bool]:
    return "".join(text[:_COMPARED].split()), len(text) <= _COMPARED


def _may_equal(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        (first, one_is_whole), (second, other_is_whole) = one, other
        if one_is_whole and other_is_whole:
            return bool(first == second)
        return bool(first.startswith(second) or second.startswith(first))
    return isinstance(one, (Mapping, list, tuple)) or bool(one == other)
