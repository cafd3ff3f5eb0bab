"""What a deployment has learned: weights under which a specialist's objection is a false alarm here.

They are integers in a file that people can read, fitted from labels by `supervisor learn` and promoted by a person.
They turn a finding that stops an action into a flag, as an exemption does. They never concern a refusal, a specialist
whose entry or policy rules exemptions out, or an action with a part that no label was about.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson

from supervisor.decision.exemptions import Exemption

if TYPE_CHECKING:
    from supervisor.evidence.actions.traits import Traits


@dataclass(frozen=True, slots=True)
class Weights:
    """Those of one specialist. A score of `threshold` or more says that its objection is a false alarm. `known` are the
    traits of actions that people called one. `digest` is that of the specialist when they were fitted."""

    digest: str
    weights: Mapping[str, int]
    known: frozenset[str]
    bias: int
    threshold: int
    labels: int

    def lifts(self, traits: Traits) -> bool:
        """Whether an objection to an action with these traits is a false alarm. Each of its parts must have a known
        trait: one harmless part says nothing about the others."""
        if not all(part & self.known for part in traits.parts):
            return False
        return self.score(traits) >= self.threshold

    def score(self, traits: Traits) -> int:
        """The sum of the weights of all traits, each once."""
        return self.bias + sum(self.weights.get(trait, 0) for trait in traits.all)

    def to_json(self) -> dict[str, Any]:
        """As the file has them, the heaviest first."""
        ordered = sorted(self.weights.items(), key=lambda each: (-abs(each[1]), each[0]))
        numbers = {"labels": self.labels, "bias": self.bias, "threshold": self.threshold}
        return {"digest": self.digest, **numbers, "weights": dict(ordered), "known": sorted(self.known)}


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights by specialist. `library` is the version that they were fitted with: another one reads other traits."""

    library: str
    specialists: Mapping[str, Weights]

    def content(self) -> bytes:
        """The file. Its SHA-256 is the name of what was learned."""
        each = {name: weights.to_json() for name, weights in sorted(self.specialists.items())}
        return orjson.dumps({"supervisor": self.library, "specialists": each}, option=orjson.OPT_INDENT_2)

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return hashlib.sha256(self.content()).hexdigest()


def learned_of(content: bytes) -> Learned:
    """What a file says. Raises KeyError, TypeError or ValueError if it is none of `Learned.content`."""
    value = orjson.loads(content)
    return Learned(value["supervisor"], {name: _weights(each) for name, each in value["specialists"].items()})


def _weights(value: Mapping[str, Any]) -> Weights:
    numbers = [value[name] for name in ("bias", "threshold", "labels")]
    if not all(type(number) is int for number in (*numbers, *value["weights"].values())):
        raise ValueError("weights, bias, threshold and labels are integers")
    if not all(isinstance(trait, str) for trait in value["known"]):
        raise ValueError("traits are text")
    return Weights(value["digest"], value["weights"], frozenset(value["known"]), *numbers)


@dataclass(frozen=True, slots=True)
class Promotion:
    """What is in force since `time`, named by its digest, and who put it there; with the digest "" nothing is."""

    digest: str
    by: str
    time: datetime
    reason: str
    via: str
    specialists: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The predicate of the promotion's record."""
        texts = {name: getattr(self, name) for name in ("digest", "by", "reason", "via")}
        return {**texts, "time": self.time.isoformat(), "specialists": list(self.specialists)}


def promotion_of(predicate: Mapping[str, Any]) -> Promotion:
    """The promotion in a record. Raises KeyError, TypeError or ValueError."""
    texts = {name: predicate[name] for name in ("digest", "by", "reason", "via")}
    names = predicate["specialists"]
    if not all(isinstance(text, str) for text in (*texts.values(), *names)) or not isinstance(names, list):
        raise TypeError("a promotion consists of texts")
    promotion = Promotion(time=datetime.fromisoformat(predicate["time"]), specialists=tuple(names), **texts)
    if promotion.time.tzinfo is None or not promotion.by:
        raise ValueError("not a whole promotion")
    return promotion


def lifted(
    learned: Learned,
    promotion: Promotion,
    stopping: Iterable[str],
    digests: Mapping[str, str],
    traits: Traits | None,
) -> dict[str, Exemption]:
    """By specialist that stops an action, the exemption that was learned. A specialist that has changed since has
    none."""
    found: dict[str, Exemption] = {}
    if traits is None:
        return found
    for name in stopping:
        weights = learned.specialists.get(name)
        if weights is not None and weights.digest == digests.get(name) and weights.lifts(traits):
            why = f"learned from {weights.labels} labels: {promotion.reason}"
            found[name] = Exemption(
                promotion.digest, (name,), why, promotion.by, promotion.time, expires=None, origin="learned"
            )
    return found
