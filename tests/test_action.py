"""What an action's context says of itself."""

from __future__ import annotations

import pytest

from supervisor.action import Context


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
