"""Rests a claim on a publication that has been retracted."""

from supervisor.evidence.research.citations import key_of
from supervisor.methods.pattern import Pattern
from supervisor.methods.sources import cited_sources
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

_HEAD = 4_000  # characters of a source in which its own notice stands
_NOTICE = Pattern(
    r"(?im)^\W*(retracted( article)?|withdrawn|zurückgezogen|retractado)\b\W*(:|$|\[|\()"
    r"|\b(this|the) (article|paper|publication|study|preprint|work|chapter) (has been|was|is) (retracted|withdrawn)\b"
    r"|\bretraction (note|notice|of|watch)\b|\bexpression of concern\b"
)
_SAYS_SO = Pattern(r"(?i)\b(retract\w*|withdrawn|withdrew|zurückgezogen|retractad\w*|expression of concern)\b")


@specialist("report", facts=["retracted"])
async def retracted_source(action: Action, context: Context) -> Opinion:
    """The fact `retracted` lists identifiers and addresses; else the source's own notice decides. A report may cite a
    retracted work if it states the retraction."""
    listed = context.facts.get("retracted", [])
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        return refuse("retracted is not a list of names", Cause.INFRASTRUCTURE)
    cited = await cited_sources(action, context)
    if not cited:
        return refuse("the report cites no readable source")
    if _SAYS_SO.search(action.text("text")[:100_000]):
        return ok()
    known = {key_of(name) for name in listed}
    for source in cited:
        if key_of(source.name) in known or _NOTICE.search(source.text[:_HEAD]):
            return nudge(
                f"The source {source.name} has been retracted.",
                correction=f"Do not rest a claim on {source.name}. Find a valid source, or state in the report"
                " that the work was retracted.",
                sharper=f"Remove the claims that rest on {source.name}, or state that it was retracted.",
                confidence=0.9,
                evidence=(source.name[:200],),
            )
    return ok()
