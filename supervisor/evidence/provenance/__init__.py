"""Where an action's values come from: the user's task, a tool's output, or nowhere.

Data flow, not wording, tells a hijacked agent from an honest one: both may act right after a poisoned output, but only
one of them takes its recipient, address or amount from the sentence that gives orders. Tracking a value back to its
source is the idea of taint analysis (Denning, "A Lattice Model of Secure Information Flow", 1976) applied to tool
calls, as in CaMeL (Debenedetti et al. 2025, arXiv:2503.18813); here it is read from the text alone.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.language.passages import fold, holds
from supervisor.evidence.provenance.concordance import Whereabouts, first_said, whereabouts
from supervisor.evidence.provenance.origins import Origin, Source, Value
from supervisor.evidence.provenance.spellings import Spelt
from supervisor.evidence.provenance.utterances import Sources, recent

MAX_TASK = 64 * 1024  # characters
# What the user or the deployment said besides the task; never what a tool said.
TRUSTED_FACTS = ("earlier_requests", "instructions", "policy", "profile", "rules", "system", "user")

_TRUSTED = frozenset({Source.TASK, Source.EARLIER, Source.RECORD})
_NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Every value of an action with its origins. `task` is all that the user said, folded."""

    values: tuple[Value, ...]
    sources: Sources
    task: str


@reader
def provenance(action: Action, context: Context) -> Provenance:
    """Where each value of the action was said before: by the user, by which tool's output, or nowhere.

    Case, whitespace, punctuation, encodings, invisible and look-alike characters make no difference. What it costs does
    not grow with the history: the `recent` steps are read whole, the older ones only where a concordance says that a
    value stands in them. Raises Unreadable for values that are no JSON.
    """
    said = _said_by_trusted(context)
    trusted = trusted_tools(context)
    spelt = whereabouts(action, context)
    heard = recent(context)
    before = heard[0].step if heard else 0
    recalled = {each.step: each for value, at in spelt.items() if (each := first_said(context, value, at.said, before))}
    steps = [*(recalled[step] for step in sorted(recalled)), *heard]
    records = Sources(each for each in steps if context.history[each.step].tool in trusted)
    sources = Sources(each for each in steps if context.history[each.step].tool not in trusted)
    told = _Told(said, records, sources, context)
    values = tuple(told.traced(value, at.or_in(recalled.keys())) for value, at in spelt.items())
    return Provenance(values, sources, told_by_trusted(context))


@dataclass(frozen=True, slots=True)
class _Told:
    """All that was said before an action: by those whom the deployment trusts (folded, the task first), by the tools
    that it trusts, and by the others."""

    trusted: Sequence[tuple[Source, str]]
    records: Sources
    sources: Sources
    context: Context

    def traced(self, value: Spelt, at: Whereabouts) -> Value:
        """A value with its origin. `at`: the steps that may say it."""
        who = next((who for who, text in self.trusted if any(holds(text, each) for each in value.spellings)), None)
        passages = self.sources.passages_of(value, at.whole, at.begun)
        if who is None and (known := self.records.passages_of(value, at.whole, at.begun)):
            origin = _origin(Source.RECORD, known[0], self.records)
        elif who is not None:
            origin = Origin(who)
        elif passages:
            origin = _origin(self._standing(passages[0]), passages[0], self.sources)
        else:
            origin = Origin(Source.NOWHERE)
        trusted = origin.source in _TRUSTED
        return Value(value.text, value.sort, value.place, value.whole, value.distinctive, trusted, passages, origin)

    def _standing(self, passage: int) -> Source:
        """What a passage is to the agent: an order, the answer to what the user's own words asked a tool, or data."""
        if passage in self.sources.ordered:
            return Source.ORDER
        (_, task), *_ = self.trusted
        args = self.context.history[self.sources.passages[passage].step].args
        asked = filter(None, (fold(text) for _, text in strings_in(args)))
        return Source.ANSWER if any(holds(task, each) for each in asked) else Source.DATA


def _origin(source: Source, passage: int, sources: Sources) -> Origin:
    first = sources.passages[passage]
    return Origin(source, first.step, first.text.strip())


def told_by_trusted(context: Context) -> str:
    """All that the user and the deployment said, folded."""
    return " ".join(text for _, text in _said_by_trusted(context))


def _said_by_trusted(context: Context) -> list[tuple[Source, str]]:
    """What each of them said, folded; the task first."""
    said = [(Source.TASK, context.task or "")]
    for name in TRUSTED_FACTS:
        source = Source.EARLIER if name == "earlier_requests" else Source.RECORD
        said.append((source, "\n".join(text for _, text in strings_in(context.facts.get(name)))))
    return [(source, _folded(text[:MAX_TASK])) for source, text in said]


def trusted_tools(context: Context) -> frozenset[str]:
    """The tools whose outputs nobody outside can write into, as the policy names them."""
    named = context.facts.get("trusted_tools")
    return frozenset(name for name in named if isinstance(name, str)) if isinstance(named, (list, tuple)) else _NOBODY


_folded = functools.lru_cache(maxsize=16)(fold)  # all actions of a session come with the same task
