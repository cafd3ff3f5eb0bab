"""Whether a command puts another value where the request named one: a namespace, a region, a version, an address.

A slot is a place that one value fills. The request fills it ("namespace billing", "in eu-central-1", "pin it to
2.4.1"), the command fills it too (`-n payments`, `--region eu-west-1`, `@latest`), and the values differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from ipaddress import ip_address, ip_network
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.word import is_forbidden
from supervisor.evidence.commands.acts import sort_of_words, words
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.shell import HOLE, Command
from supervisor.evidence.shell.inner import values_of
from supervisor.evidence.situation.acting import is_acting
from supervisor.evidence.situation.named.described import days_in, is_beside, is_source

_LONGEST = 8 * 1024  # characters of a task
_MOST_COMMANDS = 64
_LATEST = 40  # steps
_MOST_TEXT = 24 * 1024  # characters of one output
_THING = r"[\"'`“”«»„]?(?<![\w./@-])(\w[\w./:@-]{0,80}\w)"
_REGION = re.compile(r"\b(?:(?:af|ap|ca|cn|eu|il|me|mx|sa|us)-(?:gov-)?[a-z]{4,10}-\d|[a-z]{2,12}-[a-z]{4,12}\d)\b")
_REGION_OF = frozenset("af ap ca cn eu il me mx sa us asia europe africa australia northamerica southamerica".split())
_VERSION = r"v?(\d{1,4}\.\d{1,4}(?:\.\d{1,5}){0,2}(?:-[\w.]+)?)(?![\w%]|\.\d)"
_PINNED = re.compile(rf"(?<![\w./-])([\w./-]{{0,120}}\w)[\"']?(?:@|==|:|=)[\"']?(?:{_VERSION}|(latest)\b)")
_ADDRESS = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?)(?![\d.])")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_ANY_VERSION = re.compile(rf"(?<![\w./:@-])([\w./-]{{2,60}})\s+(?:version |v\.? ?)?{_VERSION}", re.IGNORECASE)
_TAG = re.compile(rf"(?i)(?:^|[\s._-])(?:tag|version|ref|rev|revision|release|image\.tag)(?:=|\s+)[\"']?{_VERSION}")
_COMPARED = re.compile(r"(?i)(?:[<>]=?|\bbetween|\bthan)\s*(?:date\s*)?'(20\d\d-\d\d-\d\d)")
_IS_DAY = re.compile(r"(?i)(?<![<>!=])=\s*(?:date\s*)?'(20\d\d-\d\d-\d\d)'")
_LINE = re.compile(r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,4})?)\.[xX*](?![\w.]\w)")
_STORE = re.compile(r"(?:s3[an]?|gs|abfss?|wasbs?|oss|hdfs|swift|b2|r2|az)://\w", re.ASCII)
_URL = r"[\"'`]?((?:s3[an]?|gs|abfss?|wasbs?|oss|hdfs|swift|b2|r2|az)://[\w./@=+-]{2,200})"
_INTO = re.compile(
    rf"\b(?:to|into|onto|nach|auf|vers|dans|hacia|para|a|à|al|in|su|do|na|naar|in|на|в)\s{_URL}|{_URL}[\"'`]?\s?(?:に|へ|로|으로|에)"
)
_RECENT = 12  # steps that the gate looks at
_OPTION = re.compile(r"(--[a-z][\w-]{1,40})[ =][\"']?([A-Za-z][\w.@-]{1,60})")


class OtherValue(NamedTuple):
    """The value that the user named for a slot, and the one that the command puts there."""

    named: str
    used: str


def other_value(action: Action, context: Context) -> tuple[Command, OtherValue] | None:
    """The first command with another value than the one that the user named."""
    task = (context.task or "")[:_LONGEST]
    if not task:
        return None
    text = action.text("command")
    for command in script(action, context).commands[:_MOST_COMMANDS]:
        if command.wraps or not _changes(command):
            continue
        for found in _values(command, task, context):
            is_absent = not _stands_in(found.named, text) and not _stands_in(found.used, task)
            if is_absent and not is_forbidden(found.named, context):
                return command, found
    return None


def _changes(command: Command) -> bool:
    if command.program in words("managers"):
        return sort_of_words(command.program, command.args) == "install"
    return is_acting(command) or command.program in _set("gates")


def _values(command: Command, task: str, context: Context) -> Iterator[OtherValue]:
    yield from _of_options(command, task, context)
    yield from _tried_before(command, task, context)
    yield from _of_region(command, task)
    yield from _of_version(command, task)
    yield from _of_tag(command, task)
    yield from _of_line(command, task)
    yield from _of_store(command, task)
    yield from _of_day(command, task)
    yield from _of_address(command, task)
    yield from _of_mail(command, task)


def _row(name: str) -> Any:
    return table_beside(__file__, "slots.yaml")[name]


class _Slot(NamedTuple):
    nouns: tuple[re.Pattern[str], ...]
    programs: frozenset[str]
    options: tuple[str, ...]


@cache
def _slots() -> tuple[_Slot, ...]:
    given: Sequence[Mapping[str, Any]] = _row("options")
    return tuple(
        _Slot(
            (
                re.compile(rf"(?i)(?<!\w)(?:{each['nouns']})\s+{_THING}"),
                re.compile(rf"(?i){_THING}[\"'`”»]?[\s-](?:{each['nouns']})(?!\w)"),
            ),
            frozenset(each.get("programs", "").split()),
            tuple(each["options"].split()),
        )
        for each in given
    )


@cache
def _set(name: str) -> frozenset[str]:
    return frozenset(_row(name).split())


def _of_options(command: Command, task: str, context: Context) -> Iterator[OtherValue]:
    for slot in _slots():
        if slot.programs and command.program not in slot.programs:
            continue
        used = [*islice(values_of(command.args, *slot.options), 4)]
        if not used or not all(re.fullmatch(r"[\w./:@-]{2,80}", value) for value in used):
            continue
        beside = (match[1] for pattern in slot.nouns for match in pattern.finditer(task))
        named = [each for each in dict.fromkeys(beside) if _is_value(each, task, context)]
        is_other_sort = named and _ADDRESS.fullmatch(used[0]) and not _ADDRESS.fullmatch(named[0])
        if len(named) == 1 and used[0] not in _set("entries") and not is_other_sort:
            yield OtherValue(named[0], used[0])


def _tried_before(command: Command, task: str, context: Context) -> Iterator[OtherValue]:
    """By a value that an earlier step gave to the same option of the same program, and that the request names."""
    for option, used in islice(zip(command.args, command.args[1:], strict=False), 24):
        if not option.startswith("--") or not re.fullmatch(r"[A-Za-z][\w.@-]{1,60}", used):
            continue
        given = re.compile(rf"{re.escape(option)}[ =][\"']?([A-Za-z][\w.@-]{{1,60}})")
        values = {
            value
            for step in islice(reversed(context.history), _LATEST)
            for _, text in islice(strings_in(step.args), 4)
            if " ".join(command.argv[:2]) in text[:2000]
            for value in given.findall(text[:2000])
        }
        named = [
            value for value in values if value != used and _stands_in(value, task) and _is_value(value, task, context)
        ]
        if len(named) == 1 and not _stands_in(used, task):
            yield OtherValue(named[0], used)


def may_change_option(text: str, context: Context) -> bool:
    """Whether a command gives an option another value than a step before, which the request has. Bounded work."""
    if not context.history or not context.task or "--" not in text:
        return False
    task = context.task[:_LONGEST]
    given = {option: used for option, used in islice(_OPTION.findall(text[:4096]), 12) if not _stands_in(used, task)}
    for step in islice(reversed(context.history), _RECENT) if given else ():
        for _, earlier in islice(strings_in(step.args), 4):
            if any(option in earlier for option in given):
                values = islice(_OPTION.findall(earlier[:2000]), 12)
                if any(given.get(option, value) != value and _stands_in(value, task) for option, value in values):
                    return True
    return False


def _is_value(word: str, task: str, context: Context) -> bool:
    """Whether a word beside a noun is a value: no plain word, quoted, or shown by an output."""
    if any(letter.isdigit() or letter in "-_." for letter in word):
        return True
    if len(word) < 3 or word.lower() in words("nouns"):
        return False
    return bool(re.search(rf"[\"'`“«„]{re.escape(word)}[\"'`”»“]", task)) or any(
        _stands_in(word, step.text[:_MOST_TEXT]) for step in islice(reversed(context.history), _LATEST)
    )


def _of_region(command: Command, task: str) -> Iterator[OtherValue]:
    named, used = _regions(task), _regions(" ".join(command.args))
    if len(named) == 1 and used and named[0] not in used:
        yield OtherValue(named[0], used[0])


def _regions(text: str) -> list[str]:
    found = dict.fromkeys(_REGION.findall(text))
    return [each for each in found if each.partition("-")[0] in _REGION_OF]


def _of_version(command: Command, task: str) -> Iterator[OtherValue]:
    """By the version that a request asks for, and one that the command pins of the same thing."""
    named = {match[1]: match.start(1) for match in _asked_versions().finditer(task)}
    if len(named) != 1:
        return
    ((asked, at),) = named.items()
    for thing, version, latest in _PINNED.findall(" ".join(command.args)):
        name = thing.rpartition("/")[2]
        is_same = len(name) > 1 and _stands_in(name, task[:at])
        used = version or latest
        if is_same and not used.startswith(asked) and not asked.startswith(used):
            yield OtherValue(asked, used)


@cache
def _asked_versions() -> re.Pattern[str]:
    verbs = re.sub(r"\s*\n?\s*\|", "|", _row("versions")).strip()
    return re.compile(rf"(?i)(?<![a-zà-žа-я])(?:{verbs})(?:\s+[^\s.,;]{{1,30}}){{0,5}}?\s*{_VERSION}")


def _of_tag(command: Command, task: str) -> Iterator[OtherValue]:
    """By the one version that a request has, behind a word of the command, and an option for versions."""
    found = _ANY_VERSION.findall(task)
    text = " ".join(command.args)
    if len(found) != 1 or not _stands_in(found[0][0], text) or faulty().search(task):
        return
    for used in _TAG.findall(text):
        if not used.startswith(found[0][1]) and not found[0][1].startswith(used):
            yield OtherValue(found[0][1], used)


def _of_line(command: Command, task: str) -> Iterator[OtherValue]:
    """By the one line of versions in which a request wants to stay: `14.x`."""
    named = dict.fromkeys(_LINE.findall(task))
    if len(named) != 1:
        return
    line = next(iter(named))
    text = " ".join(command.args)
    for used in (*_TAG.findall(text), *(version for _, version, _ in _PINNED.findall(text) if version)):
        if not f"{used}.".startswith(f"{line}."):
            yield OtherValue(f"{line}.x", used)


def _of_store(command: Command, task: str) -> Iterator[OtherValue]:
    """By the address in a store to which a request wants something written: "to s3://lake/clean/"."""
    named = [_address(each) for match in _INTO.findall(task) for each in match if each]
    if len(set(named)) != 1 or command.program in words("reads"):
        return
    given = [*values_of(command.args, *_row("outputs").split()), *command.operands()[-1:]]
    for used in (_address(word) for word in given if _STORE.match(word)):
        if HOLE not in used and not f"{used}/".startswith(f"{named[0]}/") and not named[0].startswith(f"{used}/"):
            yield OtherValue(named[0], used)


def _address(word: str) -> str:
    scheme, _, place = word.partition("://")
    return f"{'s3' if scheme.lower() in ('s3a', 's3n') else scheme.lower()}://{place.rstrip('/.,;:*')}"


def may_go_elsewhere(text: str, context: Context) -> bool:
    """Whether a command may write to another store than the request says. Bounded work."""
    task = (context.task or "")[:_LONGEST]
    if "://" not in task or "://" not in text[:4096]:
        return False
    named = [_address(each).partition("://")[2] for match in _INTO.findall(task) for each in match if each]
    return len(set(named)) == 1 and named[0] not in text


@cache
def faulty() -> re.Pattern[str]:
    """The words with which a request says that a version is not to be used."""
    return re.compile(rf"(?i)(?<![a-zà-žа-я])(?:{_row('faulty').strip()})(?![a-zà-žа-я])")


def _of_day(command: Command, task: str) -> Iterator[OtherValue]:
    """By the days that a request has, where an option or a comparison has another. A limit may be a day beside."""
    named = days_in(task)
    if not named:
        return
    same = [day for value in _IS_DAY.findall(" ".join(command.args)) for _, day in days_in(value)]
    if any(is_beside(one, other) for one in same for _, other in named):
        return  # the rows of the named day; another day is a further bound
    options = _row("day_options").split()
    given = [*values_of(command.args, *options), *_COMPARED.findall(" ".join(command.args))]
    used = [(spelt, day) for value in given for spelt, day in days_in(value)]
    if used and not any(is_beside(one, other) for _, one in used for _, other in named):
        yield OtherValue(named[0][0], used[0][0])


def _of_address(command: Command, task: str) -> Iterator[OtherValue]:
    """By the one address that a request names, for commands that let addresses in or keep them out."""
    if command.program not in _set("gates") and _set("gate_words").isdisjoint(command.args[:4]):
        return
    named, used = set(_ADDRESS.findall(task)), _ADDRESS.findall(" ".join(command.args))
    if len(named) == 1 and used:
        value = named.pop()
        if not any(_covers(each, value) for each in used):
            yield OtherValue(value, used[0])


def _covers(wide: str, narrow: str) -> bool:
    try:
        return ip_address(narrow.partition("/")[0]) in ip_network(wide, strict=False)
    except ValueError:
        return True


def _of_mail(command: Command, task: str) -> Iterator[OtherValue]:
    if sort_of_words(command.program, command.args) != "send":
        return
    named, used = set(_MAIL.findall(task)), _MAIL.findall(" ".join(command.args))
    if len(named) == 1 and used:
        address = named.pop()
        if not is_source(address, task):
            yield OtherValue(address, used[-1])


def _stands_in(word: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-]|\.\w)", text, re.IGNORECASE))
