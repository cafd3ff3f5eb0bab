"""States as sourced what the cited source does not support."""

from __future__ import annotations

from supervisor.evidence.prose.text import holds, nearest_sentence, searchable
from supervisor.evidence.reading.slices import Sliced, Work
from supervisor.evidence.research.citations import Source, claims_in
from supervisor.methods.judge import ask_about_source
from supervisor.methods.sources import cited_sources
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

MAX_CLAIMS = 6
MAX_REPORT = 100_000  # characters
_SUPPORT = "Does the source state the whole claim, or state things from which it plainly follows?"


@specialist("report")
async def claim_unsupported_by_source(action: Action, context: Context) -> Opinion:
    text = action.text("text")
    if len(text) > MAX_REPORT:
        return refuse(f"the report has {len(text):,} characters; {MAX_REPORT:,} are judged", Cause.INPUT)
    cited = await cited_sources(action, context)
    if not cited or any(source.problem for source in cited):
        return refuse("the report cites no readable source")
    claims = await claims_in.unhurried(text, cited, MAX_CLAIMS)
    if not 0 < len(claims) <= MAX_CLAIMS:
        many = f"more than {MAX_CLAIMS} claims" if claims else "no claim"
        return refuse(f"the report makes {many} with a source; 1 to {MAX_CLAIMS} are judged at a time")
    confidence = 1.0
    for claim, source in claims:
        if await _says.unhurried(source, claim):
            continue
        answer = await ask_about_source(context, _SUPPORT, claim=claim, source=source.text)
        confidence = min(confidence, answer.confidence)
        if not answer.yes:
            near = await nearest_sentence.unhurried(source.text, claim)
            return _unsupported(claim, source, near, answer.confidence)
    return ok(confidence)


@Sliced
def _says(source: Source, claim: str) -> Work[bool]:
    return (yield from holds.work((yield from searchable.work(source.text)), claim))


def _unsupported(claim: str, source: Source, near: str, confidence: float) -> Opinion:
    says_instead = f" Its nearest statement is: “{near}”." if near else ""
    return nudge(
        f"The source {source.name} does not support “{claim[:200]}”.",
        correction=f"State only what {source.name} says, or cite a source that supports the claim.{says_instead}",
        sharper="Remove this claim, or state that no available source supports it.",
        confidence=confidence,
        evidence=(claim[:500],),
    )
