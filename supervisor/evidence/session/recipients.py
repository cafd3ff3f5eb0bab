"""The recipients of a message, and the addresses that the user, the deployment and the session's tools have named."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence import reader
from supervisor.evidence.actions.named_args import all_args
from supervisor.evidence.history.past import names_in_history
from supervisor.evidence.prose.disguise import hidden_in
from supervisor.evidence.prose.passages import plainly

MOST_READ = 16 * 1024  # characters of one entry, enough for hundreds of addresses
MOST_FACTS = 256 * 1024  # characters of all facts together
_BETWEEN = re.compile(r"[\s<>,;:\"()]+")
_PERSON = f"{string.ascii_letters}{string.digits}_.+%-"
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+", re.ASCII)
_LONGEST = 256  # characters of either side of an address
_PARTS = ("to", "cc", "bcc")
_NAMES = ("to_address", "to_addresses", "receiver", "recipient_email", "email_to", "addressee", "cc_addresses")


def addresses(value: object) -> set[str]:
    """The e-mail addresses in a string or a list of strings, in lower case."""
    entries = value if isinstance(value, (list, tuple)) else [value]
    texts = [entry[:MOST_READ].lower() for entry in entries[:MOST_READ] if isinstance(entry, str)]
    return {word for text in texts for word in _BETWEEN.split(text) if "@" in word.strip("@")}


def recipients(action: Action) -> set[str]:
    """The e-mail addresses that a message goes to, from the arguments that commonly contain recipients."""
    found = {each for part in _PARTS for each in addresses(action.get(part))}
    return found or {each for name, value in all_args(action) if name in _NAMES for each in addresses(value)}


def body_of(action: Action) -> str:
    """The subject and the text of a message."""
    return "\n".join(filter(None, (action.text("subject"), action.text("body"))))[: 4 * MOST_READ]


@dataclass(frozen=True, slots=True)
class Acquaintances:
    """The addresses named so far, by source, in lower case."""

    user: frozenset[str]
    facts: frozenset[str]
    tools: Set[str]

    def unknown(self, addresses: Set[str]) -> list[str]:
        """The addresses that no source has named."""
        return sorted(each for each in addresses - self.user - self.facts if each not in self.tools)


@reader
def acquaintances(action: Action, context: Context) -> Acquaintances:
    """The addresses named before this message. Each step is read once; the length of the facts is bounded."""
    user = "\n".join(text for text in _texts_of_user(context))
    facts = frozenset(_addresses_in(_facts(context)))
    return Acquaintances(frozenset(_addresses_in(user)), facts, names_in_history(context, _addresses_of))


def _texts_of_user(context: Context) -> Iterator[str]:
    yield (context.task or "")[: 4 * MOST_READ]
    yield from (text[:MOST_READ] for _, text in strings_in(context.facts.get("earlier_requests")))


def _addresses_of(step: Step) -> list[str]:
    """The addresses in the output and the arguments of a step. `encoded` finds those that the output encodes."""
    given = "\n".join(text for _, text in strings_in(step.args))
    return _addresses_in(f"{plainly(step.output)[: 4 * MOST_READ]}\n{given[:MOST_READ]}")


def encoded(context: Context) -> Set[str]:
    """The addresses in the tools' outputs that appear only after decoding. Finding them takes ten times as long as
    finding the others."""
    return names_in_history(context, _encoded)


def _encoded(step: Step) -> list[str]:
    return _addresses_in("\n".join(hidden_in(plainly(step.output)[: 4 * MOST_READ])))


def _facts(context: Context) -> str:
    kept, room = [], MOST_FACTS
    for _, text in strings_in(context.facts):
        kept.append(text[:MOST_READ])
        room -= len(kept[-1])
        if room <= 0:
            break
    return "\n".join(kept)


def _addresses_in(text: str) -> list[str]:
    """The addresses in a text, each once and in order, found in linear time from every @ outwards."""
    found: dict[str, None] = {}
    at, end = text.find("@"), 0
    while at >= 0:
        before = text[max(end, at - _LONGEST) : at]
        person = before[len(before.rstrip(_PERSON)) :]
        domain = _DOMAIN.match(text, at + 1, at + 1 + _LONGEST) if person else None
        if domain:
            end = domain.end()
            found[f"{person}@{domain.group()}".strip(".").lower()] = None
        at = text.find("@", at + 1)
    return list(found)


def contacts(context: Context) -> list[tuple[str, str]]:
    """The names and addresses of people in the facts, for each entry that has both."""
    found: list[tuple[str, str]] = []
    stack: list[object] = list(context.facts.values())
    while stack and len(found) < 2_000:
        node = stack.pop()
        if isinstance(node, Mapping):
            name, address = node.get("name"), node.get("email") or node.get("address") or node.get("phone")
            if isinstance(name, str) and isinstance(address, str):
                found.append((name, address.strip().lower()))
            stack.extend(node.values())
        elif isinstance(node, (list, tuple)):
            stack.extend(node)
    return found
