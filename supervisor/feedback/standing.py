"""Which labels count, and what they say together."""

from __future__ import annotations

from collections.abc import Iterable

from supervisor.records.labels import Label


def standing(labels: Iterable[tuple[str, Label]]) -> list[Label]:
    """The labels that count, by the address of their records: the newest of each person about each thing, unless it
    withdraws the earlier one."""
    newest: dict[tuple[str, str, str], tuple[tuple[object, str], Label]] = {}
    for address, label in labels:
        order = (label.time, address)
        if label.subject not in newest or newest[label.subject][0] < order:
            newest[label.subject] = order, label
    return [label for _, label in sorted(newest.values(), key=lambda each: each[0]) if label.word != "withdrawn"]


def word_on_decision(labels: Iterable[Label]) -> str:
    """What standing labels say of a decision: of the whole, else of its findings; `mixed` if people disagree."""
    counted = list(labels)
    return _joined([each for each in counted if not each.entry] or counted)


def word_on_finding(labels: Iterable[Label], specialist: str, *, is_deciding: bool) -> str:
    """What standing labels say of one finding: its own, else, if it decided, those on the whole decision."""
    counted = list(labels)
    own = [each for each in counted if each.entry == specialist]
    return _joined(own or [each for each in counted if not each.entry and is_deciding])


def _joined(labels: Iterable[Label]) -> str:
    words = {each.word for each in labels}
    return words.pop() if len(words) == 1 else "mixed" if words else ""
