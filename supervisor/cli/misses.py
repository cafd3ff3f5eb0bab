"""From what people found missing to a new failure mode: `supervisor coverage --misses`, `new --from-record`."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.cli.decisions import SHORT
from supervisor.cli.deployment import Deployment
from supervisor.cli.output import console, counted, print_json, print_table, styled, table

if TYPE_CHECKING:
    from supervisor.action import Action, Context
    from supervisor.catalog.scaffold import Example
    from supervisor.feedback.misses import Cluster

_STEPS = 5  # of the history before a real case
_NAME = re.compile(r"[A-Za-z_]\w*")


def show_misses(records: Path | None, policy: Path | None, *, as_json: bool) -> int:
    """Shows what people found missing, alike ones together. Returns the exit code: 1 if there is something."""
    from supervisor.cli.index import URL_VARIABLE, opened
    from supervisor.feedback import ingest
    from supervisor.feedback.misses import clusters, misses

    folder = Deployment.of(policy, records).records
    with opened(os.environ.get(URL_VARIABLE, ""), folder) as store:
        taken = ingest.update(store, [folder])
        with store.reading() as connection:
            found = clusters(misses(connection))
    if as_json:
        print_json({"clusters": [each.to_json() for each in found]})
    else:
        _show(found)
    for error in taken.unread:
        print(f"supervisor: {error} [{error.code}]; not taken", file=sys.stderr)
    return 1 if found or taken.unread else 0


def _show(found: list[Cluster]) -> None:
    drawn = table("record", "alike", "kind", "action", "should have been", names=True)
    for cluster in found:
        first = cluster.misses[0]
        wanted = f"{first.verdict} by {first.entry}" if first.entry else first.verdict
        action = styled(first.summary, "")
        drawn.add_row(first.record[:SHORT], str(len(cluster.misses)), first.kind, action, styled(wanted, "yellow"))
    print_table(drawn)
    hint = "; `supervisor new FAMILY/ID --from-record RECORD` drafts a failure mode from one" if found else ""
    console().print(styled(f"{counted(len(found), 'sort')} of misses{hint}", "dim"))


def example_from(name: str, records: Path | None, policy: Path | None) -> tuple[str, bool, Example]:
    """The kind of a recorded action, whether it was judged after it ran, and the case that it makes. Its secrets are
    masked, as in the record. Raises BadInput, BadRecord."""
    from supervisor.catalog.scaffold import Example
    from supervisor.cli.exemption_draft import named_record
    from supervisor.engine.replay import seen_in

    record = named_record(Deployment.of(policy, records).records, name)
    action, context = seen_in(record)
    case: dict[str, Any] = {"tool": action.tool, "kind": action.kind, "args": dict(action.args)}
    if situation := _situation(context):
        case["context"] = situation
    if context.ran is not None:
        case |= {"output": context.ran.output, **({"failed": True} if context.ran.failed else {})}
    return action.kind, context.ran is not None, Example(case | {"because": "<why>"}, _part(action))


def _situation(context: Context) -> dict[str, Any]:
    """The task, the last steps and the facts, as a case has them."""
    from supervisor.evidence.machine.assets import FACT

    facts = {name: value for name, value in context.facts.items() if name not in (FACT, "policy_file")}
    steps = [{"tool": each.tool, "args": dict(each.args), "output": each.output} for each in context.history[-_STEPS:]]
    known = {"task": context.task, "history": steps, **facts}
    return {name: value for name, value in known.items() if value}


def _part(action: Action) -> str:
    """The name of the part that a specialist of this kind looks at first."""
    names = [*action.fields, *action.args]
    return next((name for name in names if _NAME.fullmatch(name) and action.text(name)), "value")
