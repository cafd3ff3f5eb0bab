"""A linear classifier, read from a JSON file that people can read as well.

Weights and features are integers, so a score is the same on every machine, in every batch and in every replay; sums of
floats are not. Training needs scikit-learn (`benchmarks/training/`); loading and scoring need only the standard
library.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any

from supervisor.errors import SupervisorError

MODELS = Path(__file__).parent / "models"


class BadModel(SupervisorError):
    """A model file is missing or invalid."""

    code = "bad_model"


@dataclass(frozen=True, slots=True)
class Classifier:
    """Weights by feature. A score of `threshold` or more means yes; `scale` points are one unit of log-odds.

    `card` describes the training data, the quality and the limits of the model; `digest` is the SHA-256 of the file.
    """

    name: str
    version: str
    weights: Mapping[str, int]
    bias: int
    threshold: int
    scale: int
    card: Mapping[str, Any]
    digest: str

    @classmethod
    def load(cls, name: str) -> Classifier:
        """The model `models/<name>.json`, read once. Raises BadModel if it is missing or invalid."""
        return _load(name)

    def score(self, features: Mapping[str, int]) -> int:
        """The sum of the features' weights times their counts. Unknown features do not count."""
        return self.bias + sum(self.weights.get(name, 0) * count for name, count in features.items())

    def score_of(self, features: Iterable[str]) -> int:
        """The same for features that have no counts."""
        return self.bias + sum(map(self.weights.get, features, repeat(0)))

    def says_yes(self, score: int) -> bool:
        """Whether a score reaches the threshold."""
        return score >= self.threshold

    def confidence(self, score: int) -> float:
        """The confidence in the answer for a score, 0.5..1, to three digits: the logistic function of the distance to
        the threshold."""
        distance = min(abs(score - self.threshold), 50 * self.scale)
        return round(1 / (1 + math.exp(-distance / self.scale)), 3)


@cache
def _load(name: str) -> Classifier:
    path = MODELS / f"{name}.json"
    try:
        raw = path.read_bytes()
        return _read(json.loads(raw), hashlib.sha256(raw).hexdigest())
    except OSError as error:
        raise BadModel(f"no model {name!r}: {error.strerror}", place=str(path)) from None
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise BadModel(f"not a model ({problem}); rebuild it with `make models`", place=str(path)) from None


def _read(model: Any, digest: str) -> Classifier:
    weights, bias, threshold, scale = (model[key] for key in ("features", "bias", "threshold", "scale"))
    if not isinstance(weights, dict):
        raise TypeError("features are an object of weights")
    if not all(type(number) is int for number in (*weights.values(), bias, threshold, scale)) or scale <= 0:
        raise ValueError("weights, bias, threshold and scale are integers, and the scale is positive")
    return Classifier(model["name"], model["version"], weights, bias, threshold, scale, model["card"], digest)
