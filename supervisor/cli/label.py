"""`supervisor label`: a person's judgement of a decision."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.decisions import SHORT
from supervisor.cli.output import AsJson, console, print_json, styled
from supervisor.errors import BadInput
from supervisor.suggestions import choices

if TYPE_CHECKING:
    from supervisor.cli.deployment import Deployment
    from supervisor.records.labels import Label
    from supervisor.records.read import Record

_WORDS = ("right", "wrong", "should-have-been", "withdrawn")


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(
        epilog="Example: supervisor label c3bbce62 wrong --entry force_push_to_shared_branch, or:"
        " supervisor label c3bbce62 should-have-been block --entry shown_secret_published"
    )(label)


def label(
    record: Annotated[
        str,
        typer.Argument(metavar="RECORD", help="The decision, by the beginning of its id or of its record."),
    ],
    word: Annotated[str, typer.Argument(metavar="LABEL", help=f"{', '.join(_WORDS)}.")],
    verdict: Annotated[
        str, typer.Argument(metavar="[VERDICT]", help="With should-have-been: ok, flag, nudge or block.")
    ] = "",
    entry: Annotated[
        str, typer.Option(help="The failure mode whose finding is meant, or that should have objected.", metavar="ID")
    ] = "",
    note: Annotated[str, typer.Option(help="Why, for whoever reads it next.", metavar="TEXT")] = "",
    by: Annotated[str, typer.Option(help="Who labels; by default your login name.", metavar="NAME")] = "",
    policy: PolicyFile = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="The folder of records; by default the policy's.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Say whether a decision, or one specialist's finding, was right.

    Asks at the terminal, where a person must type the answer. A newer label of the same person replaces the older one,
    and `withdrawn` takes it back.
    """
    from supervisor.cli.deployment import Deployment, must_be_here
    from supervisor.cli.exemption_draft import named_record
    from supervisor.cli.review import login_name
    from supervisor.records.labels import Label

    must_be_here()
    if word not in _WORDS:
        raise BadInput(f"no label {word!r}{choices(word, _WORDS)}", place="LABEL", code="usage")
    deployment = Deployment.of(policy, records)
    found = named_record(deployment.records, record)
    _check_entry(entry, word, found, deployment)
    underlined: Any = word.replace("-", "_")
    draft = Label(found.address, underlined, by or login_name(), datetime.now(UTC), "terminal", verdict, entry, note)
    given = _give(draft, found, deployment)
    if json:
        print_json(given.to_json())
    else:
        console().print(
            f"{styled(_told(given), 'green')} {found.predicate['id'][:SHORT]}, as {styled(given.by, 'bold')}"
        )


def _check_entry(entry: str, word: str, found: Record, deployment: Deployment) -> None:
    """Raises BadInput for the finding of a specialist that has none, or a failure mode that does not exist."""
    from supervisor.catalog.catalog import open_catalog
    from supervisor.feedback.labelling import check_entry

    given = [str(each.get("specialist")) for each in found.predicate["opinions"] if each.get("verdict", "ok") != "ok"]
    check_entry(entry, word.replace("-", "_"), given, lambda: open_catalog(deployment.policy.taxonomy).known)


def _give(draft: Label, found: Record, deployment: Deployment) -> Label:
    """Records the label once a person at the terminal has read what it is about. Raises MayNotAnswer."""
    from supervisor.cli.exemption_draft import shown_action
    from supervisor.cli.terminal import confirm
    from supervisor.feedback.labelling import give

    deployment.signer()
    decided = found.predicate["decision"]
    by = f" by {', '.join(decided['by'])}" if decided.get("by") else ""
    shown = f"{decided['verdict']}{by}\n{shown_action(found.predicate['action'])}\nLabel: {_told(draft)}"
    confirm(shown, "Type yes to record this label:", ("yes",))
    with deployment.journal() as (signer, journal):
        return give(journal, signer, draft)


def _told(label: Label) -> str:
    """`should have been block by x`."""
    entry = f" ({label.entry})" if label.entry and label.word != "should_have_been" else ""
    by = f" by {label.entry}" if label.entry and label.word == "should_have_been" else ""
    verdict = f" {label.verdict}" if label.verdict else ""
    return label.word.replace("_", " ") + verdict + by + entry
