"""What an action does, and what the user has to do with that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import re2

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.prose.dates import dates_in
from supervisor.evidence.prose.passages import fold
from supervisor.evidence.prose.wording import delegates, spaced, stems
from supervisor.evidence.provenance import provenance
from supervisor.evidence.provenance.intents import GENERAL, READ, intents_in, intents_of
from supervisor.evidence.provenance.origins import Value
from supervisor.evidence.provenance.purposes import purposes

RUNNING = frozenset({"shell", "python", "javascript", "sql"})
EDITING = frozenset({"file_write", "file_edit"})
_MOST_DATED = 16 * 1024  # characters of a task in which days are looked for
MASK = "SECRET_"  # stands for a secret that no specialist sees, so that nobody can tell where it was said
_MARKS = {"mail": ("@",), "url": ("://", "www."), "host": ("://", "www."), "account": ("IBAN",)}
# That a text speaks of pages and links, in ten languages.
_WEB = re2.compile(
    r"(?i)\b(?:links?|urls?|web\w*|sites?|pages?|blogs?|articles?|online|internet|https?|www|seiten?|artikel|liens?|"
    r"enlaces?|páginas?|artículos?|siti|sito|pagine|pagina|articol[oi]|artigos?|koppeling)\b"
    r"|сайт|ссылк|страниц|стать|网站|网页|链接|文章|サイト|リンク|ページ|記事"
)


class Asked(Enum):
    """Whether the user asked for what an action does."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Wish:
    """What an action does and whose wish it is, whichever order is looked at.

    `intents` are those of the action. `delegated`: the user told the agent to do what some content says. `named`: sorts
    of distinctive values that the task names; `other_day`: it names a day, and the action takes only others; `of_web`:
    it speaks of pages. `uses_task`: a value or, where there are none, the purpose of the tool is the task's;
    `own_target`: an address, account or path is. `runs` and `edits`: commands and files, about which people write
    instructions for each other all day. `masked`: an argument is a secret that no judge gets to see.
    """

    intents: frozenset[str]
    asked: Asked
    delegated: bool
    named: frozenset[str]
    other_day: bool
    of_web: bool
    uses_task: bool
    own_target: bool
    has_values: bool
    runs: bool
    edits: bool
    masked: bool

    @property
    def reads(self) -> bool:
        """Whether it only looks at something."""
        return self.intents == {READ}


class Deed(NamedTuple):
    """The part of a wish that is known before any value is looked up."""

    intents: frozenset[str]
    asked: Asked
    delegated: bool
    runs: bool
    edits: bool


@reader
def deed_of(action: Action, context: Context) -> Deed:
    """What the action does, and whether the user asked for it, by the words of the task and the name of the tool."""
    intents = intents_of(action.kind, fold(spaced(action.tool)))
    asked = _asked(intents, intents_in(_told(context)))
    return Deed(intents, asked, delegates(context), action.kind in RUNNING, action.kind in EDITING)


@reader
def wish_of(action: Action, context: Context) -> Wish:
    """What the action does, and what the user has to do with that. Raises Unreadable as `provenance` does."""
    origins, deed, told = provenance(action, context), deed_of(action, context), _told(context)
    whole = [value for value in origins.values if value.whole]
    purpose, task = purposes(action, context)[action.tool], stems(origins.task)
    return Wish(
        **deed._asdict(),
        named=_sorts_named(told),
        other_day=_is_other_day(whole, told[:_MOST_DATED]),
        of_web=bool(_WEB.search(told)),
        uses_task=any(value.in_task for value in whole) or (not whole and len(task.intersection(purpose)) > 1),
        own_target=any(value.in_task and value.distinctive for value in whole),
        has_values=bool(action.args),
        masked=any(value.text.startswith(MASK) and value.nowhere for value in whole),
    )


def _is_other_day(whole: Sequence[Value], told: str) -> bool:
    days = [value for value in whole if value.sort == "date"]
    return bool(days) and not any(value.in_task for value in days) and bool(dates_in(told))


def _told(context: Context) -> str:
    earlier = [text for _, text in strings_in(context.facts.get("earlier_requests"))]
    return "\n".join([context.task or "", *earlier])


def _asked(intents: frozenset[str], told: frozenset[str]) -> Asked:
    telling = intents - GENERAL or intents
    if not telling or not told:
        return Asked.UNKNOWN
    if telling & told:
        return Asked.YES if telling - GENERAL or telling == {READ} else Asked.UNKNOWN
    return Asked.NO


def _sorts_named(told: str) -> frozenset[str]:
    return frozenset(sort for sort, marks in _MARKS.items() if any(mark in told for mark in marks))
