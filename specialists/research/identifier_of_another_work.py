"""Cites a work by an identifier or address that leads to another one, or to none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.evidence.prose.vocabulary import stem, words_of
from supervisor.evidence.research.identifiers import identifiers_in
from supervisor.specialist import Action, Context, Opinion, Page, nudge, ok, refuse, specialist

MOST = 5  # works that are looked up for one report
SAME = 0.5  # share of a title's words that its page has at least
_LONGEST = 4  # letters from which a word of a title counts
_GONE = (404, 410)


@specialist("report")
async def identifier_of_another_work(action: Action, context: Context) -> Opinion:
    """Judges citations that give a title beside a DOI, an arXiv identifier, a PMID or a URL."""
    works = list(_works(action.get("citations")))
    if not works:
        return refuse("no citation gives both a title and an identifier")
    if len(works) > MOST:
        return refuse(f"{len(works)} works are cited; {MOST} are looked up")
    for title, url in works:
        page = await context.fetch(url)
        if page.status in _GONE:
            return _another(title, url, "leads nowhere")
        if page.status != 200:
            return refuse(f"{url} answered with HTTP {page.status}")
        if not _is_about(page, title):
            return _another(title, url, "leads to a page without that title")
    return ok(0.9)


def _works(cited: Any) -> Iterator[tuple[str, str]]:
    for item in cited if isinstance(cited, list) else ():
        if not isinstance(item, Mapping):
            continue
        title = item.get("title")
        given = {name: value for name, value in item.items() if name != "title" and isinstance(value, str)}
        told = "\n".join(f"{name.lower()}: {value}" for name, value in given.items())
        url = next((found.url for found in identifiers_in(told) if found.url), given.get("url", ""))
        if isinstance(title, str) and title.strip() and url.startswith(("http://", "https://")):
            yield title, url


def _is_about(page: Page, title: str) -> bool:
    wanted = {stem(word) for word in words_of(title) if len(word) >= _LONGEST}
    told = {stem(word) for word in words_of(page.body[:200_000])}
    return len(wanted & told) >= SAME * len(wanted)


def _another(title: str, url: str, where: str) -> Opinion:
    return nudge(
        f"“{title[:120]}” is cited with {url[:120]}, which {where}.",
        correction="Find the work itself and cite it with its own identifier, or remove the citation.",
        sharper=f"Remove the citation of “{title[:120]}”, and the claims that rest on it alone.",
        confidence=0.85,
        evidence=(title[:200], url[:200]),
    )
