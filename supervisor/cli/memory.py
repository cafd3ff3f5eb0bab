"""`supervisor memory`: what is remembered of an agent across its sessions, and forgetting it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import AsJson, console, counted, one_line, print_json, print_table, styled, table
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.cli.deployment import Deployment
    from supervisor.memory import RefusedAct
    from supervisor.records.memories import Memories

RecordsFolder = Annotated[
    Path | None, typer.Option("--records", help="The folder of records; by default the policy's.")
]
Agent = Annotated[str, typer.Argument(metavar="AGENT", help="The agent's name, as its host gives it.")]
_ANY = 36_500  # days; with the memory turned off, what an earlier policy has left
_FORGET = """Make the guard forget what an agent was refused.

Asks at the terminal, where a person must type the answer. The records stay. Exits 1 if nothing was remembered.
"""


def register(app: typer.Typer) -> None:
    """Adds the verb and its subcommands."""
    group = typer.Typer(no_args_is_help=True, help="Look at what an agent was refused in earlier sessions; forget it.")
    group.command(epilog="Example: supervisor memory show bot --json")(show)
    group.command(help=_FORGET, epilog="Example: supervisor memory forget bot")(forget)
    app.add_typer(group, name="memory")


def show(agent: Agent, records: RecordsFolder = None, policy: PolicyFile = None, json: AsJson = False) -> None:
    """Show what is remembered of an agent, oldest first, and what became of it."""
    from supervisor.memory import memory_to_json

    memory = _memories(_deployment(agent, policy, records)).of(agent, time.time())
    if json:
        print_json({"agent": agent, **memory_to_json(memory)})
        return
    drawn = table("last stopped", "stops", "state", "action", "by", names=True)
    for act in memory.acts:
        drawn.add_row(_time(act), str(len(act.times)), _state(act), one_line(act.shown), one_line(", ".join(act.by)))
    print_table(drawn)
    console().print(styled(f"{counted(len(memory.acts), 'refused act')} of {agent} remembered", "dim"))


def forget(agent: Agent, records: RecordsFolder = None, policy: PolicyFile = None, json: AsJson = False) -> None:
    from supervisor.cli.terminal import confirm
    from supervisor.engine.session import must_be_outside

    deployment = _deployment(agent, policy, records)
    must_be_outside()
    memories = _memories(deployment)
    if not memories.knows(agent):
        _nothing(agent)
    told, number = _listed(memories, agent)
    confirm(told, f"Type yes to forget {number} of {one_line(agent)}:", ("yes",))
    if not memories.forget(agent):
        _nothing(agent)
    if json:
        print_json({"agent": agent, "forgotten": True})
    else:
        console().print(f"{styled('forgotten', 'green')}: {number} of {styled(agent, 'bold')}")


def _nothing(agent: str) -> NoReturn:
    console(error=True).print(styled(f"supervisor: nothing is remembered of {agent} [no_memory]", ""))
    raise typer.Exit(1)


def _listed(memories: Memories, agent: str) -> tuple[str, str]:
    """The acts of an agent as lines, and their number. A damaged file can be forgotten, too."""
    from supervisor.errors import DoorFailed

    try:
        acts = memories.of(agent, time.time()).acts
    except DoorFailed as error:
        return str(error), "what cannot be read"
    lines = [f"{_time(act)}  {_state(act)}  {one_line(act.shown)}" for act in acts]
    return "\n".join(lines), counted(len(acts), "refused act")


def _deployment(agent: str, policy: Path | None, records: Path | None) -> Deployment:
    """The deployment. Raises BadInput without a name, if a daemon keeps it, or without records."""
    from supervisor.cli.deployment import Deployment, must_be_here

    must_be_here()
    if not agent:
        raise BadInput("an agent without a name has no memory", place="AGENT", code="usage")
    deployment = Deployment.of(policy, records)
    if not deployment.records.is_dir():
        cure = "nothing was recorded there yet; the right policy may be another (--policy)"
        raise BadInput(f"is not a folder of records: {cure}", place=str(deployment.records), code="no_journal")
    return deployment


def _memories(deployment: Deployment) -> Memories:
    from supervisor.records.memories import Memories

    return Memories(deployment.records, deployment.policy.memory.days or _ANY)


def _time(act: RefusedAct) -> str:
    return datetime.fromtimestamp(act.at, UTC).strftime("%Y-%m-%d %H:%M")


def _state(act: RefusedAct) -> str:
    return act.state + (", promised" if act.pledge else "") + (f", {len(act.pieces)} in part" if act.pieces else "")
