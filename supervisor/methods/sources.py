"""The sources that a report cites, whether they came with the task or stand on the web."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sized
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from supervisor.action import Action, Context
from supervisor.errors import DoorFailed, Unreadable
from supervisor.evidence.slices import Sliced, Work, lines
from supervisor.evidence.text import quotations

MAX_UNKNOWN = 5  # citations that did not come with the task, each of which may be a page to fetch
MAX_NAMES = 1_000  # citations, and sources that come with the task
MAX_NAME = 4_096  # characters, as of a URL that is fetched
_UNTOLD = frozenset((401, 402, 403, 407, 408, 425, 429, 451))  # of the 4xx: the source may well be there (RFC 9110)
_URL = re.compile(r"""https?://[^\s<>"“”„«»\[\]]{1,2000}""")
_NUMBERED = re.compile(r"\[?(?:(?:source|src|document|doc|reference|ref)[\s_-]?)?#?(\d{1,4})\]?", re.IGNORECASE)


Listed = TypeVar("Listed", bound=Sized)


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
    nothing about it, and Unreadable beyond MAX_NAMES and MAX_NAME.
    """
    known = await _known.unhurried(context.facts.get("sources"))
    listed = await _cited_names.unhurried(action)
    beside = await _beside.unhurried(quotes, action.text("text")) if quotes else []
    names = list(dict.fromkeys([*(listed or _unique(known)), *beside]))
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


@Sliced
def _cited_names(action: Action) -> Work[list[str]]:
    cited = action.get("citations")
    listed = _few(cited) if isinstance(cited, list) else [cited]
    names: dict[str, None] = {}
    for item in [*listed, action.get("url")]:
        names[_name(item)] = None
        yield
    return [name for name in names if name]


def _few(listed: Listed) -> Listed:
    if len(listed) > MAX_NAMES:
        raise Unreadable(f"{len(listed):,} sources, more than the {MAX_NAMES:,} that are looked at")
    return listed


def _name(item: Any) -> str:
    if isinstance(item, Mapping):
        item = next((item[key] for key in ("url", "id", "source") if key in item), None)
    name = str(item).strip() if isinstance(item, (str, int)) else ""
    if len(name) > MAX_NAME:
        raise Unreadable(f"the name of a source has {len(name):,} characters")
    return name


def _unique(known: Mapping[str, str]) -> Iterator[str]:
    """One name, the first, for each text."""
    unique: dict[str, str] = {}
    for name, text in known.items():
        unique.setdefault(text, name)
    return iter(unique.values())


@Sliced
def _beside(quotes: Collection[str], text: str) -> Work[list[str]]:
    """The URLs, bare or of Markdown links, in the paragraphs that hold a quotation, or stand below a block quote."""
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
                    _few(found)
                    yield
            above = here if here.lstrip().startswith(">") else ""
            paragraph = []
    return list(found)


def _trimmed(url: str) -> str:
    """A URL without the punctuation of the sentence, or the bracket of the link, that it ends."""
    end, unopened = len(url), url.count(")") - url.count("(")
    while end and (url[end - 1] in ".,;:!?'*_`" or (url[end - 1] == ")" and unopened > 0)):
        unopened -= url[end - 1] == ")"
        end -= 1
    return url[:end]


@Sliced
def _known(sources: Any) -> Work[dict[str, str]]:
    """The texts that came with the task, by the keys of their numbers and names."""
    known: dict[str, str] = {}
    if isinstance(sources, Mapping):
        for name in _few(list(sources)):
            if isinstance(sources[name], str):
                known[_key(_name(str(name)))] = sources[name]
            yield
        return known
    for number, source in enumerate(_few(sources) if isinstance(sources, list) else [], 1):
        is_described = isinstance(source, Mapping)
        text = source.get("text") if is_described else source
        if isinstance(text, str):
            known.setdefault(str(number), text)
            if is_described and (name := _name(source)):
                known.setdefault(_key(name), text)
        yield
    return known


def _key(name: str) -> str:
    """One spelling for each way to name a source: `source-1`, `[1]` and `1` are the same."""
    return _number(name) or name.rstrip("/").casefold()


def _number(name: str) -> str:
    numbered = _NUMBERED.fullmatch(name)
    return numbered[1].lstrip("0") or "0" if numbered else ""
