"""A past, read before anybody is asked who would need it.

Who is asked has a deadline. A worker that has just been told a long session would need most of it for this reading, and
where it is ended, the next one begins from nothing again. What is not read in time, they read themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from supervisor.action import Context
from supervisor.errors import Unreadable

LONG = 64 * 1024  # bytes of steps told at once; of fewer, outputs are read by whoever wants to know them
_PIECE = 16 * 1024  # characters of outputs that are entered at a time


def read_ahead(context: Context, told: int) -> Iterator[None]:
    """Reads what specialists look at in a session of which so many bytes are new, step by step."""
    return chain(_outputs(context) if told > LONG else (), _commands(context))


def _outputs(context: Context) -> Iterator[None]:
    from supervisor.evidence.history.past import grown
    from supervisor.evidence.provenance.concordance import Concordance
    from supervisor.evidence.provenance.utterances import recent

    try:
        for utterance in recent(context):
            _ = utterance.orders, utterance.squeezed
            yield
    except Unreadable:  # who looks at it learns it
        return
    concordance = grown(context, Concordance)
    while concordance.enter(_PIECE):
        yield


def _commands(context: Context) -> Iterator[None]:
    if context.history[-1].kind != "shell":  # a worker imports parsers only with who needs them
        return
    from supervisor.evidence.history.past_scripts import runs_of

    runs = runs_of(context)
    while runs.parse_next():
        yield
