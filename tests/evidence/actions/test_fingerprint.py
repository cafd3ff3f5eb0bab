"""Which proposals count as the same one again."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.action import Context
from supervisor.evidence.actions.fingerprint import fingerprint
from supervisor.intake.parsing import action_from
from supervisor.memory import near

LETTER = "Your parcel was lost on its way, and we are sorry for that. " * 3


def fingerprint_of(tool: str, **args: Any) -> frozenset[str]:
    return fingerprint(action_from({"tool": tool, "args": args}), Context())


AGAIN = [
    ("bash", {"command": "git push --force origin main"}, {"command": "git  push -f 'origin' main # now"}),
    ("bash", {"command": "rm -rf ./build"}, {"command": "sudo rm -r -f build/"}),
    ("sql", {"query": "DELETE FROM carts"}, {"query": "delete from carts where 1=1;"}),
    ("python", {"code": "import pickle\npickle.loads(x)"}, {"code": "from pickle import loads as l\nl( x )"}),
    ("send_email", {"to": "a@x.org", "body": LETTER}, {"to": "A@x.org", "body": LETTER + " Kind regards."}),
    ("refund", {"order": "1001", "amount": 5}, {"order": "1001 ", "amount": 5}),
]
ANOTHER = [
    ("bash", {"command": "rm -rf /a"}, {"command": "rm -rf /b"}),
    ("bash", {"command": "git push --force origin main"}, {"command": "git push --force origin develop"}),
    ("sql", {"query": "DELETE FROM carts"}, {"query": "DELETE FROM users"}),
    ("python", {"code": "import os\nos.remove('/etc/passwd')"}, {"code": "import os\nos.remove('/tmp/x')"}),
    ("send_email", {"to": "alice@x.org", "body": LETTER}, {"to": "bob@x.org", "body": LETTER}),
    ("refund", {"order": "1001", "reason": "late"}, {"order": "1002", "reason": "late"}),
    ("pay", {"order": {"amount": 5}}, {"order": {"amount": 900}}),
    ("write_file", {"path": "/a/x.py", "content": LETTER}, {"path": "/b/y.py", "content": LETTER}),
    ("search", {"q": "***"}, {"q": "+++"}),
]


@pytest.mark.parametrize(("tool", "one", "other"), AGAIN)
def test_the_same_again(tool: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert near(fingerprint_of(tool, **one), fingerprint_of(tool, **other))


@pytest.mark.parametrize(("tool", "one", "other"), ANOTHER)
def test_something_else(tool: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert not near(fingerprint_of(tool, **one), fingerprint_of(tool, **other))


def test_what_cannot_be_parsed_is_compared_by_its_words() -> None:
    broken = fingerprint_of("sql", query="(" * 5000 + LETTER)
    assert broken == fingerprint_of("sql", query="(" * 5000 + LETTER)
    assert broken
