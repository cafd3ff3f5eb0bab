"""Masking costs linear time, and what is too much to look at is refused or masked as a whole."""

import json
import random

import pytest

from supervisor.errors import BadInput
from supervisor.evidence.secrets import secrets_in
from supervisor.evidence.secrets.formats import FORMATS
from supervisor.evidence.secrets.spans import MOST_CLAIMS, MOST_SEARCHES
from tests.evidence.effort import assert_linear, steps
from tests.evidence.secret_samples import ALPHABET, B32, MASKER, SAMPLES, drawn


def many(make, seed=1):
    """100,000 characters of what `make` gives, never the same twice."""
    numbers = random.Random(seed)
    return " ".join(make(numbers) for _ in range(100_000 // len(make(numbers))))


HOSTILE = {
    "opened quotes": "password='" * 10_000,
    "assignments": "password=" * 11_000,
    "passwords": many(lambda numbers: "password=" + drawn(numbers, 12)),
    "long passwords": many(lambda numbers: "password=" + drawn(numbers, 255)),
    "keys of a cloud": many(lambda numbers: "AKIA" + drawn(numbers, 16, B32)),
    "half keys of a cloud": "AKIA" * 25_000,
    "one key again and again": (SAMPLES["github_token"][0] + " ") * 2_500,
    "one endless token": "ghp_" + drawn(random.Random(1), 100_000),
    "base64": drawn(random.Random(2), 100_000, ALPHABET + "+/"),
    "a long private key": "-----BEGIN PRIVATE "
    + "KEY-----\n"
    + many(lambda numbers: drawn(numbers, 64)).replace(" ", "\n"),
    "private keys that only begin": ("-----BEGIN PRIVATE " + "KEY-----\nAa: b\n") * 3_000,
    "URLs that only begin": "://a:" * 20_000,
    "a URL of colons": "://" + "a:" * 50_000 + "@x",
    "JWTs that only begin": "eyJ-" * 25_000 + ".eyJ",
    "masked secrets": "SECRET_x_0123456789ab " * 4_500,
    "half masked secrets": "SECRET_a_0" * 10_000,
    "one masked secret that never ends": "SECRET_" + "a" * 100_000,
    "characters beyond ASCII": "日本語" * 33_000,
    "quotes": "'\"" * 50_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_costs_linear_time(text):
    assert_linear(MASKER.mask_text, lambda size: (text * 10)[:size], counted=10_000, ended=len(text) * 10)


def test_many_small_strings_cost_linear_time():
    def make(number):
        return {f"password{each}": [f"the value {each}", {f"k{each}": [each]}] for each in range(number)}

    assert_linear(MASKER.mask, make, counted=200, ended=20_000)


def keys(count):
    numbers = random.Random(count)
    return "\n".join("ghp_" + drawn(numbers, 36) for _ in range(count))


def test_more_secrets_than_can_be_looked_at_are_refused_and_in_an_output_masked_as_a_whole():
    assert len(secrets_in(MASKER.mask(keys(MOST_CLAIMS)))) == MOST_CLAIMS
    many = keys(MOST_CLAIMS + 1)
    for value in (many, {"a": [many]}, dict.fromkeys(many.split()), [{"password": word} for word in many.split()]):
        with pytest.raises(BadInput) as refused:
            MASKER.mask(value)
        assert refused.value.code == "too_large"
        told = json.dumps(MASKER.mask_output(value))
        assert not any(key in told for key in many.split())
    assert [found.type for found in secrets_in(MASKER.mask_output(many))] == ["many_secrets"]


def test_an_output_of_many_secrets_keeps_what_holds_none():
    one, many = keys(1), keys(MOST_CLAIMS)
    told = MASKER.mask_output(["before", many, "between", one, one + " and more", "after"])
    assert (told[0], told[2], told[5]) == ("before", "between", "after")
    assert [found.type for found in secrets_in(" ".join(told[3:5]))] == ["many_secrets"] * 2
    assert len(secrets_in(told[1])) == MOST_CLAIMS


def test_searches_are_counted_as_well():
    hints = " ".join(each.hint for each in FORMATS if each.hint.isalnum())
    texts = [f"{hints} token ghp_ npm_ hf_ {number}" for number in range(MOST_SEARCHES // 5)]
    with pytest.raises(BadInput):
        MASKER.mask(texts)
    told = MASKER.mask_output(texts)
    assert told[0] is texts[0]
    assert secrets_in(told[-1])[0].type == "many_secrets"


def test_noise_around_names_costs_no_more_than_other_text():
    pieces = ("password", "token", "secret_", "api_key", "=", ":", '"', " ", "aB3kd9Xq")
    text = "".join(random.Random(3).choices(pieces, k=50_000))
    assert steps(MASKER.mask_output, text) < 2 * len(text)
