"""Merges two records that an identifier tells apart."""

from supervisor.evidence.entries.merged import parted_by_identifier
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("tool", "http", "form", needs_past=True)
def distinct_records_merged(action: Action, context: Context) -> Opinion:
    found = parted_by_identifier(action, context)
    if found is None:
        return ok()
    return nudge(
        f"{found.one} and {found.other} have different values of “{found.by}”: {found.values[0]} and"
        f" {found.values[1]}.",
        correction="Do not merge them. Show the user both records and the identifier that differs.",
        sharper="Leave both records as they are until the user has said that they are the same.",
        evidence=(found.one, found.other),
    )
