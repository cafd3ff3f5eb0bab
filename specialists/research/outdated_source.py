"""Makes a claim about the present with a source that is too old."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from supervisor.evidence.prose.dates import dates_in
from supervisor.evidence.reading.facts import is_whole_number
from supervisor.evidence.research.citations import Source, claims_in, key_of, name_of
from supervisor.methods.pattern import Pattern
from supervisor.methods.sources import cited_sources
from supervisor.specialist import Action, Cause, Context, Opinion, flag, ok, refuse, specialist

MAX_AGE = 1_095  # days: three years
MAX_CLAIMS = 40
_HEAD = 600  # characters of a source in which its own date stands
_NOW = Pattern(
    r"(?i)\b(currently|nowadays|at present|at the moment|as of (today|now|this)|today'?s|right now|to date"
    r"|the (latest|newest)"
    r"|up to date|is still|are still|derzeit|momentan|aktuell|heutzutage|zurzeit|actualmente|hoy en día"
    r"|en la actualidad)\b"
)
_DATED = re.compile(r"(?im)^[^\n]{0,40}\b(?:published|updated|posted|date|datum|stand|fecha)\b[^\n\d]{0,30}(\d{4})")
_IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})[/-](?:0?[1-9]|1[0-2])(?:[/-]|\b)")


@specialist("report", facts=["max_source_age_days", "sources"])
async def outdated_source(action: Action, context: Context) -> Opinion:
    """The fact `max_source_age_days` is the greatest age of a source. Its date comes from its text or its address."""
    most = context.facts.get("max_source_age_days", MAX_AGE)
    if not is_whole_number(most, least=1):
        return refuse(f"max_source_age_days is {most!r}, not a whole number above 0", Cause.INFRASTRUCTURE)
    if not _NOW.search(action.text("text")[:100_000]):
        return refuse("the report makes no claim about the present")
    cited = await cited_sources(action, context)
    if not cited:
        return refuse("the report cites no readable source")
    stated = _stated(context.facts.get("sources"))
    for claim, source in await claims_in.unhurried(action.text("text"), cited, MAX_CLAIMS):
        year = stated.get(key_of(source.name)) or _year_of(source)
        if year and _NOW.search(claim) and _is_older(year, most, context.now):
            return flag(
                f"“{claim[:120]}” is about the present, and {source.name} is of {year}.",
                confidence=0.7,
                evidence=(claim[:300],),
            )
    return ok()


def _stated(sources: Any) -> dict[str, int]:
    """The years that the task's sources are given with."""
    found: dict[str, int] = {}
    for number, item in enumerate(sources if isinstance(sources, list) else (), 1):
        told = (item.get("date") or item.get("published")) if isinstance(item, Mapping) else None
        if isinstance(told, str) and told[:4].isdecimal():
            found[str(number)] = found[key_of(name_of(item))] = int(told[:4])
    return found


def _year_of(source: Source) -> int:
    head = source.text[:_HEAD]
    dated = _DATED.search(head) or _IN_ADDRESS.search(source.name)
    if dated:
        return int(dated[1])
    return max((date.year for date in dates_in(head[:200]) if date.year), default=0)


def _is_older(year: int, days: int, now: datetime) -> bool:
    """Whether the whole year is further back than that many days."""
    return (now.year - year - 1) * 365 + now.timetuple().tm_yday > days
