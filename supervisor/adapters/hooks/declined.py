"""The "no" of a host's own user, at the host's own prompt, to an action that was let through.

No hook reports it: the action comes neither out nor again. So a call that has not come out is looked for among the
refusals in the session's file, at the next event. A task's agent has nobody before it, so only the daemon looks.
"""

from __future__ import annotations

import logging
from datetime import datetime
from functools import partial

from supervisor.adapters.hooks.host import Event, Host
from supervisor.decision.decision import Decision
from supervisor.engine.lifecycle import Lifecycle
from supervisor.engine.offload import IN_THREAD
from supervisor.engine.session import LetThrough, Session
from supervisor.errors import RecordFailed
from supervisor.records.queue import MAX_NOTE

_log = logging.getLogger(__name__)


async def record_declined(host: Host, event: Event, supervisor: Lifecycle, session: Session) -> None:
    """Records which of the calls that were let through the user has refused since the last event.

    A call of a turn that has ended does not come out any more: what was not refused until then is forgotten.
    """
    if event.moment == "after":
        session.came_out(event.call)
    others = {call: each.time for call, each in session.not_out.items() if call != event.call}
    if host.refused and others:
        for call, note in await IN_THREAD.run(host.refused, event.transcript, others):
            if let_through := session.came_out(call):
                declined = partial(supervisor.declined, let_through.record, session.id, host.name, note[:MAX_NOTE])
                try:
                    await IN_THREAD.run(declined)
                except RecordFailed as error:  # no reason to refuse the action of this event
                    _log.error("what the user of %s declined is not recorded: %s", host.name, error)
    if event.moment in ("asked", "finish") and event.agent is None:
        session.end_turn()


def note_let_through(host: Host, event: Event, decision: Decision | None, session: Session, proposed: datetime) -> None:
    """Remembers a call that was let through, if the host's session file tells of a refusal. `proposed` is when the
    event came."""
    is_known = host.refused is not None and event.moment == "before" and bool(event.call)
    if is_known and decision is not None and decision.allowed and decision.record:
        session.let_through(event.call, LetThrough(decision.record, proposed.isoformat()))
