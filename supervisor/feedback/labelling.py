"""Writing a label: one signed record in the journal of the decision that it judges."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from supervisor.engine.session import must_be_outside
from supervisor.errors import BadInput
from supervisor.records.envelope import Signer
from supervisor.records.journal import Journal
from supervisor.records.labels import KIND, VERDICTS, Label, label_of
from supervisor.records.masking import masker_of
from supervisor.suggestions import choices

MAX_NOTE = 1_000  # characters of a note, or of a name


def give(journal: Journal, signer: Signer, label: Label) -> Label:
    """Records a label, and returns it as it was recorded: secrets in its texts are masked.

    The caller vouches that a person gave it (`via`). Raises MayNotAnswer inside a guarded session, BadInput for a label
    that is not whole, RecordFailed.
    """
    must_be_outside()
    if not label.by or max(map(len, (label.by, label.note, label.entry))) > MAX_NOTE:
        raise BadInput(f"who labels has a name; it and a note have at most {MAX_NOTE:,} characters", place="--by")
    if (label.word == "should_have_been") != bool(label.verdict) or label.verdict not in ("", *VERDICTS):
        raise BadInput(f"only should-have-been takes a verdict: {', '.join(VERDICTS)}", place="VERDICT", code="usage")
    by, note, entry = masker_of(signer).mask_output([label.by, label.note, label.entry])
    masked = replace(label, by=by, note=note, entry=entry)
    journal.append(KIND, label_of(KIND, masked.to_json()).to_json(), label.record)
    return masked


def check_entry(entry: str, word: str, objected: Collection[str], known: Callable[[], Collection[str]]) -> None:
    """Checks what a label on a part of a decision names: a specialist that has objected, or, with `should_have_been`,
    any failure mode of `known`. Raises BadInput."""
    if not entry or word == "withdrawn" or entry in objected:
        return
    if word != "should_have_been":
        raise BadInput(
            f"it has no finding on this action{choices(entry, objected) if objected else ''}", place="--entry"
        )
    if entry not in known():
        cure = "`supervisor list` shows them all; leave --entry out if there is none yet"
        raise BadInput(f"no failure mode {entry!r}; {cure}", place="--entry", code="unknown_entry")
