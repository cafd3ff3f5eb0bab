"""The sources that a report cites, whether they came with the task or stand on the web."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from supervisor.action import Action, Context
from supervisor.errors import DoorFailed
from supervisor.evidence.text import quotations

MAX_UNKNOWN = 5  # citations that did not come with the task, each of which may be a page to fetch
_UNTOLD = frozenset((401, 402, 403, 407, 408, 425, 429, 451))  # of the 4xx: the source may well be there (RFC 9110)
_URL = re.compile(r"""https?://[^\s<>"“”„«»\[\]]{1,2000}""")
_NUMBERED = re.compile(r"\[?(?:(?:source|src|document|doc|reference|ref)[\s_-]?)?#?(\d{1,4})\]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """`name` is what the report calls it. `problem` says why there is no text, and is empty where there is one."""

    name: str
    text: str = ""
    problem: str = ""


async def cited_sources(action: Action, context: Context, quotes: Collection[str] = ()) -> list[Source] | None:
    """Every source that a report cites; all that came with the task where it lists none.

    What it cites are its citations, and the URLs that stand in its text beside one of the `quotes`.

    The task's sources are the fact `sources`: a list of texts (`source-1` is the first) or of objects with `id`,
    `url` and `text`, or an object of names and texts. Anything else that is cited must be a URL, and is fetched.
    None where some citation cannot be followed at all. Raises DoorFailed where a page cannot be had, which says
    nothing about it.
    """
    known = _known(context.facts.get("sources"))
    listed = _cited_names(action)
    names = list(dict.fromkeys([*(listed or _unique(known)), *_beside(quotes, action.text("text"))]))
    if sum(_key(name) not in known for name in names) > MAX_UNKNOWN:
        return None
    sources = [await _source(name, known, context) for name in names]
    found = [source for source in sources if source is not None]
    return found if len(found) == len(sources) else None


async def _source(name: str, known: Mapping[str, str], context: Context) -> Source | None:
    text = known.get(_key(name))
    if text is not None:
        return Source(name, text)
    if name.startswith(("http://", "https://")):
        page = await context.fetch(name)
        if page.status == 200:
            return Source(name, page.body)
        if 400 <= page.status < 500 and page.status not in _UNTOLD:
            return Source(name, problem=f"returned HTTP {page.status}")
        raise DoorFailed(f"the source could not be read: HTTP {page.status}", code="http_status")
    is_beyond = "1" in known and _number(name)
    return Source(name, problem="is not among the sources at hand") if is_beyond else None


def _cited_names(action: Action) -> list[str]:
    cited = action.get("citations")
    listed = cited if isinstance(cited, list) else [cited]
    names = [_name(item) for item in [*listed, action.get("url")]]
    return list(dict.fromkeys(name for name in names if name))


def _name(item: Any) -> str:
    if isinstance(item, Mapping):
        item = next((item[key] for key in ("url", "id", "source") if key in item), None)
    return str(item).strip() if isinstance(item, (str, int)) else ""


def _unique(known: Mapping[str, str]) -> Iterator[str]:
    """One name, the first, for each text."""
    unique: dict[str, str] = {}
    for name, text in known.items():
        unique.setdefault(text, name)
    return iter(unique.values())


def _beside(quotes: Collection[str], text: str) -> Iterator[str]:
    """The URLs, bare or of Markdown links, in the paragraphs that hold a quotation, or stand below a block quote."""
    wanted, above = frozenset(quotes), ""
    for is_blank, lines in groupby(text.split("\n"), key=lambda line: not line.strip()):
        if is_blank:
            continue
        paragraph = "\n".join(lines)
        if any(span in wanted for span in quotations(f"{above}\n\n{paragraph}")):
            yield from map(_trimmed, _URL.findall(paragraph))
        above = paragraph if paragraph.lstrip().startswith(">") else ""


def _trimmed(url: str) -> str:
    """A URL without the punctuation of the sentence, or the bracket of the link, that it ends."""
    end, unopened = len(url), url.count(")") - url.count("(")
    while end and (url[end - 1] in ".,;:!?'*_`" or (url[end - 1] == ")" and unopened > 0)):
        unopened -= url[end - 1] == ")"
        end -= 1
    return url[:end]


def _known(sources: Any) -> dict[str, str]:
    """The texts that came with the task, by the keys of their numbers and names."""
    if isinstance(sources, Mapping):
        return {_key(str(name)): text for name, text in sources.items() if isinstance(text, str)}
    known: dict[str, str] = {}
    for number, source in enumerate(sources if isinstance(sources, list) else [], 1):
        is_described = isinstance(source, Mapping)
        text = source.get("text") if is_described else source
        if isinstance(text, str):
            known.setdefault(str(number), text)
            if is_described and (name := _name(source)):
                known.setdefault(_key(name), text)
    return known


def _key(name: str) -> str:
    """One spelling for each way to name a source: `source-1`, `[1]` and `1` are the same."""
    return _number(name) or name.rstrip("/").casefold()


def _number(name: str) -> str:
    numbered = _NUMBERED.fullmatch(name)
    return numbered[1].lstrip("0") or "0" if numbered else ""
