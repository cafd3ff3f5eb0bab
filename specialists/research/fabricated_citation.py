"""Quotes what the cited source does not say, or cites a source that is not there."""

from __future__ import annotations

from supervisor.evidence.text import essence, holds, is_title, nearest_sentence, quotations, searchable, words
from supervisor.methods.judge import says_if_asked
from supervisor.methods.sources import Source, cited_sources
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, refuse, specialist

QUOTATION = 6  # words from which a span in quotation marks is taken as a quotation, not as a term or a title
PHRASE = 4  # words from which a person should look
_PARAPHRASE = "Does the source say what the claim says, in the same or nearly the same words?"


@specialist("report")
async def fabricated_citation(action: Action, context: Context) -> Opinion:
    quotes = _quotes(action)
    cited = await cited_sources(action, context, quotes)
    if not cited:
        return refuse("the report cites nothing that can be read")
    for source in cited:
        if source.problem:
            return _unresolved(source)
    texts = [searchable(source.text) for source in cited]
    unfound = [quote for quote in quotes if not any(holds(text, quote) for text in texts)]
    long = [quote for quote in unfound if quote == action.text("quote") or len(words(quote)) >= QUOTATION]
    opinions = [await _judged(quote, cited, context) for quote in long]
    if unfound and not long:
        return flag(f"“{unfound[0]}” is set in quotation marks and is not in the cited source.", evidence=(unfound[0],))
    return max(opinions, key=lambda opinion: opinion.verdict, default=ok())


def _quotes(action: Action) -> list[str]:
    spans = [span for span in quotations(action.text("text")) if len(words(span)) >= PHRASE and not is_title(span)]
    quote = action.text("quote")
    return [quote, *spans] if quote else spans


async def _judged(quote: str, cited: list[Source], context: Context) -> Finding:
    source = max(cited, key=lambda source: len(essence(source.text) & essence(quote)))
    answer = await says_if_asked(context, _PARAPHRASE, claim=quote, source=source.text)
    if answer and answer.yes:
        return ok(min(0.8, answer.confidence))
    near = nearest_sentence(source.text, quote)
    instead = f"quote it word for word, for example “{near}”" if near else "quote it word for word"
    return nudge(
        f"“{quote[:200]}” does not appear in {source.name}.",
        correction=f"Either {instead}, or say it in your own words without quotation marks, or remove the citation.",
        sharper="Remove this quotation and its quotation marks. Keep only what the source says, in your own words.",
        confidence=0.95 if answer is None else 0.85,
        evidence=(quote[:500],),
    )


def _unresolved(source: Source) -> Finding:
    return nudge(
        f"The cited source {source.name} {source.problem}.",
        correction=f"Find another source for this claim and cite that, or remove the citation of {source.name}.",
        sharper=f"Remove the citation of {source.name} and what rests on it alone.",
        confidence=0.9,
        evidence=(source.name,),
    )
