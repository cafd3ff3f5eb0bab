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
from supervisor.evidence.actions.named_args import all_args, is_stated
from supervisor.evidence.business.records import ids_in, is_distinctive, kind_named
from supervisor.evidence.business.schema import schema
from supervisor.evidence.business.words import (
    INSTRUMENTS,
    STATES,
    act_of,
    is_neutral,
    is_plain_verb,
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
# Words in names of things that are about an act, or that prepare one.
_THINGS_ABOUT = listed(
    "status history list info detail details report reports policy policies rule rules option options eligibility fee "
    "fees calculator template templates event events log logs webhook request requests queue count total reason "
    "reasons method methods form page link url draft note notes window deadline date"
)
_PURPOSES = listed("shipping")  # states that are as well what a noun is for: a shipping address
_LOOKS = listed("get find fetch retrieve search lookup")
_SEARCHES = listed("search lookup")
_SUMS = listed("amount total sum value price cost fee charge credit compensation")
_MAKES = listed("make submit execute send")  # a payment
_MOST_BEFORE = 4  # words of a name in which its verb is looked for
_TRIALS = ("dry_run", "preview", "simulate", "validate_only", "estimate_only")
# Resources of payment services that are named without `_id`.
RESOURCES = listed("charge payment_intent payment order invoice bill booking reservation subscription transaction")
# Things that an argument names without `_id`; the value has to look like an id.
_THINGS = RESOURCES | listed("line ticket customer client account contract claim parcel shipment quote case lead")
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
    reads = reads or is_stated(action, _TRIALS, lambda value: value is True)
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
    if reads and _reads_behind(tokens) and singular(tokens[0]) not in _THINGS:
        # An unknown first word may be a verb: `wipe_accounts_lookup`. A call with an amount then does not only read.
        reads = not any(not _SUMS.isdisjoint(words(name)) for name, _ in all_args(action))
    return act, reads, tokens


@functools.lru_cache(maxsize=4096)
def act_in_name(tool: str) -> tuple[str, bool, tuple[str, ...]]:
    """The act that a tool's name says, whether it says that the tool only reads, and the words of its own name."""
    tokens = own_words(tool)
    if _reads_behind(tokens):
        return "", True, tokens
    for token in tokens:
        if is_reading(token):
            return "", True, tokens
        if act := act_of(token):
            return act, False, tokens
        if not is_neutral(token):
            break
    return _act_behind(tokens), False, tokens


def _reads_behind(tokens: tuple[str, ...]) -> bool:
    """Whether a name that begins with the name of a server or with its thing only reads: `office-get-order`,
    `drive_search`."""
    first, second, last = tokens[:1], tokens[1:2], tokens[-1:]
    if not second or is_neutral(tokens[0]) or any(act_of(token) for token in tokens):
        return False
    return (len(tokens) > len(first + second) and second[0] in _LOOKS) or last[0] in _SEARCHES


def _act_behind(tokens: tuple[str, ...]) -> str:
    """The act of a name that begins with its thing or with the name of a server: `order_cancel`,
    `backoffice-cancel-order`. Only a plain verb names one: `cancelled_orders` and `refund_status` are things."""
    if not _THINGS_ABOUT.isdisjoint(tokens) or any(is_reading(token) for token in tokens):
        return ""
    if tokens[:1] and tokens[0] in _MAKES and tokens[-1] == "payment":
        return "pay"
    return next((act for token in tokens[1:_MOST_BEFORE] if (act := act_of(token)) and is_plain_verb(token)), "")


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
    """The states before a noun (`cancel_pending_order`). A state after a noun is the intended new state. One that
    no verb precedes is the verb itself (`docusign_void_envelope`), and "shipping" says what the noun is for."""
    begun = next((at for at, word in enumerate(tokens) if act_of(word) or is_neutral(word)), 0)
    pairs = pairwise(tokens[begun + 1 :])
    return frozenset([same_state(word) for word, noun in pairs if word in STATES - _PURPOSES and noun not in STATES])


def _named(action: Action, stated: Schema) -> Iterator[Named]:
    roles = {snake(name): role for role, names in stated.arguments.items() for name in names}
    roles |= {snake(shape.id): kind for kind, shape in stated.records.items() if shape.id}
    roles |= {snake(kind): kind for kind in stated.records}
    if action.kind == "refund":
        roles.setdefault(snake(action.fields.get("order", "order").rpartition("/")[2]), "order")
    for name, value in _arguments(action.args):
        if kind := _kind_of(name, roles):
            spoken = words(snake(name).replace("gift_card", "giftcard"))  # a gift card is not a gift for another person
            others = not _OTHERS.isdisjoint(spoken[:-1]) and snake(name) not in roles
            for each in ids_in(value):
                if snake(name) in roles or snake(name) not in _THINGS or is_distinctive(plain_id(each)):
                    yield Named(name, kind, each, others)


def _kind_of(name: str, roles: Mapping[str, str]) -> str:
    plain = snake(name)
    if plain in roles:
        return "payment_method" if roles[plain] == "instrument" else roles[plain]
    if plain in INSTRUMENTS or plain in _THINGS:
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
