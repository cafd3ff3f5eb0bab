"""The one way in which a classifier of sentences is trained, whatever it is about.

A subject (`Subject`) gives templates in families: texts that do what the entry forbids, and honest ones that come close
to it. Templates, never single texts, are held out, and once more whole families of them, so a figure on the card is
about wordings that the model did not see. Every subject also learns from everyday mail and from what the
other subjects forbid. The model is a logistic regression whose weights are rounded to integers.
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
SIZE = 6000  # texts a model is trained on
FOLDS = 5
SPREAD = 2  # families that a feature must occur in, or it is an accident of one
MOST = 1500  # features of a model
LEAST = 5  # points of a weight; one that is smaller changes nothing
EVERYDAY_STOPPED = 0.003  # of everyday texts of families that were held out, at most
NEAR_STOPPED = 0.08  # of the subject's own honest texts, which come as close to it as can be, and are rare
READ_AGAIN = 1000  # texts by whose features one sees whether a model is stale
OPENED = 0.3  # of all texts begin with an opener
SURE = 100  # points: a chance of 73%; nothing less counts, however tame the honest texts were
_BREAK = re.compile(r"[.!?:;] ")
_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")


class Sort(Enum):
    """What a text is to a subject."""

    HARMFUL = "harmful"
    NEAR = "near miss"
    EVERYDAY = "everyday"
    OTHER = "another subject's"


@dataclass(frozen=True, slots=True)
class Subject:
    """What one classifier is about: its templates by family, and what it cannot do.

    Every sentence of a harmful template is harmful by itself. `(a|b)` is one of the two, `{name}` is filled from
    `SLOTS`. A family is one way of saying it.
    """

    name: str
    question: str
    harmful: Families
    honest: Families
    limits: Sequence[str]


@dataclass(frozen=True, slots=True)
class Text:
    """One text, made from a template of this family. The folds are the parts to which all texts of its family belong,
    and all texts of its template."""

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
    """As many texts as asked for: half of them harmful, the rest near misses, everyday texts, and what `others` forbid.
    Every family of a sort comes as often as any other."""
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
    """What the subject forbids, told of somebody else or warned of: a near miss, in the folds of what it frames.

    Only texts of one sentence, since a frame holds no more.
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
    """Integer weights and bias for these texts: those of features that stand in SPREAD families or more."""
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
    """The score of the sentence of a text that looks most harmful."""
    weights = model["features"]
    read = _read(text) if concepts is CONCEPTS else phrased(text, concepts)
    found = (sum(weights.get(name, 0) for name in sentence.features) for sentence in read)
    return int(model["bias"]) + max(found, default=-(10**6))


def threshold(held: Iterable[tuple[Text, int]]) -> int:
    """The least score that no more than EVERYDAY_STOPPED and NEAR_STOPPED of these texts reach, and SURE at least."""
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
    """Each text and whether it is stopped by a model and a threshold that come from the other folds alone.

    Some of the words that fill the slots of its templates are hidden from that model's concepts.
    """
    stopped = []
    for fold in range(FOLDS):
        others = [text for text in made if fold_of(text) != fold]
        model, limit, shown = fit(others), threshold(held_out(others, fold_of)), _without(fold)
        unseen = (text for text in made if fold_of(text) == fold)
        stopped += [(text, score(model, text.text, shown) >= limit) for text in unseen]
    return stopped


def by_template(text: Text) -> int:
    """Holds out templates whole, with everything that their slots may be filled with."""
    return text.template_fold


def by_family(text: Text) -> int:
    """Holds out whole ways of saying it."""
    return text.family_fold


def train(subject: Subject, others: Families, size: int = SIZE) -> dict[str, Any]:
    """The model as its file holds it. The weights come from all texts, the threshold from texts that were held out."""
    with threadpool_limits(1):  # more threads would add the same numbers in another order
        return _trained(subject, texts(subject, others, size, SEED))


def _trained(subject: Subject, made: Sequence[Text]) -> dict[str, Any]:
    limit = threshold(held_out(made, by_template))
    shape = {"name": subject.name, "version": "1", **fit(made), "threshold": limit, "scale": SCALE}
    return sealed({**shape, "card": card(subject, made, limit)})


def reads(made: Sequence[Text]) -> str:
    """A digest of what the first texts read as."""
    return digest_of(sentence.features for text in made[:READ_AGAIN] for sentence in _read(text.text))


def digest_of(rows: Iterable[Iterable[str]]) -> str:
    """The SHA-256 of features, so that a model is seen to be stale whose texts read otherwise now."""
    digest = hashlib.sha256()
    for features in rows:
        digest.update(json.dumps(sorted(features)).encode())
    return digest.hexdigest()


def sealed(model: Mapping[str, Any]) -> dict[str, Any]:
    """The model with a digest on its card: the SHA-256 of what scores, so that a figure belongs to its weights."""
    scores = [model[key] for key in ("features", "bias", "threshold", "scale")]
    digest = hashlib.sha256(json.dumps(scores, sort_keys=True).encode()).hexdigest()
    return {**model, "card": {**model["card"], "digest": digest}}


def card(subject: Subject, made: Sequence[Text], limit: int) -> dict[str, Any]:
    """What the model is about, how well it does on what it never saw, and where it does not."""
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
