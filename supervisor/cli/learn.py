"""`supervisor learn`: what labels suggest, and what a person promotes of it."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.deployment import Deployment, must_be_here
from supervisor.cli.output import AsJson, console, counted, one_line, print_json, print_table, styled, table
from supervisor.cli.review import login_name
from supervisor.decision.exemptions import SHORT
from supervisor.decision.learned import Promotion
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.decision.learned import Learned
    from supervisor.feedback.learning.examples import History, Stop
    from supervisor.feedback.learning.missed import Missed
    from supervisor.feedback.learning.proposals import Proposal, Suggestion
    from supervisor.records.promotions import InForce, Promotions

_LEARN = """Show what people's labels suggest: scopes, weights that have passed the gates, and what was missed.

Changes nothing. A scope becomes an exemption with the `supervisor allow` that is shown, weights with `promote`.
"""
_EXAMPLES = 8
Records = Annotated[Path | None, typer.Option("--records", help="The folder of records; by default the policy's.")]
By = Annotated[str, typer.Option("--by", help="Who does it; by default your login name.")]
Reason = Annotated[str, typer.Option(help="Why, for whoever reads it next. Required.")]

group = typer.Typer(help=_LEARN, invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Adds the verb and its subcommands."""
    app.add_typer(group, name="learn", epilog="Example: supervisor learn --records records")


@group.callback()
def learn(context: typer.Context, policy: PolicyFile = None, records: Records = None, json: AsJson = False) -> None:
    if context.invoked_subcommand is not None:
        return
    deployment = Deployment.of(policy, records)
    history, suggestion = _suggested(deployment)
    with _store(deployment) as store:
        in_force = store.in_force()
    if json:
        print_json(_to_json(history, suggestion, in_force))
        return
    out = console()
    if in_force is not None:
        out.print(f"in force: {_described(in_force)}")
    _show_scopes(suggestion)
    for proposal in suggestion.proposals:
        _show(proposal)
    _show_missed(suggestion)
    if learned := suggestion.learned():
        names = ", ".join(learned.specialists)
        out.print(f"may be promoted: {styled(names, 'bold')}, with supervisor learn promote --reason '<why>'")
    labels = counted(len(history.labels) + len(history.missed), "label")
    out.print(styled(f"{labels} on {history.decisions:,} decisions, {len(history.stops):,} stopped", "dim"))
    for problem in history.problems:
        out.print(f"{styled('left out', 'yellow')}: {problem}")


@group.command(epilog="Example: supervisor learn promote --only made_world_writable --reason 'the drop box is public'")
def promote(
    only: Annotated[
        list[str] | None, typer.Option(help="Promote the weights of this specialist alone; repeatable.", metavar="ID")
    ] = None,
    reason: Reason = "",
    by: By = "",
    policy: PolicyFile = None,
    records: Records = None,
    json: AsJson = False,
) -> None:
    """Put the weights in force that have passed all gates, in place of those before. Other decisions stay as they are.

    Lists every recorded decision that would change. Asks at the terminal, where a person must type the answer.
    """
    must_be_here()
    _check(reason)
    deployment = Deployment.of(policy, records)
    deployment.signer()
    _, suggestion = _suggested(deployment)
    learned = _chosen(suggestion, only or [])
    reason, by = _masked([reason, by or login_name()], deployment)
    names = tuple(sorted(learned.specialists))
    draft = Promotion(learned.digest, by, datetime.now(UTC), reason, "terminal", names)
    changed = [(each.specialist, stop) for each in suggestion.proposals for stop in each.changed]
    _confirm(draft, [(name, stop) for name, stop in changed if name in learned.specialists])
    with _store(deployment) as store:
        store.promote(learned, draft)
    _tell(draft, as_json=json)


@group.command(epilog="Example: supervisor learn rollback --reason 'it let a live bucket be emptied'")
def rollback(
    reason: Reason = "", by: By = "", policy: PolicyFile = None, records: Records = None, json: AsJson = False
) -> None:
    """Take back what was promoted: from the next decision on nothing learned is in force.

    Needs no terminal, since it only makes decisions stricter. Records of the past replay as they were.
    """
    must_be_here()
    _check(reason)
    deployment = Deployment.of(policy, records)
    deployment.signer()
    reason, by = _masked([reason, by or login_name()], deployment)
    with _store(deployment) as store:
        if store.in_force() is None:
            raise BadInput("nothing that was learned is in force", code="nothing_learned")
        draft = Promotion("", by, datetime.now(UTC), reason, "terminal")
        store.promote(None, draft)
    _tell(draft, as_json=json)


def _check(reason: str) -> None:
    if not reason.strip():
        raise BadInput("say why, for whoever reads it next", place="--reason", code="usage")


def _suggested(deployment: Deployment) -> tuple[History, Suggestion]:
    from supervisor.catalog.catalog import in_force
    from supervisor.feedback.learning.examples import read_history
    from supervisor.feedback.learning.proposals import suggested

    deployment.signer()
    history = read_history(deployment.records)
    return history, suggested(history, in_force(deployment.policy), deployment.policy)


def _chosen(suggestion: Suggestion, only: list[str]) -> Learned:
    """The weights to promote. Raises BadInput if there are none."""
    learned = suggestion.learned()
    passed = learned.specialists if learned else {}
    for name in only:
        if name not in passed:
            raise BadInput(
                "its weights have not passed the gates; see `supervisor learn`", place=name, code="no_weights"
            )
    if learned is None:
        raise BadInput("no weights have passed the gates; see `supervisor learn`", code="no_weights")
    return replace(learned, specialists={name: passed[name] for name in only}) if only else learned


