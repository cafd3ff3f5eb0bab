# ruff: noqa: E501 - one way of writing a secret a line
"""How many random secrets of each kind are masked in each place: `python -m tests.records.masking.measure [COUNT] [SEED]`."""

from __future__ import annotations

import collections
import json
import random
import sys
import urllib.parse
from collections.abc import Iterator
from typing import NamedTuple

from supervisor.evidence.secrets import Masker
from tests.records.masking.kinds import KINDS, Kind
from tests.records.masking.settings import SETTINGS, fits

LEAST_LEFT = 6  # characters of a secret that tell something of it


class Sample(NamedTuple):
    kind: Kind
    place: str
    put: int
    value: str
    text: str


def samples(count: int, seed: int) -> Iterator[Sample]:
    """So many secrets of each kind in each way of writing it."""
    for kind in KINDS:
        for place, puts in SETTINGS.items():
            for number, put in enumerate(puts):
                numbers = random.Random(f"{seed} {kind.name} {place} {number}")
                for _ in range(count if fits(kind, place, number) else 0):
                    value, name = kind.make(numbers), numbers.choice(kind.names)
                    yield Sample(kind, place, number, value, put(kind, name, value, numbers))


def survives(value: str, masked: str) -> bool:
    """Whether a secret can be read in a text: it, as it would be written there, or most of it."""
    spellings = {value, urllib.parse.quote(value, safe=""), json.dumps(value)[1:-1], repr(value)[1:-1]}
    return any(each in masked for each in spellings) or _most(value) in masked


def _most(value: str) -> str:
    """The middle of a value: whoever knows it knows the secret."""
    rest = max(len(value) // 5, 1)
    return value[rest : len(value) - rest]


def main(count: int = 2, seed: int = 1) -> None:
    masker = Masker(b"a salt for a measurement, of 32 b.")
    by: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    shown = 0
    total = left = 0
    for sample in samples(count, seed):
        is_left = survives(sample.value, masker.mask_text(sample.text))
        total, left = total + 1, left + is_left
        for name in (f"place {sample.place}", f"kind {sample.kind.name}", f"way {sample.place} {sample.put}"):
            by[name]["all"] += 1
            by[name]["left"] += is_left
        if is_left and shown < 400 and "-v" in sys.argv:
            shown += 1
            print(
                "LEFT",
                sample.kind.name,
                "|",
                sample.place,
                sample.put,
                "|",
                repr(sample.text[:180]),
                "->",
                repr(masker.mask_text(sample.text)[:120]),
            )
    for name, counted in sorted(by.items()):
        share = 100 - 100 * counted["left"] / counted["all"]
        if share < 99.5:
            print(f"{name:40} {share:6.2f}% of {counted['all']}")
    print(
        f"{100 - 100 * left / total:.2f}% of {total:,} secrets are masked: {len(KINDS)} kinds, {sum(map(len, SETTINGS.values()))} ways of writing them in {len(SETTINGS)} places"
    )


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:] if each.isdigit()))
