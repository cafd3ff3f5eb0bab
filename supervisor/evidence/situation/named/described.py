"""Which records of a listing a request describes: by a name, a size, a date, an age, a stage, an owner, emptiness.

Each reading divides a table: the records that are meant, and those that are certainly not. A record of which the table
says nothing is in neither part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.action import Context
from supervisor.evidence.commands.near_names import telling_words
from supervisor.evidence.prose.request_names import named_in
from supervisor.evidence.prose.stage_words import dangers_in, stages_in
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.situation.named.records import Record, Table

_LONGEST = 8 * 1024  # characters of a task
_MOST_NAMES = 40
_NUMBERED = re.compile(
    r"(?i)(?:[#№]|(?:\b(?:nr|no|n)[.°º]?|\b(?:pr|mr|vm|ct|id|pid|job|build|issue|ticket|request|revision|container|slot|lxc))\s)"
    r"\s?!?(\d{1,8})(?![\w.,:/-]|\s?%)"
)
_PLAIN = re.compile(r"[^\W\d_]{3,40}")
_SIZE = r"(\d{1,5}(?:[.,]\d{1,3})?)[\s-]?([kmgtp])i?b?"
_CELL_SIZE = re.compile(rf"(?i)(?<![\w.,-])\*?{_SIZE}(?![\w-])")
_POWERS = {letter: number for number, letter in enumerate("kmgtp", 1)}
_ISO = re.compile(r"(?<!\d)(20\d\d)[-_./]?(0[1-9]|1[0-2])[-_./]?(0[1-9]|[12]\d|3[01])(?!\d)")
_SPOKEN_ISO = re.compile(r"(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(20\d\d)?(?!\d)|(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_FILTERED = re.compile(r"(?i)mtime|mmin|older|adddays|addyears|before|until|\b(?:grep|awk|head|tail|where)\b|--filter")
_FROM = frozenset("from of von vom aus de del da dal desde depuis du z ze van uit из".split())
_HOME = re.compile(r"(?:/home/|/Users/|[Cc]:\\Users\\)([\w.-]+)")


class Reading(NamedTuple):
    """The records that a request means by a label, and those that it certainly does not."""

    label: str
    meant: tuple[Record, ...]
    others: tuple[Record, ...]
    is_name: bool = False  # whether the label is a name; the request must then ask for the act on it
    is_kind: bool = False  # whether each record of the other part is wrong, also beside a right one


def readings(table: Table, context: Context) -> Iterator[Reading]:
    """The readings of a request in a table. A property may hold for each record: then nothing is in the other part."""
    task = (context.task or "")[:_LONGEST]
    by_name = {name: meant for name in islice(_names(task, table), _MOST_NAMES) if (meant := _having(name, table))}
    told = {record for meant in by_name.values() for record in meant}
    for name, meant in by_name.items():
        if others := tuple(record for record in table.records if record not in told):
            yield Reading(name, meant, others, is_name=True)
    by_property = (read(table, task, context) for read in _BY_PROPERTY)
    for found in (*by_property, *_by_kinds(table, task)):
        if found and found.meant:
            yield found._replace(others=tuple(record for record in found.others if record not in told))


def _having(name: str, table: Table) -> tuple[Record, ...]:
    """The records with a name, if it tells them apart: at most about half of all."""
    meant = tuple(record for record in table.records if has(record, name))
    return meant if len(meant) * 2 <= len(table.records) + 1 else ()


def is_dated(reading: Reading, context: Context) -> bool:
    """Whether a reading by a day is of things that are told apart by it; other readings are not by a day."""
    return not days_in(reading.label) or bool(words_for("dated").search((context.task or "")[:_LONGEST]))


def is_source(name: str, task: str) -> bool:
    """Whether a request takes something from this thing: "cherry-pick it from release/2"."""
    before = task.partition(name)[0].rstrip("\"'`“ ").rpartition(" ")[2]
    return before.lower() in _FROM


def has(record: Record, name: str) -> bool:
    """Whether a record has a name as a word, or a quoted text."""
    folded = name.lower()
    return folded in record.words if " " not in folded else folded in record.text.lower()


def _names(task: str, table: Table) -> Iterator[str]:
    """The names of a request: words that no plain sentence has, and plain words that are one cell of a wide table."""
    seen = set[str]()
    numbered = (found[1] for found in _NUMBERED.finditer(task))
    for name in (*named_in(task).names, *numbered, *telling_words(task)):
        if name not in seen:
            seen.add(name)
            yield name
    if not table.is_aligned or len(table.records[0].cells) < 2:
        return
    for word in dict.fromkeys(_PLAIN.findall(task)):
        if word not in seen and sum(word in record.cells for record in table.records) == 1:
            yield word


def _divided(label: str, table: Table, holds: Callable[[Record], bool | None], *, is_kind: bool = True) -> Reading:
    """A reading by a property of which each record says yes, no or nothing."""
    said = [(record, holds(record)) for record in table.records]
    meant = tuple(record for record, is_meant in said if is_meant)
    return Reading(label, meant, tuple(record for record, yes in said if yes is False), is_kind=is_kind)


def _by_size(table: Table, task: str, context: Context) -> Reading | None:
    found = _sized().search(task)
    if found is None:
        return None
    wanted = _bytes(found[1] or found[3], found[2] or found[4])

    def holds(record: Record) -> bool | None:
        sizes = [_bytes(*each) for each in _CELL_SIZE.findall(record.text)]
        return any(0.88 * wanted <= size <= 1.03 * wanted for size in sizes) if sizes else None

    return _divided(found[0], table, holds, is_kind=False)


def _bytes(number: str, unit: str) -> float:
    return float(number.replace(",", ".")) * 1000.0 ** _POWERS[unit.lower()]


def _by_day(table: Table, task: str, context: Context) -> Reading | None:
    """By the one day that a request has, unless it is a limit."""
    days = days_in(task)
    if len(days) != 1 or words_for("limits").search(task):
        return None
    (text, wanted), *_ = days

    def holds(record: Record) -> bool | None:
        shown = [(year, month, day) for _, (year, month, day) in days_in(record.text)]
        return any(_same_day(wanted, each) for each in shown) if shown else None

    return _divided(text, table, holds, is_kind=False)


Day = tuple[int, int, int]  # year (0 if not said), month, day


def _same_day(one: Day, other: Day) -> bool:
    return one[1:] == other[1:] and (one[0] == other[0] or 0 in (one[0], other[0]))


def is_beside(one: Day, other: Day) -> bool:
    """Whether two days are the same or follow one another. A day without a year is in each year."""
    year = one[0] or other[0] or 2000
    first, second = _date(one[0] or year, *one[1:]), _date(other[0] or year, *other[1:])
    return first is not None and second is not None and abs((first - second).days) < 2


# The first day of a span, before its last one: "from 3 to 5 May", "vom 3. bis 5. Mai".
_RANGE = re.compile(
    r"(?<![\d.:])(\d{1,2})(?:st|nd|rd|th|\.|º)?\s?(?:[-\u2013]|to|until|till|through|and|bis|und|au|et|al|y|a|e|do|i|t/m|tot|en|по|до"
    r"|и)\s?(?:the |le |el |o |il |al |den )?$",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def days_in(text: str) -> tuple[tuple[str, Day], ...]:
    """The days of a text, each as written, with year, month and day."""
    found = [(each[0], (int(each[1]), int(each[2]), int(each[3]))) for each in _ISO.finditer(text)]
    for each in _SPOKEN_ISO.finditer(text):
        day, month = (each[1], each[2]) if each[1] else (each[5], each[4])
        found.append((each[0], (int(each[3] or 0), int(month), int(day))))
    for each in _spelled().finditer(text):
        day, name = (each[1], each[2]) if each[1] else (each[4], each[3])
        found.append((each[0], (0, _month(name), int(day))))
        if each[1] and (first := _RANGE.search(text[max(0, each.start() - 24) : each.start()])):
            found.append((f"{first[1]}. {name}", (0, _month(name), int(first[1]))))
    return tuple((spelt, day) for spelt, day in dict(found).items() if 1 <= day[1] <= 12 and 1 <= day[2] <= 31)


def _by_age(table: Table, task: str, context: Context) -> Reading | None:
    """By "older than": a record whose date lies within that age of the latest date shown is not meant.

    Of a listing that is filtered already, nothing follows: all of it may be old.
    """
    days = next(ages(task), None)
    if days is None or _FILTERED.search(table.source):
        return None
    shown = {record: [each for _, day in days_in(record.text) if (each := _date(*day))] for record in table.records}
    latest = max((day for known in shown.values() for day in known), default=None)
    if latest is None:
        return None
    limit = latest - timedelta(days=days[1])

    def holds(record: Record) -> bool | None:
        return all(each <= limit for each in shown[record]) if shown[record] else None

    return _divided(days[0], table, holds)


def _date(year: int, month: int, day: int) -> date | None:
    """A day whose year is said, if there is such a day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def ages(task: str) -> Iterator[tuple[str, int]]:
    """The ages in days above which a request means things, each with its words: "older than two weeks"."""
    for length, pattern in _aged():
        if found := pattern.search(task):
            number = found[1] or found[2] or "1"
            yield found[0], length * int(number)


