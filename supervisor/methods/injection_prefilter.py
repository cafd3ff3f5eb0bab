"""Whether any of a session's outputs contains an order that an action may obey: most contain none.

This check runs before any of the action's values is traced, and caches its results for each output, so that an action
of an ordinary session costs next to nothing. When in doubt it returns True.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.history.past import remembered
from supervisor.evidence.provenance import trusted_tools
from supervisor.evidence.provenance.concordance import whereabouts
from supervisor.evidence.provenance.intents import READ
from supervisor.evidence.provenance.spellings import OUTSIDE, SpelledValue, values_of
from supervisor.evidence.provenance.utterances import Utterance, loud_among, recent, utterance_of
from supervisor.evidence.provenance.wishes import WishOutline, wish_outline
from supervisor.history import History
from supervisor.methods.ground import ground
from supervisor.methods.injection_index import InjectionIndex, injection_index_of

OVERREACHING = frozenset({"override", "turn", "secrecy"})  # signals that no legitimate procedure for an agent needs
MAX_OLD = 96  # old outputs that contain a value of the action, and are checked for loud orders
MAX_LOUD = 32  # of these, outputs that are read
MAX_LONG = 64 * 1024  # characters of one old output


@reader
def suspected(action: Action, context: Context) -> bool:
    """Whether the action may obey an order in a tool's output. Raises Unreadable for outputs that are not JSON."""
    outline, history, heard = wish_outline(action, context), context.history, recent(context)
    trusted = trusted_tools(context)
    outside = [value for value in values_of(action, context) if value.sort in OUTSIDE] if outline.runs else []
    untrusted = [each for each in heard if history[each.step].tool not in trusted]
    read = (
        each for each in untrusted if not outline.runs or each.loud or any(_may_say(each, value) for value in outside)
    )
    indexes = [injection_index_of(context, each) for each in read if each.orders]
    before = _loud_before(action, context, heard[0].step, trusted)
    old = {step: found for step in before if (found := _directed_of_old(context, step))}
    has_ground = partial(_has_ground, action, context, untrusted, list(old))
    if outline.runs:
        signals = frozenset().union(*old.values(), *(each.directed for each in indexes))
        return bool(signals) and bool(outside or signals & OVERREACHING) and has_ground()
    if not has_ground():
        return False
    return bool(old) or _could_obey_people(action, outline, indexes) or any(each.directed for each in indexes)


def _could_obey_people(action: Action, outline: WishOutline, indexes: Sequence[InjectionIndex]) -> bool:
    """Whether the action may carry out an order that was meant for people."""
    if not indexes or outline.edits or outline.delegated or outline.intents == {READ}:
        return False
    return not action.args or any(not outline.intents.isdisjoint(each.intents) for each in indexes)


def _has_ground(action: Action, context: Context, lately: Sequence[Utterance], old: Sequence[int]) -> bool:
    """Whether an order in any of these outputs has something in common with the action."""
    brought = ground(action, context)
    before = (utterance_of(context, step, MAX_LONG) for step in old)
    return any(
        brought.with_orders_of(injection_index_of(context, each), recent=True) for each in lately if each.orders
    ) or any(brought.with_orders_of(injection_index_of(context, each), recent=False) for each in before)


def _directed_of_old(context: Context, step: int) -> frozenset[str]:
    """The signals of the orders in an old output that address the agent. Only these are cached for every step."""
    known = remembered(History.of(context.history), _directed_of_old, dict[int, frozenset[str]])
    if step not in known:
        known[step] = injection_index_of(context, utterance_of(context, step, MAX_LONG)).directed
    return known[step]


def _loud_before(action: Action, context: Context, before: int, trusted: frozenset[str]) -> list[int]:
    """The latest old steps that may address an agent and contain a value of the action. Rare values come first, so that
    a common value does not crowd out other steps."""
    if before == 0:
        return []  # most sessions are short, and an index of their words would take longer than all the rest
    places = sorted((at.said for at in whereabouts(action, context).values()), key=len)
    old = (step for steps in places for step in reversed(steps) if step < before)
    looked_at = (step for step in islice(dict.fromkeys(old), MAX_OLD) if context.history[step].tool not in trusted)
    return sorted(islice(loud_among(context, looked_at), MAX_LOUD))


def _may_say(said: Utterance, value: SpelledValue) -> bool:
    """Whether an output contains all words of a value, in any place: the condition for being its source."""
    ways = (spelling.split() for spelling in value.spellings)
    return any(said.may_have(words) and all(word in said.squeezed.text for word in words) for words in ways)
