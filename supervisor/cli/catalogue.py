"""`supervisor list`, `explain`, `new`, `coverage`: the taxonomy and its specialists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from json import dumps as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import (
    COLOURS,
    SEVERITY_COLOURS,
    AsJson,
    console,
    counted,
    print_json,
    print_prose,
    print_table,
    styled,
    table,
    verdict,
)
from supervisor.errors import BadInput
from supervisor.suggestions import choices, did_you_mean

if TYPE_CHECKING:
    from supervisor.catalog.catalog import Catalog
    from supervisor.catalog.coverage import Coverage, Row
    from supervisor.catalog.failure_mode import Case, FailureMode
    from supervisor.catalog.manifest import Entry
    from supervisor.policy import Policy, Taxonomy

RecordsFolder = Annotated[
    Path | None, typer.Option("--records", help="The folder of records; by default the policy's.", metavar="DIR")
]
Folder = Annotated[Path, typer.Option("--folder", help="The folder with taxonomy/ and specialists/.", metavar="DIR")]


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command("list", epilog="Example: supervisor list --family git")(list_entries)
    app.command(
        epilog="Example: supervisor explain duplicate_refund_same_order, or: supervisor explain --action action.json"
    )(explain)
    app.command(epilog="Example: supervisor new money/gift_card_bought --kind payment, or: --from-record c3bbce62")(new)
    app.command(epilog="Example: supervisor coverage --policy supervisor.yaml, or: supervisor coverage --misses")(
        coverage
    )


def list_entries(
    family: Annotated[str | None, typer.Option(help="Only this family.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only failures of this class of agent.")] = None,
    policy: PolicyFile = None,
    json: AsJson = False,
) -> None:
    """List the failure modes that the policy selects, and say how many are in force."""
    from supervisor.catalog.catalog import counted_in_force, open_catalog
    from supervisor.catalog.failure_mode import AGENT_CLASSES, FAMILIES

    _one_of(family, FAMILIES, "--family")
    _one_of(agent, AGENT_CLASSES, "--agent")
    entries = [
        entry
        for entry in open_catalog(_taxonomy(policy)).entries.values()
        if (family is None or entry.family == family) and (agent is None or agent in entry.agents)
    ]
    if json:
        print_json([asdict(entry) for entry in entries])
        return
    drawn = table("failure mode", "severity", "verdict", "method", names=True)
    for entry in entries:
        severity = styled(entry.severity, SEVERITY_COLOURS[entry.severity])
        drawn.add_row(_name(entry.family, entry.id), severity, verdict(entry.verdict), entry.method)
    print_table(drawn)
    console().print(
        styled(f"{counted(len(entries), 'failure mode')}. `supervisor explain ID` shows all of one.", "dim")
    )
    print_prose(styled(f"All families: {counted_in_force(_policy(policy))}.", "dim"))


def _one_of(value: str | None, known: Sequence[str], option: str) -> None:
    if value is not None and value not in known:
        raise BadInput(f"no {value!r}{choices(value, known)}", place=option)


def explain(
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="The name of a failure mode.")] = None,
    action: Annotated[
        Path | None, typer.Option("--action", help="An action as JSON, `-` for standard input.", metavar="FILE")
    ] = None,
    policy: PolicyFile = None,
    json: AsJson = False,
) -> None:
    """Explain one failure mode: what it is, where it happened, what is caught and let through. Or explain an action:
    its effects, and the decision on it."""
    from supervisor.catalog.catalog import open_catalog

    if id is None and action is not None:
        from supervisor.cli.actions import explain_action

        explain_action(action, _policy(policy), as_json=json)
        return
    if id is None or action is not None:
        raise BadInput("name a failure mode, or give an action with --action", code="usage")
    catalog = open_catalog(_taxonomy(policy))
    if id not in catalog.entries:
        raise BadInput(f"no failure mode {id!r}{_instead(id, catalog)}", code="unknown_entry")
    from supervisor.catalog.fact_pages import told

    mode, lane = catalog.failure_mode(id), _lane(catalog, id)
    facts = told(catalog.entries[id], catalog.specialist(id).facts)
    if json:
        print_json(asdict(mode) | {"lane": lane, "facts": facts})
    else:
        _show(mode, catalog.entries[id], catalog.files(id), lane)
        _show_facts(facts)


def _instead(id: str, catalog: Catalog) -> str:
    """The end of an error: what to ask for instead of a failure mode that is not in force."""
    if id in catalog.known:
        return "; it is not in force under this policy (`supervisor list` shows those that are)"
    return did_you_mean(id, catalog.known) or "; `supervisor list` shows them all"


def _lane(catalog: Catalog, name: str) -> str:
    """Where the specialist runs, and why."""
    from supervisor.catalog.termination import unbounded

    if catalog.entries[name].uses_doors:
        return "through doors: it is an `async def`"
    if catalog.entries[name].is_bounded:
        return "in the host's process: it is bounded, on inputs of 8 KB at most; else in a worker"
    why = (
        unbounded(catalog.files(name)[1].read_bytes()) if catalog.is_ours(name) else "it does not ship with the library"
    )
    return f"in a worker: {why}"


def _show(mode: FailureMode, entry: Entry, files: tuple[Path, Path], lane: str) -> None:
    out = console()
    out.print(f"\n{styled(mode.name, 'bold')}  {styled(f'{entry.family}/{mode.id}', 'dim')}")
    print_prose(styled(" ".join(mode.description.split()), ""))
    severity = styled(mode.severity, SEVERITY_COLOURS[mode.severity])
    print_prose(f"\n{severity} · {verdict(mode.verdict)} · {mode.method} · {', '.join(mode.agents)}")
    when = ", after it ran" if mode.stage == "after" else ""
    print_prose(styled(f"about: {', '.join(entry.kinds)}{when}", "dim"))
    print_prose(styled(f"judges {lane}", "dim"))
    if not entry.exemptible:
        print_prose(styled("`supervisor allow` makes no exemption from it", "dim"))
    print_prose(styled(", ".join(f"{each.scheme} {each.id}" for each in mode.references), "dim"))
    incident = mode.incident
    print_prose(f"\n{styled('Incident', 'bold')} ({styled(incident.date, '')}): {styled(incident.summary, '')}")
    out.print(styled(incident.source, "dim"))
    for title, cases in (("caught", mode.cases.caught), ("let through", mode.cases.let_through)):
        drawn = table(title, "because")
        for case in cases:
            drawn.add_row(styled(_example(case), ""), styled(case.because, "dim"))
        print_table(drawn)
    out.print(styled(f"{files[0]}\n{files[1]}", "dim"))


def _show_facts(facts: Sequence[Mapping[str, Any]]) -> None:
    """The facts that a specialist reads, with an example that fits a policy."""
    if facts:
        drawn = table("fact", "meaning", "for example, in a policy's `facts:`", names=True)
        for fact in facts:
            drawn.add_row(fact["name"], styled(fact["meaning"], ""), styled(f"{fact['name']}: {_yaml(fact)}", "dim"))
        print_table(drawn)


def _yaml(fact: Mapping[str, Any]) -> str:
    """The example on one line; JSON is YAML."""
    return json_text(fact["example"], ensure_ascii=False)


def _example(case: Case) -> str:
    values = [value if isinstance(value, str) else f"{name}={value!r}" for name, value in case.args.items()]
    text = f"{case.tool}: {' · '.join(values)}"[:300]
    return text if case.output is None else f"{text} → {case.output}"[:300]


def new(
    name: Annotated[str, typer.Argument(metavar="FAMILY/ID", help="The failure mode's family and name.")],
    kind: Annotated[str, typer.Option(help="The kind of action it is about.")] = "tool",
    folder: Folder = Path(),
    after: Annotated[bool, typer.Option("--after", help="It judges the outcome of an action that ran.")] = False,
    from_record: Annotated[
        list[str] | None,
        typer.Option(help="A recorded decision, by its id: its action is a case; repeatable.", metavar="RECORD"),
    ] = None,
    records: RecordsFolder = None,
    policy: PolicyFile = None,
) -> None:
    """Write both files of a new failure mode, and show what to fill in.

    With --from-record, the specialist has the rule that the recorded actions share, where one can be derived.
    """
    from supervisor.catalog.scaffold import scaffold

    if from_record:
        from supervisor.cli.misses import drafted

        written = drafted(folder, name, from_record, records, policy)
    else:
        written = scaffold(folder, name, kind, "after" if after else "before")
    out = console()
    out.print(f"Wrote {styled(str(written.taxonomy), 'bold')} and {styled(str(written.specialist), 'bold')}.\n")
    out.print("1. In the entry, replace every text in <angle brackets>. The incident must be real.")
    out.print("2. In the specialist, write the question; the cases define when it must object.")
    out.print(f"3. Run [bold]{styled(written.command, '')}[/] until it is green. No other file needs a change.")


def coverage(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Only these failure modes.")] = None,
    policy: PolicyFile = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Also the taxonomy in this folder.", metavar="DIR")
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(help="Write the passed entries to this file, so that a start need not run their cases again."),
    ] = None,
    misses: Annotated[
        bool, typer.Option("--misses", help="Show what people found missing, from their labels, instead.")
    ] = False,
    records: RecordsFolder = None,
    json: AsJson = False,
) -> None:
    """Run every case of every failure mode. Exits 1 if an entry is incomplete.

    With --misses, updates the index of the records and shows the actions that a person would have stopped and to which
    no specialist objected, alike ones together. Exits 1 if there are any.
    """
    from supervisor.catalog.coverage import cover

    if misses:
        from supervisor.cli.misses import show_misses

        raise typer.Exit(show_misses(records, policy, as_json=json))

    taxonomy = _taxonomy(policy)
    if folder is not None:
        taxonomy = replace(taxonomy, folders=(*taxonomy.folders, str(folder)))
    with console(error=True).status("running cases") as progress:
        found = cover(taxonomy, frozenset(ids or ()), lambda row: progress.update(f"running cases: {row.id}"))
    if json:
        print_json(_coverage_to_json(found))
    else:
        _show_coverage(found)
    if manifest is not None and found.complete:
        from supervisor.catalog.catalog import write_manifest

        write_manifest(taxonomy, manifest)
    raise typer.Exit(0 if found.complete else 1)


def _coverage_to_json(found: Coverage) -> dict[str, Any]:
    rows = [{"family": row.family, "id": row.id, "cases": _counts(row), "problems": row.problems} for row in found.rows]
    return {"complete": found.complete, "entries": rows, "holes": found.holes}


def _counts(row: Row) -> dict[str, int]:
    return {group: len(cases) for group, cases in asdict(row.mode.cases).items()} if row.mode else {}


def _show_coverage(found: Coverage) -> None:
    drawn = table("failure mode", "caught", "let through", "refused", "", names=True)
    for row in found.rows:
        counts = [str(count) for count in _counts(row).values()] or ["", "", ""]
        drawn.add_row(_name(row.family, row.id), *counts, styled("✗", "red") if row.problems else styled("✓", "green"))
    print_table(drawn)
    out = console()
    for problem in [*found.holes, *(f"{row.id}: {problem}" for row in found.rows for problem in row.problems)]:
        out.print(styled(problem, COLOURS["block"]))
    methods = Counter(row.mode.method for row in found.rows if row.mode)
    out.print(styled(", ".join(f"{count} {method}" for method, count in methods.most_common()), "dim"))
    cases = sum(sum(_counts(row).values()) for row in found.rows)
    held = styled("complete", "green") if found.complete else styled("not complete", "red")
    out.print(f"{counted(len(found.rows), 'failure mode')}, {counted(cases, 'case')}: {held}")


def _name(family: str, id: str) -> str:
    return f"{styled(family + '/', 'dim')}{styled(id, '')}"


def _taxonomy(policy: Path | None) -> Taxonomy:
    return _policy(policy).taxonomy


def _policy(file: Path | None) -> Policy:
    from supervisor.policy import Policy, read_policy

    return read_policy(file) if file else Policy()