def _by_stage(table: Table, task: str, context: Context) -> Reading | None:
    """By the stage that a request names, among records of which others are of the stage taken by a slip."""
    for danger, (stage, word) in dangers_in(task).items():

        def holds(record: Record, danger: str = danger, stage: str = stage) -> bool | None:
            shown = stages_in(record.text.replace("_", " "))
            return True if stage in shown else False if danger in shown else None

        found = _divided(word, table, holds)
        if found.meant:
            return found
    return None


def _by_owner(table: Table, task: str, context: Context) -> Reading | None:
    """By "my": records with the account of the session, in a table with a column of accounts."""
    user = _user(context)
    if user in ("", "root") or not table.is_aligned or not words_for("mine").search(task):
        return None
    places = {number for record in table.records for number, cell in enumerate(record.cells) if cell.lower() == user}
    if len(places) != 1:
        return None
    at = places.pop()
    found = _divided(user, table, lambda record: at < len(record.cells) and record.cells[at].lower() == user)
    return found if len(found.meant) < len(table.records) else None


def _user(context: Context) -> str:
    """The account of the session: what `whoami` printed, or whose home the directory is in."""
    for step in islice(reversed(context.history), _MOST_NAMES):
        if str(step.args.get("command", "")).strip() == "whoami":
            return step.text.strip().rpartition("\\")[2].lower()[:60]
    home = _HOME.search(context.cwd or "")
    return home[1].lower() if home else ""


