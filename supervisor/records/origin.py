"""Whose segments these are: each must be linked to the register's key, and named by something that is linked to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from supervisor.records.chain import Chain, Problem
from supervisor.records.register import Register
from supervisor.records.tombstone import Tombstone
from supervisor.records.version_0_1 import UPGRADED

_KEY = "key: "


def check_origin(
    chains: Mapping[str, Chain],
    register: Register | None,
    trusted: set[str] | None,
    notes: list[Problem],
    begun_meanwhile: Collection[str],
) -> None:
    """Checks that each segment was begun here: its key is linked to the register's key, and the register or another
    segment names it. Segments `begun_meanwhile` need not be named by a register that was read before."""
    if register is None or trusted is None:
        return
    known = {*register.segments, *(each.segment for chain in chains.values() for each in chain.neighbours)}
    for chain in chains.values():
        if chain.keys and not trusted & chain.keys.keys():
            other = f"signed by the key {', '.join(chain.keys)}, which nothing else in this journal names"
            chain.report(chain.path.name, "foreign_key", other)
        if chain.name not in known and chain.name not in begun_meanwhile and len(chain.digests) > 1:
            problem = Problem(chain.path.name, "unregistered", "neither the register nor another segment names it")
            is_late = chain.header.get("late") is True  # by its own header, it did not get the lock on the register
            (notes if is_late else chain.problems).append(problem)


def succession(chains: Mapping[str, Chain], register: Register, tombstones: Iterable[Tombstone]) -> set[str]:
    """The register's key and its predecessors: a header that a trusted key signed names the key before it, and a
    tombstone the keys of the headers that were removed."""
    trusted, before = {register.key_id}, 0
    while len(trusted) != before:
        before = len(trusted)
        for each in tombstones:
            if trusted & chains[each.segment].keys.keys():
                trusted.update(each.keys)
        for chain in chains.values():
            state = str(chain.header.get("register"))
            if state.startswith(_KEY) and trusted & chain.keys.keys():
                trusted.add(state.removeprefix(_KEY))
            elif state == UPGRADED and trusted & chain.keys.keys():
                found = {each.segment for each in chain.neighbours}  # what it found when it began
                old = (each for each in chains.values() if each.is_unregistered and each.name in found)
                trusted.update(*(each.keys for each in old))
    return trusted


def check_header(chain: Chain, notes: list[Problem]) -> None:
    """Reports the state of the register that the segment's writer recorded when it began."""
    state = str(chain.header.get("register", "kept"))
    if state.startswith(_KEY):
        change = f"from here on the records are signed by another key than {state.removeprefix(_KEY)}"
        notes.append(Problem(chain.path.name, "key_changed", change))
    elif state == UPGRADED:
        change = (
            "from here on a journal of version 0.1 has a register: nothing tells whether segments before are missing"
        )
        notes.append(Problem(chain.path.name, "upgraded", change))
    elif state not in ("kept", "first"):
        problem = f"when it began, the register of segments was missing or invalid ({state})"
        chain.report(chain.path.name, "register_missing", problem)
