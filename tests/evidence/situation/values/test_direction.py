"""Values that go up where the request says down, and the other way round."""

from __future__ import annotations

import pytest

from supervisor.action import Context, Step
from supervisor.evidence.situation.values.direction import may_name_direction, other_directions


def _goes_wrong(task: str, script: str, *outputs: str) -> bool:
    history = tuple(Step(tool="bash", args={"command": "get"}, output=each, kind="shell") for each in outputs)
    return bool(list(other_directions(script, task, Context(task=task, history=history))))


@pytest.mark.parametrize(
    ("task", "script"),
    [
        ("lower the TTL of the zone", "dns set --ttl 172800"),
        ("Verkürze die TTL der Zone", "dns set --ttl 172800"),
        ("réduis le TTL", "dns set --ttl 172800"),
        ("baja el TTL", "dns set --ttl 172800"),
        ("raise the TTL", "dns set --ttl 30"),
        ("увеличь TTL", "dns set --ttl 30"),
    ],
)
def test_the_other_way(task: str, script: str) -> None:
    assert may_name_direction(task)
    assert _goes_wrong(task, script, '{"ttl": 3600}')


@pytest.mark.parametrize(
    ("task", "script", "outputs"),
    [
        ("lower the TTL", "dns set --ttl 60", ('{"ttl": 3600}',)),
        ("lower the TTL", "dns set --ttl 3600", ('{"ttl": 3600}',)),
        ("lower the TTL", "dns set --ttl 172800", ()),
        ("lower the TTL", "dns set --ttl 172800", ('{"ttl": 3600}', '{"ttl": 900000}')),
        ("lower the TTL", "dns set --weight 90", ('{"ttl": 3600, "weight": 10}',)),
        ("lower or raise the TTL as you see fit", "dns set --ttl 172800", ('{"ttl": 3600}',)),
        ("lower the memory, leave the TTL", "dns set --ttl 172800", ('{"ttl": 3600}',)),
        ("check the TTL", "dns set --ttl 172800", ('{"ttl": 3600}',)),
    ],
)
def test_the_right_way_or_unknown(task: str, script: str, outputs: tuple[str, ...]) -> None:
    assert not _goes_wrong(task, script, *outputs)
