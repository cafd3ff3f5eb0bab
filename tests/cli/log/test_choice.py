"""Which records `log` can show: any program can write a line, signed or not."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.cli.log.choice import is_decision

WHOLE: dict[str, Any] = {
    "id": "a",
    "time": "2026-11-23T10:00:00+00:00",
    "session": None,
    "action": {"tool": "bash", "args": {}},
    "opinions": [],
    "decision": {"verdict": "ok", "by": []},
}


@pytest.mark.parametrize("lifted", [{}, {"alpha": {"id": "e", "expires": None}}, {"alpha": {"id": "e", "by": "ann"}}])
def test_a_whole_decision_is_shown(lifted: dict[str, Any]) -> None:
    assert is_decision(WHOLE | {"exemptions": lifted})


@pytest.mark.parametrize(
    "changed",
    [
        {"time": ""},
        {"exemptions": {"alpha": {}}},
        {"exemptions": {"alpha": {"id": None}}},
        {"exemptions": {"alpha": {"id": "e", "expires": 5}}},
        {"exemptions": {"alpha": "e"}},
        {"decision": {"verdict": "perhaps", "by": []}},
    ],
)
def test_what_cannot_be_shown_is_no_decision(changed: dict[str, Any]) -> None:
    assert not is_decision(WHOLE | changed)
