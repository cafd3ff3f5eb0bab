"""`supervisor audit`: whether the supervisor itself is in bounds."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import AsJson, console, counted, print_json, print_table, styled, table

if TYPE_CHECKING:
    from supervisor.cli.deployment import Deployment
    from supervisor.feedback.audit import Bounds, Check

_COLOURS = {"ok": "green", "out": "red", "unknown": "dim"}


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor audit --records records --days 7 --replay 500")(audit)


def audit(
    records: Annotated[
        Path | None, typer.Option("--records", help="The folder of records; by default the policy's.")
    ] = None,
    policy: PolicyFile = None,
    days: Annotated[int, typer.Option(help="What counts as lately.", min=1)] = 28,
    precision: Annotated[float, typer.Option(help="Of judged findings, right at least.", min=0, max=1)] = 0.5,
    recall: Annotated[
        float, typer.Option(help="Found at least, of what people call a specialist's own.", min=0, max=1)
    ] = 0.5,
    refusals: Annotated[float, typer.Option(help="Votes lost, at most, as a share.", min=0, max=1)] = 0.01,
    judges: Annotated[
        float, typer.Option(help="Of what models let through and people looked at, right at least.", min=0, max=1)
    ] = 0.9,
    replay: Annotated[int, typer.Option(help="How many of the newest decisions to run again.", min=0)] = 200,
    json: AsJson = False,
) -> None:
    """Look after the supervisor: records, replay, precision, recall and their drift, the sample of what models judged,
    lost votes, what was learned.

    Meant for every night. Exits 1 if something is out of bounds.
    """
    from supervisor.cli.deployment import Deployment
    from supervisor.feedback.audit import Bounds, summed

    deployment = Deployment.of(policy, records)
    deployment.signer()
    bounds = Bounds(precision, refusals, recall=recall, judges=judges)
    checks = [_of_records(deployment), *_of_learning(deployment), *_of_index(deployment, days, bounds)]
    if replay:
        checks.append(_of_replay(deployment, replay))
    states = summed(checks)
    if json:
        print_json({"checks": [asdict(each) for each in checks], **states})
    else:
        drawn = table("check", "state", "found", names=True)
        for each in checks:
            drawn.add_row(each.name, styled(each.state, _COLOURS[each.state]), each.told)
        print_table(drawn)
        told = f"{counted(len(checks), 'check')}, {states['out']} out of bounds, {states['unknown']} unknown"
        console().print(styled(told, "red" if states["out"] else "dim"))
    raise typer.Exit(1 if states["out"] else 0)


def _of_records(deployment: Deployment) -> Check:
    from supervisor.feedback.audit import Check
    from supervisor.records.verify import verify

    report = verify(deployment.records, signer=deployment.signer())
    told = f"{counted(report.records, 'record')} verify"
    if report.problems:
        first = report.problems[0]
        told = f"{counted(len(report.problems), 'problem')}, the first: {first.place}: {first.message}"
    return Check("records", "out" if report.problems else "ok", told)


def _of_learning(deployment: Deployment) -> list[Check]:
    """Whether what was learned still holds for the specialists in force; nothing if none was."""
    from supervisor.catalog.catalog import in_force
    from supervisor.feedback.audit import Check
    from supervisor.records.journal import Journal
    from supervisor.records.promotions import Promotions
    from supervisor.version import VERSION

    signer = deployment.signer()
    found = Promotions(deployment.records, lambda: signer, lambda: Journal(deployment.records, signer)).in_force()
    if found is None:
        return []
    learned, digests = found[0], in_force(deployment.policy).digests()
    stale = [name for name, each in learned.specialists.items() if digests.get(name) != each.digest]
    if learned.library != VERSION:
        stale = list(learned.specialists)
    told = f"holds no more for {', '.join(stale)}: `supervisor learn` fits it anew" if stale else "it holds"
    return [Check("what was learned", "out" if stale else "ok", told)]


def _of_index(deployment: Deployment, days: int, bounds: Bounds) -> list[Check]:
    """Precision, recall, lost votes and what models judged, from the index, which is brought up to date."""
    from sqlalchemy import func, select

    from supervisor.cli.index import index_url, opened
    from supervisor.feedback import ingest
    from supervisor.feedback.audit import judge_checks, precision_checks, recall_checks, refusal_checks
    from supervisor.feedback.judges import labelled_weeks, let_through, sample_of
    from supervisor.feedback.misses import misses
    from supervisor.feedback.queries import weeks
    from supervisor.feedback.schema import decisions
    from supervisor.feedback.times import stored_time, week_of

    begin = datetime.now(UTC) - timedelta(days=days)
    since, rate = week_of(stored_time(begin)), deployment.policy.review.judges
    with opened(index_url(), deployment.records) as store:
        ingest.update(store, [deployment.records])
        with store.reading() as connection:
            found = weeks(connection)
            lately = select(func.count()).select_from(decisions).where(decisions.c.week >= since)
            decided = connection.scalar(lately) or 0
            of_sample = labelled_weeks(connection)
            missed = [(each.entry, week_of(each.time)) for each in misses(connection) if each.entry]
    judged = [*precision_checks(found, since, bounds), *recall_checks(found, missed, since, bounds)]
    sample = sample_of(let_through(deployment.records, begin), rate)
    judged += judge_checks(sample, of_sample, rate, since, bounds)
    return [*judged, *refusal_checks(found, since, decided, bounds)]


def _of_replay(deployment: Deployment, most: int) -> Check:
    """Whether the newest decisions come out as they did. Those of changed specialists may differ."""
    import anyio

    from supervisor.feedback.audit import Check

    replayed, changed, differing = anyio.run(_replayed, deployment.records, most)
    if not replayed:
        return Check("replay", "unknown", "there is no decision to run again")
    told = f"of the newest {counted(replayed, 'decision')}, {len(differing)} differ"
    told += f": {', '.join(differing[:3])}" if differing else ""
    told += f"; {changed} more differ by specialists that have changed since" if changed else ""
    return Check("replay", "out" if differing else "ok", told)


async def _replayed(folder: Path, most: int) -> tuple[int, int, list[str]]:
    """How many were replayed, how many differ by changed specialists alone, and the places of the others."""
    from supervisor.engine.replay import Replayer
    from supervisor.records.newest import newest
    from supervisor.records.read import records_in

    found = newest(folder, most, lambda each: each.kind in ("decision", "outcome"), lambda _: None)
    wanted = {each.address for each in found}
    replayer, changed, differing = Replayer(), 0, list[str]()
    try:
        for path in dict.fromkeys(each.path for each in found):
            for record in records_in(path):
                if record.address in wanted:
                    result = await replayer.replayed(record)
                    if result.differences and result.changed_versions:
                        changed += 1
                    elif result.differences or result.missing:
                        differing.append(result.place)
    finally:
        replayer.close()
    return len(wanted), changed, differing
