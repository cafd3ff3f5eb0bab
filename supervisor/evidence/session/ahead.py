"""Reads a session's past in a worker before it calls a specialist that needs it.

A specialist has a deadline. In a worker that has just received a long session, this reading would take most of the
deadline, and a worker that replaces a killed one starts again from nothing. Specialists read the rest themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from supervisor.action import Context
from supervisor.errors import Unreadable

LONG = 64 * 1024  # bytes of new steps; below this, the specialists read the outputs themselves
_INDEXED = 4 * LONG  # bytes of new steps from which their words are indexed, however few the steps are
_PIECE = 16 * 1024  # characters of outputs that are indexed at a time


def read_ahead(context: Context, size: int) -> Iterator[None]:
    """Reads the evidence that specialists need from a session, step by step. `size` is the bytes of its new steps."""
    return chain(_outputs(context, size) if size > LONG else (), _commands(context))


def _outputs(context: Context, size: int) -> Iterator[None]:
    from supervisor.evidence.history.past import grown
    from supervisor.evidence.provenance.concordance import Concordance
    from supervisor.evidence.provenance.utterances import MAX_STEPS, recent

    try:
        for utterance in recent(context):
            _ = utterance.orders, utterance.squeezed
            yield
    except Unreadable:  # raised again for a specialist that reads it
        return
    if len(context.history) <= MAX_STEPS and size <= _INDEXED:
        return  # every output is recent, and is read as a whole: few actions need the index
    concordance = grown(context, Concordance)
    while concordance.enter(_PIECE):
        yield


def _commands(context: Context) -> Iterator[None]:
    if context.history[-1].kind != "shell":  # a worker imports parsers only with a specialist that needs them
        return
    from supervisor.evidence.history.past_scripts import past_steps

    steps = past_steps(context)
    while steps.parse_next():
        yield
