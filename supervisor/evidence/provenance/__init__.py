"""Where an action's values come from: the user's task, a tool's output, or nowhere.

Data flow, not wording, tells a hijacked agent from an honest one: both may act right after a poisoned output, but only
one of them takes its recipient, address or amount from the sentence that gives orders. Tracking a value back to its
source is the idea of taint analysis (Denning, "A Lattice Model of Secure Information Flow", 1976) applied to tool
calls, as in CaMeL (Debenedetti et al. 2025, arXiv:2503.18813); here it is read from the text alone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.language.passages import fold, holds
from supervisor.evidence.provenance.concordance import first_said, whereabouts
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
    said = [(source, _folded("\n".join(texts)[:MAX_TASK])) for source, texts in _said_by_trusted(context)]
    trusted = trusted_tools(context)
    spelt = whereabouts(action, context)
    heard = recent(context)
    before = heard[0].step if heard else 0
    recalled = {each.step: each for value, at in spelt.items() if (each := first_said(context, value, at, before))}
    steps = [*(recalled[step] for step in sorted(recalled)), *heard]
    records = Sources(each for each in steps if context.history[each.step].tool in trusted)
    sources = Sources(each for each in steps if context.history[each.step].tool not in trusted)
    told = (said[0][1], " ".join(text for _, text in said))
    values = tuple(_traced(value, said, records, sources, context, told[0]) for value in spelt)
    return Provenance(values, sources, told[1])


def _traced(
    value: Spelt, said: Sequence[tuple[Source, str]], records: Sources, sources: Sources, context: Context, task: str
) -> Value:
    source = next((who for who, text in said if any(holds(text, spelling) for spelling in value.spellings)), None)
    passages = _found(value, sources)
    if source is None and (known := _found(value, records)):
        origin = _origin(Source.RECORD, known[0], records)
    elif source is not None:
        origin = Origin(source)
    elif passages:
        origin = _origin(_standing(passages[0], sources, context, task), passages[0], sources)
    else:
        origin = Origin(Source.NOWHERE)
    trusted = origin.source in _TRUSTED
    return Value(value.text, value.sort, value.place, value.whole, value.distinctive, trusted, passages, origin)


def _found(value: Spelt, sources: Sources) -> tuple[int, ...]:
    found = next(filter(None, map(sources.find, value.spellings)), ())
    return found or (sources.find_split(value.spellings[0]) if value.distinctive else ())


def _origin(source: Source, passage: int, sources: Sources) -> Origin:
    first = sources.passages[passage]
    return Origin(source, first.step, first.text.strip())


def _standing(passage: int, sources: Sources, context: Context, task: str) -> Source:
    """What a passage is to the agent: an order, the answer to what the user's own words asked a tool, or just data."""
    if passage in sources.ordered:
        return Source.ORDER
    asked = strings_in(context.history[sources.passages[passage].step].args)
    return Source.ANSWER if any(holds(task, folded) for _, text in asked if (folded := fold(text))) else Source.DATA


def _said_by_trusted(context: Context) -> Iterator[tuple[Source, list[str]]]:
    yield Source.TASK, [context.task or ""]
    for name in TRUSTED_FACTS:
        source = Source.EARLIER if name == "earlier_requests" else Source.RECORD
        yield source, [text for _, text in strings_in(context.facts.get(name))]


def trusted_tools(context: Context) -> frozenset[str]:
    """The tools whose outputs nobody outside can write into, as the policy names them."""
    named = context.facts.get("trusted_tools")
    return frozenset(name for name in named if isinstance(name, str)) if isinstance(named, (list, tuple)) else _NOBODY


_folded = functools.lru_cache(maxsize=16)(fold)  # all actions of a session come with the same task
