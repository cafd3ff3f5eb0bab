"""Where an action's values come from: the user's task, a tool's output, or nowhere.

Data flow, not wording, distinguishes a hijacked agent from an honest one: both may act right after a poisoned output,
but only the hijacked agent takes its recipient, address or amount from the injected order. Tracking a value back to its
source is the idea of taint analysis (Denning, "A Lattice Model of Secure Information Flow", 1976) applied to tool
calls, as in CaMeL (Debenedetti et al. 2025, arXiv:2503.18813); here it is read from the text alone.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import fold, holds, holds_number
from supervisor.evidence.provenance.concordance import MOST_TRIED, Whereabouts, first_utterance, whereabouts
from supervisor.evidence.provenance.origins import Origin, Source, Value
from supervisor.evidence.provenance.spellings import SpelledValue
from supervisor.evidence.provenance.utterances import Sources, Utterance, loud_among, recent

MAX_TASK = 64 * 1024  # characters
# Facts with words of the user or the deployment besides the task; never output of a tool.
TRUSTED_FACTS = ("earlier_requests", "instructions", "policy", "profile", "rules", "system", "user")

_NO_TOOLS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Every value of an action with its origin. `task` is all text of the user and the deployment, folded."""

    values: tuple[Value, ...]
    sources: Sources
    task: str


@reader
def provenance(action: Action, context: Context) -> Provenance:
    """The origin of each value of the action: the user, a tool's output, or nowhere.

    Case, whitespace, punctuation, encodings, invisible and look-alike characters make no difference. The cost does not
    grow with the history: the `recent` steps are read whole, and of the older steps only the first that contains a
    value, if it can matter. Raises Unreadable for values that are not JSON.
    """
    earlier, spelt = _EarlierTexts(context), whereabouts(action, context)
    recalled = earlier.recalled(spelt)
    steps = {each.step for each in recalled}
    sources = Sources([*recalled, *earlier.heard]) if recalled else earlier.sources
    values = (
        earlier.traced(value, Whereabouts(at.said, at.whole | steps, at.begun | steps), sources)
        for value, at in spelt.items()
    )
    return Provenance(tuple(values), sources, trusted_text(context))


class _EarlierTexts:
    """All texts before an action: those of trusted sources (folded, the task first), and the recent outputs of tools,
    trusted tools apart from the others (`heard`)."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._texts = _texts_of_trusted(context)
        self._trusted = trusted_tools(context)
        heard = recent(context)
        self._before = heard[0].step if heard else 0
        self._firsts: dict[SpelledValue, Utterance | None] = {}
        self._records = Sources(each for each in heard if self._is_trusted(each))
        self.heard = [each for each in heard if not self._is_trusted(each)]
        self.sources = Sources(self.heard)

    def recalled(self, spelt: Mapping[SpelledValue, Whereabouts]) -> list[Utterance]:
        """The old outputs of untrusted tools that matter for the values, oldest first."""
        firsts = (self._first(value, at) for value, at in spelt.items() if self._matters(value, at))
        found = {each.step: each for each in firsts if each and not self._is_trusted(each)}
        return [found[step] for step in sorted(found)]

    def _matters(self, value: SpelledValue, at: Whereabouts) -> bool:
        """Whether an old occurrence of a value matters: the value is a target, or an order gives it now or may have
        given it then."""
        if not at.said or at.said[0] >= self._before:
            return False
        if value.whole and value.distinctive:
            return True
        lately = _passages(value, at, self.sources)
        if not self.sources.ordered.isdisjoint(lately):
            return True
        return any(step < self._before for step in loud_among(self._context, at.said[:MOST_TRIED]))

    def traced(self, value: SpelledValue, at: Whereabouts, sources: Sources) -> Value:
        """A value with its origin."""
        who = next((who for who, text in self._texts if _says(text, value)), None)
        known = Origin(who) if who else self._record(value, at)
        passages = _passages(value, at, sources)
        place = (value.text, value.sort, value.place, value.whole, value.distinctive)
        return Value(*place, known is not None, passages, lambda: known or self._origin(value, at, passages, sources))

    def _record(self, value: SpelledValue, at: Whereabouts) -> Origin | None:
        """The origin of a value in the output of a trusted tool; None if there is none."""
        if not self._trusted:
            return None
        first = self._first(value, at)
        sources = Sources([first]) if first and self._is_trusted(first) else self._records
        passages = sources.passages_of(value)
        return _origin(Source.RECORD, sources, passages[0]) if passages else None

    def _origin(self, value: SpelledValue, at: Whereabouts, passages: Sequence[int], sources: Sources) -> Origin:
        """The first origin of a value in the output of an untrusted tool."""
        first = self._first(value, at)
        if first:
            sources = Sources([first])
            passages = sources.passages_of(value)
        if not passages:
            return Origin(Source.NOWHERE)
        earliest = min(passages, key=lambda number: sources.passages[number].step)
        return _origin(self._standing(sources, earliest), sources, earliest)

    def _first(self, value: SpelledValue, at: Whereabouts) -> Utterance | None:
        """The first old output that contains a value."""
        if value not in self._firsts:
            self._firsts[value] = first_utterance(self._context, value, at.said, self._before)
        return self._firsts[value]

    def _is_trusted(self, utterance: Utterance) -> bool:
        return self._context.history[utterance.step].tool in self._trusted

    def _standing(self, sources: Sources, passage: int) -> Source:
        """The role of a passage: an order, the answer to a call with the user's own words, or data."""
        if passage in sources.ordered:
            return Source.ORDER
        (_, task), *_ = self._texts
        asked = strings_in(self._context.history[sources.passages[passage].step].args)
        return Source.ANSWER if any(holds(task, folded) for _, text in asked if (folded := fold(text))) else Source.DATA


def _says(text: str, value: SpelledValue) -> bool:
    """Whether a folded text contains a value in any of its spellings."""
    return any(holds(text, each) or holds_number(text, each) for each in value.spellings)


def _passages(value: SpelledValue, at: Whereabouts, sources: Sources) -> tuple[int, ...]:
    return sources.whole(value, at.whole) or sources.split(value, at.begun)


def _origin(source: Source, sources: Sources, passage: int) -> Origin:
    found = sources.passages[passage]
    return Origin(source, found.step, found.text.strip())


def trusted_text(context: Context) -> str:
    """All text of the user and the deployment, folded."""
    return " ".join(text for _, text in _texts_of_trusted(context))


def folded_task(context: Context) -> str:
    """The task, folded."""
    return _folded((context.task or "")[:MAX_TASK])


def _texts_of_trusted(context: Context) -> list[tuple[Source, str]]:
    """Each text of the user and the deployment, folded; the task first."""
    texts = [(Source.TASK, context.task or "")]
    for name in TRUSTED_FACTS:
        source = Source.EARLIER if name == "earlier_requests" else Source.RECORD
        texts.append((source, "\n".join(text for _, text in strings_in(context.facts.get(name)))))
    return [(source, _folded(text[:MAX_TASK])) for source, text in texts]


def trusted_tools(context: Context) -> frozenset[str]:
    """The tools that the policy trusts, because no outsider can write into their outputs."""
    named = context.facts.get("trusted_tools")
    return frozenset(name for name in named if isinstance(name, str)) if isinstance(named, (list, tuple)) else _NO_TOOLS


_folded = functools.lru_cache(maxsize=16)(fold)  # all actions of a session have the same task
