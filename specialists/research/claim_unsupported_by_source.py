"""States as sourced what the cited source does not support."""

from __future__ import annotations

import re

from supervisor.evidence.slices import Sliced, Work
from supervisor.evidence.text import holds, nearest_sentence, searchable, sentences
from supervisor.methods.judge import says
from supervisor.methods.sources import Source, cited_sources
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

MAX_CLAIMS = 6
MAX_REPORT = 100_000  # characters
_SUPPORT = "Does the source state the whole claim, or state things from which it plainly follows?"
_MARK = re.compile(r"\[(\d{1,2})\]")
_MARK_BEHIND_STOP = re.compile(r"([.!?]) ?((?:\[\d{1,2}\])+)")


@specialist("report")
async def claim_unsupported_by_source(action: Action, context: Context) -> Opinion:
    text = action.text("text")
    if len(text) > MAX_REPORT:
        return refuse(f"the report has {len(text):,} characters; {MAX_REPORT:,} are judged", Cause.INPUT)
    cited = await cited_sources(action, context)
    if not cited or any(source.problem for source in cited):
        return refuse("the report cites nothing that can be read")
    claims = await _claims.unhurried(text, cited)
    if not 0 < len(claims) <= MAX_CLAIMS:
        many = f"more than {MAX_CLAIMS} claims" if claims else "no claim"
        return refuse(f"the report makes {many} with a source; 1 to {MAX_CLAIMS} are judged at a time")
    confidence = 1.0
    for claim, source in claims:
        if await _says.unhurried(source, claim):
            continue
        answer = await says(context, _SUPPORT, claim=claim, source=source.text)
        confidence = min(confidence, answer.confidence)
        if not answer.yes:
            near = await nearest_sentence.unhurried(source.text, claim)
            return _unsupported(claim, source, near, answer.confidence)
    return ok(confidence)


@Sliced
def _claims(text: str, cited: list[Source]) -> Work[list[tuple[str, Source]]]:
    """Each sentence that carries a mark such as `[2]` with the source it names; without marks, the text with all.

    No more of them than show that there are too many.
    """
    claims: list[tuple[str, Source]] = []
    for sentence in (yield from sentences.work((yield from _marks_before_stops(text)))):
        claim = ""
        for mark in _MARK.finditer(sentence):
            if 0 < int(mark[1]) <= len(cited):
                claim = claim or _MARK.sub("", sentence).strip()
                claims.append((claim, cited[int(mark[1]) - 1]))
            if len(claims) > MAX_CLAIMS:
                return claims
            yield
        yield
    whole = Source(" and ".join(source.name for source in cited), "\n".join(source.text for source in cited))
    return claims or ([(text, whole)] if text.strip() else [])


def _marks_before_stops(text: str) -> Work[str]:
    parts, at = [], 0
    for found in _MARK_BEHIND_STOP.finditer(text):
        parts += [text[at : found.start()], " ", found[2], found[1]]
        at = found.end()
        yield
    return "".join([*parts, text[at:]])


@Sliced
def _says(source: Source, claim: str) -> Work[bool]:
    return (yield from holds.work((yield from searchable.work(source.text)), claim))


def _unsupported(claim: str, source: Source, near: str, confidence: float) -> Opinion:
    says_instead = f" The nearest it says is: “{near}”." if near else ""
    return nudge(
        f"The source {source.name} does not support “{claim[:200]}”.",
        correction=f"State only what {source.name} says, or cite a source that supports the claim.{says_instead}",
        sharper="Remove this claim, or say openly that no source at hand supports it.",
        confidence=confidence,
        evidence=(claim[:500],),
    )
