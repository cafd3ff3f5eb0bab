"""`supervisor allow`: exemptions, by which a person lets an action run that was stopped wrongly."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.deployment import Deployment, must_be_here
from supervisor.cli.exemption_draft import USUAL, Asked, draft_of, shown_action, tried_on
from supervisor.cli.output import AsJson, console, counted, one_line, print_json, print_table, styled, table
from supervisor.cli.review import login_name
from supervisor.decision.exemptions import SHORT, Exemption
from supervisor.errors import BadInput, BadRecord

if TYPE_CHECKING:
    from supervisor.cli.exemption_draft import Tried
    from supervisor.policy import Policy
    from supervisor.records.exemptions import Exemptions, Standing

_TRIED = 1_000  # of the last decisions
_EXAMPLES = 5
_ALLOW = """Let an action run that was stopped wrongly, from now on, until the exemption expires.

Names the specialists whose objection is lifted, and the actions that it is lifted from: the action of a record, a
command in one directory, paths, or a tool. The action then runs as a flag. Asks at the terminal, where a person must
type the answer.
"""
Records = Annotated[Path | None, typer.Option("--records", help="The folder of records; by default the policy's.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The exemption, as `supervisor allow list` shows it.")]
By = Annotated[str, typer.Option("--by", help="Who does it; by default your login name.")]

group = typer.Typer(help=_ALLOW, invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Adds the verb and its subcommands."""
    app.add_typer(group, name="allow", epilog="Example: supervisor allow --record 3f9a1c --reason 'the branch is mine'")


@group.callback()
def allow(
    context: typer.Context,
    record: Annotated[str, typer.Option(help="The record of a stopped action, by the beginning of its id.")] = "",
    specialist: Annotated[
        list[str] | None, typer.Option(help="Whose objection is lifted; by default all that stopped the record.")
    ] = None,
    command: Annotated[str, typer.Option(help="A shell command, as typed in the project.")] = "",
    path: Annotated[str, typer.Option(help="A path with all below it, or a pattern (*, **).")] = "",
    tool: Annotated[str, typer.Option(help="A tool's name.")] = "",
    project: Annotated[
        str, typer.Option(help="Only in this directory; for --command, by default the working directory.")
    ] = "",
    agent: Annotated[str, typer.Option(help="Only this agent, by its name.")] = "",
    environment: Annotated[str, typer.Option(help="Only where the fact `environment` is this.")] = "",
    expires: Annotated[str, typer.Option(help="2h, 30d, a date, or never.")] = USUAL,
    reason: Annotated[str, typer.Option(help="Why this is fine. Required.")] = "",
    by: By = "",
    only_try: Annotated[bool, typer.Option("--try", help="Only show which recorded actions it would let run.")] = False,
    last: Annotated[int, typer.Option(help="How many decisions to try it on.", min=1, max=1_000_000)] = _TRIED,
    policy: PolicyFile = None,
    records: Records = None,
    json: AsJson = False,
) -> None:
    if context.invoked_subcommand is not None:
        _check_nothing_before(context)
        return
    must_be_here()
    by = by or login_name()
    asked = Asked(record, specialist or (), command, path, tool, project, agent, environment, expires, reason, by)
    deployment = Deployment.of(policy, records)
    deployment.signer()
    draft = draft_of(asked if reason or not only_try else asked.trial(), deployment, datetime.now(UTC))
    tried, of = tried_on(draft, deployment.records, last)
    if only_try:
        _show_tried(tried, of, as_json=json)
    else:
        _make(draft, deployment, tried, of, as_json=json)


def _check_nothing_before(context: typer.Context) -> None:
    """Raises BadInput for an option between `allow` and its subcommand, which would have no effect."""
    sources = {name: str(context.get_parameter_source(name)) for name in context.params}
    if given := [name for name, source in sources.items() if source.endswith("COMMANDLINE")]:
        verb, option = context.invoked_subcommand, given[0].replace("only_", "")
        raise BadInput(
            f"options stand behind the subcommand: `supervisor allow {verb} …`", place=f"--{option}", code="usage"
        )


