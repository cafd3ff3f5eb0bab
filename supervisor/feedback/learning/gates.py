"""The three gates that weights pass before a person may promote them: shipped cases, history, held-out labels."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from supervisor.decision.learned import Weights
from supervisor.evidence.actions.traits import Traits
from supervisor.feedback.learning.examples import Example, Stop

FOLDS = 5
SIGNIFICANCE = 0.05
CONTRADICTED = 1 / 3  # of the labels on a sort of action, at most, may say that a lifted objection was right

Fit = Callable[[Sequence[Example]], Weights | None]


@dataclass(frozen=True, slots=True)
class Gate:
    """What a gate found. `told` says it in one line."""

    name: str
    is_passed: bool
    told: str


def cases_gate(weights: Weights, cases: Sequence[tuple[str, Traits | None]]) -> Gate:
    """Every shipped case of the entry is still caught. `cases` are named by their places."""
    lost = [place for place, traits in cases if traits is not None and weights.lifts(traits)]
    told = f"of {len(cases)} shipped cases {len(lost)} would not be stopped"
    return Gate("cases", not lost, told + (f": {', '.join(lost[:5])}" if lost else ""))


def history_gate(weights: Weights, stops: Sequence[Stop], examples: Sequence[Example]) -> tuple[Gate, list[Stop]]:
    """No recorded action that a person denied would run, and no sort of action of which people disagree. Returns the
    recorded actions that would run, too."""
    lifted = [stop for stop in stops if stop.traits is not None and weights.lifts(stop.traits)]
    denied = [stop for stop in lifted if stop.is_denied]
    right: Counter[str] = Counter()
    labelled: Counter[str] = Counter()
    for each in examples:
        labelled[each.traits.key] += 1
        right[each.traits.key] += not each.is_false_alarm
    keys = {stop.traits.key for stop in lifted if stop.traits is not None}
    disputed = sorted(key for key in keys if right[key] > max(1, CONTRADICTED * labelled[key]))
    told = f"{len(lifted)} of {len(stops)} stopped actions would have run"
    if denied:
        told += f"; a person denied {len(denied)} of them"
    if disputed:
        told += f"; people say that the objection to {disputed[0]!r} was right"
    return Gate("history", not denied and not disputed, told), lifted


def held_out_gate(examples: Sequence[Example], fit: Fit) -> Gate:
    """On labels of sessions that the weights have not seen, they are right more often than the specialist alone: the
    exact McNemar test, one-sided, over five folds of sessions."""
    better = worse = 0
    for fold in range(FOLDS):
        weights = fit([each for each in examples if _fold(each.stop.session) != fold])
        if weights is None:
            continue
        lifted = [each for each in examples if _fold(each.stop.session) == fold and weights.lifts(each.traits)]
        better += sum(each.is_false_alarm for each in lifted)
        worse += sum(not each.is_false_alarm for each in lifted)
    chance = exact_mcnemar(better, worse)
    told = f"{better} false alarms of unseen sessions fewer, {worse} right stops lost (p = {chance:.3f})"
    return Gate("held-out labels", chance <= SIGNIFICANCE, told)


def exact_mcnemar(better: int, worse: int) -> float:
    """The chance of at least so many changes for the better if changes for the worse were as likely (one-sided)."""
    changes = better + worse
    return float(sum(math.comb(changes, number) for number in range(better, changes + 1)) / 2**changes)


def _fold(session: str) -> int:
    return hashlib.sha256(session.encode(errors="surrogatepass")).digest()[0] % FOLDS
