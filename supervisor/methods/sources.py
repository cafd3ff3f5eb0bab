"""The sources that a report cites, from the task or from the web."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import chain

from supervisor.action import Action, Context
from supervisor.errors import DoorFailed
from supervisor.evidence.prose.text import quotations
from supervisor.evidence.reading.slices import Sliced, Work, lines
from supervisor.evidence.research.citations import Source, cited_names, few, key_of, known_texts, number_of, unique

MAX_UNKNOWN = 5  # citations that did not come with the task: each may be a page to fetch
_UNCERTAIN = frozenset((401, 402, 403, 407, 408, 425, 429, 451))  # 4xx with which the source may exist (RFC 9110)
_URL = re.compile(r"""https?://[^\s<>"“”„«»\[\]]{1,2000}""")


async def cited_sources(action: Action, context: Context, quotes: Collection[str] = ()) -> list[Source] | None:
    """Every source that a report cites; all sources of the task if it cites none.

    A report cites its citations, and the URLs in its text beside one of the `quotes`.

    The task's sources are the fact `sources`: a list of texts (`source-1` is the first) or of objects with `id`,
    `url` and `text`, or an object of names and texts. Any other citation must be a URL, which is fetched. Returns None
    if a citation cannot be followed at all. Raises DoorFailed if a page cannot be fetched, which is no evidence against
    it, and Unreadable beyond MAX_NAMES and MAX_NAME.
    """
    known = await known_texts.unhurried(context.facts.get("sources"))
    listed = await cited_names.unhurried(action)
    beside = await _beside.unhurried(quotes, action.text("text")) if quotes else []
    names = list(dict.fromkeys([*(listed or unique(known)), *beside]))
    if sum(key_of(name) not in known for name in names) > MAX_UNKNOWN:
        return None
    sources = [await _source(name, known, context) for name in names]
    found = [source for source in sources if source is not None]
    return found if len(found) == len(sources) else None


async def _source(name: str, known: Mapping[str, str], context: Context) -> Source | None:
    text = known.get(key_of(name))
    if text is not None:
        return Source(name, text)
    if name.startswith(("http://", "https://")):
        page = await context.fetch(name)
        if page.status == 200:
            return Source(name, page.body)
        if 400 <= page.status < 500 and page.status not in _UNCERTAIN:
            return Source(name, problem=f"returned HTTP {page.status}")
        raise DoorFailed(f"the source could not be read: HTTP {page.status}", code="http_status")
    is_beyond = "1" in known and number_of(name)
    return Source(name, problem="is not among the sources at hand") if is_beyond else None


@Sliced
def _beside(quotes: Collection[str], text: str) -> Work[list[str]]:
    """The URLs, bare or of Markdown links, in paragraphs with a quotation, or below a block quote."""
    wanted, above = frozenset(quotes), ""
    found: dict[str, None] = {}
    paragraph: list[str] = []
    for line in chain(lines(text), [""]):
        yield
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            here = "\n".join(paragraph)
            spans = yield from quotations.work(f"{above}\n\n{here}")
            if not wanted.isdisjoint(spans):
                for url in _URL.finditer(here):
                    found[_trimmed(url[0])] = None
                    few(found)
                    yield
            above = here if here.lstrip().startswith(">") else ""
            paragraph = []
    return list(found)


def _trimmed(url: str) -> str:
    """A URL without the sentence's punctuation or the link's bracket at its end."""
    end, unopened = len(url), url.count(")") - url.count("(")
    while end and (url[end - 1] in ".,;:!?'*_`" or (url[end - 1] == ")" and unopened > 0)):
        unopened -= url[end - 1] == ")"
        end -= 1
    return url[:end]
