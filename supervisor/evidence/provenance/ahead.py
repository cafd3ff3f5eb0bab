"""A long past, read before anybody is asked who would need it.

Who is asked has a deadline. A worker that has just been told a long session would need most of it for this reading, and
where it is ended, the next one begins from nothing again. What is not read when the time is up, they read themselves.
"""

from __future__ import annotations

import contextlib
import time

from supervisor.action import Context
from supervisor.errors import Unreadable
from supervisor.evidence.provenance.concordance import Concordance
from supervisor.evidence.provenance.utterances import recent
from supervisor.evidence.session.past import grown


def read_ahead(context: Context, seconds: float) -> None:
    """Reads what the injection specialists look at in a session, for about so long."""
    until = time.monotonic() + seconds
    concordance = grown(context, Concordance)
    while time.monotonic() < until and concordance.enter():
        pass
    with contextlib.suppress(Unreadable):  # who looks at it learns it
        for utterance in recent(context):
            if time.monotonic() > until:
                break
            _ = utterance.orders, utterance.squeezed
