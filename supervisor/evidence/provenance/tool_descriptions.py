"""Orders that stand in the descriptions of tools, which hosts put before the agent unread.

Descriptions tell agents how to use a tool, so orders alone are honest. What gives a poisoned one away (Invariant Labs,
"Tool Poisoning Attacks", April 2025) is what they are about: keeping the user in the dark, reading secrets and passing
them on, or what other tools are to do.
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
# What no tool needs to be told of to do its work: secrets, other people's conversations, other tools' recipients.
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
    """An order in a tool's description. `value` is what the action takes from it, where it is another tool's."""

    tool: str
    quote: str
    value: str = ""


@reader
def order_obeyed(action: Action, context: Context) -> Order | None:
    """The strange order in the description of the tool that is called, or the one that gave the action a value."""
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
    """The sentences of a description that order something that has nothing to do with using the tool."""
    text = unmasked(description)
    told = [sentence.strip() for sentence in sentences("\n".join((text, *hidden_in(text)))) if sentence.strip()]
    orders = [(sentence, signals) for sentence in told if (signals := signals_of(sentence)) & (_ORDERS | _TELLS)]
    strange = [sentence for sentence, signals in orders if signals & _TELLS or _is_strange(sentence)]
    return tuple(sorted(strange, key=len, reverse=True)) if any(signals & _ORDERS for _, signals in orders) else ()


def _is_strange(sentence: str) -> bool:
    return bool(_STRANGE.search(sentence)) or bool(_OTHERS.search(sentence) and "@" in sentence)
