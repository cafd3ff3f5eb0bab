"""Where the values of an action come from: the user, an output, another value, or nowhere."""

from __future__ import annotations

import re
from itertools import combinations

from supervisor.evidence.relations.atoms import Atom, folded
from supervisor.evidence.relations.seen import Features, Seen

_SMALL = 4.0


def values(seen: Seen, found: Features) -> None:
    """Features of the sources of each value."""
    slots, have = seen.slots, seen.known
    said, shown = have.task.keys, have.keys
    numbers = sorted(
        {
            each.atom.number
            for source in (have.task, *have.outputs)
            for each in source.shown
            if each.atom.sort in ("number", "share")
        }
    )
    mine = {(atom.sort, atom.key) for slot in slots for atom in slot.atoms}
    low_text = folded(have.task.text + "\n" + "\n".join(source.text for source in have.outputs))
    bare = re.sub(r"[^\w]", "", low_text)
    for slot in slots:
        place = "text" if slot.prose else "arg"
        for atom in slot.atoms:
            key = (atom.sort, atom.key)
            sort = atom.sort
            if sort in ("number", "share") and atom.number < _SMALL and slot.prose:
                continue
            if key in said:
                found[f"said.{sort}.{place}"] += 1
            elif key in shown:
                found[f"shown.{sort}.{place}"] += 1
            elif key in have.given:
                found[f"given.{sort}.{place}"] += 1
            elif sort in ("code", "account", "mail", "url", "name") and (re.sub(r"\W", "", folded(atom.key)) in bare):
                found[f"within.{sort}.{place}"] += 1
            elif sort in ("number", "share") and _derived(atom.number, numbers):
                found[f"derived.{place}"] += 1
            elif sort == "day" and _day_known(atom, said | shown):
                found[f"within.day.{place}"] += 1
            elif sort == "name" and all(part in low_text for part in folded(atom.text).split()):
                found[f"within.name.{place}"] += 1
            elif sort == "number" and re.search(rf"(?<!\d){re.escape(atom.text.strip('$€£ '))}(?!\d)", low_text):
                found[f"within.number.{place}"] += 1
            else:
                found[f"new.{sort}.{place}"] += 1
                found["new.any"] += 1
                if _near(atom, said | shown, numbers):
                    found[f"near.{sort}.{place}"] += 1
                    found["near.any"] += 1
    for sort in ("mail", "day", "time", "number", "code", "account", "url", "name", "share"):
        wanted = {key for kind, key in said if kind == sort}
        used = {key for kind, key in mine if kind == sort}
        if wanted and used and wanted.isdisjoint(used):
            found[f"other.{sort}"] += 1
            if len(wanted) == 1:
                found[f"other_than_one.{sort}"] += 1
        elif wanted and wanted <= used:
            found[f"all_said.{sort}"] += 1
        elif wanted & used:
            found[f"some_said.{sort}"] += 1
        elif wanted and not used:
            found[f"none_used.{sort}"] += 1


def _derived(value: float, numbers: list[float]) -> bool:
    if value in numbers:
        return True
    some = [each for each in numbers if each][-120:]
    for one in some:
        if any(
            abs(one * factor - value) < 0.006 * max(1, abs(value) ** 0) for factor in (100, 0.01, 1000, 0.001, 0.5, 2)
        ):
            return True
    for one, two in combinations(some, 2):
        for result in (
            one + two,
            abs(one - two),
            one * two,
            one * two / 100,
            one / two if two else 0,
            two / one if one else 0,
        ):
            if abs(result - value) < 0.006 or (
                value > 50 and abs(result - value) < 0.5 and value == int(value) and abs(result - value) < 0.01 * value
            ):
                return True
    return abs(sum(some) - value) < 0.01


def _day_known(atom: Atom, keys: set[tuple[str, str]] | frozenset[tuple[str, str]]) -> bool:
    year, month, day = atom.key.split("-")
    for sort, key in keys:
        if sort == "day":
            y, m, d = key.split("-")
            if m == month and (d == day or "0" in (d, day)) and (y == year or "0" in (y, year)):
                return True
    return False


def _near(atom: Atom, keys: set[tuple[str, str]] | frozenset[tuple[str, str]], numbers: list[float]) -> bool:
    if atom.sort in ("number", "share"):
        text = f"{atom.number:g}".replace(".", "")
        for each in numbers:
            other = f"{each:g}".replace(".", "")
            if len(text) > 2 and len(other) == len(text) and sorted(other) == sorted(text):
                return True
            if each and (
                abs(atom.number / each - 10) < 1e-6 or abs(each / atom.number - 10) < 1e-6 if atom.number else False
            ):
                return True
        return False
    if atom.sort == "day":
        year, month, day = atom.key.split("-")
        for sort, key in keys:
            if sort == "day":
                y, m, d = key.split("-")
                if (m == month and d != day) or (m == day and d == month) or (d == day and m != month):
                    return True
        return False
    if atom.sort == "time":
        return any(sort == "time" and abs(int(key) - int(atom.key)) in (30, 60, 120, 720) for sort, key in keys)
    return any(sort == atom.sort and _distance(key, atom.key) for sort, key in keys)


def _distance(one: str, two: str) -> bool:
    """Whether two codes differ in one or two letters."""
    if abs(len(one) - len(two)) > 2 or min(len(one), len(two)) < 4:
        return False
    at = 0
    while at < min(len(one), len(two)) and one[at] == two[at]:
        at += 1
    end = 0
    while end < min(len(one), len(two)) - at and one[-1 - end] == two[-1 - end]:
        end += 1
    return max(len(one), len(two)) - at - end <= 2
