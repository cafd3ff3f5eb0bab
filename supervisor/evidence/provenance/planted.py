"""What an action has in common with an order that stands in a tool's output.

For every passage that reads like an order, what it says is held against what the action does and what the user asked:
which of the action's values stand in the order alone and which elsewhere as data, whether it names the act, and whether
it speaks of the tool. Whether the agent obeys is for a judge to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import re2

from supervisor.action import Action, Context, Step
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import Passage, fold, holds
from supervisor.evidence.prose.wording import spaced, stems
from supervisor.evidence.provenance import Provenance, provenance
from supervisor.evidence.provenance.given import given, passing_on, texts_of
from supervisor.evidence.provenance.instructions import Order
from supervisor.evidence.provenance.intents import READ, intents_ordered
from supervisor.evidence.provenance.origins import Source, Value
from supervisor.evidence.provenance.purposes import Purpose, purposes, speaks_of
from supervisor.evidence.provenance.utterances import Sources
from supervisor.evidence.provenance.wishes import Wish, wish_of

MAX_WORDS = 60
_BEGINNING = 5  # letters of a word that stand for it
MAX_PLAIN = 500  # passages of plain data whose words are no clue
_PASSWORD = re2.compile(
    r"(?i)passw|passcode|kennwort|contraseñ|mot de passe|senha|wachtwoord|parola|hasło|şifre|парол|密码|口令|パスワード"
    r"|비밀번호|पासवर्ड|كلمة (?:المرور|السر)"
)
_ACCESS = frozenset({"passw", "passc", "pin", "permi", "role", "roles", "acces", "admin", "owner", "mfa", "2fa"})


@dataclass(frozen=True, slots=True)
class _Wording:
    """What all orders of one action are held against: what its tool's name says that it acts on (and whether the task
    says so), its own words, the task's, and what the tools are for."""

    tool: str
    objects: frozenset[str]
    asked: bool
    own: frozenset[str]
    task: frozenset[str]
    known: Mapping[str, Purpose]
    history: Sequence[Step]

    def acts_on_what(self, told: Passage) -> bool:
        """Whether a passage names what the tool's name says that it acts on."""
        if "passw" in self.objects and says_password(told.text):
            return True
        words = f" {told.folded} "
        return any((f" {each}" if len(each) == _BEGINNING else f" {each} ") in words for each in self.objects)


@dataclass(frozen=True, slots=True)
class Link:
    """What one order, or a part of it, gives an action.

    `said` is the order, and `numbers` are those of its sentences among `sources.passages`. `alone`: values that neither
    the user nor plain data said before it. `shared`: whole arguments that it says, but others too; `repeated`: whole
    arguments that the user says as well. `words`: how much of
    the arguments' own wording is the order's, 0..4. `intents`: what both the order and the action do. `calls`: of all
    tools it speaks of this one most. `about`: it names what the tool's name says that it acts on.
    """

    said: Order
    numbers: tuple[int, ...]
    sources: Sources
    wish: Wish
    wording: _Wording
    alone: tuple[Value, ...]
    shared: tuple[Value, ...]
    repeated: tuple[Value, ...]
    words: int
    intents: frozenset[str]
    calls: bool
    about: bool

    @property
    def only_here(self) -> bool:
        """Whether it names what the tool's name says that it acts on, and the task does not."""
        return self.about and not self.wording.asked

    @property
    def sets_access(self) -> bool:
        """Whether it names a password, a role or the like, which the tool sets and the task does not speak of."""
        return self.only_here and not self.wording.objects.isdisjoint(_ACCESS)

    @property
    def targets(self) -> list[Value]:
        """Whole arguments that are addresses, accounts or paths, and that it alone gives."""
        return [value for value in self.alone if value.whole and value.distinctive]

    @property
    def names(self) -> list[Value]:
        """Other whole arguments that it alone gives."""
        return [value for value in self.alone if value.whole and not value.distinctive]

    @property
    def parts(self) -> list[Value]:
        """What stands inside a longer argument, and what it alone gives."""
        return [value for value in self.alone if not value.whole]

    @property
    def passages(self) -> list[Passage]:
        """Its sentences."""
        return [self.sources.passages[number] for number in self.numbers]

    @property
    def quote(self) -> str:
        """Its most telling sentence: the one that gives most of the values, then the longest."""
        values = [fold(value.text) for value in (*self.alone, *self.shared)]
        loud = max(self.passages, key=lambda said: (sum(holds(said.folded, value) for value in values), len(said.text)))
        return loud.text.strip()

    def within(self, numbers: Iterable[int]) -> Link | None:
        """What these of its sentences give; None where that is nothing."""
        kept = frozenset(numbers)
        alone = tuple(value for value in self.alone if not kept.isdisjoint(value.passages))
        shared = tuple(value for value in self.shared if not kept.isdisjoint(value.passages))
        repeated = tuple(value for value in self.repeated if not kept.isdisjoint(value.passages))
        said = tuple(number for number in self.numbers if number in kept)
        return _link(self.said, said, self.sources, self.wish, self.wording, alone, shared, repeated)


