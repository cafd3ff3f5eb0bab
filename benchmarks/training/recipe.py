"""How a classifier of sentences is trained, the same for every subject.

A subject (`Subject`) has templates in families: texts that the entry forbids, and honest near misses. Whole templates,
never single texts, are held out, and in a second measurement whole families, so the figures on the card are about
wordings that the model did not see. Every model also learns from everyday mail and from the harmful texts of other
subjects. The model is a logistic regression whose weights are rounded to integers.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from math import sqrt
from typing import Any

import sklearn
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from benchmarks.training.everyday import EVERYDAY, FRAMES, OPENERS, SLOTS
from supervisor.evidence.actions.phrasing import Sentence, phrased
from supervisor.evidence.prose.concepts import CONCEPTS, stem

Families = Mapping[str, Sequence[str]]
Fold = Callable[["Text"], int]

SEED = 20260115
SCALE = 100  # points to a unit of log-odds
SIZE = 6000  # texts that a model is trained on
FOLDS = 5
SPREAD = 2  # families that a feature must occur in, so that it is no coincidence
MOST = 1500  # features of a model
LEAST = 5  # points of a weight; smaller weights are dropped
EVERYDAY_STOPPED = 0.003  # of everyday texts of held-out families, at most
NEAR_STOPPED = 0.08  # of the subject's own near misses, at most; such texts are rare in practice
READ_AGAIN = 1000  # texts whose features show whether a model is stale
OPENED = 0.3  # of all texts begin with an opener
SURE = 100  # points, a probability of 73%: the least threshold
_BREAK = re.compile(r"[.!?:;] ")
_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")


class Sort(Enum):
    """The relation of a text to a subject."""

    HARMFUL = "harmful"
    NEAR = "near miss"
    EVERYDAY = "everyday"
    OTHER = "another subject's"


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of one classifier: its templates by family, and its limits.

    Every sentence of a harmful template is harmful by itself. `(a|b)` is one of the two, `{name}` is filled from
    `SLOTS`. A family is one way to express the subject.
    """

    name: str
    question: str
    harmful: Families
    honest: Families
    limits: Sequence[str]


@dataclass(frozen=True, slots=True)
class Text:
    """One text, generated from a template of this family. All texts of a family have the same `family_fold`, all texts
    of a template the same `template_fold`."""

    text: str
    sort: Sort
    family: str
    family_fold: int
    template_fold: int

    @property
    def harmful(self) -> bool:
        """Whether the subject forbids it."""
        return self.sort is Sort.HARMFUL


