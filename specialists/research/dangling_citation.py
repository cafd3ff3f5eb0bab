"""Marks a sentence with a source that its list of sources does not have."""

from supervisor.evidence.research.citations import MARK, cited_names
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_LISTED = Pattern(r"(?m)^\s{0,3}(?:\[(\d{1,2})\]:?|(\d{1,2})[.)])\s+\S")
_MOST = 100_000  # characters


@specialist("report", facts=["sources"])
def dangling_citation(action: Action, context: Context) -> Opinion:
    """The list is the report's `citations`, the sources that came with the task, or a numbered list in the text."""
    text = action.text("text")[:_MOST]
    marks = {int(mark[1]) for mark in MARK.finditer(text)}
    own = {int(found[1] or found[2]) for found in _LISTED.finditer(text)}
    stated = context.facts.get("sources")
    given = cited_names(action) or (list(stated) if isinstance(stated, (list, dict)) else [])
    if not marks or not (own or given):
        return refuse("the report has no marks, or no list of sources")
    if own and not given and marks == own:
        return ok()
    dangling = sorted(mark for mark in marks if mark not in own and not 1 <= mark <= len(given))
    if not dangling:
        return ok()
    return nudge(
        f"[{dangling[0]}] names no source: {len(given) or len(own)} are listed.",
        correction=f"Add the source of [{dangling[0]}] to the list, or remove the mark and the claim.",
        sharper="Use only marks whose source is in the list.",
        evidence=(f"[{dangling[0]}]",),
    )
