"""`supervisor check`: decides on actions from stdin."""

from __future__ import annotations

import contextlib
import json as standard_json
import logging
import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import orjson
import typer

from supervisor.cli.output import AsJson, print_indented, print_json, versioned
from supervisor.decision.exemptions import how_to_allow
from supervisor.errors import BadInput, SupervisorError
from supervisor.intake.documents import NUMBERS, read_json
from supervisor.intake.json_values import plain
from supervisor.intake.parsing import MAX_REQUEST
from supervisor.verdict import Verdict

Decide = Callable[[Any], Awaitable[dict[str, Any]]]  # a line's value to its answer
_HEAD = 4096  # bytes of a line that are searched for its id if the line is no JSON
_ID = re.compile(r'\ufeff?\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+)\s*[,}]')

JsonLines = Annotated[bool, typer.Option("--jsonl", help="One action a line on stdin, one decision a line on stdout.")]


def _or_own(named: Path | None) -> Path | None:
    """The policy file that was named, else the one at the default place, if there is one."""
    from supervisor.policy import own_policy_file

    return named or own_policy_file()


Fail = Annotated[
    bool, typer.Option("--fail", help="With --jsonl: exit 1 if a line is nudged, blocked or no valid action.")
]
PolicyFile = Annotated[
    Path | None,
    typer.Option("--policy", envvar="SUPERVISOR_POLICY", help="The policy file.", metavar="FILE", callback=_or_own),
]
RecordsFolder = Annotated[
    Path | None, typer.Option("--records", help="Write signed records into this folder.", metavar="DIR")
]


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="""Example: echo '{"tool": "bash", "args": {"command": "rm -rf ~"}}' | supervisor check""")(
        check
    )


def check(
    context: typer.Context,
    jsonl: JsonLines = False,
    fail: Fail = False,
    json: AsJson = False,
    policy: PolicyFile = None,
    records: RecordsFolder = None,
) -> None:
    """Decide on one action (JSON on stdin), or on one a line with --jsonl.

    Prints the decision as JSON; at a terminal as text, unless --json is given. Exits 0 for ok and flag, 1 for nudge and
    block, 2 for bad input. With --jsonl, exits 0 whatever the verdicts are, unless --fail is given. If SUPERVISOR_URL
    names a daemon, the daemon decides.
    """
    import anyio

    if fail and not jsonl:
        raise BadInput("it needs --jsonl; one action alone exits 1 if it is stopped", place="--fail", code="usage")
    if sys.stdin is None:  # the parent process has closed it
        raise BadInput("there is nothing to read: standard input is closed", code="no_input")
    logging.basicConfig(format="supervisor: %(message)s")
    url = os.environ.get("SUPERVISOR_URL")
    with _daemon(url, context, records) if url else _engine(policy, records) as decide:
        if jsonl:
            all_run = anyio.run(_check_lines, decide, sys.stdin.buffer, sys.stdout.buffer)
            raise typer.Exit(1 if fail and not all_run else 0)
        show = print_json if json or not sys.stdout.isatty() else _print_text
        raise typer.Exit(anyio.run(_check_one, decide, sys.stdin.buffer, show))


@contextlib.contextmanager
def _engine(policy_file: Path | None, records: Path | None) -> Iterator[Decide]:
    """An engine in this process. Without a policy and without --records, nothing is written."""
    from supervisor.engine.supervisor import Supervisor
    from supervisor.policy import Policy, Records, read_policy

    policy = read_policy(policy_file) if policy_file else Policy(records=Records(path=None))
    if records is not None:
        policy = replace(policy, records=replace(policy.records, path=str(records)))
    with contextlib.closing(Supervisor(policy)) as supervisor:
        yield decide_here(supervisor)


@contextlib.contextmanager
def _daemon(url: str, context: typer.Context, records: Path | None) -> Iterator[Decide]:
    """The daemon, under its own policy, with its own records."""
    from supervisor.engine.remote.client import Remote

    if records is not None or str(context.get_parameter_source("policy")).endswith("COMMANDLINE"):
        message = "SUPERVISOR_URL names a daemon, which decides under its own policy and keeps its own records"
        raise BadInput(message, place="--records" if records else "--policy", code="usage")
    with contextlib.closing(Remote.at(url)) as remote:
        yield remote.decide_line


def decide_here(supervisor: Any) -> Decide:
    """A function that decides on lines with an engine in this process."""
    from supervisor.service.sessions import Sessions, decide_line, line_of

    sessions = Sessions()

    async def decide(value: Any) -> dict[str, Any]:
        return line_of(value, await decide_line(supervisor, value, sessions))

    return decide


async def _check_one(decide: Decide, source: BinaryIO, show: Callable[[Any], None]) -> int:
    answer = await decide(read_json(source.read(MAX_REQUEST + 1), limit=MAX_REQUEST))
    if "record_error" in answer:
        _warn(answer["record_error"])
    show(answer)
    stopped = Verdict.named(answer["verdict"]).stops
    if answer.get("exemptible") and "approval" not in answer and sys.stdout.isatty():  # for a person alone
        print(how_to_allow(answer.get("record")), file=sys.stderr)
    return 1 if stopped else 0


def _print_text(answer: dict[str, Any]) -> None:
    """Prints a decision for people."""
    from supervisor.cli.decisions import decision_lines

    for line in decision_lines(answer):
        print_indented(line)


async def _check_lines(decide: Decide, source: BinaryIO, target: BinaryIO) -> bool:
    """Answers each line. An invalid line gets an error as its answer, and the others go on. Returns whether all lines
    are valid actions that may run."""
    is_warned, all_run = False, True
    for line in _lines(source):
        try:
            answer = await decide(read_json(line, limit=MAX_REQUEST))
            all_run &= not Verdict.named(answer["verdict"]).stops
            if "record_error" in answer and not is_warned:
                _warn(answer["record_error"])
                is_warned = True
        except SupervisorError as error:
            answer, all_run = {"id": _id_of(line), "error": str(error), "code": error.code}, False
        target.write(orjson.dumps(versioned(answer)) + b"\n")
        target.flush()
    return all_run


def _warn(problem: str) -> None:
    print(f"supervisor: {problem} [record_failed]", file=sys.stderr)


def _id_of(line: bytes) -> Any:
    """The id of an invalid line, for its answer: the one at its beginning, else what a lenient parser finds. None if
    neither finds one."""
    try:
        begun = _ID.match(line[:_HEAD].decode("utf-8", "replace"))
        if begun:
            return plain(standard_json.loads(begun[1], strict=False, **NUMBERS))
        value = standard_json.loads(line.decode("utf-8", "replace"), **NUMBERS) if len(line) <= MAX_REQUEST else None
        return plain(value.get("id")) if isinstance(value, dict) else None
    except (ValueError, RecursionError):
        return None


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines that are not blank. Of a line that is too long, only the beginning is kept, which is refused."""
    while line := source.readline(MAX_REQUEST + 2):
        rest = line
        while len(rest) == MAX_REQUEST + 2 and not rest.endswith(b"\n"):
            rest = source.readline(MAX_REQUEST + 2)
        if line.strip():
            yield line.rstrip(b"\r\n")
