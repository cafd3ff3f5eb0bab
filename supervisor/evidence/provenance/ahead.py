"""A long past, read before anybody is asked who would need it.

Who is asked has a deadline. A worker that has just been told a long session would need most of it for this reading, and
where it is ended, the next one begins from nothing again. It is linear in what the session's tools have said.
"""

from __future__ import annotations

import contextlib
import sys

from supervisor.action import Context
from supervisor.errors import Unreadable
from supervisor.evidence.provenance.concordance import Concordance
from supervisor.evidence.provenance.utterances import recent
from supervisor.evidence.session.past import grown


def read_ahead(context: Context) -> None:
    """Reads what the injection specialists look at in a session."""
    grown(context, Concordance).enter(sys.maxsize)
    with contextlib.suppress(Unreadable):  # who looks at it learns it
        for utterance in recent(context):
            _ = utterance.orders, utterance.squeezed
