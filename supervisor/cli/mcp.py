"""`supervisor mcp`: a guard before any MCP server."""

from __future__ import annotations

import logging
import os
import re
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.check import PolicyFile, RecordsFolder
from supervisor.errors import BadInput, SupervisorError

if TYPE_CHECKING:
    from supervisor.engine.protocol import Engine

_NAMED = re.compile(r"\$\{(\w+)\}")
_SECRET = ("authorization", "proxy-authorization", "cookie", "x-api-key")

Command = Annotated[list[str] | None, typer.Argument(help="The server's command.", metavar="-- COMMAND…")]
Url = Annotated[str | None, typer.Option("--url", help="The server's URL (streamable HTTP), instead of a command.")]
Header = Annotated[
    list[str] | None,
    typer.Option("--header", help="A header for the URL, `Name: value`; ${NAME} is replaced from the environment."),
]
Agent = Annotated[str | None, typer.Option("--agent", help="The agent's name, for the records.")]
Task = Annotated[str | None, typer.Option("--task", help="What the user wants; MCP does not transmit it.")]
Approve = Annotated[bool, typer.Option("--approve", help="Approve the tools as they will be listed next, and exit.")]


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor mcp -- uvx mcp-server-git")(mcp)


def mcp(
    command: Command = None,
    url: Url = None,
    header: Header = None,
    agent: Agent = None,
    task: Task = None,
    policy: PolicyFile = None,
    records: RecordsFolder = None,
    approve: Approve = False,
) -> None:
    """Put the guard before an MCP server: use this command in place of the server's.

    Speaks MCP on standard input and output, and exits with the server's exit code.
    """
    from supervisor.adapters.calls import Calls
    from supervisor.adapters.mcp.gate import Gate
    from supervisor.adapters.mcp.stdio import Client, serve_process
    from supervisor.adapters.mcp.tools import Approved, Tools

    server = [url] if url else list(command or ())
    if not server or (url and command):
        raise BadInput("name a server: either `-- COMMAND…` or `--url URL`", code="no_server")
    approved = Approved(server)
    if approve:
        return approved.forget()
    logging.basicConfig(format="supervisor: %(message)s")
    headers = _headers(header or [])
    try:
        tools = Tools(approved)
    except ValueError as error:
        raise BadInput(str(error), code="not_approved") from None
    guard = _guard(policy, records)
    gate = Gate(Calls(guard, agent=agent, task=task, facts=_facts()), tools)
    threading.Thread(target=_warm, args=(guard.supervisor,), daemon=True).start()
    try:
        if url:
            from supervisor.adapters.mcp.streams import serve_url

            raise typer.Exit(serve_url(url, headers, gate, tools.schemas, Client()))
        raise typer.Exit(serve_process(server, gate, Client()))
    finally:
        guard.supervisor.close()


def _guard(policy_file: Any, records: Any) -> Any:
    """The guard of the environment, or one for the given policy and records."""
    from supervisor.adapters.function.guard import Guard
    from supervisor.engine.supervisor import Supervisor
    from supervisor.policy import Policy, read_policy

    if policy_file is None and records is None:
        return Guard()
    policy = read_policy(policy_file) if policy_file else Policy()
    if records is not None:
        policy = replace(policy, records=replace(policy.records, path=str(records)))
    return Guard(Supervisor(policy))


def _warm(engine: Engine) -> None:
    """Starts the engine while client and server introduce themselves."""
    try:
        engine.start()
    except SupervisorError as error:
        logging.getLogger("supervisor").error("%s", error)


def _facts() -> dict[str, Any]:
    """The working directory as a fact, except `/` and the home, in which desktop clients start their servers."""
    folder = os.getcwd()
    return {} if folder in ("/", os.path.expanduser("~")) else {"cwd": folder}


def _headers(given: list[str]) -> dict[str, str]:
    headers = {}
    for each in given:
        name, colon, value = each.partition(":")
        if not colon:
            raise BadInput("a header is `Name: value`", place="--header")
        if name.strip().lower() in _SECRET and not _NAMED.search(value):
            problem = f"other processes can read a secret in arguments: write `{name.strip()}: ${{NAME}}`"
            raise BadInput(problem, place="--header", code="secret_in_arguments")
        for variable in _NAMED.findall(value):
            if variable not in os.environ:
                raise BadInput(f"{variable} is not set", place="--header")
        headers[name.strip()] = _NAMED.sub(lambda found: os.environ[found[1]], value).strip()
    return headers