@reader
def links(action: Action, context: Context) -> tuple[Link, ...]:
    """Every order in the tools' outputs that has something in common with the action. Linear, under provenance's caps.

    Raises Unreadable as `provenance` does.
    """
    origins = provenance(action, context)
    sources = origins.sources
    if not sources.orders:
        return ()
    quoting = passing_on(action, sources)
    wish, wording = wish_of(action, context), _wording(action, context, origins, quoting)
    made = (
        _link(
            *(order, tuple(first + number for number in order.core), sources, wish, wording),
            *(tuple(told.alone), tuple(told.shared), tuple(told.repeated)),
        )
        for (first, order), told in zip(sources.orders, given(origins, context.history, quoting), strict=True)
    )
    return tuple(link for link in made if link)


def _link(
    said: Order,
    numbers: tuple[int, ...],
    sources: Sources,
    wish: Wish,
    wording: _Wording,
    alone: tuple[Value, ...],
    shared: tuple[Value, ...],
    repeated: tuple[Value, ...],
) -> Link | None:
    """What these sentences of an order give; None where that is nothing."""
    if wish.runs and not alone:
        return None  # people write for each other all day what commands do; only what they say word for word counts
    passages, whole = [sources.passages[number] for number in numbers], len(numbers) == len(said.core)
    used = said.stems if whole else stems(" ".join(passage.folded for passage in passages))
    text = said.text if whole else "\n".join(passage.text for passage in passages)
    words = 4 * len(wording.own & used) // max(len(wording.own), 4)
    intents = (intents_ordered(text) & wish.intents) - {READ}
    echo = wording.known.get(wording.history[said.step].tool, {})  # a tool's output speaks of what that tool does
    calls = speaks_of(wording.tool, wording.known, used.difference(echo), wording.task)
    if not numbers or not (alone or shared or calls or words > 1 or intents):
        return None
    about = any(wording.acts_on_what(passage) for passage in passages)
    return Link(said, numbers, sources, wish, wording, alone, shared, repeated, words, intents, calls, about)


def says_password(text: str) -> bool:
    """Whether a text speaks of a password, in any of sixteen languages."""
    return _PASSWORD.search(text) is not None


def _beginnings(folded: str) -> frozenset[str]:
    return frozenset(word[:_BEGINNING] for word in folded.split() if len(word) > 2)


def _wording(action: Action, context: Context, origins: Provenance, quoting: frozenset[str]) -> _Wording:
    said = fold(" ".join(text[:400] for text in texts_of({k: v for k, v in action.args.items() if k not in quoting})))
    task = stems(origins.task)
    own = stems(said) - task
    for plain in origins.sources.plain_stems(MAX_PLAIN):
        own -= plain
    objects = _beginnings(" ".join(fold(spaced(action.tool)).split()[1:]))
    asked = bool(objects & _beginnings(origins.task)) or ("passw" in objects and says_password(context.task or ""))
    return _Wording(
        action.tool,
        objects,
        asked,
        frozenset(sorted(own)[:MAX_WORDS]),
        task,
        purposes(action, context),
        context.history,
    )


def taken_from_outputs(origins: Provenance) -> Iterator[Value]:
    """Whole, distinctive values that only tools have said."""
    outside = (Source.ANSWER, Source.DATA, Source.ORDER)
    return (value for value in origins.values if value.whole and value.distinctive and value.origin.source in outside)