def _masked(texts: list[str], deployment: Deployment) -> list[str]:
    from supervisor.records.masking import masker_of

    masked: list[str] = masker_of(deployment.signer()).mask_output([text.strip()[:1_000] for text in texts])
    return masked


@contextlib.contextmanager
def _store(deployment: Deployment) -> Iterator[Promotions]:
    from supervisor.records.promotions import Promotions

    with deployment.journal() as (signer, journal):
        yield Promotions(deployment.records, lambda: signer, lambda: journal)


def _confirm(draft: Promotion, changed: list[tuple[str, Stop]]) -> None:
    from supervisor.cli.terminal import confirm

    lines = [f"{', '.join(draft.specialists)}: their objection becomes a flag where the weights say so."]
    lines.append(f"Of the recorded actions that were stopped, {len(changed)} would have run:")
    lines += [f"  {stop.id[:SHORT]} {name}: {stop.summary}" for name, stop in changed]
    confirm("\n".join(lines), "Type yes to promote this:", ("yes",))


def _tell(draft: Promotion, *, as_json: bool) -> None:
    if as_json:
        print_json(draft.to_json())
    elif draft.digest:
        console().print(f"{styled('promoted', 'green')} {draft.digest[:SHORT]}: {', '.join(draft.specialists)}")
    else:
        console().print(f"{styled('taken back', 'green')}: nothing learned is in force")


def _described(in_force: InForce) -> str:
    learned, promotion = in_force
    since = f"{promotion.time:%Y-%m-%d %H:%M} UTC"
    return f"{promotion.digest[:SHORT]} for {', '.join(learned.specialists)}, since {since}, by {promotion.by}"


def _show_scopes(suggestion: Suggestion) -> None:
    if not suggestion.scopes:
        return
    drawn = table("specialist", "labels", "would also run", "scope", names=True)
    for each in suggestion.scopes[:_EXAMPLES]:
        drawn.add_row(each.specialist, str(len(each.labels)), str(len(each.others)), shlex.join(each.options))
    print_table(drawn)
    first = shlex.join(suggestion.scopes[0].command())
    console().print(styled(f"make one: {first} --reason '<why>'", "dim"))


def _show_missed(suggestion: Suggestion) -> None:
    from supervisor.feedback.learning.acts import NEWEST

    out = console()
    for each in suggestion.missed[:_EXAMPLES]:
        entry, number = f" by {each.entry}" if each.entry else "", len(each.acts)
        alike = "" if number == 1 else f" ({number} alike)"
        wanted = f"should have been {styled(each.verdict, 'yellow')}{entry}{alike}"
        out.print(f"missed: {one_line(each.acts[0].summary)}: {wanted}")
        if each.rule is not None:
            fits = f"{len(each.also)} other{'' if len(each.also) == 1 else 's'} of the newest {NEWEST:,} decisions"
            out.print(f"  rule: {styled(each.rule.told, 'bold')}, which fits {fits}")
            for act in each.also[:_EXAMPLES]:
                out.print(styled(f"    {act.id[:SHORT]} {one_line(act.summary)}", "dim"))
        out.print(styled(f"  draft it: {shlex.join(each.command())}", "dim"))


def _show(proposal: Proposal) -> None:
    out = console()
    if proposal.weights is None:
        out.print(f"{styled(proposal.specialist, 'bold')}: no weights: {proposal.why}")
        return
    out.print(f"{styled(proposal.specialist, 'bold')}: weights from {counted(proposal.weights.labels, 'label')}")
    for gate in proposal.gates:
        mark = styled("passed", "green") if gate.is_passed else styled("failed", "red")
        out.print(f"  {mark} {gate.name}: {one_line(gate.told)}")
    for stop in proposal.changed[:_EXAMPLES]:
        out.print(styled(f"    {stop.id[:SHORT]} {one_line(stop.summary)}", "dim"))


def _to_json(history: History, suggestion: Suggestion, in_force: InForce | None) -> dict[str, Any]:
    return {
        "decisions": history.decisions,
        "stopped": len(history.stops),
        "labels": len(history.labels) + len(history.missed),
        "in_force": in_force[1].to_json() if in_force else None,
        "scopes": [
            {
                "specialist": each.specialist,
                "command": each.command(),
                "labelled": [stop.id for stop in each.labels],
                "would_also_run": [stop.id for stop in each.others],
            }
            for each in suggestion.scopes
        ],
        "weights": [
            {
                "specialist": each.specialist,
                "may_be_promoted": each.is_promotable,
                "why_not": each.why,
                "gates": [{"gate": gate.name, "passed": gate.is_passed, "told": gate.told} for gate in each.gates],
                "would_run": [stop.id for stop in each.changed],
            }
            for each in suggestion.proposals
        ],
        "missed": [_missed_to_json(each) for each in suggestion.missed],
        "problems": [str(problem) for problem in history.problems],
    }


def _missed_to_json(missed: Missed) -> dict[str, Any]:
    return {
        "records": [act.record for act in missed.acts],
        "entry": missed.entry,
        "verdict": missed.verdict,
        "rule": missed.rule.told if missed.rule else None,
        "fits_also": [act.id for act in missed.also],
        "command": missed.command(),
    }
