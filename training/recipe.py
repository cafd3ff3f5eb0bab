"""The one way in which a classifier of sentences is trained, whatever it is about.

A subject (`Subject`) gives templates in families: texts that do what the entry forbids, and honest ones that come close
to it. A family is one way of saying it, written in one go; families, never single texts, are held out, so a figure on
the card is about wordings that the model did not see. Every subject also learns from everyday mail and from what the
other subjects forbid. The model is a logistic regression whose weights are rounded to integers.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import sklearn
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from supervisor.evidence.concepts import CONCEPTS, stem
from supervisor.evidence.phrasing import phrased

Families = Mapping[str, Sequence[str]]

SEED = 20260115
SCALE = 100  # points to a unit of log-odds
SIZE = 6000  # texts a model is trained on
FOLDS = 5
SPREAD = 2  # families that a feature must occur in, or it is an accident of one
MOST = 1500  # features of a model
LEAST = 5  # points of a weight; one that is smaller changes nothing
HONEST_STOPPED = 0.003  # of the honest texts of families that were held out, at most
SURE = 100  # points: log-odds of 1; nothing less counts, however tame the honest texts were
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Subject:
    """What one classifier is about: its templates by family, what fills their slots, and what it cannot do.

    A template is one sentence, or several of which the forbidden one stands between `[` and `]`. `{name}` is filled
    from `slots`.
    """

    name: str
    question: str
    harmful: Families
    honest: Families
    slots: Mapping[str, Sequence[str]]
    limits: Sequence[str]


@dataclass(frozen=True, slots=True)
class Text:
    """One text, made from a template of this family. `fold` is the part of the families it belongs to."""

    text: str
    harmful: bool
    family: str
    fold: int


def texts(subject: Subject, background: Families, size: int, seed: int) -> list[Text]:
    """As many texts as asked for, half of them harmful; every family of a sort comes as often as any other."""
    rng = random.Random(seed)  # noqa: S311 - examples, not secrets
    honest = {**subject.honest, **background}
    made = [_text(rng, subject, subject.harmful, name, True) for name in _in_turn(subject.harmful, size // 2)]
    return made + [_text(rng, subject, honest, name, False) for name in _in_turn(honest, size - size // 2)]


def _in_turn(families: Families, count: int) -> Iterator[str]:
    names = list(families)
    return (names[number % len(names)] for number in range(count))


def _text(rng: random.Random, subject: Subject, families: Families, family: str, harmful: bool) -> Text:
    text = _SLOT.sub(lambda slot: rng.choice(subject.slots[slot[1]]), rng.choice(list(families[family])))
    return Text(text, harmful, family, list(families).index(family) % FOLDS)


def fit(made: Iterable[Text], concepts: Mapping[str, str] = CONCEPTS) -> dict[str, Any]:
    """Integer weights and bias for these texts: those of features that stand in SPREAD families or more."""
    rows = [(sentence.features, text) for text in made for sentence in phrased(text.text, concepts)]
    families: dict[str, set[str]] = defaultdict(set)
    for found, text in rows:
        for name in found:
            families[name].add(text.family)
    known = {name for name, seen in families.items() if len(seen) >= SPREAD}
    vectorizer = DictVectorizer()
    table = vectorizer.fit_transform([dict.fromkeys(sorted(found & known), 1) for found, _ in rows])
    fitted = LogisticRegression(C=0.3, max_iter=2000).fit(table, [text.harmful for _, text in rows])
    weights = dict(zip(vectorizer.get_feature_names_out(), fitted.coef_[0].tolist(), strict=True))
    strongest = sorted(weights, key=lambda name: (-abs(round(weights[name], 6)), name))[:MOST]
    points = {name: round(weights[name] * SCALE) for name in sorted(strongest)}
    kept = {name: weight for name, weight in points.items() if abs(weight) >= LEAST}
    return {"features": kept, "bias": round(float(fitted.intercept_[0]) * SCALE)}


def score(model: Mapping[str, Any], text: str, concepts: Mapping[str, str] = CONCEPTS) -> int:
    """The score of the sentence of a text that looks most harmful."""
    weights = model["features"]
    found = (sum(weights.get(name, 0) for name in sentence.features) for sentence in phrased(text, concepts))
    return int(model["bias"]) + max(found, default=-(10**6))


def threshold(honest: Iterable[int]) -> int:
    """The least score that no more than HONEST_STOPPED of these honest texts reach; SURE where that is less."""
    ranked = sorted(honest)
    return max(ranked[-1 - int(len(ranked) * HONEST_STOPPED)] + 1, SURE) if ranked else SURE


def held_out(made: Sequence[Text], concepts: Mapping[str, str]) -> list[tuple[Text, int]]:
    """Each text with its score by a model that was trained without its fold."""
    scored = []
    for fold in sorted({text.fold for text in made}):
        model = fit([text for text in made if text.fold != fold], concepts)
        scored += [(text, score(model, text.text, concepts)) for text in made if text.fold == fold]
    return scored


def train(subject: Subject, background: Families, size: int = SIZE) -> dict[str, Any]:
    """The model as its file holds it. The weights come from all texts, the threshold from texts that were held out."""
    made = texts(subject, background, size, SEED)
    seen = held_out(made, CONCEPTS)
    model = fit(made)
    limit = threshold(points for text, points in seen if not text.harmful)
    return {
        "name": subject.name,
        "version": "1",
        **model,
        "threshold": limit,
        "scale": SCALE,
        "card": card(subject, background, made),
    }


def card(subject: Subject, background: Families, made: Sequence[Text]) -> dict[str, Any]:
    """What the model is about, how well it does on families and words that it never saw, and where it does not.

    A fold is judged by a model and a threshold that come from the other folds alone, and words that fill the slots of
    that fold's templates are hidden from the concepts of that model.
    """
    stopped: list[tuple[Text, bool]] = []
    for fold in range(FOLDS):
        others = [text for text in made if text.fold != fold]
        shown = _without(subject, fold)
        limit = threshold(points for text, points in held_out(others, CONCEPTS) if not text.harmful)
        model = fit(others)
        unseen = [text for text in made if text.fold == fold]
        stopped += [(text, score(model, text.text, shown) >= limit) for text in unseen]
    harmful = [stop for text, stop in stopped if text.harmful]
    honest = [stop for text, stop in stopped if not text.harmful]
    families = Counter(text.harmful for text in {text.family: text for text in made}.values())
    return {
        "question": subject.question,
        "data": f"texts from the templates in training/{subject.name}.py and training/everyday.py, and what the other "
        "subjects forbid; all invented",
        "split": f"{FOLDS} folds by family of templates; a fold is judged by a model and a threshold made from the "
        "others, without every fifth word of its concepts; the weights are trained on all",
        "n": {"texts": len(made), "harmful_families": families[True], "honest_families": families[False]},
        "recall": proportion(sum(harmful), len(harmful)),
        "precision": proportion(sum(harmful), sum(harmful) + sum(honest)),
        "honest_stopped": proportion(sum(honest), len(honest)),
        "limits": [*subject.limits, *LIMITS],
        "seed": SEED,
        "versions": {"scikit-learn": sklearn.__version__},
    }


LIMITS = (
    "English alone.",
    "One sentence at a time: what only two of them say together is not seen.",
    "Invented texts are plainer than real ones; measure on your own traffic before granting authority.",
)


def _without(subject: Subject, fold: int) -> dict[str, str]:
    """The concepts without every fifth word that fills a slot."""
    words = sorted({stem(word.lower()) for filled in subject.slots.values() for text in filled for word in text.split()})
    hidden = frozenset(words[fold::FOLDS])
    return {word: concept for word, concept in CONCEPTS.items() if word not in hidden}


def proportion(part: int, whole: int) -> dict[str, Any]:
    """A proportion with its 95% interval (Wilson 1927)."""
    if not whole:
        return {"value": None, "interval": None}
    p, z = part / whole, 1.96
    middle, spread = p + z * z / (2 * whole), z * sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    low, high = ((middle + sign * spread) / (1 + z * z / whole) for sign in (-1, 1))
    return {"value": round(p, 4), "interval": [round(low, 4), round(high, 4)]}


def written(model: Mapping[str, Any]) -> bytes:
    """The model's file."""
    return (json.dumps(model, indent=2, sort_keys=False, ensure_ascii=False) + "\n").encode()
