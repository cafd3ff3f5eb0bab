"""A plain file that is sent beside its encrypted copy, where the request wants it encrypted."""

from __future__ import annotations

import re

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.situation.shown.demands import demand
from supervisor.evidence.situation.warned import Warned, said

_SEALED = re.compile(r"\.(?:gpg|pgp|asc|age|enc|aes|p7m|cms|ccrypt|cpt)$", re.IGNORECASE)

# Programs that make one of the other, and send neither.
_SEALERS = frozenset({"openssl", "gpg", "gpg2", "age", "rage", "ccrypt", "aescrypt", "cmp", "diff"})


def may_be_unsealed(text: str, context: Context) -> bool:
    """Whether the request wants something encrypted, and a text sends something."""
    return demand("outside").search(text) is not None and demand("encrypted").search(said(context)) is not None


def sends_unsealed(action: Action, context: Context) -> Warned | None:
    """The command that sends a plain file together with its encrypted copy."""
    if action.kind != "shell" or not may_be_unsealed(action.text("command"), context):
        return None
    wanted = demand("encrypted").search(said(context))
    for command in script(action, context).commands:
        if command.program in _SEALERS:
            continue
        given = frozenset(command.operands())
        plain = next((_SEALED.sub("", word) for word in given if _SEALED.search(word)), "")
        if wanted and plain in given and any(demand("outside").search(word) for word in given):
            return Warned(f"{plain}, which is not encrypted", command.text[:200], wanted[0].strip()[:200])
    return None
