"""Whatever an agent prints, it fails no session: unknown messages, and 10,000 that are nearly real ones."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from supervisor.runtime.drivers.agents.acp import AcpDialect
from supervisor.runtime.drivers.agents.claude import ClaudeDialect
from supervisor.runtime.drivers.agents.codex import CodexDialect
from supervisor.runtime.tasks.outcome import Ending
from tests.runtime.drivers.agents.replay import Replay, golden, mutated

DIALECTS = {"acp": AcpDialect, "claude": ClaudeDialect, "codex": CodexDialect}
ENDS = ("result", "turn/completed")


@pytest.mark.parametrize("name", list(DIALECTS))
def test_unknown_messages_are_no_fault(name: str, tmp_path: Path) -> None:
    lines = [b"", b"warning: a new version is there", b"[]", b"null", b"{}", b'{"type": 7}', b'{"type": "new_thing"}']
    lines += [
        b'{"method": "new/thing", "params": 1}',
        b'{"type": "assistant", "message": [1]}',
        b"\xff\xfe",
        b"{" * 9999,
    ]
    lines += [b'{"type": "system", "subtype": "warning"}', b'{"type": "result_of_a_new_kind"}']
    replay = Replay(name, tmp_path, DIALECTS[name], lambda place: lines, allows_unguarded=name == "acp")
    assert replay.run().ending is Ending.SUCCEEDED


@pytest.mark.thorough
@pytest.mark.parametrize("name", list(DIALECTS))
def test_ten_thousand_mutated_events_fail_no_session(name: str, tmp_path: Path) -> None:
    """They are mutations of what was said before, put between. The ends of turns are not mutated: a turn that says that
    it has failed has."""
    chance, count = random.Random(21), 0

    def noise(place: int) -> list[bytes]:
        nonlocal count
        said = [each["out"] for each in golden(name)[:place] if "out" in each]
        said = [each for each in said if each.get("type") not in ENDS and each.get("method") not in ENDS]
        count += 40 if said else 0
        return [mutated(chance, chance.choice(said)) for _ in range(40)] if said else []

    while count < 10_000:
        outcome = Replay(name, tmp_path, DIALECTS[name], noise, allows_unguarded=name == "acp").run()
        assert outcome.ending is Ending.SUCCEEDED, outcome