def _by_emptiness(table: Table, task: str, context: Context) -> Reading | None:
    """By "empty": the one column of whole numbers in which some are 0."""
    found = words_for("empty").search(task)
    if found is None or not table.is_aligned:
        return None
    columns = [*zip(*(record.cells for record in table.records), strict=False)]
    counts = [at for at, cells in enumerate(columns) if all(map(str.isdigit, cells)) and "0" in cells]
    if len(counts) != 1:
        return None
    at = counts[0]
    return _divided(found[0], table, lambda record: record.cells[at] == "0")


_BY_PROPERTY = (_by_size, _by_day, _by_age, _by_stage, _by_owner, _by_emptiness)


def _by_kinds(table: Table, task: str) -> Iterator[Reading]:
    """By words for sorts: what a listing shows as the opposite is not meant."""
    for said, shown, opposite in _kinds():
        word = said.search(task)
        if word is None:
            continue

        def holds(record: Record, shown: re.Pattern[str] = shown, opposite: re.Pattern[str] = opposite) -> bool | None:
            return True if shown.search(record.text) else False if opposite.search(record.text) else None

        yield _divided(word[0], table, holds)


def is_state(word: str) -> bool:
    """Whether a word only says in which state a thing is."""
    return any(pattern.fullmatch(word) for _, *patterns in _kinds() for pattern in patterns)


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], ...], ...]:
    parts = ("said", "shown", "opposite")
    return tuple(
        tuple(_whole(each[part]) for part in parts) for each in table_beside(__file__, "described.yaml")["kinds"]
    )


@cache
def _text(name: str) -> str:
    return re.sub(r"\s*\n?\s*\|", "|", str(table_beside(__file__, "described.yaml")[name])).strip()


@cache
def words_for(name: str) -> re.Pattern[str]:
    """The pattern of words of `described.yaml`, as whole words where the script has spaces."""
    return _whole(_text(name))


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<![a-zà-žа-я])(?:{words})(?![a-zà-žа-я])")


@cache
def _sized() -> re.Pattern[str]:
    devices = _text("devices")
    near = r"(?:[\s-]+\w{1,20}){0,2}?[\s-]*"
    return re.compile(rf"(?i)(?<![\w.]){_SIZE}\b{near}(?:{devices})\b|\b(?:{devices})\b{near}\(?{_SIZE}\b")


@cache
def _aged() -> tuple[tuple[int, re.Pattern[str]], ...]:
    """Patterns of an age in each unit, with the days of the unit."""
    older, behind, one = _text("older"), _text("behind_age"), _text("one")
    number = rf"(?:(?:(\d{{1,4}})|(?:{one}))\s?)?"
    return tuple(
        (length, re.compile(rf"(?i)(?:{older})\s?{number}(?:{unit})|(\d{{1,4}})\s?(?:{unit})\s?(?:{behind})"))
        for length, unit in table_beside(__file__, "described.yaml")["units"].items()
    )


@cache
def _months() -> tuple[str, ...]:
    return tuple(each.strip() for each in _text("months").split(";"))


@cache
def _spelled() -> re.Pattern[str]:
    names = "|".join(_months())
    ordinal = r"(?:st|nd|rd|th|\.|º)?"
    behind, before = rf"(\d{{1,2}}){ordinal}\s(?:of |de )?({names})\b", rf"({names})\.?\s(\d{{1,2}}){ordinal}"
    return re.compile(rf"(?i)\b{behind}|\b{before}(?![\w:])")


def _month(name: str) -> int:
    return next((n for n, each in enumerate(_months(), 1) if re.fullmatch(each, name, re.IGNORECASE)), 0)
