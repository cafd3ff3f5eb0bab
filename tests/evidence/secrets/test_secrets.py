"""Secrets never survive masking, and nothing else is touched."""

import json
import shlex
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.evidence.secrets import Masker, secrets_in
from supervisor.evidence.secrets.formats import FORMATS, SHORTEST
from tests.evidence.secret_samples import MASKER, SAMPLES, jwt, made, texts


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_secret_becomes_a_token_that_names_its_kind(kind):
    secret, around = SAMPLES[kind]
    masked = MASKER.mask_text(around.format(secret))
    assert secret not in masked
    (found,) = secrets_in(masked)
    assert found.type == kind
    assert masked == around.format(found.token)
    assert masked[found.position :].startswith(found.token)


def test_equal_secrets_get_equal_tokens_under_one_salt_only():
    secret, around = SAMPLES["github_token"]
    text = around.format(secret)
    assert MASKER.mask_text(text) == Masker(b"a salt for tests, of 32 bytes...").mask_text(text)
    assert MASKER.mask_text(text) != Masker(b"another salt, other tokens......").mask_text(text)
    with pytest.raises(ValueError, match="salt"):
        Masker(b"short")


@pytest.mark.parametrize(
    "text",
    [
        "AKIA" + "IOSFODNN7EXAMPLE",  # from the documentation of AWS
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "ghp_" + "x" * 36,
        "xoxb-your-token-here",
        'password = "changeme"',
        'password = "<your password>"',
        'api_key: "${API_KEY}"',
        "api_key = os.environ['API_KEY']",
        "token = get_access_token2(user)",
        'token = "next_page_token"',
        "export DB_PASSWORD=$(pass show db/prod)",
        "postgres://postgres:postgres@localhost/test",
        "postgres://user:${PASSWORD}@db/app",
        "https://user:password@example.com",
        "git@github.com:org/repo.git and https://github.com/org/repo@v1.2.3",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "550e8400-e29b-41d4-a716-446655440000",
        "if '-----BEGIN PRIVATE KEY-----' in text: the file holds a key, so refuse it",
        "-----BEGIN PUBLIC KEY-----\n" + made(64) + "\n-----END PUBLIC KEY-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + made(43) + " alice@host",
        "the secret: never give up, and the password is the first word of the song",
        "Authorization: Bearer $TOKEN",
        "max_tokens=4096, tokenizer=bert-base-uncased-v1-2",
        "eyJhbGciOiJIUzI1NiJ9",
        "eyJ" + made(20) + ".eyJ" + made(40) + "." + made(43),  # neither header nor claims are JSON
        jwt({"alg": "none"}, {"run": "$(reboot)"}),  # what it holds would run once it is decoded
        "BUNDLE_GEMS__EXAMPLE__COM: user:password",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text):
    assert MASKER.mask_text(text) is text


def test_a_value_keeps_its_shape_and_all_but_its_secrets():
    secret = SAMPLES["github_token"][0]
    value = {"a": [1, None, True, {"b": f"x {secret} y", secret: 2.5}], "c": "clean"}
    before = json.dumps(value)
    masked = MASKER.mask(value)
    token = secrets_in(masked["a"][3]["b"])[0].token
    assert masked == {"a": [1, None, True, {"b": f"x {token} y", token: 2.5}], "c": "clean"}
    assert json.dumps(value) == before  # the caller's value is his


def test_a_clean_string_is_the_very_same_object_and_a_container_always_a_new_one():
    value = {"command": "ls -la", "nested": [{"deep": ["text", 1]}], "password": "${PASSWORD}", "pwd": "/srv/app"}
    masked = MASKER.mask(value)
    assert masked == value
    assert masked["command"] is value["command"]
    value["nested"][0]["deep"].append("changed between judging and recording")
    assert masked["nested"] == [{"deep": ["text", 1]}]


def test_masked_keys_stay_distinct():
    secret = SAMPLES["github_token"][0]
    token = MASKER.mask_text(secret)
    assert MASKER.mask({secret: 1, token: 2, f"{token}_2": 3, 4: 5}) == {
        f"{token}_3": 1,
        token: 2,
        f"{token}_2": 3,
        4: 5,
    }
    assert list(MASKER.mask({"a": 1, secret: 2, "b": 3})) == ["a", token, "b"]


def test_each_line_of_a_key_is_masked_and_no_line_break():
    lines = [made(64), made(64)[::-1], made(60)]
    for line_break in ("\n", "\r\n", "\\n", '"\n"'):
        begin, end = "-----BEGIN RSA PRIVATE " + "KEY-----" + line_break, line_break + "-----END RSA PRIVATE KEY-----"
        masked = MASKER.mask_text(begin + line_break.join(lines) + end)
        tokens = [found.token for found in secrets_in(masked)]
        assert masked == begin + line_break.join(tokens) + end
        assert len(tokens) == 3


def test_what_stands_under_a_passwords_name_is_one_however_it_looks():
    masked = MASKER.mask({"user": "alice", "password": "correct horse", "api_key": made(20), "token": "next"})
    assert masked["user"] == "alice"
    assert [secrets_in(masked[key])[0].type for key in ("password", "api_key")] == ["password", "assigned_secret"]
    assert masked["token"] == "next"


def test_depth_and_odd_text_do_no_harm():
    value = "ghp_" + made(36)
    for _ in range(10_000):
        value = [value]
    assert MASKER.mask(value) is not value
    odd = "\ud800 " + SAMPLES["github_token"][0] + " \U0001f511 é"
    assert MASKER.mask_text(odd).startswith("\ud800 SECRET_github_token_")
    assert MASKER.mask_text(odd).endswith(" \U0001f511 é")


def test_the_text_around_a_secret_parses_as_before():
    secret = SAMPLES["slack_token"][0]
    masked = MASKER.mask_text(f"curl -H 'X: {secret}' \"a b\" | jq .")
    assert len(shlex.split(masked)) == 7
    assert json.loads(MASKER.mask_text(json.dumps({"k": [secret, "\n"]})))["k"][1] == "\n"


@given(texts)
def test_masking_twice_is_masking_once(text):
    masked = MASKER.mask_text(text)
    assert MASKER.mask_text(masked) == masked
    once = MASKER.mask({"password": text, "x": [text]})
    assert MASKER.mask(once) == once


@given(st.sampled_from(list(SAMPLES)), st.text(max_size=40), st.text(max_size=40))
def test_no_surrounding_text_saves_a_secret(kind, before, after):
    secret, around = SAMPLES[kind]
    assert secret not in MASKER.mask_text(f"{before}\n{around.format(secret)}\n{after}")


@given(st.text())
def test_any_text_without_secrets_comes_back(text):
    masked = MASKER.mask_text(text)
    assert masked is text or secrets_in(masked)


@settings(max_examples=300)
@given(st.lists(texts | st.dictionaries(texts | st.sampled_from(["password", "api_key", "x"]), texts), max_size=4))
def test_values_masked_together_are_masked_as_alone(values):
    assert MASKER.mask(values) == [MASKER.mask(value) for value in values]
    alone = [value for value in values if isinstance(value, str)]
    assert MASKER.mask(alone) == [MASKER.mask_text(text) for text in alone]


@given(st.lists(texts | st.dictionaries(texts, texts), max_size=4))
def test_an_output_is_masked_as_an_action(values):
    assert MASKER.mask_output(values) == MASKER.mask(values)


def test_a_long_token_of_a_session_is_a_secret_as_well():
    token = made(900)
    assert token not in MASKER.mask_text(f"aws_session_token = {token}")
    assert token not in MASKER.mask_text(f'"SessionToken": "{token}"')


def test_no_format_finds_a_secret_in_a_shorter_text_than_the_shortest():
    text = "://:p1d@h"
    assert len(text) == SHORTEST
    assert secrets_in(MASKER.mask_text(text))
    for found in FORMATS:
        assert not any(secrets_in(MASKER.mask_text(part)) for part in (found.hint, found.hint[:SHORTEST]))


def test_a_password_that_no_file_could_hold_is_masked_too():
    assert secrets_in(MASKER.mask({"password": "open \ud800 sesame"})["password"])


def test_every_format_is_well_formed():
    names = [found.type for found in FORMATS]
    assert len(set(names)) == len(names)
    assert all(set(name) <= set(string.ascii_lowercase + string.digits + "_") for name in names)
