"""Every shape of an issuer: one made of it is found as what it is, and hidden; one that is cut short is none."""

from __future__ import annotations

import random
import re
import string
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest
import re2

from supervisor.evidence.secrets import secrets_in
from supervisor.evidence.secrets.issuers import shapes
from tests.evidence.secret_samples import MASKER

SHAPES = {type_: (hint, pattern) for type_, hint, pattern in shapes()}
LETTERS = string.ascii_letters + string.digits


def sample(pattern: str, chance: random.Random) -> str:
    """A text that a pattern matches, drawn at random."""
    return "".join(_drawn(node, chance) for node in parser.parse(pattern))


def _drawn(node: Any, chance: random.Random) -> str:
    what, given = node
    if what is codes.LITERAL:
        return chr(given)
    if what is codes.IN:
        return chance.choice([letter for letter in _class_of(given) if letter in LETTERS] or [*_class_of(given)])
    if what is codes.MAX_REPEAT:
        least, most, inner = given
        count = chance.randint(least, min(most, least + 4))
        return "".join(_drawn(each, chance) for _ in range(count) for each in inner)
    if what is codes.SUBPATTERN:
        return "".join(_drawn(each, chance) for each in given[-1])
    if what is codes.BRANCH:
        return "".join(_drawn(each, chance) for each in chance.choice(given[1]))
    if what is codes.NOT_LITERAL:
        return "x"
    assert what is codes.AT, what  # a boundary has no characters
    return ""


def _class_of(given: Any) -> str:
    found = ""
    for what, value in given:
        if what is codes.NEGATE:  # a part of an address, or what stands before a secret
            return "x" if (codes.CATEGORY, codes.CATEGORY_SPACE) in given else " "
        if what is codes.LITERAL:
            found += chr(value)
        elif what is codes.RANGE:
            found += "".join(map(chr, range(value[0], value[1] + 1)))
        else:
            found += LETTERS if value is codes.CATEGORY_WORD else string.digits
    return found


def made(type_: str, number: int = 0) -> str:
    """A credential of this shape without what may stand around it."""
    return sample(SHAPES[type_][1], random.Random(f"{type_} {number}")).strip()


@pytest.mark.parametrize("type_", SHAPES)
@pytest.mark.parametrize("around", ["export KEY={}", 'key: "{}"', "curl -H 'X-Key: {}' https://api.example", "{}\n"])
def test_one_of_this_shape_is_found_and_hidden(type_: str, around: str) -> None:
    for number in range(3):
        secret = made(type_, number)
        masked = MASKER.mask_text(around.format(secret))
        assert type_ in {found.type for found in secrets_in(masked)}, (secret, masked)
        assert secret not in masked


@pytest.mark.parametrize("type_", SHAPES)
def test_its_hint_stands_in_each(type_: str) -> None:
    hint, _ = SHAPES[type_]
    assert all(re2.search(hint, made(type_, number)) for number in range(20))


@pytest.mark.parametrize("type_", SHAPES)
def test_its_beginning_alone_is_none(type_: str) -> None:
    secret = made(type_)
    begun = re.match(r"\W*\w+?[-_.:]|\W*\w{4}|.{5}", secret)
    assert begun
    assert not secrets_in(MASKER.mask_text(f"keys of this issuer begin with {begun[0]}…"))
