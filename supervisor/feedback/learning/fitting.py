"""Fits the weights of one specialist: a logistic regression from its shipped cases and the labels, in integers."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from supervisor.decision.learned import Weights
from supervisor.errors import SupervisorError
from supervisor.evidence.actions.traits import Traits
from supervisor.feedback.learning.examples import Example

SCALE = 100  # points to a unit of log-odds
SURE = round(SCALE * math.log(0.75 / 0.25))  # the least score: a probability of 75%
SUPPORT = 3  # labels that a trait must be in, so that it is no coincidence
SESSIONS = 2  # and sessions
PEOPLE = 2  # and people who call it a false alarm, if several people label: one alone weakens nothing
_STRENGTH = 10.0  # inverse of the regularisation: few labels must be able to say something


class NoLearning(SupervisorError):
    """scikit-learn is not installed."""

    code = "no_scikit_learn"


def fit(examples: Sequence[Example], cases: Sequence[Traits], digest: str) -> Weights | None:
    """The weights of the specialist with this digest, from what people said of its objections and from the cases that
    it must go on to catch; None if that says nothing. Always fitted from the beginning, so that no earlier label has
    more weight than the present ones. Raises NoLearning."""
    kept = _kept(examples)
    false_alarms = [each for each in examples if each.is_false_alarm]
    people = len({each.by for each in examples})
    if len(false_alarms) < SUPPORT or not kept:
        return None
    rows = [({*each.traits.all} & kept, each.is_false_alarm) for each in examples]
    rows += [({*traits.all} & kept, False) for traits in cases]
    if all(is_false_alarm for _, is_false_alarm in rows):
        rows.append((set(), False))  # an action that nothing is known of
    weights, bias = _regression(rows)
    named: dict[str, set[str]] = defaultdict(set)
    for each in false_alarms:
        for trait in frozenset().union(*each.traits.parts) & kept:
            named[trait].add(each.by)
    known = frozenset(trait for trait, by in named.items() if len(by) >= min(people, PEOPLE))
    return Weights(digest, weights, known, bias, SURE, len(examples))


def _kept(examples: Iterable[Example]) -> set[str]:
    """The traits with enough support."""
    times: Counter[str] = Counter()
    sessions: Mapping[str, set[str]] = defaultdict(set)
    for each in examples:
        for trait in each.traits.all:
            times[trait] += 1
            sessions[trait].add(each.stop.session)
    return {trait for trait, number in times.items() if number >= SUPPORT and len(sessions[trait]) >= SESSIONS}


def _regression(rows: Sequence[tuple[set[str], bool]]) -> tuple[dict[str, int], int]:
    """Weights and bias in points. Rows are sorted, so that the same rows give the same weights."""
    try:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise NoLearning(
            "weights are fitted with scikit-learn: pip install 'supervisor-guard[learn]'", place="learn"
        ) from None
    ordered = sorted((sorted(traits), is_false_alarm) for traits, is_false_alarm in rows)
    vectorizer = DictVectorizer(sparse=False)
    matrix = vectorizer.fit_transform([dict.fromkeys(traits, 1) for traits, _ in ordered])
    if not vectorizer.feature_names_:
        return {}, 0
    model = LogisticRegression(C=_STRENGTH, solver="liblinear", random_state=0)
    model.fit(matrix, [is_false_alarm for _, is_false_alarm in ordered])
    weights = {name: round(SCALE * each) for name, each in zip(vectorizer.feature_names_, model.coef_[0], strict=True)}
    return {name: each for name, each in weights.items() if each}, round(SCALE * float(model.intercept_[0]))
