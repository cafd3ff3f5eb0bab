"""The sources that a report cites, whether they came with the task or stand on the web."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from supervisor.action import Action, Context

MAX_UNKNOWN = 5  # citations that did not come with the task, each of which may be a page to fetch
_NUMBERED = re.compile(r"\[?(?:(?:source|src|document|doc|reference|ref)[\s_-]?)?#?(\d{1,4})\]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """`name` is what the report calls it. `problem` says why there is no text, and is empty where there is one."""

    name: str
    text: str = ""
    problem: str = ""


async def cited_sources(action: Action, context: Context) -> list[Source] | None:
    """Every source that a report cites; all that came with the task where it names none.

    The task's sources are the fact `sources`: a list of texts (`source-1` is the first) or of objects with `id`,
    `url` and `text`, or an object of names and texts. Anything else that is cited must be a URL, and is fetched.
    None where some citation cannot be followed at all. Raises DoorFailed where a page cannot be had.
    """
    known = _known(context.facts.get("sources"))
    names = _cited_names(action)
    if not names:
        unique = {text: name for name, text in reversed(known.items())}
        return [Source(name, text) for text, name in reversed(unique.items())]
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
        return Source(name, page.body) if page.status == 200 else Source(name, problem=f"returned HTTP {page.status}")
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
