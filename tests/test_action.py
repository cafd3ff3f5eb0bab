"""What an action's context says of itself."""

from __future__ import annotations

import pytest

from supervisor.action import Context, written_number


@pytest.mark.parametrize(
    ("facts", "workspace"),
    [
        ({}, None),
        ({"cwd": "/home/lee/harp"}, "/home/lee/harp"),
        ({"cwd": "/home/lee/harp/tests", "workspace": "/home/lee/harp"}, "/home/lee/harp"),
        ({"cwd": "/tmp", "workspace": "~/harp"}, "~/harp"),
        ({"cwd": "D:\\p4\\harp", "workspace": "E:\\other"}, "E:\\other"),
        ({"workspace": "harp"}, "harp"),
        ({"cwd": "/home/lee/harp/tests/a", "workspace": "harp"}, "/home/lee/harp"),
        ({"cwd": "/home/lee/harp", "workspace": "harp"}, "/home/lee/harp"),
        ({"cwd": "D:\\p4\\harp\\src", "workspace": "harp"}, "D:\\p4\\harp"),
        ({"cwd": "/root", "workspace": "harp"}, "/root"),
        ({"cwd": "/root", "workspace": ""}, "/root"),
        ({"cwd": "/root", "workspace": 7}, "/root"),
        ({"cwd": "/", "workspace": "harp"}, "/"),
    ],
)
def test_a_workspace_that_is_a_name_lies_in_the_working_directory(
    facts: dict[str, object], workspace: str | None
) -> None:
    assert Context(facts=facts).workspace == workspace


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,200.50", 1200.5),
        ("1.200,50", 1200.5),
        ("1 200,50 €", 1200.5),
        ("1'200.50", 1200.5),
        ("EUR 45.50", 45.5),
        ("45,50", 45.5),
        ("1,200", 1200.0),
        ("1.000.000", 1_000_000.0),
        ("1.250", 1.25),
        ("1.200 EUR", 1200.0),
        ("10.000 USD", 10_000.0),
        ("€ 1.200", 1200.0),
        ("$1.200", 1200.0),
        ("-1.200 EUR", -1200.0),
        ("$1.25", 1.25),
        ("$1,200.500", 1200.5),
        ("-3,20", -3.2),
        ("$5", 5.0),
        ("5 kg", None),
        ("", None),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, number: float | None) -> None:
    assert written_number(text) == number
