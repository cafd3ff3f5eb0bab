"""What an action has in common with an order in a tool's output.

Every passage that reads like an order is compared with the action and with the user's request: the action's values that
only the order contains, those that other data contain, whether the order names the act, and whether it mentions the
tool. A judge decides whether the agent obeys.
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
from supervisor.evidence.provenance.given import given, passing_on, texts_of, warning
from supervisor.evidence.provenance.instructions import Order
from supervisor.evidence.provenance.intents import READ, intents_ordered
from supervisor.evidence.provenance.origins import Source, Value
from supervisor.evidence.provenance.purposes import Purpose, purposes, speaks_of
from supervisor.evidence.provenance.utterances import Sources
from supervisor.evidence.provenance.wishes import Wish, wish_of

MAX_WORDS = 60
_BEGINNING = 5  # letters by which words are compared
MAX_PLAIN = 500  # passages of plain data whose words are excluded as clues
_PASSWORD = re2.compile(
    r"(?i)passw|passcode|kennwort|contraseñ|mot de passe|senha|wachtwoord|parola|hasło|şifre|парол|密码|口令|パスワード"
    r"|비밀번호|पासवर्ड|كلمة (?:المرور|السر)"
)
_ACCESS = frozenset({"passw", "passc", "pin", "permi", "role", "roles", "acces", "admin", "owner", "mfa", "2fa"})


@dataclass(frozen=True, slots=True)
class _Wording:
    """The words that all orders are compared with: the objects in the tool's name (`asked`: the task names them too),
    the action's own words, the task's words, and the purposes of the tools."""

    tool: str
    objects: frozenset[str]
    asked: bool
    own: frozenset[str]
    task: frozenset[str]
    known: Mapping[str, Purpose]
    history: Sequence[Step]

    def acts_on_what(self, passage: Passage) -> bool:
        """Whether a passage names an object in the tool's name."""
        if "passw" in self.objects and says_password(passage.text):
            return True
        words = f" {passage.folded} "
        return any((f" {each}" if len(each) == _BEGINNING else f" {each} ") in words for each in self.objects)


@dataclass(frozen=True, slots=True)
class Link:
    """What one order, or a part of it, has in common with an action.

    `said` is the order, and `numbers` are the indices of its sentences in `sources.passages`. `alone`, `shared` and
    `repeated` are values as in `Given`. `words` is the share of the arguments' own wording that the order contains,
    0..4. `intents` are common to the order and the action. `calls` means that the order fits this tool best of all
    tools, `about` that it names an object in the tool's name.
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
        """Whether the order names an object in the tool's name, and the task does not."""
        return self.about and not self.wording.asked

    @property
    def sets_access(self) -> bool:
        """Whether the order names a password, a role or similar, which the tool sets and the task does not mention."""
        return self.only_here and not self.wording.objects.isdisjoint(_ACCESS)

    @property
    def targets(self) -> list[Value]:
        """Whole arguments that are addresses, accounts or paths, and that only the order gives."""
        return [value for value in self.alone if value.whole and value.distinctive]

    @property
    def names(self) -> list[Value]:
        """Other whole arguments that only the order gives."""
        return [value for value in self.alone if value.whole and not value.distinctive]

    @property
    def parts(self) -> list[Value]:
        """Values inside a longer argument that only the order gives."""
        return [value for value in self.alone if not value.whole]

    @property
    def passages(self) -> list[Passage]:
        """Its sentences."""
        return [self.sources.passages[number] for number in self.numbers]

    @property
    def quote(self) -> str:
        """The order's sentence with most of the values, and of several the longest."""
        values = [fold(value.text) for value in (*self.alone, *self.shared)]
        best = max(self.passages, key=lambda each: (sum(holds(each.folded, value) for value in values), len(each.text)))
        return best.text.strip()

    def within(self, numbers: Iterable[int]) -> Link | None:
        """The link for some of the order's sentences; None if they have nothing in common with the action."""
        kept = frozenset(numbers)
        alone = tuple(value for value in self.alone if not kept.isdisjoint(value.passages))
        shared = tuple(value for value in self.shared if not kept.isdisjoint(value.passages))
        repeated = tuple(value for value in self.repeated if not kept.isdisjoint(value.passages))
        within = tuple(number for number in self.numbers if number in kept)
        return _link(self.said, within, self.sources, self.wish, self.wording, alone, shared, repeated)


@reader
def links(action: Action, context: Context) -> tuple[Link, ...]:
    """Every order in the tools' outputs that has something in common with the action, in linear time.

    Raises Unreadable as `provenance` does.
    """
    origins = provenance(action, context)
    sources = origins.sources
    if not sources.orders:
        return ()
    quoting = passing_on(action, sources) | warning(action, context.task or "")
    wish, wording = wish_of(action, context), _wording(action, context, origins, quoting)
    made = (
        _link(
            *(order, tuple(first + number for number in order.core), sources, wish, wording),
            *(tuple(values.alone), tuple(values.shared), tuple(values.repeated)),
        )
        for (first, order), values in zip(sources.orders, given(origins, context.history, quoting), strict=True)
    )
    return tuple(link for link in made if link)


def _link(
    order: Order,
    numbers: tuple[int, ...],
    sources: Sources,
    wish: Wish,
    wording: _Wording,
    alone: tuple[Value, ...],
    shared: tuple[Value, ...],
    repeated: tuple[Value, ...],
) -> Link | None:
    """The link for these sentences of an order; None if they have nothing in common with the action."""
    if wish.runs and not alone:
        return None  # texts about commands are common, so only values that the order contains count
    passages, whole = [sources.passages[number] for number in numbers], len(numbers) == len(order.core)
    used = order.stems if whole else stems(" ".join(passage.folded for passage in passages))
    text = order.text if whole else "\n".join(passage.text for passage in passages)
    words = 4 * len(wording.own & used) // max(len(wording.own), 4)
    intents = (intents_ordered(text) & wish.intents) - {READ}
    echo = wording.known.get(wording.history[order.step].tool, {})  # a tool's output mentions its own purpose
    calls = speaks_of(wording.tool, wording.known, used.difference(echo), wording.task)
    if not numbers or not (alone or shared or calls or words > 1 or intents):
        return None
    about = any(wording.acts_on_what(passage) for passage in passages)
    return Link(order, numbers, sources, wish, wording, alone, shared, repeated, words, intents, calls, about)


def says_password(text: str) -> bool:
    """Whether a text mentions a password, in any of sixteen languages."""
    return _PASSWORD.search(text) is not None


def _beginnings(folded: str) -> frozenset[str]:
    return frozenset(word[:_BEGINNING] for word in folded.split() if len(word) > 2)


def _wording(action: Action, context: Context, origins: Provenance, quoting: frozenset[str]) -> _Wording:
    text = fold(" ".join(text[:400] for text in texts_of({k: v for k, v in action.args.items() if k not in quoting})))
    task = stems(origins.task)
    own = stems(text) - task
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
    """Whole, distinctive values that only outputs of tools contain."""
    outside = (Source.ANSWER, Source.DATA, Source.ORDER)
    return (value for value in origins.values if value.whole and value.distinctive and value.origin.source in outside)
