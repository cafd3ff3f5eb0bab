"""Which containers count as made by the session itself, and as keeping nothing."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.own_containers import is_in_own_container

_EXEC = "docker exec try psql -c 'DROP TABLE moves'"


def _is_own(command: str, *earlier: str) -> bool:
    history = tuple(Step(tool="bash", args={"command": each}, output="ok", kind="shell") for each in earlier)
    return is_in_own_container(Action("bash", {"command": command}, "shell"), Context(history=history))


@pytest.mark.parametrize(
    ("command", "earlier"),
    [
        (f"docker run -d --name try postgres:16 && {_EXEC}", ()),
        (f"docker run -d --name=try \\\n  -p 5433:5432 postgres:16\n{_EXEC}", ()),
        (_EXEC, ("docker run --rm -d --name try postgres:16",)),
        ("podman exec -i try psql -c 'SELECT 1'", ("podman container run -d --name try postgres:16",)),
    ],
)
def test_a_container_of_its_own(command: str, earlier: tuple[str, ...]) -> None:
    assert _is_own(command, *earlier)


@pytest.mark.parametrize(
    ("command", "earlier"),
    [
        (_EXEC, ()),
        (_EXEC, ("docker run -d --name other postgres:16",)),
        (_EXEC, ("docker run -d --name try -v pgdata:/var/lib/postgresql/data postgres:16",)),
        (_EXEC, ("docker run -d --name try --mount source=pg,target=/data postgres:16",)),
        (_EXEC, ("docker run -d --name try --volumes-from main postgres:16",)),
        (f"docker run -d --name try postgres:16 && {_EXEC} && docker exec main psql -c 'DROP TABLE a'", ()),
        ("psql -c 'DROP TABLE moves'", ("docker run -d --name try postgres:16",)),
    ],
)
def test_a_container_of_others_or_with_a_volume(command: str, earlier: tuple[str, ...]) -> None:
    assert not _is_own(command, *earlier)


def test_a_run_that_failed_made_nothing() -> None:
    step = Step(tool="bash", args={"command": "docker run -d --name try postgres:16"}, kind="shell", failed=True)
    assert not is_in_own_container(Action("bash", {"command": _EXEC}, "shell"), Context(history=(step,)))
