"""Whether an action takes its orders from a tool's output: the evidence, as small integers.

For every passage that reads like an order, what it says is held against what the action does and what the user asked:
which of the action's values stand in the order alone, which in the task, which elsewhere as data; whose verb it is;
whether the user told the agent to do what it reads. The numbers say nothing about which words were used, so that a
model trained on them carries over to other tools, domains and attackers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import re2

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.instructions import SIGNALS, Order, orders
from supervisor.evidence.passages import fold, holds
from supervisor.evidence.provenance import Provenance, Value, provenance
from supervisor.evidence.wording import delegates, spaced, stems, verbs_of

MAX_WORDS = 60
MAX_PLAIN = 500  # passages of plain data whose words are no clue

_READS = re2.compile(
    r"(?i)^(?:\w+[_.-])?(?:get|search|list|read|find|lookup|look|view|show|check|count|query|describe|cat|ls|fetch|"
    r"retrieve|browse|calculate|compute|analy[sz]e|summari[sz]e|monitor|inspect)(?:[_A-Z.-]|$)"
)
_RUNNING_KINDS = frozenset({"shell", "python"})
_READING_KINDS = frozenset({"file_read", "browse"})
_FORCEFUL = ("override", "turn", "addressed", "sequence", "secrecy")
_OVERREACHING = ("override", "turn", "secrecy")  # no to-do list needs these, so delegating does not cover them


@dataclass(frozen=True, slots=True)
class Suspect:
    """An order that the action may have obeyed: its most telling sentence, the values it gave, the evidence."""

    order: Order
    quote: str
    values: tuple[str, ...]
    features: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Wording:
    """What an action is called and does, in words, and whose words they are."""

    own: frozenset[str]  # stems of its arguments that the task does not have
    purpose: frozenset[str]  # stems of the tool's name and description
    verbs: frozenset[str]  # the words for what it does
    task: frozenset[str]
    task_stems: frozenset[str]
    known: frozenset[str]  # stems that the task or plain data has: an order that shares them shows nothing


@reader
def suspects(action: Action, context: Context) -> tuple[Suspect, ...]:
    """Every order in the tools' outputs that has something in common with the action. Linear, under provenance's caps.

    Raises Unreadable as `provenance` does.
    """
    if not context.history:
        return ()
    origins = provenance(action, context)
    found = orders(origins.sources)
    if not found:
        return ()
    ordered = frozenset(number for order in found for number in order.core)
    wording = _wording(action, context, ordered, origins)
    about = _about_action(action, context, ordered, origins, wording)
    read = (_suspect(order, ordered, origins, wording, about) for order in found)
    return tuple(suspect for suspect in read if suspect)


def _suspect(
    order: Order, ordered: frozenset[int], origins: Provenance, wording: _Wording, about: Mapping[str, int]
) -> Suspect | None:
    text = " ".join(origins.sources.passages[number].folded for number in order.core)
    if about["delegated"] and not any(order.signals.get(name) for name in _OVERREACHING):
        return None  # the user asked for what the text says
    values = _values_given(order, ordered, origins)
    words = _words_given(text, wording)
    if not (any(values.values()) or words["verb_ordered"] or words["purpose_ordered"] > 1 or words["words_ordered"]):
        return None
    signals = {name: min(order.signals.get(name, 0), 2) for name in SIGNALS}
    features = {**signals, **about, **values, **words}
    features |= _together(features)
    taken = tuple(value.text for value in origins.values if _given_by(order, ordered, origins, value))
    loud = max(order.core, key=lambda number: _weight(origins, number, taken))
    return Suspect(order, origins.sources.passages[loud].text.strip(), taken, features)


def _weight(origins: Provenance, number: int, taken: tuple[str, ...]) -> tuple[int, int]:
    """Which sentence of an order to quote: the one that gives most of the values, then the longest."""
    passage = origins.sources.passages[number]
    return sum(holds(passage.folded, fold(value)) for value in taken), len(passage.text)


def _given_by(order: Order, ordered: frozenset[int], origins: Provenance, value: Value) -> bool:
    """Whether this order says the value, and nobody before it: neither the user nor a tool as plain data.

    Other orders may (the same one often stands in many places), and so may later outputs, which echo what was done.
    """
    if value.in_task or frozenset(order.core).isdisjoint(value.passages):
        return False
    passages = origins.sources.passages
    return all(number in ordered or passages[number].step > order.step for number in value.passages)


def _values_given(order: Order, ordered: frozenset[int], origins: Provenance) -> dict[str, int]:
    """How many values of each sort come from the order alone, from it among others, or from right beside it."""
    counts = dict.fromkeys(("target_ordered", "name_ordered", "part_ordered", "near_ordered", "also_ordered"), 0)
    for value in origins.values:
        if value.in_task:
            continue
        if _given_by(order, ordered, origins, value):
            counts[_sort_of(value)] += 1
        elif not frozenset(order.core).isdisjoint(value.passages):
            counts["also_ordered"] += 1
        elif not frozenset(order.near).isdisjoint(value.passages):
            counts["near_ordered"] += 1
    return {name: min(count, 2) for name, count in counts.items()}


def _sort_of(value: Value) -> str:
    if not value.whole:
        return "part_ordered"
    return "target_ordered" if value.distinctive else "name_ordered"


def _words_given(text: str, wording: _Wording) -> dict[str, int]:
    words = frozenset(text.split())
    given = stems(text) - wording.known
    return {
        "words_ordered": 4 * len(wording.own & given) // max(len(wording.own), 4),
        "purpose_ordered": min(len(wording.purpose & given), 3),
        "verb_ordered": int(not wording.verbs.isdisjoint(words)),
    }


def _about_action(
    action: Action, context: Context, ordered: frozenset[int], origins: Provenance, wording: _Wording
) -> dict[str, int]:
    """What holds whichever order is looked at."""
    whole = [value for value in origins.values if value.whole]
    from_data = [not value.in_task and not ordered.issuperset(value.passages) for value in whole]
    asked = not wording.verbs.isdisjoint(wording.task)
    reads = action.kind in _READING_KINDS or bool(_READS.match(action.tool))
    return {
        "values_asked": min(sum(value.in_task for value in whole), 2),
        "values_from_data": min(sum(from_data), 2),
        "values_own": min(sum(value.nowhere for value in whole), 2),
        "no_values": int(not origins.values),
        "purpose_asked": min(len(wording.purpose & wording.task_stems), 3),
        "verb_asked": int(asked),
        "reads": int(reads),
        "runs": int(action.kind in _RUNNING_KINDS),
        "delegated": int(delegates(context)),
    }


def _together(features: Mapping[str, int]) -> dict[str, int]:
    """Products that a linear model cannot form itself: evidence that counts only beside other evidence."""
    forceful = min(sum(features[name] for name in _FORCEFUL), 3)
    given = min(features["target_ordered"] + features["name_ordered"], 2)
    unasked = 1 - features["verb_asked"]
    return {
        "forced_target": forceful * min(given, 1),
        "purpose_alone": features["purpose_ordered"] * features["no_values"],
        "forced_purpose": forceful * min(features["purpose_ordered"], 1) * unasked,
        "given_unasked": given * unasked,
        "given_alone": given * int(not features["values_asked"]),
        "run_unforced": features["runs"] * int(not forceful),
    }


def _wording(action: Action, context: Context, ordered: frozenset[int], origins: Provenance) -> _Wording:
    passages = origins.sources.passages
    plain = (passage.folded for number, passage in enumerate(passages) if number not in ordered)
    task_stems = stems(origins.task)
    name = fold(spaced(action.tool))
    said = fold(" ".join(islice((text[:400] for _, text in strings_in(action.args)), 20)))
    return _Wording(
        own=frozenset(sorted(stems(said) - task_stems)[:MAX_WORDS]),
        purpose=stems(f"{name} {fold(_description(action.tool, context))}"),
        verbs=verbs_of(action.kind, name),
        task=frozenset(origins.task.split()),
        task_stems=task_stems,
        known=task_stems | stems(" ".join(islice(plain, MAX_PLAIN))),
    )


def _description(tool: str, context: Context) -> str:
    """What the host says a tool is for, where it says so (`tools: [{name, description}]`)."""
    tools: Any = context.facts.get("tools")
    for known in tools if isinstance(tools, list) else ():
        if isinstance(known, Mapping) and known.get("name") == tool:
            return str(known.get("description", ""))[:400]
    return ""
