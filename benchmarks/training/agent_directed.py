"""Trains `supervisor/methods/models/agent_directed.json`: does a text in a tool's output give orders to the agent?

Honest texts contain orders to people as well, so both kinds of texts have the same orders; only the frame differs.
Values are not features. A template is one frame in one language; whole templates are held out, so the figures on the
card are about wordings that the model never saw. The model only gets what
`supervisor.evidence.provenance.instructions` takes for an order.
"""

from __future__ import annotations

import random
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sklearn
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from benchmarks.training import agent_directed_duties as duties
from benchmarks.training import agent_directed_english as english
from benchmarks.training import agent_directed_languages as others
from benchmarks.training import agent_directed_wider as wider
from benchmarks.training.recipe import READ_AGAIN, digest_of, proportion, sealed
from supervisor.evidence.provenance.manner import manner
from supervisor.evidence.provenance.utterances import Utterance

NAME = "agent_directed"
VERSION = "1"
SEED = 20261122
SIZE = 24_000
FOLDS = 4
SCALE = 100  # points to a unit of log-odds
SPREAD = 3  # templates that a feature must occur in, so that it is no coincidence
LEAST = 8  # points of a weight; smaller weights are dropped
HONEST_TAKEN = 0.02  # of the honest texts of held-out templates, at most
SURE = 50  # points: the least threshold
SHARES = (0.5, 0.4, 0.1)  # of the texts: English, the nine other languages, the nine that are told briefly

_STAMPS = [
    "{date}T{time}.217Z {level} [worker-{n}] org.example.{word}.{service} -",
    "{date} {time},530 {level} {service}:",
    "[{date} {time}] {level} in {service}:",
    "Feb 12 {time} {word}{n} {service}[{n}71]:",
    "{level} {time} {service}.go:{n}:",
    "time={date}T{time}Z level={level} component={service} msg=",
]
_LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"]
_SYLLABLES = [start + vowel for start in "b d f g h k l m n p r s t v w".split() for vowel in "aeiou"]


@dataclass(frozen=True, slots=True)
class Text:
    """One text, its template, and whether it addresses the agent. All texts of a template have the same `fold`."""

    text: str
    template: str
    directed: bool
    fold: int


def values(rng: random.Random) -> dict[str, str]:
    """Values for the slots of a template. No word occurs in so many templates that it becomes a feature (`SPREAD`): a
    person's name says nothing about who is addressed."""
    word, number = _word(rng), rng.randint(12, 4800)
    return {
        "person": " ".join(_word(rng).title() for _ in range(rng.randint(1, 2))),
        "mail": f"{_word(rng)}{number}@{word}.example",
        "url": f"{rng.choice(['https://', 'www.'])}{word}-{number}.example",
        "iban": f"{rng.choice(['DE', 'FR', 'GB'])}{rng.randint(10**17, 10**18)}",
        "amount": rng.choice([f"{number}", f"${number:,}", f"{number}.00 EUR"]),
        "path": f"/{rng.choice(['srv', 'home', 'etc'])}/{word}/{_word(rng)}.txt",
        "code": f"{word[:3].upper()}{rng.randint(10**4, 10**6)}",
        "date": f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
        "hotel": f"Hotel {word.title()}",
        "topic": " ".join(_word(rng) for _ in range(rng.randint(1, 2))),
        "host": f"{word}{number}.internal",
        "stamp": stamp(rng),
    }


def stamp(rng: random.Random) -> str:
    """The beginning of a log line."""
    return rng.choice(_STAMPS).format(
        date=f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
        time=f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}",
        level=rng.choice(_LEVELS),
        service=_word(rng),
        word=_word(rng),
        n=rng.randint(1, 40),
    )


def _word(rng: random.Random) -> str:
    """A word that means nothing."""
    return "".join(rng.choices(_SYLLABLES, k=3))


def texts(size: int, seed: int) -> list[Text]:
    """`size` texts, half of them directed. All families of a language are equally frequent."""
    rng = random.Random(seed)
    made = []
    for number in range(size):
        directed = number % 2 == 0
        tongue = rng.choice(rng.choices((("en",), tuple(others.ASKS), tuple(wider.ASKS)), SHARES)[0])
        families, asks = _of(tongue, directed)
        frames = families[rng.choice(list(families))]
        place = rng.randrange(len(frames))
        text = _filled(frames[place], asks, rng)
        if rng.random() < 0.5:
            text = f"{_filled(rng.choice(english.FACTS), asks, rng)}{rng.choice([' ', chr(10)])}{text}"
        made.append(Text(text, frames[place], directed, zlib.crc32(frames[place].encode()) % FOLDS))
    return made


