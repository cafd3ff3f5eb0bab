"""Delivers a report without a single source although the task asks for sources."""

import re

from supervisor.evidence.research.citations import MARK, cited_names
from supervisor.evidence.research.identifiers import identifiers_in
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

LEAST = 40  # words from which a text makes claims that need a source
_ASKED = Pattern(
    r"(?i)\b(with|include|give|provide|list|add|name|cite|citing|and|mit|nenne|con|cita|incluye)\s+(?:\w+\s+){0,3}"
    r"(sources?|citations?|references?|links?|footnotes?|bibliograph\w+|quellen(angaben)?|belegen?|fuentes|referencias|citas)\b"
    r"|\b(cite|source|reference) (every|each|all|your|the)\b|\bcite\b"
)
_NAMED = re.compile(
    r"\([A-Z][\w-]+(?: et al\.?| (?:and|&|und|y) [A-Z][\w-]+)?,? \d{4}[a-z]?\)|https?://|\bwww\.|\bibid\b|\[\^"
)


@specialist("report", "finish")
def report_without_sources(action: Action, context: Context) -> Opinion:
    text = action.text("text") or action.text("summary")
    if not _ASKED.search((context.task or "")[:8_000]) or len(text.split()) < LEAST:
        return refuse("the task asks for no sources, or the text is too short to need any")
    given = "\n".join(text for _, text in action.strings())[:200_000]
    if cited_names(action) or MARK.search(text) or _NAMED.search(given) or any(identifiers_in(given)):
        return ok()
    return nudge(
        "The task asks for sources, and the report gives none.",
        correction="Give the source of each claim, and leave out claims without a source.",
        sharper="List the pages and documents that you used, with their addresses, or state that you used none.",
        confidence=0.9,
    )
