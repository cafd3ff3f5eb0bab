"""`supervisor check`: decide on actions that arrive on stdin."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import orjson
import typer

from supervisor.documents import read_json
from supervisor.errors import BadInput, SupervisorError
from supervisor.values import plain

MAX_ACTION = 16 * 1024 * 1024  # bytes of one action with its context: four times as much as it may have itself
MAX_SESSIONS = 10_000  # remembered in one run; the longest unused is forgotten
_HEAD = 4096  # bytes of a line in which its id is looked for where the line is no JSON
_ID = re.compile(r'\ufeff?\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+)\s*[,}]')

JsonLines = Annotated[bool, typer.Option("--jsonl", help="One action a line on stdin, one decision a line on stdout.")]
PolicyFile = Annotated[
    Path | None, typer.Option("--policy", envvar="SUPERVISOR_POLICY", help="The policy file.", metavar="FILE")
]
RecordsFolder = Annotated[
    Path | None, typer.Option("--records", help="Write signed records into this folder.", metavar="DIR")
]


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="""Example: echo '{"tool": "bash", "args": {"command": "rm -rf ~"}}' | supervisor check""")(
        check
    )


def check(jsonl: JsonLines = False, policy: PolicyFile = None, records: RecordsFolder = None) -> None:
    """Decide on one action (JSON on stdin), or on one a line with --jsonl.

    Prints the decision as JSON. Exits 0 for ok and flag, 1 for nudge and block, 2 for bad input.
    """
    import anyio

    if sys.stdin is None:  # closed by whoever started this
        raise BadInput("there is nothing to read: standard input is closed", code="no_input")
    logging.basicConfig(format="supervisor: %(message)s")
    supervisor = _open(policy, records)
    try:
        if jsonl:
            anyio.run(_check_lines, supervisor, sys.stdin.buffer, sys.stdout.buffer)
        else:
            raise typer.Exit(anyio.run(_check_one, supervisor, sys.stdin.buffer))
    finally:
        supervisor.close()


def _open(policy_file: Path | None, records: Path | None) -> Any:
    """The engine. Without a policy and without --records, nothing is written."""
    from supervisor.engine import Supervisor
    from supervisor.policy import Policy, Records, read_policy

    policy = read_policy(policy_file) if policy_file else Policy(records=Records(path=None))
    if records is not None:
        policy = replace(policy, records=replace(policy.records, path=str(records)))
    return Supervisor(policy)


async def _check_one(supervisor: Any, source: BinaryIO) -> int:
    value = read_json(source.read(MAX_ACTION + 1), limit=MAX_ACTION)
    decision, told = await _decide(supervisor, value, OrderedDict())
    if decision.record_error:
        print(f"supervisor: {decision.record_error} [record_failed]", file=sys.stderr)
    sys.stdout.write(orjson.dumps(told).decode() + "\n")
    return 1 if decision.verdict.stops else 0


async def _check_lines(supervisor: Any, source: BinaryIO, target: BinaryIO) -> None:
    """Each line stands alone: what is wrong with one is said in its answer, and the rest go on."""
    sessions: OrderedDict[str, Any] = OrderedDict()
    warned = False
    for line in _lines(source):
        try:
            decision, told = await _decide(supervisor, read_json(line, limit=MAX_ACTION), sessions)
            if decision.record_error and not warned:
                print(f"supervisor: {decision.record_error} [record_failed]", file=sys.stderr)
                warned = True
        except SupervisorError as error:
            told = {"id": _id_of(line), "error": str(error), "code": error.code}
        target.write(orjson.dumps(told) + b"\n")
        target.flush()


def _id_of(line: bytes) -> Any:
    """The id of a line that was refused, so that whoever sent it knows which: what stands at its very beginning, else
    what a lenient parser makes of the line. None where neither finds one."""
    try:
        begun = _ID.match(line[:_HEAD].decode("utf-8", "replace"))
        if begun:
            return plain(json.loads(begun[1], strict=False))
        value = json.loads(line.decode("utf-8", "replace")) if len(line) <= MAX_ACTION else None
        return plain(value.get("id")) if isinstance(value, dict) else None
    except (ValueError, RecursionError):
        return None


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Lines that are not blank. One that is too long is read past, and only its beginning is kept: enough to refuse."""
    while line := source.readline(MAX_ACTION + 2):
        rest = line
        while len(rest) == MAX_ACTION + 2 and not rest.endswith(b"\n"):
            rest = source.readline(MAX_ACTION + 2)
        if line.strip():
            yield line.rstrip(b"\r\n")


async def _decide(supervisor: Any, value: Any, sessions: OrderedDict[str, Any]) -> tuple[Any, dict[str, Any]]:
    from supervisor.proposal import action_from, context_from

    action = action_from(value, supervisor.policy.tools)
    context = context_from(value.get("context"))
    session = _session(value.get("session", context.session), sessions)
    if session is not None:
        context = _with_past(context, session)
    decision = await supervisor.decide(action, context, session)
    if session is not None and decision.allowed:
        supervisor.observe(session, action, None)
    told = decision.to_json()
    return decision, {**told, "id": value["id"]} if value.get("id") is not None else told


def _session(name: Any, sessions: OrderedDict[str, Any]) -> Any:
    """The session that a line names; lines that name none are independent."""
    from supervisor.session import Session

    if name is None:
        return None
    if not isinstance(name, str):
        raise BadInput("a session's name is a string", place="session")
    session = sessions.pop(name, None) or Session(name=name)
    sessions[name] = session
    if len(sessions) > MAX_SESSIONS:
        sessions.popitem(last=False)
    return session


def _with_past(context: Any, session: Any) -> Any:
    """A line's own history holds; a line without one continues what the session's earlier lines proposed."""
    known = session.context()
    return replace(context, session=session.id, history=context.history or known.history)
