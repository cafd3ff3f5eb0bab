"""JSON and YAML that strangers wrote: read as everyone reads it, or refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.errors import BadInput, BadPolicy
from supervisor.intake import documents
from supervisor.intake.documents import read_json, read_yaml
from supervisor.intake.json_values import exact
from tests.evidence.effort import assert_linear
from tests.intake.json_strategies import json_values, ordinary


@settings(max_examples=500)
@given(json_values.map(json.dumps) | st.text(max_size=40))
def test_json_that_is_accepted_is_read_as_everyone_reads_it(text):
    try:
        value = read_json(text, limit=10_000)
    except BadInput:
        return
    assert value == exact(json.loads(text))  # which writes numbers beyond 64 bits as text
    assert orjson.loads(orjson.dumps(value)) == value


@settings(max_examples=300)
@given(ordinary)
def test_ordinary_json_is_accepted(value):
    assert read_json(json.dumps(value), limit=1_000_000) == value
    assert read_json(orjson.dumps(value), limit=1_000_000) == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a value is missing at character 0"),
        ("{a: 1}", "a key in double quotes is missing at character 1"),
        ('{"a" 1}', "a colon is missing at character 5"),
        ("[1 2]", "a comma is missing at character 3"),
        ('["a', "a string is not closed; it begins at character 1"),
        ('["a\n"]', "a control character has to be escaped at character 3"),
        (r'["\x"]', "no such escape at character 2"),
        (r'["\u12"]', "no such escape at character 3"),
        ("1 2", "something follows the value at character 2"),
        (b"\xef\xbb\xbf{}", "begins with a byte order mark; remove it"),
        (b"x" * 101, "more than the 100 bytes allowed"),
        ("x" * 101, "more than the 100 characters allowed"),
    ],
)
def test_what_is_wrong_with_json_is_said_in_plain_words(text, told):
    with pytest.raises(BadInput) as refused:
        read_json(text, limit=100)
    assert str(refused.value).removeprefix("not JSON: ") == told


@pytest.fixture(params=[True, False], ids=["libyaml", "PyYAML"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where libyaml is not to be had, Python parses."""
    import yaml

    if request.param and not yaml.__with_libyaml__:
        pytest.skip("PyYAML was installed without libyaml")
    monkeypatch.setattr(yaml, "__with_libyaml__", request.param)
    documents._loader.cache_clear()
    yield
    documents._loader.cache_clear()


def yaml_of(tmp_path: Path, text: str | bytes) -> Any:
    file = tmp_path / "file.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_yaml(file, limit=1_000_000, error=BadPolicy)


def test_yaml_has_the_types_of_json(tmp_path, parser):
    text = "{a: 1, b: 1.5, c: [true, null, text], d: 2024-01-15, e: '2', f: =, g: ~, 'on': x, <<: y}"
    told = {"a": 1, "b": 1.5, "c": [True, None, "text"], "d": "2024-01-15", "e": "2", "f": "=", "g": None}
    assert yaml_of(tmp_path, text) == {**told, "on": "x", "<<": "y"}


BAD_YAML = {
    "not YAML": ("a: [", "not YAML"),
    "alias": ("a: &x [1]\nb: *x", "file.yaml:2:4: not YAML: aliases are not allowed"),
    "billion laughs": ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "file.yaml:2:8: not YAML: aliases are not allowed"),
    "merged alias": ("a: &a {x: 1}\nb:\n  <<: *a", "file.yaml:3:7: "),
    "key twice": ("a: 1\nb: 2\na: 3", "file.yaml:3:1: not YAML: the key 'a' stands twice"),
    "nested key twice": ("a: [{b: 1, b: 2}]", "the key 'b' stands twice"),
    "number as a key": ("a: {1: x}", "the key 1 is not text; quote it"),
    "truth as a key": ("on: x", "the key True is not text; quote it"),
    "list as a key": ("? [a]\n: x", "is not text; quote it"),
    "mapping as a key": ("{{a: b}: x}", "is not text; quote it"),
    "object": ("!!python/object/apply:os.system ['true']", "could not determine a constructor"),
    "set": ("!!set {a, b}", "could not determine a constructor"),
    "binary": ("!!binary aGVsbG8=", "could not determine a constructor"),
    "date": ("!!timestamp 2024-01-15", "could not determine a constructor"),
    "not a number": ("a: .nan", "beyond 64 bits"),
    "infinity": ("a: .inf", "beyond 64 bits"),
    "65 bits": ("a: 9223372036854775808", "beyond 64 bits"),
    "10,000 digits": ("a: " + "9" * 10_000, "not YAML"),
    "surrogate": ('a: "\\ud800"', "not YAML"),
    "NUL": ("a: \0", "not YAML"),
    "not UTF-8": (b"a: \xff", "not YAML"),
    "too deep": ("[" * 200 + "]" * 200, "nested"),
    "10,000 opened": ("[" * 10_000, "nested too deeply"),
    "10,000 mappings": ("{a: " * 10_000, "nested too deeply"),
    "two documents": ("a: 1\n---\nb: 2", "but found another document"),
    "too large": ("a: " + "x" * 1_000_000, "more than the 1,000,000 allowed"),
}


@pytest.mark.parametrize(("text", "told"), BAD_YAML.values(), ids=BAD_YAML.keys())
def test_yaml_that_could_mean_two_things_is_refused(tmp_path, parser, text, told):
    with pytest.raises(BadPolicy) as refused:
        yaml_of(tmp_path, text)
    message = str(refused.value)
    assert message.startswith(f"{tmp_path}/file.yaml:")
    assert told in message
    assert "\n" not in message


def test_twice_as_many_keys_take_twice_the_steps(tmp_path):
    def mapping(keys: int) -> str:
        return "\n".join(f"key{number}: 1" for number in range(keys))

    assert_linear(partial(yaml_of, tmp_path), mapping, counted=500, ended=50_000)
