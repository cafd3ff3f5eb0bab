"""What an action does, and how far the user requested it."""

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
_MOST_DATED = 16 * 1024  # characters of a task that are searched for dates
MASK = "SECRET_"  # stands for a secret that no specialist sees, so its source cannot be found
_MARKS = {"mail": ("@",), "url": ("://", "www."), "host": ("://", "www."), "account": ("IBAN",)}
# Words for pages and links, in ten languages.
_WEB = re2.compile(
    r"(?i)\b(?:links?|urls?|web\w*|sites?|pages?|blogs?|articles?|online|internet|https?|www|seiten?|artikel|liens?|"
    r"enlaces?|páginas?|artículos?|siti|sito|pagine|pagina|articol[oi]|artigos?|koppeling)\b"
    r"|сайт|ссылк|страниц|стать|网站|网页|链接|文章|サイト|リンク|ページ|記事"
)


class Asked(Enum):
    """Whether the user requested what an action does."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Wish:
    """What an action does and how far the user requested it, independent of any order in the outputs.

    `intents` are those of the action. `delegated` means that the user told the agent to follow some content. `named`
    are the sorts of distinctive values in the task. `other_day` means that the task names a day and the action uses
    only others, `of_web` that the task mentions pages. `uses_task` means that the task contains a value of the action
    or, if it has none, the purpose of the tool; `own_target` that it contains the action's address, account or path.
    `runs` and `edits` are actions on commands and files, for which written instructions are common. `masked` means that
    an argument is a secret that no judge sees.
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
        """Whether the action only reads."""
        return self.intents == {READ}


class WishOutline(NamedTuple):
    """The part of a Wish that is known before any value is looked up."""

    intents: frozenset[str]
    asked: Asked
    delegated: bool
    runs: bool
    edits: bool


@reader
def wish_outline(action: Action, context: Context) -> WishOutline:
    """What the action does, and whether the user requested it, by the words of the task and the name of the tool."""
    intents = intents_of(action.kind, fold(spaced(action.tool)))
    asked = _whether_asked(intents, intents_in(_requests(context)))
    return WishOutline(intents, asked, delegates(context), action.kind in RUNNING, action.kind in EDITING)


@reader
def wish_of(action: Action, context: Context) -> Wish:
    """What the action does, and how far the user requested it. Raises Unreadable as `provenance` does."""
    origins, outline, request = provenance(action, context), wish_outline(action, context), _requests(context)
    whole = [value for value in origins.values if value.whole]
    purpose, task = purposes(action, context)[action.tool], stems(origins.task)
    return Wish(
        **outline._asdict(),
        named=_sorts_named(request),
        other_day=_is_other_day(whole, request[:_MOST_DATED]),
        of_web=bool(_WEB.search(request)),
        uses_task=any(value.in_task for value in whole) or (not whole and len(task.intersection(purpose)) > 1),
        own_target=any(value.in_task and value.distinctive for value in whole),
        has_values=bool(action.args),
        masked=any(value.text.startswith(MASK) and value.nowhere for value in whole),
    )


def _is_other_day(whole: Sequence[Value], request: str) -> bool:
    days = [value for value in whole if value.sort == "date"]
    return bool(days) and not any(value.in_task for value in days) and bool(dates_in(request))


def _requests(context: Context) -> str:
    earlier = [text for _, text in strings_in(context.facts.get("earlier_requests"))]
    return "\n".join([context.task or "", *earlier])


def _whether_asked(intents: frozenset[str], requested: frozenset[str]) -> Asked:
    specific = intents - GENERAL or intents
    if not specific or not requested:
        return Asked.UNKNOWN
    if specific & requested:
        return Asked.YES if specific - GENERAL or specific == {READ} else Asked.UNKNOWN
    return Asked.NO


def _sorts_named(request: str) -> frozenset[str]:
    return frozenset(sort for sort, marks in _MARKS.items() if any(mark in request for mark in marks))
