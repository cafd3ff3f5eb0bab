"""Sessions, what happened in each, and whether their records hold."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from supervisor.feedback import queries
from supervisor.records.verify import verify
from supervisor.service.console.calls import Call
from supervisor.service.console.reviewing import decision_page

_SESSIONS = 100
_PROBLEMS = 100  # that are shown


def sessions(call: Call) -> Response:
    """The sessions with the newest decisions."""
    with call.desk.store.reading() as connection:
        found = queries.newest_sessions(connection, _SESSIONS)
    return call.page("sessions.html", sessions=found)


def session(call: Call) -> Response:
    """The decisions of one session, oldest first."""
    name = call.query.get("name", "")
    with call.desk.store.reading() as connection:
        found = queries.session_items(connection, name)
    return call.page("session.html", 200 if found else 404, name=name, items=found)


def verification(call: Call) -> Response:
    """Verifies the whole journal, as `supervisor verify` does."""
    report = verify(call.desk.records, signer=call.desk.signer)
    return call.page("verified.html", report=report, problems=report.problems[:_PROBLEMS], place=call.desk.records)


async def replay(call: Call) -> Response:
    """Runs one decision again, and shows what comes out otherwise. Only what verifies is run: a record names the
    policy, and by that the code of specialists."""
    record = call.path["record"]
    replayed = None
    found = await run_in_threadpool(call.desk.whole, record)
    stored = await run_in_threadpool(call.desk.located, found.item)
    if stored is not None and not stored.problem:
        replayed = await call.desk.replayer.replayed(stored.record)
    return await run_in_threadpool(decision_page, call, record, replayed=replayed)
