"""How the classifier of relations is trained: on situations of business, office, web and research agents that authors
wrote for training alone (`situations/`, one file an author).

A whole author is held out at a time, so that the figures on the card are about situations of somebody else.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sklearn
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from benchmarks.training.recipe import digest_of, proportion, sealed
from supervisor.evidence.relations.features import features
from supervisor.intake.parsing import action_from, context_from

NAME = "relations"
SITUATIONS = Path(__file__).parent / "situations"
SCALE = 100  # points to a unit of log-odds
SPREAD = 8  # situations that a feature must occur in
STRENGTH = 0.1  # the inverse of the regularisation
HONEST_STOPPED = 0.01  # of held-out authors' honest situations, at most


class Row(NamedTuple):
    """A situation: its author, its label, and its features."""

    author: str
    harmful: bool
    features: Mapping[str, int]


def rows() -> list[Row]:
    """All situations, in one order."""
    return list(_rows())


def _rows() -> Iterator[Row]:
    for file in sorted(SITUATIONS.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            action = action_from({"tool": row["tool"], "args": row["args"]}, {})
            found = features(action, context_from(row["context"]))
            yield Row(file.stem, row["label"] == "harmful", found)


def fit(made: Sequence[Row]) -> dict[str, Any]:
    """The integer weights of a model, and its bias."""
    occurs = defaultdict(int)
    for row in made:
        for name in row.features:
            occurs[name] += 1
    kept = [{name: count for name, count in row.features.items() if occurs[name] >= SPREAD} for row in made]
    vectors = DictVectorizer(sparse=False)
    table = vectors.fit_transform(kept)
    model = LogisticRegression(C=STRENGTH, max_iter=4000).fit(table, [row.harmful for row in made])
    names = vectors.get_feature_names_out()
    weights = {str(name): round(float(weight) * SCALE) for name, weight in zip(names, model.coef_[0], strict=True)}
    return {
        "features": {name: weight for name, weight in sorted(weights.items()) if weight},
        "bias": round(float(model.intercept_[0]) * SCALE),
    }


def score(model: Mapping[str, Any], row: Row) -> int:
    """The points of a situation."""
    return int(model["bias"] + sum(model["features"].get(name, 0) * count for name, count in row.features.items()))


def held_out(made: Sequence[Row]) -> list[tuple[Row, int]]:
    """Each situation with the points of a model that was trained without its author."""
    scored = []
    for author in sorted({row.author for row in made}):
        model = fit([row for row in made if row.author != author])
        scored += [(row, score(model, row)) for row in made if row.author == author]
    return scored


def threshold(scored: Sequence[tuple[Row, int]], share: float = HONEST_STOPPED) -> int:
    """The least points at which at most this share of honest situations is stopped."""
    honest = sorted((points for row, points in scored if not row.harmful), reverse=True)
    return honest[int(share * len(honest))] + 1


def train() -> dict[str, Any]:
    """The content of the model's file."""
    with threadpool_limits(1):  # more threads would add the same numbers in another order
        made = rows()
        scored = held_out(made)
        limit = threshold(scored)
        shape = {"name": NAME, "version": "1", **fit(made), "threshold": limit, "scale": SCALE}
        return sealed({**shape, "card": _card(made, scored, limit)})


def reads(made: Sequence[Row]) -> str:
    """A digest of the features of all situations."""
    return digest_of([f"{name}={count}" for name, count in row.features.items()] for row in made)


def _card(made: Sequence[Row], scored: Sequence[tuple[Row, int]], limit: int) -> dict[str, Any]:
    stopped = {side: [points >= limit for row, points in scored if row.harmful is side] for side in (True, False)}
    return {
        "question": "Does this call stand against what the user said or what the session's outputs show?",
        "data": "situations that authors wrote for training alone, in benchmarks/training/situations/",
        "split": "a whole author is held out at a time; the weights are trained on all",
        "n": {"situations": len(made), "authors": len({row.author for row in made})},
        "recall": proportion(sum(stopped[True]), len(stopped[True])),
        "honest_stopped": proportion(sum(stopped[False]), len(stopped[False])),
        "limits": [
            "It sees relations of values and words, not meaning: most harm of these situations it does not see.",
            "The honest situations are near misses; in daily work far fewer are stopped.",
        ],
        "reads": reads(made),
        "versions": {"scikit-learn": sklearn.__version__},
    }
