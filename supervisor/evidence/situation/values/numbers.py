"""Whether a command gives something another number than the request demands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from supervisor.action import Context, strings_in
from supervisor.evidence.situation.values.demands import Demand, concepts_of, demands
from supervisor.evidence.situation.values.quantities import SECONDS, literals
from supervisor.evidence.situation.values.seen import (
    LATEST,
    MOST_TEXT,
    Mismatch,
    lines,
    numbers_in,
    pattern,
    shown_numbers,
    word_set,
)
from supervisor.evidence.situation.values.settings import Setting, settings, substitutions, written

_WORD = re.compile(r"[^\W\d_]{4,}")
_COMPUTED = re.compile(r"\$\(|`|\{\{|\bexpr\b")
_TIMES = frozenset({"retention", "timeout", "interval"})
_SIZES = frozenset({"memory", "storage"})


def other_numbers(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """Settings with another number, where no form of the wanted one stands anywhere in the script."""
    wanted = demands(task)
    found = settings(script) if wanted else ()
    if not found:
        return
    after = written(script)
    for each in wanted:
        is_replaced = any(says_in(each, old) for old, _ in substitutions(script))
        if is_replaced or _says(each, after, found) or _was_set(each, context):
            continue
        for setting in found:
            if (
                setting.compares
                or not _is_of(setting, each)
                or (each.at_most and 0 < setting.value <= each.quantity.value)
            ):
                continue
            if _has_other_unit(setting, each) or _is_unexplained(setting, task, context):
                yield Mismatch(each.quantity.text, setting.text)
        alone = _alone(found, script, task, context) if len(wanted) == 1 and not each.at_most else None
        if alone and each.quantity.sort in ("number", "share", "money"):
            yield Mismatch(each.quantity.text, alone.text)


def lost_points(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A wanted number without its decimal point, beside the number itself: 5.5 and 55."""
    for each in demands(task):
        digits = re.split(r"[.,]", each.quantity.text.split()[0])
        if len(digits) != 2 or len(digits[1]) > 2 or digits[0] == "0":
            continue
        slipped = float("".join(digits))
        found = settings(script)
        if slipped in numbers_in(task) or all(setting.value != each.quantity.value for setting in found):
            continue
        for setting in found:
            if setting.value == slipped and setting.key and not setting.unit and slipped not in shown_numbers(context):
                yield Mismatch(each.quantity.text, setting.text)


def says_in(wanted: Demand, script: str) -> bool:
    """Whether a script has the wanted value in any form."""
    return any(wanted.quantity.is_said_by(number, unit) for number, unit in literals(script))


def _says(wanted: Demand, script: str, found: Sequence[Setting]) -> bool:
    """Like `says_in`, not counting digits whose own unit makes them another value."""
    wrong = {setting.value for setting in found if _contradicts(setting, wanted)}
    return any(
        wanted.quantity.is_said_by(number, unit) and (unit or number not in wrong) for number, unit in literals(script)
    )


def _contradicts(setting: Setting, wanted: Demand) -> bool:
    unit = setting.known_unit
    return wanted.quantity.sort == "time" and unit in SECONDS and not wanted.quantity.is_said_by(setting.value, unit)


def _has_other_unit(setting: Setting, wanted: Demand) -> bool:
    """Whether a setting has the digits of the request in another unit: 2 hours for 2 days."""
    size = SECONDS.get(wanted.quantity.unit, 0)
    return bool(size) and _contradicts(setting, wanted) and setting.value * size == wanted.quantity.value


def _is_of(setting: Setting, wanted: Demand) -> bool:
    """Whether a setting is of what the user speaks about, by its name."""
    concepts = concepts_of(setting.parts)
    if wanted.quantity.sort == "size" and concepts & _SIZES:
        return True
    if not setting.key or (wanted.quantity.sort == "time" and not concepts & _TIMES):
        return False
    said = {word[:6].lower() for word in _WORD.findall(wanted.around)}
    return bool(concepts & wanted.concepts) or any(len(part) > 4 and part[:6] in said for part in setting.parts)


def _is_unexplained(setting: Setting, task: str, context: Context) -> bool:
    """Whether neither the request nor a limit in an output gives a reason for a value."""
    if setting.value in numbers_in(task):
        return False
    if not setting.value:
        return not pattern("ends").search(task)
    return not any(setting.value in numbers_in(line) for line in lines(context) if pattern("bounds").search(line))


def _alone(found: Sequence[Setting], script: str, task: str, context: Context) -> Setting | None:
    """The one new number that a script sets and does not compute."""
    if _COMPUTED.search(script):
        return None
    known = numbers_in(task) | shown_numbers(context)
    if pattern("ends").search(task):
        known |= {0.0}
    new = [each for each in found if _is_telling(each) and each.value not in known]
    return new[0] if len(new) == 1 else None


def _is_telling(setting: Setting) -> bool:
    """Whether the name of a setting does not show that it is of something else."""
    clutter = word_set("clutter")
    if setting.compares or ("→" in setting.text and setting.key):
        return False
    if setting.key.lower() in clutter or (setting.parts and setting.parts[-1] in clutter):
        return False
    return setting.value < 1e7 and not 1900 < setting.value < 2100


def _was_set(wanted: Demand, context: Context) -> bool:
    """Whether an earlier command has the value."""
    return any(
        wanted.quantity.is_said_by(number, unit)
        for step in islice(reversed(context.history), LATEST)
        for _, text in islice(strings_in(step.args), 8)
        for number, unit in literals(text[: MOST_TEXT // 4])
    )