def _make(draft: Exemption, deployment: Deployment, tried: list[Tried], of: int, *, as_json: bool) -> None:
    """Makes an exemption that a person has confirmed."""
    _confirm(draft, tried, of)
    with _store(deployment) as store:
        made = store.add(draft)
    if as_json:
        print_json(made.to_json())
        return
    out = console()
    out.print(f"{styled('allowed', 'green')} {made.id[:SHORT]}, {_until(made)}: {styled(_lifts(made), '')}")
    out.print(styled(f"`supervisor allow revoke {made.id[:SHORT]}` ends it.", "dim"))


@group.command("list", epilog="Example: supervisor allow list --json")
def listed(
    everything: Annotated[bool, typer.Option("--all", help="Also expired and revoked ones.")] = False,
    policy: PolicyFile = None,
    records: Records = None,
    json: AsJson = False,
) -> None:
    """Show the exemptions in force: those that people made, and those of the policy. Exits 1 if a file of an exemption
    does not count."""
    must_be_here()
    deployment, now = Deployment.of(policy, records), datetime.now(UTC)
    standing, ignored = _everything(deployment)
    ended = [each for each in standing if each.state(now) != "in force"]
    shown = [each for each in standing if everything or each.state(now) == "in force"]
    if json:
        for each in shown:
            print_json(_to_json(each, now))
    else:
        _show_list(shown, now)
        if ended and not everything:
            console().print(styled(f"{len(ended)} expired or revoked, which --all shows", "dim"))
    for error in ignored:
        console(error=True).print(styled(f"supervisor: {error} [{error.code}]; it does not count", ""))
    raise typer.Exit(1 if ignored else 0)


def _show_list(shown: list[Standing], now: datetime) -> None:
    if not shown:
        console().print("No exemption is in force.")
        return
    drawn = table("id", "until", "lifts", "by", "reason", names=True)
    for each in shown:
        made, state = each.exemption, each.state(now)
        until = _until(made) if state == "in force" else state
        drawn.add_row(made.id[:SHORT], until, styled(_lifts(made), ""), one_line(made.by), styled(made.reason, ""))
    print_table(drawn)


@group.command(epilog="Example: supervisor allow show 3f9a1c27b0de")
def show(id: Id, policy: PolicyFile = None, records: Records = None, json: AsJson = False) -> None:
    """Show one exemption: what it lifts, from which actions, who made it and why."""
    must_be_here()
    deployment, now = Deployment.of(policy, records), datetime.now(UTC)
    found = [each for each in _everything(deployment)[0] if each.exemption.id.startswith(id.lower())]
    if len(found) != 1:
        from supervisor.records.exemptions import NoExemption

        why = "several begin so; give more of the id" if found else "there is none; see `supervisor allow list --all`"
        raise NoExemption(why, place=id)
    if json:
        print_json(_to_json(found[0], now))
        return
    out = console()
    for name, value in _described(found[0].exemption):
        out.print(f"{styled(f'{name:<12}', 'dim')} {styled(value, '')}")
    state = found[0].state(now)
    by = f" by {found[0].revoked_by}" if found[0].revoked else ""
    out.print(f"{styled('state       ', 'dim')} {styled(state + by, 'green' if state == 'in force' else 'yellow')}")


@group.command(epilog="Example: supervisor allow revoke 3f9a1c27b0de")
def revoke(id: Id, by: By = "", policy: PolicyFile = None, records: Records = None, json: AsJson = False) -> None:
    """End an exemption. The next such action is stopped again."""
    must_be_here()
    with _store(Deployment.of(policy, records)) as store:
        ended = store.revoke(id, by or login_name())
    if json:
        print_json({"id": ended.id, "state": "revoked"})
    else:
        console().print(f"{styled('revoked', 'red')} {ended.id[:SHORT]}: {styled(_lifts(ended), '')}")


def exemptions_in(policy: Policy) -> str:
    """The number of exemptions in force, for `doctor`. Raises BadRecord if a file among them does not count, or if they
    cannot be read."""
    from supervisor.policy import expanded
    from supervisor.records.exempted import FOLDER

    declared, now = len(policy.exemptions.allow), datetime.now(UTC)
    made, ignored = 0, list[BadRecord]()
    if policy.records.path is not None and (folder := expanded(policy.records.path) / FOLDER).exists():
        with _store(Deployment(policy, folder.parent, expanded(policy.records.key))) as store:
            standing, ignored = store.everything()
        made = sum(each.state(now) == "in force" for each in standing)
    if ignored:
        raise BadRecord(f"{ignored[0]}; {counted(len(ignored), 'file')} there does not count; remove what is not yours")
    own = f", and {declared} of the policy" if declared else ""
    return f"{made} in force{own}; `supervisor allow list` shows them"


