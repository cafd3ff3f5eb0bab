"""From what people found missing to a new failure mode: `supervisor coverage --misses`, `new --from-record`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.cli.decisions import SHORT
from supervisor.cli.deployment import Deployment
from supervisor.cli.output import console, counted, print_json, print_table, styled, table
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.action import Action, Context
    from supervisor.catalog.scaffold import Example, Scaffold
    from supervisor.feedback.misses import Cluster

_STEPS = 5  # of the history before a real case
_NAME = re.compile(r"[A-Za-z_]\w*")


def show_misses(records: Path | None, policy: Path | None, *, as_json: bool) -> int:
    """Shows what people found missing, alike ones together. Returns the exit code: 1 if there is something."""
    from supervisor.cli.index import index_url, opened
    from supervisor.feedback import ingest
    from supervisor.feedback.misses import clusters, misses

    folder = Deployment.of(policy, records).records
    with opened(index_url(), folder) as store:
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
        wanted = "stopped: declined at the host's prompt" if first.why == "declined" else wanted
        action = styled(first.summary, "")
        drawn.add_row(first.record[:SHORT], str(len(cluster.misses)), first.kind, action, styled(wanted, "yellow"))
    print_table(drawn)
    hint = "; `supervisor new FAMILY/ID --from-record RECORD` drafts a failure mode from one" if found else ""
    console().print(styled(f"{counted(len(found), 'sort')} of misses{hint}", "dim"))


def drafted(folder: Path, name: str, ids: list[str], records: Path | None, policy: Path | None) -> Scaffold:
    """Writes the files of a failure mode from recorded actions of one kind, all judged before they ran or all after.
    Their secrets are masked, as in the records. Raises BadInput, BadRecord."""
    from supervisor.catalog.scaffold import scaffold
    from supervisor.cli.exemption_draft import named_record
    from supervisor.engine.replay import seen_in
    from supervisor.feedback.learning.acts import newest_acts
    from supervisor.feedback.learning.rules import derived

    journal = Deployment.of(policy, records).records
    found = {record.address: seen_in(record) for record in (named_record(journal, each) for each in ids)}
    kinds = {(action.kind, context.ran is not None) for action, context in found.values()}
    if len(kinds) > 1:
        message = "the recorded actions are of different kinds, and one specialist judges one question"
        raise BadInput(message, place="--from-record", code="usage")
    ((kind, is_after),) = kinds
    others = [(act.action, act.context) for act in newest_acts(journal) if act.record not in found]
    rule = None if is_after else derived(list(found.values()), others)
    examples = [_example(*seen) for seen in found.values()]
    return scaffold(folder, name, kind, "after" if is_after else "before", examples, rule.draft if rule else None)


def _example(action: Action, context: Context) -> Example:
    """The case that a recorded action makes."""
    from supervisor.catalog.scaffold import Example

    case: dict[str, Any] = {"tool": action.tool, "kind": action.kind, "args": dict(action.args)}
    if situation := _situation(context):
        case["context"] = situation
    if context.ran is not None:
        case |= {"output": context.ran.output, **({"failed": True} if context.ran.failed else {})}
    return Example(case | {"because": "<why>"}, _part(action))


def _situation(context: Context) -> dict[str, Any]:
    """The task, the last steps and the facts, as a case has them: without what the engine sets."""
    from supervisor.evidence.machine.assets import FACT as ASSETS
    from supervisor.memory import FACT as MEMORY

    facts = {name: value for name, value in context.facts.items() if name not in (ASSETS, MEMORY, "policy_file")}
    steps = [{"tool": each.tool, "args": dict(each.args), "output": each.output} for each in context.history[-_STEPS:]]
    known = {"task": context.task, "history": steps, **facts}
    return {name: value for name, value in known.items() if value}


def _part(action: Action) -> str:
    """The name of the part that a specialist of this kind looks at first."""
    names = [*action.fields, *action.args]
    return next((name for name in names if _NAME.fullmatch(name) and action.text(name)), "value")
