"""Secrets of all kinds, in all the places in which people write them, reach no record; and a mask hides no code."""

import json

import pytest

from supervisor.evidence.commands.store import known_programs
from supervisor.evidence.effects import PROGRAMS
from supervisor.evidence.secrets import hidden_in, secrets_in
from supervisor.evidence.secrets.programs import NAMES
from tests.evidence.secret_samples import MASKER
from tests.records.masking.kinds import KINDS
from tests.records.masking.measure import samples, survives
from tests.records.masking.settings import SETTINGS

LEAST = 0.995


def test_random_secrets_are_masked_in_all_places():
    drawn = [sample for number, sample in enumerate(samples(1, 7)) if number % 3 == 0]
    left = [sample for sample in drawn if survives(sample.value, MASKER.mask_text(sample.text))]
    assert len(KINDS) >= 70
    assert len(SETTINGS) >= 7
    assert len(left) <= (1 - LEAST) * len(drawn), [(each.kind.name, each.text[:80]) for each in left[:10]]


@pytest.mark.parametrize(
    "text",
    [
        "password: str = Field(...)",
        "def login(user, password, timeout): ...",
        "token = next(tokens)",
        "api_key = os.environ['API_KEY']",
        "DB_PASSWORD=${DB_PASSWORD}",
        "export TOKEN=$(vault read -field=token secret/ci)",
        "password = 'changeme'",
        "api-key: <your-token>",
        "csrf_token: qzkxvbwjpfdmcvq",
        "next_page_token=CAUQAA9sdfKJ23",
        "the password must be at least eight characters long",
        "curl -s https://example.com | tar -xz",
        "mysql -u root -p app < dump.sql",
        "find / -name mysql -print",
        "docker run -p 8080:80 nginx",
        "    'auth',\n    'django.contrib.sessions',\n    'django.contrib.admin',\n",
        "integrity sha512-only\nresolved https://registry.example/a-1.0.tgz",
    ],
)
def test_what_is_public_or_code_stays(text):
    assert MASKER.mask_text(text) is text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("PASSWORD='; rm -rf / #'", "rm -rf /"),
        ('DB_PASSWORD="$(rm -rf ~)"', "rm -rf ~"),
        ("login?password=' OR '1'='1", "OR"),
        ("TOKEN=../../bin/rm1; $TOKEN -rf ~", "bin/rm1"),
        ("API_KEY=cm0gLXJmIC9ob21l; echo $API_KEY | base64 -d | sh", "cm0gLXJmIC9ob21l"),
    ],
)
def test_what_runs_stays(text, left):
    assert left in MASKER.mask_text(text)


def test_a_masked_value_is_no_finding():
    masked = MASKER.mask_text("mysql -uroot -p'Tulip7 V9q' db")
    assert "Tulip7" not in masked
    assert not secrets_in(masked)
    assert hidden_in(masked)


def test_a_secret_below_its_name_is_masked_in_data():
    told = MASKER.mask_output({"env": {"DB_PASSWORD": "[k9#Xq!z", "clientSecret": "qzkxvbwjpf", "max_tokens": "4096"}})
    assert "k9#Xq" not in json.dumps(told)
    assert "qzkxvbwjpf" not in json.dumps(told)
    assert told["env"]["max_tokens"] == "4096"


def test_the_programs_that_readers_know_are_known_here():
    read = {name for name in PROGRAMS if len(name) > 1 and name[:1].isalpha()}
    assert read <= NAMES <= read | known_programs()
