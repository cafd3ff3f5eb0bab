"""The shapes that hostile texts have, whatever language they are in. All are deterministic."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

SEED = 20_261_122


def nested(opening: str, core: str, closing: str, depth: int) -> str:
    """`core` inside `depth` pairs of brackets, however these look."""
    return opening * depth + core + closing * depth


def repeated(piece: str, count: int, before: str = "", after: str = "") -> str:
    """The same piece again and again."""
    return before + piece * count + after


def numbered(template: str, count: int, separator: str = "", before: str = "", after: str = "") -> str:
    """A template with `{}` for the number, so that no two pieces are alike."""
    return before + separator.join(template.replace("{}", str(number)) for number in range(count)) + after


def noise(pieces: Sequence[str], count: int, seed: int = SEED) -> str:
    """Characters, or words, in no order."""
    return "".join(random.Random(seed).choices(pieces, k=count))


def random_bytes(length: int, seed: int = SEED) -> bytes:
    return random.Random(seed).randbytes(length)


def doubling(template: str, first: str, rounds: int) -> str:
    """Definitions each of which uses the one before twice ("billion laughs"): `{this}` and `{last}` are numbers."""
    lines = [template.format(this=number, last=number - 1) for number in range(1, rounds + 1)]
    return "\n".join([first, *lines])


def deep_list(depth: int, core: Any = 1) -> Any:
    """Lists within lists."""
    value = core
    for _ in range(depth):
        value = [value]
    return value


def deep_dict(depth: int, core: Any = 1) -> Any:
    """Objects within objects."""
    value = core
    for _ in range(depth):
        value = {"a": value}
    return value


def wide_tree(depth: int, width: int, leaf: Any = "x") -> Any:
    """A list of lists of lists, all the way down equally wide."""
    value: Any = leaf
    for _ in range(depth):
        value = [value] * width
    return value