def _of(tongue: str, directed: bool) -> tuple[Mapping[str, list[str]], Sequence[str]]:
    if tongue in wider.ASKS:
        return (wider.DIRECTED if directed else wider.HONEST)[tongue], wider.ASKS[tongue]
    more = {"duty": (duties.DIRECTED if directed else duties.HONEST)[tongue]}
    if tongue == "en":
        return (english.DIRECTED if directed else english.HONEST) | more, english.ASKS
    return (others.DIRECTED if directed else others.HONEST)[tongue] | more, others.ASKS[tongue]


def _filled(frame: str, asks: Sequence[str], rng: random.Random) -> str:
    """A template with its slots filled."""
    ask, fact = rng.choice(asks), rng.choice(english.FACTS)
    if rng.random() < 0.3:
        ask = ask[0].upper() + ask[1:]
    text = frame.replace("{ask}", ask).replace("{fact}", fact)
    filled = values(rng)
    return re.sub(r"\{(\w+)\}", lambda slot: filled[slot[1]], text)


def rows(text: Text) -> Iterator[Mapping[str, int]]:
    """The features of every order in a text."""
    utterance = Utterance(0, text.text)
    for order in utterance.orders:
        yield manner("\n".join(utterance.passages[number].text for number in order.core))


def reads(made: Sequence[Text]) -> str:
    """A digest of the features of the first texts."""
    return digest_of(features for text in made[:READ_AGAIN] for features in rows(text))


def fit(made: Sequence[Text]) -> dict[str, Any]:
    """Integer weights and bias, of features that occur in texts of at least SPREAD templates."""
    table = [(features, text) for text in made for features in rows(text)]
    templates: dict[str, set[str]] = defaultdict(set)
    for features, text in table:
        for name in features:
            templates[name].add(text.template)
    known = {name for name, seen in templates.items() if len(seen) >= SPREAD or name.startswith("#")}
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([dict.fromkeys(sorted(known.intersection(found)), 1) for found, _ in table])
    fitted = LogisticRegression(C=0.1, max_iter=2000).fit(matrix, [text.directed for _, text in table])
    weights = dict(zip(vectorizer.get_feature_names_out(), fitted.coef_[0].tolist(), strict=True))
    points = {name: round(weights[name] * SCALE) for name in sorted(weights)}
    kept = {name: weight for name, weight in points.items() if abs(weight) >= LEAST}
    return {"features": kept, "bias": round(float(fitted.intercept_[0]) * SCALE)}


def score(model: Mapping[str, Any], text: Text) -> int:
    """The highest score of a text's orders."""
    weights = model["features"]
    found = (sum(weights.get(name, 0) for name in features) for features in rows(text))
    return int(model["bias"]) + max(found, default=-(10**6))


def held_out(made: Sequence[Text]) -> list[tuple[Text, int]]:
    """Each text with its score by a model that was trained without its fold."""
    found = []
    for fold in range(FOLDS):
        model = fit([text for text in made if text.fold != fold])
        found += [(text, score(model, text)) for text in made if text.fold == fold]
    return found


def train(size: int = SIZE) -> dict[str, Any]:
    """The content of the model's file. The weights come from all texts, threshold and figures from held-out texts."""
    made = texts(size, SEED)
    seen = held_out(made)
    honest = sorted(points for text, points in seen if not text.directed)
    threshold = max(honest[-1 - int(len(honest) * HONEST_TAKEN)] + 1, SURE)
    model = {"name": NAME, "version": VERSION, **fit(made), "threshold": threshold, "scale": SCALE}
    return sealed({**model, "card": card(seen, threshold, reads(made))})


def card(seen: Sequence[tuple[Text, int]], threshold: int, read_as: str) -> dict[str, Any]:
    """The model's card: its question, its quality on unseen frames, and its limits."""
    caught = sum(points >= threshold for text, points in seen if text.directed)
    taken = sum(points >= threshold for text, points in seen if not text.directed)
    directed = sum(text.directed for text, _ in seen)
    return {
        "question": "Does this passage of a tool's output give orders to the agent, or speak for its user?",
        "data": "texts from the templates in benchmarks/training/agent_directed_*.py, in nineteen languages, all "
        "invented; the same orders stand in directed and in honest frames",
        "split": f"{FOLDS} folds by template; the weights are trained on all, the threshold "
        "is that at which two in a hundred honest texts of held-out templates are taken for directed",
        "n": {"texts": len(seen), "directed": directed, "templates": len({text.template for text, _ in seen})},
        "recall": proportion(caught, directed),
        "precision": proportion(caught, caught + taken),
        "honest_stopped": proportion(taken, len(seen) - directed),
        "limits": [
            "It reads what looks like an order or a claim; a plain statement that misleads is not seen.",
            "Nineteen languages, nine of them briefly; in others an order shows by its markup or its values alone.",
            "Invented texts are plainer than real ones; what it says counts only beside what the action does.",
        ],
        "seed": SEED,
        "reads": read_as,
        "versions": {"scikit-learn": sklearn.__version__},
    }
