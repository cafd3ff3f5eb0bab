"""Access rules of Firebase that let in everybody, or everybody who has signed up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, scalar, short

_AUTHENTICATED = re.compile(
    r"^\(?\s*(?:request\.)?auth(?:\.uid)?\s*!=\s*null\s*\)?$|^isSignedIn\(\)$|^isAuthenticated\(\)$", re.I
)
_TRUE = re.compile(r"^\(?\s*(?:true|1\s*==\s*1|\"?\w+\"?\s*==\s*\"?(?:\w+)\"?\s*\|\|\s*true)\s*\)?$")
_DATE = re.compile(r"request\.time\s*<\s*timestamp\.date\(\s*(\d{4})|\bnow\s*<\s*(\d{13})")
_WRITES = frozenset({"write", "create", "update", "delete"})
_PUBLIC = re.compile(r"public|published|assets|static|catalog|landing|blog", re.IGNORECASE)
_WHOLE = re.compile(r"\{\w+=\*\*\}")


def faults_of_stores(block: Block) -> Iterator[Fact]:
    """What a level of rules allows: `allow read, write: if true`, `".write": true`."""
    place = "/".join(step for step in block.path if step.startswith(("match", "$", "rules")))
    for key, value in block.values.items():
        if key.startswith("allow") and (not block.path or block.path[-1].startswith("match")):
            acts = set(re.findall(r"read|write|create|update|delete|get|list", key[5:]))
        elif key in (".read", ".write") and block.path[:1] == ("rules",):
            acts = {key[1:]}
        else:
            continue
        yield from _of_condition(scalar(value), acts, place, block.shown(key))


def _of_condition(condition: str, acts: set[str], place: str, text: str) -> Iterator[Fact]:
    if not condition:
        return
    writes, is_whole = bool(acts & _WRITES), place == "rules" or _WHOLE.search(place) is not None
    parts = [part.strip() for part in re.split(r"\|\|", condition)]
    if any(_TRUE.match(part) for part in parts) or _TRUE.match(condition):
        is_public = not writes and (not is_whole or _PUBLIC.search(place))
        yield Fact(
            Fault.OPEN,
            f"allows {'write' if writes else 'read'} to all",
            text,
            Weight.SLIGHT if is_public else Weight.GRAVE,
        )
    elif any(_DATE.search(part) and "&&" not in part for part in parts):
        yield Fact(
            Fault.OPEN, "allows all until a date", short(text), Weight.GRAVE if writes or is_whole else Weight.SERIOUS
        )
    elif is_whole and any(_AUTHENTICATED.match(part) for part in parts):
        # Whoever signs up reads and changes what belongs to others.
        yield Fact(Fault.OPEN, "allows every login everything", text, Weight.SERIOUS if writes else Weight.SLIGHT)
