"""What a tool call does to the records of a business: the act, and the things that it names."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.business.records import ids_in, is_distinctive, kind_named
from supervisor.evidence.business.schema import schema
from supervisor.evidence.business.words import (
    INSTRUMENTS,
    STATES,
    act_of,
    is_neutral,
    is_reading,
    listed,
    plain_id,
    same_state,
    singular,
    snake,
    words,
)
from supervisor.policy.business import Schema

MOST_ARGUMENTS = 200
# Words before a name that do not show its owner, and words that show that it belongs to another party.
_SIDES = listed("new old current original from source src existing")
_OTHERS = listed(
    "to dest destination target recipient payee beneficiary receiver other friend gift new_owner counterparty "
    "referrer referred invitee guest assignee agent driver seller merchant vendor provider doctor contact"
)
_TRIALS = ("dry_run", "dryRun", "preview", "simulate", "validate_only", "estimate_only")
# Resources of payment services that are named without `_id`.
RESOURCES = listed("charge payment_intent payment order invoice bill booking reservation subscription transaction")
_ROUTE = re.compile(r"(GET|POST|PUT|PATCH|DELETE) +(?:https?://[^/ ]+)?(/\S*)")
_PLACE = re.compile(r"[{}:\d]")  # in the part of a route that stands for an id or a version
_NAMES_A_THING = ("_id", "_ids", "_no", "_number", "_ref", "_code", "_uuid", "_nos", "_numbers")


@dataclass(frozen=True, slots=True)
class Named:
    """One thing that an action's arguments name. `others` means that the argument's name shows another party's
    thing."""

    argument: str
    kind: str
    id: str
    others: bool = False

    @property
    def is_instrument(self) -> bool:
        """Whether it is a means of payment."""
        return self.kind in INSTRUMENTS


@dataclass(frozen=True, slots=True)
class Operation:
    """What an action does. `reads` means that it changes nothing, because its tool only reads or the call is a dry run.
    `nouns` are the words of the tool's name, `states` those of them that are states."""

    act: str
    reads: bool
    nouns: frozenset[str]
    states: frozenset[str]
    named: tuple[Named, ...]
    record: str = ""  # the kind of record that it is about, if the policy states one

    def of_kind(self, kind: str) -> tuple[Named, ...]:
        """The named things of one kind."""
        return tuple([each for each in self.named if each.kind == kind])

    @property
    def objects(self) -> frozenset[str]:
        """The words of the tool's name that are not an act: the objects of the act."""
        return frozenset([word for word in self.nouns if not act_of(word) and not is_neutral(word)])

    @property
    def instruments(self) -> tuple[Named, ...]:
        """The named means of payment."""
        return tuple([each for each in self.named if each.is_instrument])


@reader
def operation(action: Action, context: Context) -> Operation:
    """What the action does, by the policy's `business.tools`, else by the names of the tool and its arguments."""
    stated = schema(action, context)
    tool = stated.tools.get(action.tool)
    act, reads, tokens = _act(action)
    reads = reads or any(action.args.get(name) is True for name in _TRIALS)
    nouns = frozenset(singular(word) for word in tokens)
    states = _states_before(tokens) if act else frozenset()
    named = tuple(_named(action, stated))
    if tool is None:
        return Operation(act, reads, nouns, states, named)
    states = frozenset(tool.states) if tool.states else states
    return Operation(tool.act or act, reads and not tool.act, nouns, states, named, tool.record)


def _act(action: Action) -> tuple[str, bool, tuple[str, ...]]:
    """The act, whether the action only reads, and the words of the tool's own name."""
    act, reads, tokens = act_in_name(action.tool)
    if action.kind in ("refund", "payment"):
        return ("refund" if action.kind == "refund" else "pay"), False, tokens
    return act, reads, tokens


@functools.lru_cache(maxsize=4096)
def act_in_name(tool: str) -> tuple[str, bool, tuple[str, ...]]:
    """The act that a tool's name says, whether it says that the tool only reads, and the words of its own name."""
    tokens = own_words(tool)
    for token in tokens:
        if is_reading(token):
            return "", True, tokens
        if act := act_of(token):
            return act, False, tokens
        if not is_neutral(token):
            break
    return "", False, tokens


def resources(tool: str) -> list[str]:
    """The parts of the route that a tool's name is (`GET /v1/charges/ch_81`), or [] for another name."""
    route = _ROUTE.match(tool)
    return [each for each in re.split(r"[/?&=]", route[2]) if each][:20] if route else []


def own_words(tool: str) -> tuple[str, ...]:
    """The words of a tool's own name, without its server. A verb that means nothing alone (`refunds.create`,
    `POST /v1/refunds`) is followed by the thing before it."""
    if route := _ROUTE.match(tool):
        things = [each for each in route[2].split("?")[0].split("/") if each and not _PLACE.search(each)]
        return (route[1].lower(), *(singular(word) for each in things[-1:] for word in words(each)))
    *before, last = tool.rsplit("__", 1)[-1].split(".")
    spoken = words(last)
    if before and len(spoken) == 1 and is_neutral(spoken[0]):
        return (*spoken, *(singular(word) for word in words(before[-1])))
    return spoken


def _states_before(tokens: tuple[str, ...]) -> frozenset[str]:
    """The states before a noun (`cancel_pending_order`). A state after a noun is the intended new state."""
    pairs = pairwise(tokens[1:])
    return frozenset([same_state(word) for word, noun in pairs if word in STATES and noun not in STATES])


def _named(action: Action, stated: Schema) -> Iterator[Named]:
    roles = {name: role for role, names in stated.arguments.items() for name in names}
    roles |= {shape.id: kind for kind, shape in stated.records.items() if shape.id}
    roles |= {kind: kind for kind in stated.records}
    if action.kind == "refund":
        roles.setdefault(action.fields.get("order", "order"), "order")
    for name, value in _arguments(action.args):
        if kind := _kind_of(name, roles):
            spoken = words(snake(name).replace("gift_card", "giftcard"))  # a gift card is not a gift for another person
            others = not _OTHERS.isdisjoint(spoken[:-1]) and name not in roles
            for each in ids_in(value):
                if name in roles or snake(name) not in RESOURCES or is_distinctive(plain_id(each)):
                    yield Named(name, kind, each, others)


def _kind_of(name: str, roles: Mapping[str, str]) -> str:
    if name in roles:
        return "payment_method" if roles[name] == "instrument" else roles[name]
    plain = snake(name)
    if plain in INSTRUMENTS or plain in RESOURCES:
        return plain
    if not plain.endswith(_NAMES_A_THING) or plain in ("zip_code", "country_code", "currency_code", "phone_number"):
        return ""
    kind = kind_named(plain)
    side, _, thing = kind.partition("_")
    return thing if thing and (side in _SIDES or side in _OTHERS) else kind


def _arguments(args: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arguments with their names, including nested ones."""
    stack, seen = list(reversed(list(args.items()))), 0
    while stack and seen < MOST_ARGUMENTS:
        name, value = stack.pop()
        seen += 1
        if isinstance(value, Mapping):
            stack.extend(reversed([(str(key), each) for key, each in value.items()]))
        elif isinstance(value, (list, tuple)) and any(isinstance(each, Mapping) for each in value):
            inside = [pair for each in value[:50] if isinstance(each, Mapping) for pair in each.items()]
            stack.extend(reversed([(str(key), each) for key, each in inside]))
        else:
            yield str(name), value
