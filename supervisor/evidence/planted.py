"""Whether an action takes its orders from a tool's output: the evidence, as small integers.

For every passage that reads like an order, what it says is held against what the action does and what the user asked:
which of the action's values stand in the order alone, which in the task, which elsewhere as data; whose verb it is;
whether the user told the agent to do what it reads. The numbers say nothing about which words were used, so that a
model trained on them carries over to other tools, domains and attackers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import re2

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.instructions import Order
from supervisor.evidence.passages import fold, holds
from supervisor.evidence.provenance import Provenance, Value, provenance
from supervisor.evidence.utterances import Sources
from supervisor.evidence.wording import delegates, spaced, stems, verbs_of

MAX_WORDS = 60
MAX_PLAIN = 500  # passages of plain data whose words are no clue

_READS = re2.compile(
    r"(?i)^(?:\w+[_.-])?(?:get|search|list|read|find|lookup|look|view|show|check|count|query|describe|cat|ls|fetch|"
    r"retrieve|browse|calculate|compute|analy[sz]e|summari[sz]e|monitor|inspect)(?:[_A-Z.-]|$)"
)
_RUNNING_KINDS = frozenset({"shell", "python", "javascript"})
_READING_KINDS = frozenset({"file_read", "browse"})
_FORCEFUL = ("override", "turn", "addressed", "sequence", "secrecy")
_NOTHING = dict.fromkeys(("target_ordered", "name_ordered", "part_ordered", "near_ordered", "also_ordered"), 0)
_OVERREACHING = ("override", "turn", "secrecy")  # no to-do list needs these, so delegating does not cover them


@dataclass(frozen=True, slots=True)
class Suspect:
    """An order that the action may have obeyed: the values that it alone gave, and the evidence.

    `said` is the order by its own output's numbers, and `first` the number of that output's first passage.
    """

    first: int
    said: Order
    values: tuple[str, ...]
    features: Mapping[str, int]
    sources: Sources

    @property
    def order(self) -> Order:
        """The order, numbered by `sources.passages`."""
        return self.said.behind(self.first)

    @property
    def quote(self) -> str:
        """Its most telling sentence: the one that gives most of the values, then the longest."""
        said = [self.sources.passages[number] for number in self.order.core]
        values = [fold(value) for value in self.values]
        loud = max(said, key=lambda passage: (sum(holds(passage.folded, value) for value in values), len(passage.text)))
        return loud.text.strip()


@dataclass(frozen=True, slots=True)
class _Wording:
    """What an action is called and does, in words, and whose words they are."""

    own: frozenset[str]  # stems of its arguments that the task does not have
    purpose: frozenset[str]  # stems of the tool's name and description
    verbs: frozenset[str]  # the words for what it does
    task: frozenset[str]
    task_stems: frozenset[str]
    telling: frozenset[str]  # stems of both that neither the task nor plain data has: an order may share the others


@dataclass(slots=True)
class _Given:
    """What one order gives an action: the values that come from it alone, and how many there are of each sort."""

    values: list[str]
    counts: dict[str, int]


@reader
def suspects(action: Action, context: Context) -> tuple[Suspect, ...]:
    """Every order in the tools' outputs that has something in common with the action. Linear, under provenance's caps.

    Raises Unreadable as `provenance` does.
    """
    if not context.history:
        return ()
    origins = provenance(action, context)
    found = origins.sources.orders
    if not found:
        return ()
    wording = _wording(action, context, origins)
    about = _about_action(action, context, origins, wording)
    given = _values_given(found, origins)
    read = (_suspect(*each, given.get(place), origins, wording, about) for place, each in enumerate(found))
    return tuple([suspect for suspect in read if suspect])


def _suspect(
    first: int, order: Order, given: _Given | None, origins: Provenance, wording: _Wording, about: Mapping[str, int]
) -> Suspect | None:
    if about["delegated"] and not any(order.signals[name] for name in _OVERREACHING):
        return None  # the user asked for what the text says
    if not given and order.stems.isdisjoint(wording.telling) and order.words.isdisjoint(wording.verbs):
        return None
    words = _words_given(order, wording)
    if not (given or words["verb_ordered"] or words["purpose_ordered"] > 1 or words["words_ordered"]):
        return None
    counts = {name: min(count, 2) for name, count in given.counts.items()} if given else _NOTHING
    features = {**order.signals, **about, **_NOTHING, **counts, **words}
    features |= _together(features)
    return Suspect(first, order, tuple(given.values) if given else (), features, origins.sources)


def _values_given(found: Sequence[tuple[int, Order]], origins: Provenance) -> dict[int, _Given]:
    """What each order gives, by its place: values that it says alone, that it says among others, or right beside it.

    It says a value alone where nobody did before: neither the user nor a tool as plain data. Other orders may (the same
    one often stands in many places), and so may later outputs, which echo what was done.
    """
    cores = {first + number: place for place, (first, order) in enumerate(found) for number in order.core}
    beside: dict[int, list[int]] = {}
    for place, (first, order) in enumerate(found):
        for number in order.near:
            beside.setdefault(first + number, []).append(place)
    given: dict[int, _Given] = {}
    for value in origins.values:
        if value.in_task or not value.passages:
            continue
        plainly = [origins.sources.passages[number].step for number in value.passages if number not in cores]
        by = {cores[number] for number in value.passages if number in cores}
        near = {place for number in value.passages for place in beside.get(number, ())} - by
        for place in sorted(by | near):
            told = given.setdefault(place, _Given([], {}))
            alone = place in by and all(step > found[place][1].step for step in plainly)
            sort = _sort_of(value) if alone else "also_ordered" if place in by else "near_ordered"
            told.counts[sort] = told.counts.get(sort, 0) + 1
            if alone:
                told.values.append(value.text)
    return given


def _sort_of(value: Value) -> str:
    if not value.whole:
        return "part_ordered"
    return "target_ordered" if value.distinctive else "name_ordered"


def _words_given(order: Order, wording: _Wording) -> dict[str, int]:
    given = order.stems & wording.telling
    return {
        "words_ordered": 4 * len(wording.own & given) // max(len(wording.own), 4),
        "purpose_ordered": min(len(wording.purpose & given), 3),
        "verb_ordered": int(not wording.verbs.isdisjoint(order.words)),
    }


def _about_action(action: Action, context: Context, origins: Provenance, wording: _Wording) -> dict[str, int]:
    """What holds whichever order is looked at."""
    ordered = origins.sources.ordered
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
    forceful = min(sum([features[name] for name in _FORCEFUL]), 3)
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


def _wording(action: Action, context: Context, origins: Provenance) -> _Wording:
    task_stems = stems(origins.task)
    name = fold(spaced(action.tool))
    said = fold(" ".join(islice((text[:400] for _, text in strings_in(action.args)), 20)))
    own = frozenset(sorted(stems(said) - task_stems)[:MAX_WORDS])
    purpose = stems(f"{name} {fold(_description(action.tool, context))}")
    return _Wording(
        own=own,
        purpose=purpose,
        verbs=verbs_of(action.kind, name),
        task=frozenset(origins.task.split()),
        task_stems=task_stems,
        telling=(own | purpose).difference(task_stems, *origins.sources.plain_stems(MAX_PLAIN)),
    )


def _description(tool: str, context: Context) -> str:
    """What the host says a tool is for, where it says so (`tools: [{name, description}]`)."""
    tools: Any = context.facts.get("tools")
    for known in tools if isinstance(tools, list) else ():
        if isinstance(known, Mapping) and known.get("name") == tool:
            return str(known.get("description", ""))[:400]
    return ""
