"""States as sourced what the cited source does not support."""

from __future__ import annotations

import re

from supervisor.evidence.text import holds, nearest_sentence, searchable, sentences
from supervisor.methods.judge import says
from supervisor.methods.sources import Source, cited_sources
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

MAX_CLAIMS = 6
_SUPPORT = "Does the source state the whole claim, or state things from which it plainly follows?"
_MARK = re.compile(r"\[(\d{1,2})\]")
_MARK_BEHIND_STOP = re.compile(r"([.!?]) ?((?:\[\d{1,2}\])+)")


@specialist("report")
async def claim_unsupported_by_source(action: Action, context: Context) -> Opinion:
    cited = await cited_sources(action, context)
    if not cited or any(source.problem for source in cited):
        return refuse("the report cites nothing that can be read")
    claims = _claims(action.text("text"), cited)
    if not claims or len(claims) > MAX_CLAIMS:
        return refuse(f"the report makes {len(claims)} claims with a source; 1 to {MAX_CLAIMS} are judged at a time")
    confidence = 1.0
    for claim, source in claims:
        if holds(searchable(source.text), claim):
            continue
        answer = await says(context, _SUPPORT, claim=claim, source=source.text)
        confidence = min(confidence, answer.confidence)
        if not answer.yes:
            return _unsupported(claim, source, answer.confidence)
    return ok(confidence)


def _claims(text: str, cited: list[Source]) -> list[tuple[str, Source]]:
    """Each sentence that carries a mark such as `[2]` with the source it names; without marks, the text with all."""
    whole = Source(" and ".join(source.name for source in cited), "\n".join(source.text for source in cited))
    marked = [
        (_MARK.sub("", sentence).strip(), cited[int(mark) - 1])
        for sentence in sentences(_MARK_BEHIND_STOP.sub(r" \2\1", text))
        for mark in _MARK.findall(sentence)
        if 0 < int(mark) <= len(cited)
    ]
    return marked or ([(text, whole)] if text.strip() else [])


def _unsupported(claim: str, source: Source, confidence: float) -> Opinion:
    near = nearest_sentence(source.text, claim)
    says_instead = f" The nearest it says is: “{near}”." if near else ""
    return nudge(
        f"The source {source.name} does not support “{claim[:200]}”.",
        correction=f"State only what {source.name} says, or cite a source that supports the claim.{says_instead}",
        sharper="Remove this claim, or say openly that no source at hand supports it.",
        confidence=confidence,
        evidence=(claim[:500],),
    )
