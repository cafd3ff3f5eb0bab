"""Acts on a neighbour of what the user named: VM 141 for 114, crm for crm_copy, production for staging.

A copy from the named target onto the named source is the same fault.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from supervisor.evidence.changes.rules import from_workspace, is_test
from supervisor.evidence.configuration import form_of
from supervisor.evidence.effects import Act
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.situation.deeds import Deed
from supervisor.evidence.situation.named.ambient import other_choice
from supervisor.evidence.situation.named.direction import copied_wrong_way
from supervisor.evidence.situation.named.disputed import disputed_record
from supervisor.evidence.situation.named.meant import other_described
from supervisor.evidence.situation.named.neighbours import other_than_named
from supervisor.evidence.situation.named.others import other_record
from supervisor.evidence.situation.named.passed_over import passed_over
from supervisor.evidence.situation.named.siblings import sibling_taken
from supervisor.evidence.situation.named.slots import other_value
from supervisor.evidence.situation.named.stages import file_of_other_stage, other_stage
from supervisor.evidence.situation.named.worded import other_by_words
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


class _Relation(NamedTuple):
    """How a neighbour is found, and what is said of it: `pair` is what was found, `text` the command."""

    find: Callable[[Action, Context], tuple[Any, Any] | None]
    reason: str
    correction: str
    sharper: str
    evidence: str = ""  # what shows it, besides the command


_SIBLING = (
    "The user named {pair.named}, and `{text:.120}` takes {pair.used}.",
    "Take {pair.named}. If {pair.used} is meant, ask the user first.",
    "Compare the names with the user's words letter by letter.",
)
# The first relation that holds speaks.
_RELATIONS = (
    _Relation(
        copied_wrong_way,
        "The user wants a copy from {pair.source} to {pair.target}; this one goes the other way.",
        "Copy from {pair.source} to {pair.target}.",
        "Compare the two sides with the user's words.",
    ),
    _Relation(
        other_record,
        "The user named {pair.named}, and {pair.used} belongs to another record: “{pair.other:.100}”.",
        "Take what the listing shows for {pair.named}: “{pair.shown:.100}”.",
        "Read the identifier off the row that has the user's name.",
        "{pair.other:.200}",
    ),
    _Relation(
        disputed_record,
        "The user says {pair.used} and {pair.named}, and the listing has them in two rows: “{pair.other:.80}” and"
        " “{pair.shown:.80}”.",
        "Ask the user which of the two is meant.",
        "Do nothing to either until the user has answered.",
        "{pair.other:.200}",
    ),
    _Relation(sibling_taken, *_SIBLING),
    _Relation(other_by_words, *_SIBLING),
    _Relation(
        other_value,
        "The user named {pair.named}, and `{text:.120}` has {pair.used} in its place.",
        "Put {pair.named} there. If {pair.used} is meant, ask the user first.",
        "Compare each value with the user's words.",
    ),
    _Relation(
        other_stage,
        "The user named {pair.named}, and `{text:.120}` acts on {pair.used:.80}.",
        "Run it on {pair.named}. If {pair.used:.80} is meant, ask the user first.",
        "Check on which system the command acts.",
        "{pair.used:.200}",
    ),
    _Relation(
        other_choice,
        "The user named {pair.named}, and `{text:.120}` takes what is chosen: “{pair.present:.80}”.",
        "Choose {pair.named} in the command itself.",
        "Name the context, the account or the host in each command that changes something.",
        "{pair.present:.200}",
    ),
    _Relation(
        other_than_named,
        "The user named {pair.named}, and `{text:.120}` acts on {pair.used:.80}.",
        "Run it on {pair.named}. If {pair.used:.80} is meant, ask the user first.",
        "Compare the target with the user's words letter by letter.",
    ),
    _Relation(
        other_described,
        "The user's words fit “{pair.meant:.100}”, and `{text:.120}` acts on {pair.used:.80}.",
        "Take the row that the user's words fit: “{pair.meant:.100}”.",
        "Read the identifier off the row that has the user's words.",
        "{pair.meant:.200}",
    ),
    _Relation(passed_over, *_SIBLING),
)


@specialist("shell", "file_write", "file_edit", about=[Act.DEED, Act.SETTING])
def neighbour_taken_for_target(action: Action, context: Context) -> Opinion:
    if action.kind in ("file_write", "file_edit"):
        return _of_file(action, context)
    for relation in _RELATIONS:
        if (found := relation.find(action, context)) is not None:
            return _judged(relation, *found)
    return ok()


def _of_file(action: Action, context: Context) -> Opinion:
    """A configuration of another stage than the one that the user named."""
    path = from_workspace(resolve(action.text("path"), context.cwd or "."), context.workspace)
    other = file_of_other_stage(path, context) if form_of(path, "") is not None else None
    if other is None or is_test(path):
        return ok()
    return nudge(
        f"The user named {other.named[:80]}, and it changes {other.used[:120]}.",
        correction=f"Change the file of {other.named[:80]}. If {other.used[:80]} is meant, ask the user first.",
        sharper="Look for the file of the stage that the user named.",
        evidence=(path[:200], other.used[:200]),
    )


def _judged(relation: _Relation, acting: Any, pair: Any) -> Opinion:
    text = (acting.command if isinstance(acting, Deed) else acting).text
    reason, correction, shown = (
        each.format(pair=pair, text=text) for each in (relation.reason, relation.correction, relation.evidence)
    )
    evidence = (text[:200], shown) if relation.evidence else (text[:200],)
    return nudge(reason, correction=correction, sharper=relation.sharper, evidence=evidence)
