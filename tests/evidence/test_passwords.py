"""Passwords that no mask covers are found where something says what they are, and stand-ins are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.effects.passwords import is_password
from supervisor.evidence.secrets.formats import Proof
from supervisor.evidence.secrets.passwords import MAX_CHARS, passwords_in, urls_with_passwords
from supervisor.evidence.secrets.proof import proven
from tests.evidence.effort import assert_linear

MADE_UP = "7kVq!9" + "Zt$2Lm"  # joined here, so that no scanner takes this file for a leak


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"POSTGRES_PASSWORD: {MADE_UP}\n", "POSTGRES_PASSWORD"),
        (f"DB_PASS={MADE_UP}", "DB_PASS"),
        (f'{{"password": "{MADE_UP}"}}', "password"),
        (f"config['password'] = '{MADE_UP}'", "password"),
        (f"Server=db;User Id=sa;Password={MADE_UP};Encrypt=yes", "Password"),
        (f"psql postgres://shop:{MADE_UP}@db.acme.io/shop", "a URL"),
        ("redis://:pa!ss@cache/0", "a URL"),
        (f"curl -u admin:{MADE_UP} https://cms.acme.io", "the option -u"),
    ],
)
def test_a_password_is_found_where_something_says_that_it_is_one(text, place):
    assert [found.place for found in passwords_in(text)] == [place]


@pytest.mark.parametrize(
    "text",
    [
        "POSTGRES_PASSWORD: ${DB_PASSWORD}",
        "password: changeme!",
        "password: P@ssw0rd!",
        "password: Must-be-8-chars!",
        "password: <password>",
        "password: {{ vault_db_password1 }}",
        "password: ENC[AES256_GCM,data:x1]",
        "password: $2b$10$abcDEF123456",
        "password = get_password(user1)",
        "const password = req.body.pass1!;",
        "password = self.config.db1.value",
        "password: /^(?=.*[A-Z])(?=.*\\d).{8,}$/",
        "PASSWORD=$(openssl rand -base64 12)",
        "if password != PASSWORD_2x:",
        "docker run -u 1000:1000 image",
        "postgres://app:${PW}@db/x",
        "postgres://user:p@ssw0rd@db/x",
        "postgres://app:q!9zK@localhost/x",
        "http://localhost:3000/@x",
        "http://h.acme.io:8080?email=me@x.com",
        "https://user:%s@h.acme.io",
        "never send a password by mail!",
    ],
)
def test_a_stand_in_a_reference_and_code_are_none(text):
    assert passwords_in(text) == []


def test_no_password_tells_its_text():
    (found,) = passwords_in(f"password={MADE_UP}")
    assert found.text == MADE_UP
    assert MADE_UP not in f"{found} {found!r}"


def test_of_urls_alone_no_other_place_is_looked_at():
    assert urls_with_passwords(f"password: {MADE_UP}") == []


@given(st.text(max_size=200))
def test_any_text_can_be_asked_about(text):
    for found in passwords_in(f"password: {text}"):
        assert found.text in text


@pytest.mark.parametrize("piece", ["password=", "://a:b!", "x://:aaa@", " -u a:", "password: 'a1!", "pwd"])
def test_hostile_text_costs_linear_time(piece):
    assert_linear(passwords_in, lambda size: piece * (size // len(piece)), counted=MAX_CHARS // 8, ended=2 * MAX_CHARS)


@pytest.mark.parametrize(
    ("value", "is_random"), [("hT5kQ29xLmB4vWqZ", True), ("getUser2ById", False), ("utf8ToUtf16Converter", False)]
)
def test_a_value_that_changes_its_case_at_every_letter_is_no_word(value, is_random):
    assert proven(Proof.ASSIGNED, value) == is_random


@pytest.mark.parametrize(
    ("type", "is_one"),
    [("github_token", True), ("clear_password", True), ("chosen_password", True), ("hidden_value", False)],
)
def test_a_masked_argument_is_a_password_where_its_token_says_so(type, is_one):
    assert is_password(f"SECRET_{type}_0123456789ab") == is_one
