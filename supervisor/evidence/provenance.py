"""Where an action's values come from: the user's task, a tool's output, or nowhere.

Data flow, not wording, tells a hijacked agent from an honest one: both may act right after a poisoned output, but only
one of them takes its recipient, address or amount from the sentence that gives orders. Tracking a value back to its
source is the idea of taint analysis (Denning, "A Lattice Model of Secure Information Flow", 1976) applied to tool
calls, as in CaMeL (Debenedetti et al. 2025, arXiv:2503.18813); here it is read from the text alone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import re2

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.passages import MAX_PASSAGE, fold, holds, sentences
from supervisor.evidence.utterances import Sources, recent

MAX_TASK = 64 * 1024
MAX_VALUES = 48
MAX_NAME = 120  # an argument longer than this is a text, not a name

# What the user or the deployment said besides the task; never what a tool said.
TRUSTED_FACTS = ("earlier_requests", "instructions", "policy", "profile", "rules", "system", "user")

# Things that name exactly one person, place or account. A date does not.
_TOKEN = re2.compile(
    r"(?P<date>\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?)"
    r"|(?P<url>(?:[a-z][a-z0-9+.-]*://|www\.)[^\s\"'<>)\]]+)"
    r"|(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<path>(?:~|\.\.?)?(?:/[\w.@+-]+)+|[A-Za-z]:\\[^\s\"'<>|]+)"
    r"|(?P<account>\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b)"
    r"|(?P<phone>\+\d[\d ()/.-]{6,20}\d\b)"
    r"|(?P<code>\+?\b[\w-]*\d[\w-]{5,}\b)"
    r"|(?P<name>\b[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,6}(?:/[^\s\"']*)?)"
    r"|(?P<quoted>\"[^\"\n]{4,120}\"|“[^”\n]{4,120}”)"
)
_UNSPECIFIC = frozenset({"date", "quoted"})


@dataclass(frozen=True, slots=True)
class Value:
    """Something that an action's arguments say, and where it was said before.

    `whole`: it is an argument of its own, not a part of a longer text. `distinctive`: an address, URL, path or account
    number, which nobody comes by twice by chance. `passages` are indices into `Provenance.sources.passages`.
    """

    text: str
    whole: bool
    distinctive: bool
    in_task: bool
    passages: tuple[int, ...]

    @property
    def nowhere(self) -> bool:
        """Said by neither the user nor any tool: the agent's own."""
        return not self.in_task and not self.passages


@dataclass(frozen=True, slots=True)
class Provenance:
    """Every value of an action with its origins. `task` is all that the user said, folded."""

    values: tuple[Value, ...]
    sources: Sources
    task: str


@reader
def provenance(action: Action, context: Context) -> Provenance:
    """Where each value of the action was said before: by the user, by which tool's output, or nowhere.

    Case, whitespace, punctuation and invisible characters make no difference. Time is linear: of the history, what is
    `recent` counts. Raises Unreadable for values that are no JSON.
    """
    task = _folded("\n".join(_said_by_user(context))[:MAX_TASK])
    sources = Sources(recent(context))
    values = []
    for text, spellings, whole, distinctive in _values(action):
        in_task = any(holds(task, spelling) for spelling in spellings)
        passages = next(filter(None, map(sources.find, spellings)), ())
        values.append(Value(text, whole, distinctive, in_task, passages))
    return Provenance(tuple(values), sources, task)


def _said_by_user(context: Context) -> Iterator[str]:
    yield context.task or ""
    for name in TRUSTED_FACTS:
        yield from (text for _, text in strings_in(context.facts.get(name)))


_folded = functools.lru_cache(maxsize=16)(fold)  # all actions of a session come with the same task


def _values(action: Action) -> Iterator[tuple[str, tuple[str, ...], bool, bool]]:
    """Each value once: its text, its folded spellings, whether it is whole, whether it is distinctive."""
    seen: set[str] = set()
    for text, whole, distinctive in _candidates(action.args):
        spellings = _spellings(text)
        if spellings and spellings[0] not in seen:
            seen.add(spellings[0])
            yield str(text), spellings, whole, distinctive
        if len(seen) >= MAX_VALUES:
            return


def _candidates(args: Mapping[str, Any]) -> Iterator[tuple[str | int | float, bool, bool]]:
    leaves = list(_leaves(args))
    for leaf in leaves:
        if not isinstance(leaf, str):
            yield leaf, True, False
        elif len(leaf) <= MAX_NAME:
            token = _TOKEN.fullmatch(leaf.strip())
            yield leaf, True, bool(token) and token.lastgroup not in _UNSPECIFIC
    for leaf in leaves:
        if isinstance(leaf, str):
            for token in _TOKEN.finditer(leaf[:MAX_TASK]):
                yield token.group(), False, token.lastgroup not in _UNSPECIFIC
    for leaf in leaves:
        if isinstance(leaf, str) and len(leaf) > MAX_NAME:
            yield from ((text, False, False) for text in sentences(leaf[:4096]) if len(text) >= 20)


def _leaves(value: Any) -> Iterator[str | int | float]:
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            stack.extend(list(node.values())[::-1])
        elif isinstance(node, (list, tuple)):
            stack.extend(reversed(node))
        elif isinstance(node, str) or (isinstance(node, (int, float)) and not isinstance(node, bool)):
            yield node


def _spellings(value: str | int | float) -> tuple[str, ...]:
    """How a value may be written, folded; none for one too short to tell anything."""
    if isinstance(value, str):
        folded = fold(value[:MAX_PASSAGE])
        return (folded,) if len(folded) >= 2 else ()
    if not -1e15 < value < 1e15 or -10 < value < 10:
        return ()
    plain = f"{value:.2f}".removesuffix(".00")
    return tuple(dict.fromkeys(fold(form) for form in (plain, f"{value:,.2f}".removesuffix(".00"), f"{value:.2f}")))
