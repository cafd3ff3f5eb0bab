"""Quotes text that the cited source does not contain, or cites a source that does not exist."""

from __future__ import annotations

from collections.abc import Iterable

from supervisor.evidence.prose.text import essence, holds, is_title, nearest_sentence, quotations, searchable, words
from supervisor.evidence.reading.slices import Sliced, Work
from supervisor.evidence.research.citations import Source
from supervisor.methods.judge import ask_about_source_if_configured
from supervisor.methods.sources import cited_sources
from supervisor.specialist import Action, Cause, Context, Finding, Opinion, flag, nudge, ok, refuse, specialist

QUOTATION = 6  # words from which a span in quotation marks is taken as a quotation, not as a term or a title
PHRASE = 4  # words from which a person should look
MAX_QUOTATIONS = 300
_PARAPHRASE = "Does the source say what the claim says, in the same or nearly the same words?"


@specialist("report")
async def fabricated_citation(action: Action, context: Context) -> Opinion:
    quotes = await _quotes.unhurried(action)
    if len(quotes) > MAX_QUOTATIONS:
        return refuse(f"the report holds {len(quotes)} quotations; {MAX_QUOTATIONS} are looked for", Cause.INPUT)
    cited = await cited_sources(action, context, quotes)
    if not cited:
        return refuse("the report cites no readable source")
    for source in cited:
        if source.problem:
            return _unresolved(source)
    unfound, long = await _unfound.unhurried(quotes, cited, action.text("quote"))
    if unfound and not long:
        return flag(f"“{unfound[0]}” is set in quotation marks and is not in the cited source.", evidence=(unfound[0],))
    paraphrase: Opinion | None = None
    for quote in long:
        opinion = await _judged(quote, cited, context)
        if opinion.verdict:
            return opinion
        paraphrase = paraphrase or opinion
    return paraphrase or ok()


@Sliced
def _quotes(action: Action) -> Work[list[str]]:
    """The text passed as the quotation, and the spans of the text that may be one."""
    quotes = dict.fromkeys([action.text("quote")])
    for span in (yield from quotations.work(action.text("text"))):
        if len((yield from words.work(span))) >= PHRASE and not is_title(span):
            quotes[span] = None
    return [quote for quote in quotes if quote]


@Sliced
def _unfound(quotes: list[str], cited: list[Source], given: str) -> Work[tuple[list[str], list[str]]]:
    """The quotations that occur in no source, and those of them that are more than a phrase."""
    texts = {}
    for source in cited:
        texts[source.name] = yield from searchable.work(source.text)
    unfound, long = [], []
    for quote in quotes:
        if (yield from _stands(texts.values(), quote)):
            continue
        unfound.append(quote)
        if quote == given or len((yield from words.work(quote))) >= QUOTATION:
            long.append(quote)
    return unfound, long


def _stands(texts: Iterable[str], quote: str) -> Work[bool]:
    for text in texts:
        if (yield from holds.work(text, quote)):
            return True
    return False


@Sliced
def _nearest(quote: str, cited: list[Source]) -> Work[Source]:
    """The source that shares most words with a quotation; the first of several."""
    wanted = yield from essence.work(quote)
    nearest, most = cited[0], 0
    for source in cited:
        shared = len((yield from essence.work(source.text)) & wanted)
        if shared > most:
            nearest, most = source, shared
    return nearest


async def _judged(quote: str, cited: list[Source], context: Context) -> Finding:
    source = await _nearest.unhurried(quote, cited)
    answer = await ask_about_source_if_configured(context, _PARAPHRASE, claim=quote, source=source.text)
    if answer and answer.yes:
        return ok(min(0.8, answer.confidence))
    near = await nearest_sentence.unhurried(source.text, quote)
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
        sharper=f"Remove the citation of {source.name}, and the claims that rest on it alone.",
        confidence=0.9,
        evidence=(source.name,),
    )
