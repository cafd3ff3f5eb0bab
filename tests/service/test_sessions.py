"""Sessions by name: found again, and forgotten where there are too many or they hold too much."""

from __future__ import annotations

import pytest

from supervisor.action import Step
from supervisor.engine.session import Session
from supervisor.errors import BadInput
from supervisor.service import sessions as module
from supervisor.service.sessions import Sessions


def test_a_session_is_found_again_by_its_name():
    known = Sessions()
    assert known.named("a") is known.named("a")
    assert known.named("a") is not known.named("b")


@pytest.mark.parametrize("name", [None, 7, ["a"], "x" * 2000])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(BadInput, match="a session's name is"):
        Sessions().named(name)


def test_the_longest_unused_is_forgotten(monkeypatch):
    monkeypatch.setattr(module, "MAX_SESSIONS", 2)
    known = Sessions()
    first, second = known.named("1"), known.named("2")
    assert known.named("1") is first
    known.named("3")
    assert known.named("1") is first
    assert known.named("2") is not second


def test_sessions_that_are_told_too_much_make_room(monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 100)
    known = Sessions()
    first, second = known.named("1", 60), known.named("2", 30)
    assert known.named("1", 5) is first
    assert known.named("1", 60) is first  # the only one that is left may be as large as it is
    assert known.named("2") is not second
    assert len(known) == 1


def test_what_the_user_asks_adds_up_and_facts_that_are_known_stay():
    session = Session(task="a")
    session.ask("b")
    assert session.context().task == "a\n\nb"
    session.ask("c" * 20_000)
    assert session.context().task == "c" * 16_384
    session.learn(workspace="/w", cwd=None)
    session.learn(workspace="/elsewhere")
    assert session.context().facts == {"workspace": "/w"}


def test_a_step_that_several_tell_of_is_added_once_and_in_its_place():
    session, steps = Session(), [Step("bash", {"command": each}) for each in "abc"]
    for place in (0, 0, 1, 0, 2, 1):  # as two do that tell a daemon of the same past at once
        session.add(steps[place], place)
    session.add(steps[2], 7)
    assert list(session.context().history) == steps