@contextlib.contextmanager
def _store(deployment: Deployment) -> Iterator[Exemptions]:
    from supervisor.records.exemptions import Exemptions

    with deployment.journal() as (signer, journal):
        yield Exemptions(deployment.records, lambda: signer, lambda: journal)


def _everything(deployment: Deployment) -> tuple[list[Standing], list[BadRecord]]:
    """All exemptions of a deployment, those of its policy first, and an error for each file that does not count."""
    from supervisor.engine.exemptions import declared_exemption
    from supervisor.records.exemptions import Standing
    from supervisor.records.masking import masker_of

    if not deployment.records.is_dir():  # nothing was decided yet
        return [], []
    signer = deployment.signer()
    declared = deployment.policy.exemptions.allow
    own = [Standing(declared_exemption(each, deployment.policy, masker_of(signer))) for each in declared]
    with _store(deployment) as store:
        made, ignored = store.everything()
    return [*own, *made], ignored


def _confirm(draft: Exemption, tried: list[Tried], of: int) -> None:
    """Has a person at the terminal read what is allowed. Raises MayNotAnswer."""
    from supervisor.cli.terminal import confirm

    lines = [f"{name}: {value}" for name, value in _described(draft)]
    runs = [each for each in tried if not each.still]
    lines.append(f"Of the last {counted(of, 'decision')}, it would have let {len(runs)} run.")
    lines += [f"  {shown_action(each.record.predicate['action'])}" for each in runs[:_EXAMPLES]]
    if more := len(runs) - _EXAMPLES:
        lines += [f"  and {more} more, which --try shows"] if more > 0 else []
    confirm("\n".join(lines), "Type yes to allow this:", ("yes",))


def _show_tried(tried: list[Tried], of: int, *, as_json: bool) -> None:
    if as_json:
        for each in tried:
            predicate = each.record.predicate
            values = {"record": each.record.address, "id": predicate["id"], "time": predicate["time"]}
            print_json({**values, "action": predicate["action"], "lifted": each.lifted, "still": each.still})
        return
    drawn = table("time", "action", "lifted", "stopped all the same by", names=True)
    for each in tried:
        when = each.record.predicate["time"][:19].replace("T", " ")
        action = one_line(shown_action(each.record.predicate["action"]))
        drawn.add_row(styled(when, "dim"), action, ", ".join(each.lifted), ", ".join(each.still))
    print_table(drawn)
    runs = sum(not each.still for each in tried)
    console().print(styled(f"of the last {counted(of, 'decision')}, it would have let {runs} run", "dim"))


def _described(made: Exemption) -> Iterator[tuple[str, str]]:
    """The parts of an exemption for people."""
    if made.id:
        yield "id", made.id
    yield "lifts", ", ".join(made.specialists)
    yield from ((name, value) for name, value in _fits(made))
    yield "until", _until(made).removeprefix("until ")
    yield "reason", made.reason
    yield "by", made.by


def _fits(made: Exemption) -> Iterator[tuple[str, str]]:
    parts = (
        ("action", made.shown),
        ("path", made.path),
        ("tool", made.tool),
        ("in", made.project),
        ("agent", made.agent),
        ("environment", made.environment),
    )
    return ((name, value) for name, value in parts if value)


def _lifts(made: Exemption) -> str:
    """One line: the specialists, and what it lifts their objections from."""
    return f"{', '.join(made.specialists)} from " + ", ".join(f"{name} {value}" for name, value in _fits(made))


def _until(made: Exemption) -> str:
    return f"until {made.expires:%Y-%m-%d %H:%M} UTC" if made.expires else "for ever"


def _to_json(standing: Standing, now: datetime) -> dict[str, Any]:
    ended = {"revoked": standing.revoked, "revoked_by": standing.revoked_by} if standing.revoked else {}
    return {**standing.exemption.to_json(), "state": standing.state(now), **ended}