def texts(subject: Subject, others: Families, size: int, seed: int) -> list[Text]:
    """`size` texts: half of them harmful, the rest near misses, everyday texts, and texts that `others` forbid. All
    families of a sort are equally frequent."""
    rng = random.Random(seed)
    made = [*_texts(rng, Sort.HARMFUL, subject.harmful, size // 2), *_texts(rng, Sort.NEAR, subject.honest, size // 6)]
    made += [*_texts(rng, Sort.EVERYDAY, EVERYDAY, size // 8), *_texts(rng, Sort.OTHER, others, size // 8)]
    return made + list(_framed(rng, subject, size - len(made)))


def _texts(rng: random.Random, sort: Sort, families: Families, count: int) -> Iterator[Text]:
    names = list(families)
    for number in range(count):
        place = number % len(names)
        template = rng.randrange(len(families[names[place]]))
        opener = rng.choice(OPENERS) if rng.random() < OPENED else ""
        text = _filled(rng, opener + families[names[place]][template])
        yield Text(text, sort, f"{sort.value} {names[place]}", place % FOLDS, (place + template) % FOLDS)


def _framed(rng: random.Random, subject: Subject, count: int) -> Iterator[Text]:
    """Harmful texts in a frame that reports them of others or warns of them: near misses, in the folds of the framed
    texts.

    Only texts of one sentence are framed.
    """
    made = (text for text in _texts(rng, Sort.NEAR, subject.harmful, 2 * count) if not _BREAK.search(text.text[:-1]))
    for text in islice(made, count):
        frame = rng.choice(sorted(FRAMES))
        framed = _filled(rng, rng.choice(FRAMES[frame])).replace("{it}", text.text)
        yield replace(text, text=framed, family=f"framed {frame}")


def _filled(rng: random.Random, template: str) -> str:
    chosen = _CHOICE.sub(lambda choice: rng.choice(choice[1].split("|")), template)
    return _SLOT.sub(lambda slot: rng.choice(SLOTS.get(slot[1], [slot[0]])), chosen)


def fit(made: Iterable[Text]) -> dict[str, Any]:
    """Integer weights and bias for these texts, of features that occur in at least SPREAD families."""
    rows = [(sentence.features, text) for text in made for sentence in _read(text.text)]
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


@functools.cache
def _read(text: str) -> tuple[Sentence, ...]:
    return tuple(phrased(text))


def score(model: Mapping[str, Any], text: str, concepts: Mapping[str, str] = CONCEPTS) -> int:
    """The highest score of a text's sentences."""
    weights = model["features"]
    read = _read(text) if concepts is CONCEPTS else phrased(text, concepts)
    found = (sum(weights.get(name, 0) for name in sentence.features) for sentence in read)
    return int(model["bias"]) + max(found, default=-(10**6))


def threshold(held: Iterable[tuple[Text, int]]) -> int:
    """The least score that at most EVERYDAY_STOPPED and NEAR_STOPPED of these texts reach, and at least SURE."""
    ranked: dict[Sort, list[int]] = {sort: [] for sort in Sort}
    for text, points in held:
        ranked[text.sort].append(points)
    allowed = {Sort.NEAR: NEAR_STOPPED, Sort.EVERYDAY: EVERYDAY_STOPPED}
    return max(SURE, *(_above(sorted(ranked[sort]), share) for sort, share in allowed.items()))


def _above(ranked: list[int], share: float) -> int:
    return ranked[-1 - int(len(ranked) * share)] + 1 if ranked else SURE


def held_out(made: Sequence[Text], fold_of: Fold) -> list[tuple[Text, int]]:
    """Each text with its score by a model that was trained without its fold."""
    scored = []
    for fold in sorted({fold_of(text) for text in made}):
        model = fit([text for text in made if fold_of(text) != fold])
        scored += [(text, score(model, text.text)) for text in made if fold_of(text) == fold]
    return scored


def judged(made: Sequence[Text], fold_of: Fold) -> list[tuple[Text, bool]]:
    """Each text and whether it is stopped by a model and a threshold that come only from the other folds.

    Some words that fill the slots of its templates are hidden from that model's concepts.
    """
    stopped = []
    for fold in range(FOLDS):
        others = [text for text in made if fold_of(text) != fold]
        model, limit, shown = fit(others), threshold(held_out(others, fold_of)), _without(fold)
        unseen = (text for text in made if fold_of(text) == fold)
        stopped += [(text, score(model, text.text, shown) >= limit) for text in unseen]
    return stopped


def by_template(text: Text) -> int:
    """Holds out whole templates, with all fillings of their slots."""
    return text.template_fold


def by_family(text: Text) -> int:
    """Holds out whole families of templates."""
    return text.family_fold


def train(subject: Subject, others: Families, size: int = SIZE) -> dict[str, Any]:
    """The content of the model's file. The weights come from all texts, the threshold from held-out texts."""
    with threadpool_limits(1):  # more threads would add the same numbers in another order
        return _trained(subject, texts(subject, others, size, SEED))


def _trained(subject: Subject, made: Sequence[Text]) -> dict[str, Any]:
    limit = threshold(held_out(made, by_template))
    shape = {"name": subject.name, "version": "1", **fit(made), "threshold": limit, "scale": SCALE}
    return sealed({**shape, "card": card(subject, made, limit)})


def reads(made: Sequence[Text]) -> str:
    """A digest of the features of the first texts."""
    return digest_of(sentence.features for text in made[:READ_AGAIN] for sentence in _read(text.text))


def digest_of(rows: Iterable[Iterable[str]]) -> str:
    """The SHA-256 of features. A model is stale if its texts have other features now."""
    digest = hashlib.sha256()
    for features in rows:
        digest.update(json.dumps(sorted(features)).encode())
    return digest.hexdigest()


def sealed(model: Mapping[str, Any]) -> dict[str, Any]:
    """The model with a digest on its card: the SHA-256 of its weights and threshold, which ties the figures to them."""
    scores = [model[key] for key in ("features", "bias", "threshold", "scale")]
    digest = hashlib.sha256(json.dumps(scores, sort_keys=True).encode()).hexdigest()
    return {**model, "card": {**model["card"], "digest": digest}}


def card(subject: Subject, made: Sequence[Text], limit: int) -> dict[str, Any]:
    """The model's card: its question, its quality on unseen texts, and its limits."""
    stopped = judged(made, by_template)
    by_sort = {sort: [stop for text, stop in stopped if text.sort is sort] for sort in Sort}
    caught, near, plain, other = (sum(by_sort[sort]) for sort in Sort)
    new_ways = [points >= limit for text, points in held_out(made, by_family) if text.harmful]
    families = Counter(text.sort for text in {text.family: text for text in made}.values())
    return {
        "question": subject.question,
        "data": f"texts from the templates in benchmarks/training/subjects/{subject.name}.py and "
        f"benchmarks/training/everyday.py, and what "
        "the other subjects forbid; all invented",
        "split": f"{FOLDS} folds by template; a fold is judged by a model and a threshold made from the others, some "
        "of its words hidden (recall_of_new_ways: folds by family of templates); the weights are trained on all",
        "n": {"texts": len(made), **{f"{sort.value} families": families[sort] for sort in Sort}},
        "recall": proportion(caught, len(by_sort[Sort.HARMFUL])),
        "precision": proportion(caught, caught + near + plain + other),
        "honest_stopped": proportion(plain, len(by_sort[Sort.EVERYDAY])),
        "near_misses_stopped": proportion(near, len(by_sort[Sort.NEAR])),
        "recall_of_new_ways": proportion(sum(new_ways), len(new_ways)),
        "limits": [*subject.limits, *LIMITS],
        "seed": SEED,
        "reads": reads(made),
        "versions": {"scikit-learn": sklearn.__version__},
    }


LIMITS = (
    "English alone.",
    "One sentence at a time: what only two of them say together is not seen.",
    "Invented texts are plainer than real ones; measure on your own traffic before granting authority.",
)


def _without(fold: int) -> dict[str, str]:
    """The concepts without every fifth word that fills a slot."""
    words = sorted({stem(word.lower()) for filled in SLOTS.values() for text in filled for word in text.split()})
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
