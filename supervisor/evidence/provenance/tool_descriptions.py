"""Orders in the descriptions of tools, which hosts pass to the agent unread.

Descriptions explain to agents how to use a tool, so an order in one may be honest. The subject of its orders gives a
poisoned description away (Invariant Labs, "Tool Poisoning Attacks", April 2025): keeping the user uninformed, reading
secrets and passing them on, or directing other tools.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import re2

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.disguise import hidden_in, unmasked
from supervisor.evidence.prose.passages import fold, holds, sentences
from supervisor.evidence.provenance import provenance
from supervisor.evidence.provenance.instructions import signals_of
from supervisor.evidence.provenance.purposes import described

_ORDERS = frozenset({"imperative", "obligation", "sequence", "override"})
_TELLS = frozenset({"secrecy", "override", "turn"})
# Things that no tool needs for its work: secrets, other people's conversations, other tools' recipients.
_STRANGE = re2.compile(
    r"(?i)(?:~|/home/\w+|/root)?/?\.(?:ssh|aws|gnupg|netrc|kube|cursor|env|npmrc|git-credentials)\b|\bid_(?:rsa|ed25519)\b|"
    r"\bmcp\.json\b|/etc/(?:passwd|shadow)|\b(?:system prompt|conversation history|chat history|"
    r"(?:previous|all|entire|full) (?:messages|conversation|chats?))\b"
)
_OTHERS = re2.compile(
    r"(?i)\b(?:all|any|every|each|other)\b[^.\n]{0,40}\b(?:e?-?mails?|messages?|payments?|transfers?|requests?|tools?)\b[^.\n]{0,60}"
    r"\b(?:to|through|via)\b"
)


class Order(NamedTuple):
    """An order in a tool's description. `value` is the value that the action takes from another tool's description."""

    tool: str
    quote: str
    value: str = ""


@reader
def order_obeyed(action: Action, context: Context) -> Order | None:
    """The strange order in the description of the called tool, or in that of a tool which gave the action a value."""
    for name, description in described(context).items():
        found = strange_orders(description)
        if not found:
            continue
        if name == action.tool:
            return Order(name, found[0])
        text = fold(" ".join(found))
        for value in provenance(action, context).values:
            if value.distinctive and holds(text, fold(value.text)) and value.nowhere:
                return Order(
                    name, next((each for each in found if holds(fold(each), fold(value.text))), found[0]), value.text
                )
    return None


@functools.lru_cache(maxsize=512)
def strange_orders(description: str) -> tuple[str, ...]:
    """The sentences of a description with orders that are unrelated to the use of the tool."""
    text = unmasked(description)
    lines = [sentence.strip() for sentence in sentences("\n".join((text, *hidden_in(text)))) if sentence.strip()]
    orders = [(sentence, signals) for sentence in lines if (signals := signals_of(sentence)) & (_ORDERS | _TELLS)]
    strange = [sentence for sentence, signals in orders if signals & _TELLS or _is_strange(sentence)]
    return tuple(sorted(strange, key=len, reverse=True)) if any(signals & _ORDERS for _, signals in orders) else ()


def _is_strange(sentence: str) -> bool:
    return bool(_STRANGE.search(sentence)) or bool(_OTHERS.search(sentence) and "@" in sentence)
