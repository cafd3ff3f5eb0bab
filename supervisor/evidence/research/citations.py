"""The citations of a report: the names of its sources, their available texts, and the source of each sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import Any, TypeVar

from supervisor.action import Action, Context, Step, strings_in
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.prose.text import sentences
from supervisor.evidence.reading.slices import Sliced, Work

MAX_NAMES = 1_000  # citations, and sources that come with the task
MAX_NAME = 4_096  # characters, as of a URL that is fetched
MAX_STEPS = 200  # of the session in which a page may have been opened
_NUMBERED = re.compile(r"\[?(?:(?:source|src|document|doc|reference|ref)[\s_-]?)?#?(\d{1,4})\]?", re.IGNORECASE)
MARK = re.compile(r"\[(\d{1,2})\]")
_MARK_BEHIND_STOP = re.compile(r"([.!?]) ?((?:\[\d{1,2}\])+)")

Listed = TypeVar("Listed", bound=Sized)


@dataclass(frozen=True, slots=True)
class Source:
    """A cited source. `name` is its name in the report. `problem` is the reason why it has no text, else empty."""

    name: str
    text: str = ""
    problem: str = ""


@Sliced
def cited_names(action: Action) -> Work[list[str]]:
    """The names of the sources that a report lists. Raises Unreadable beyond MAX_NAMES and MAX_NAME."""
    cited = action.get("citations")
    listed = few(cited) if isinstance(cited, list) else [cited]
    names: dict[str, None] = {}
    for item in [*listed, action.get("url")]:
        names[name_of(item)] = None
        yield
    return [name for name in names if name]


@Sliced
def known_texts(sources: Any) -> Work[dict[str, str]]:
    """The texts that came with the task, by the keys of their numbers and names."""
    known: dict[str, str] = {}
    if isinstance(sources, Mapping):
        for name in few(list(sources)):
            if isinstance(sources[name], str):
                known[key_of(name_of(str(name)))] = sources[name]
            yield
        return known
    for number, source in enumerate(few(sources) if isinstance(sources, list) else [], 1):
        is_described = isinstance(source, Mapping)
        text = source.get("text") if is_described else source
        if isinstance(text, str):
            known.setdefault(str(number), text)
            if is_described and (name := name_of(source)):
                known.setdefault(key_of(name), text)
        yield
    return known


@Sliced
def claims_in(text: str, cited: list[Source], most: int) -> Work[list[tuple[str, Source]]]:
    """Each sentence that has a mark such as `[2]` with the source it names; without marks, the text with all sources.

    At most `most` + 1 claims are returned, which shows that there are too many.
    """
    claims: list[tuple[str, Source]] = []
    for sentence in (yield from sentences.work((yield from _marks_before_stops(text)))):
        claim = ""
        for mark in MARK.finditer(sentence):
            if 0 < int(mark[1]) <= len(cited):
                claim = claim or MARK.sub("", sentence).strip()
                claims.append((claim, cited[int(mark[1]) - 1]))
            if len(claims) > most:
                return claims
            yield
        yield
    whole = Source(" and ".join(source.name for source in cited), "\n".join(source.text for source in cited))
    return claims or ([(text, whole)] if text.strip() else [])


@reader
def cited_at_hand(action: Action, context: Context) -> list[Source] | None:
    """The sources that a report lists, in its order; None if it lists none and none came with the task.

    Texts come from the fact `sources` and from the pages and files that this session has opened. Any other source has a
    problem in place of a text. Raises Unreadable beyond MAX_NAMES and MAX_NAME.
    """
    known = known_texts(context.facts.get("sources"))
    names = cited_names(action) or list(unique(known))
    if not names:
        return None
    opened = opened_pages(context)
    found = []
    for name in names:
        text = known.get(key_of(name), opened.get(key_of(name)))
        found.append(Source(name, problem="is not at hand") if text is None else Source(name, text))
    return found


def given_with_task(context: Context) -> str:
    """The text of the task and of its sources, which do not come from the agent."""
    return "\n".join([context.task or "", *(text for _, text in strings_in(context.facts.get("sources")))])


def opened_pages(context: Context) -> dict[str, str]:
    """The outputs of the last MAX_STEPS steps whose tools were called with an address, by the key of the address."""
    steps = [context.history[at] for at in range(max(0, len(context.history) - MAX_STEPS), len(context.history))]
    return {key: step.text for step in steps if step.text and not step.failed for key in addresses_given(step)}


def addresses_given(step: Step) -> Iterator[str]:
    """The keys of the addresses and paths among a step's arguments."""
    for value in step.args.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and 3 < len(each) <= MAX_NAME and ("/" in each or "." in each) and " " not in each:
                yield key_of(each)


def few(listed: Listed) -> Listed:
    """Returns its argument. Raises Unreadable beyond MAX_NAMES."""
    if len(listed) > MAX_NAMES:
        raise Unreadable(f"{len(listed):,} sources, more than the {MAX_NAMES:,} that are read")
    return listed


def name_of(item: Any) -> str:
    """The name of a source in a report's list. Raises Unreadable beyond MAX_NAME."""
    if isinstance(item, Mapping):
        item = next((item[key] for key in ("url", "id", "source") if key in item), None)
    name = str(item).strip() if isinstance(item, (str, int)) else ""
    if len(name) > MAX_NAME:
        raise Unreadable(f"the name of a source has {len(name):,} characters")
    return name


def unique(known: Mapping[str, str]) -> Iterator[str]:
    """The first name of each different text."""
    first: dict[str, str] = {}
    for name, text in known.items():
        first.setdefault(text, name)
    return iter(first.values())


def key_of(name: str) -> str:
    """The same key for all ways to write a source's name: `source-1`, `[1]` and `1` are the same."""
    return number_of(name) or name.partition("#")[0].rstrip("/").casefold() or name


def number_of(name: str) -> str:
    """The number in a numeric name of a source (`[1]`); empty for other names."""
    numbered = _NUMBERED.fullmatch(name)
    return numbered[1].lstrip("0") or "0" if numbered else ""


def _marks_before_stops(text: str) -> Work[str]:
    parts, at = [], 0
    for found in _MARK_BEHIND_STOP.finditer(text):
        parts += [text[at : found.start()], " ", found[2], found[1]]
        at = found.end()
        yield
    return "".join([*parts, text[at:]])
