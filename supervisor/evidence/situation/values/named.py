"""Whether a command puts another word where the request names one: a setting, a type of machine, the next size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from supervisor.action import Context
from supervisor.evidence.situation.values.demands import clause_around
from supervisor.evidence.situation.values.rows import row
from supervisor.evidence.situation.values.seen import Mismatch, has, lines, pattern
from supervisor.evidence.situation.values.settings import written

_MOST = 12
PAIR = re.compile(r"(?<![\w.$-])([A-Za-z][\w-]{2,40})\s?=\s?[\"']?([A-Za-z][\w.-]{1,60}\w)(?![\w=(\[$])")
_IDENTIFIER = re.compile(r"(?=[\w.-]*[-_\d])[A-Za-z][\w.-]{3,60}\w")
MACHINE = re.compile(
    r"(?<![\w.-])((?:(?:db|cache)\.)?[a-z]{1,4}\d[a-z0-9]{0,5}"
    r"\.(?:nano|micro|small|medium|metal|\d{0,2}x?large)"
    r"|[a-z]\d{1,2}[a-z]?-(?:standard|high(?:mem|cpu|gpu)|megagpu|ultramem|micro|small|medium)(?:-\d{1,3}g?)?"
    r"|Standard_[A-Z]{1,3}\d{1,3}\w{0,12})(?![\w-]|\.\w)"
)
_LONGEST_VALUE = 24
_SIZE = re.compile(r"(?i)(?:size|type|class|tier|sku)\w*[\"']?\s{0,2}[=:\s]\s{0,2}[\"']?([\w.-]{1,40})")


def other_settings(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A setting that the request writes out: `audience=test_group`."""
    after = written(script)
    for match in islice(PAIR.finditer(task), _MOST):
        key, value = match.groups()
        if has(value, script) or pattern("described").search(clause_around(task, *match.span())):
            continue
        name, sign = re.escape(key), r"[\"'\\]{0,2}"
        beside = re.compile(
            rf"(?i)(?<!\w)(?:{name}{sign}\s?[:=]\s?|--?{name}\s{{1,2}}){sign}([A-Za-z][\w.-]{{1,60}})(?![\w($])"
        )
        for used in beside.findall(after):
            if used.lower() != value.lower() and not has(used, task):
                yield Mismatch(f"{key}={value}", f"{key}={used}")


def other_words(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A word as the value of what the request names in two words: "log level to info", `LOG_LEVEL=trace`."""
    after = written(script)
    for match in islice(_worded().finditer(task), _MOST):
        noun, value = re.split(r"[\s-]", match[1].lower()), match[2]
        if has(value, script):
            continue
        key = r"[\s_.-]?".join(re.escape(part) for part in noun[-2:])
        beside = re.compile(
            rf"(?i)(?<![a-z]){key}[\"'\\]{{0,2}}\s?[:= ]\s?[\"'\\]{{0,2}}([A-Za-z]{{3,{_LONGEST_VALUE}}})(?![\w($])"
        )
        for used in islice(beside.findall(after), _MOST):
            if not has(used, task):
                yield Mismatch(f"{match[1]} {value}", f"{match[1]} {used}")


@cache
def _worded() -> re.Pattern[str]:
    """What a request sets to a word: two words, the second of them before "to"."""
    return re.compile(
        rf"(?i)(?<!\w)([a-z]{{3,16}}[\s-](?:level|mode|policy|class|tier|type|format|strategy|role|state|status|severity))"
        rf"\s(?:{row('to')})\s[\"'`]?([a-z]{{3,16}})(?![\w-])"
    )


def none_for_named(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A value that stands for none, where the request says what it must be."""
    must = musts().search(task)
    named = must[1].rstrip(".") if must else ""
    if named and _IDENTIFIER.fullmatch(named) and not has(named, script) and (none := _nothing().search(script)):
        yield Mismatch(named, none[1])


def other_machines(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A type of machine, where the request names one."""
    named, used = set(MACHINE.findall(task)), set(MACHINE.findall(written(script)))
    said = task.replace(" on ", " ")  # no verb in English
    if any(pattern(name).search(said) for name in ("one_up", "one_down", "described")):
        return
    if len(named) == 1 and used and named.isdisjoint(used):
        yield Mismatch(named.pop(), min(used))


def other_sizes(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A size that is not the next one, up or down, of the one that the request or an output names."""
    step = 1 if pattern("one_up").search(task) else -1 if pattern("one_down").search(task) else 0
    for ladder in _ladders() if step else ():
        here = _rung(task, ladder)
        if here is None:
            here = _rung("\n".join(lines(context)), ladder)
        sizes = _SIZE.findall(script)[:_MOST]
        used = {rung for size in sizes if (rung := _rung(size.rpartition(".")[2], ladder)) is not None}
        if here is not None and used and used.isdisjoint({here, here + step}) and 0 <= here + step < len(ladder):
            yield Mismatch(ladder[here + step].partition("|")[0], ladder[max(used)].partition("|")[0])
            return


@cache
def musts() -> re.Pattern[str]:
    """Words that demand a value, and the value."""
    return re.compile(rf"(?i)(?<!\w)(?:{row('musts')})[\s:\"'`]{{1,3}}([\w.-]{{4,60}})")


@cache
def _nothing() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<!\w)(--?(?:[a-z]+-)?(?:{row('kinds')})[= ](?:{row('nothing')}))(?![\w-])")


@cache
def _ladders() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(each.split()) for each in row("ladders"))


@cache
def _rungs(ladder: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    names = ([re.escape(name) for name in each.split("|") if len(name) > 1] for each in ladder)
    return tuple(re.compile(rf"(?i)(?<![\w-])(?:{'|'.join(each)})(?![\w-])") for each in names)


def _rung(text: str, ladder: tuple[str, ...]) -> int | None:
    """The place of the one size that a text names."""
    found = [place for place, size in enumerate(_rungs(ladder)) if size.search(text)]
    return found[0] if len(found) == 1 else None
