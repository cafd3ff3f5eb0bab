"""A message is heard once, by whichever attempt comes to it."""

from __future__ import annotations

import pytest

from supervisor.errors import BadInput
from supervisor.runtime.processes.containment import Containment
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.attempts import Executor, begin, settle
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import show
from supervisor.runtime.store.steering import heard, steer, unheard
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.spec import Spec
from tests.runtime.store.test_transitions import Enqueuing

BLUE = Executor("blue-1", "blue", "here")
STEERABLE = {"claude"}


def run(store: Store, id: str, number: int) -> None:
    tree = Tree.planned(new_marker(), Containment("group", "a test asks for it"))
    begin(store, id, number, BLUE, tree, "log", 10.0 * number)


def test_what_an_attempt_has_not_heard_the_next_one_hears(store: Store) -> None:
    enqueue = Enqueuing()
    id = add(store, enqueue, Spec(("claude",), "/", driver="claude", prompt="tidy up"), 1.0).id
    with pytest.raises(BadInput) as told:
        steer(store, id, "and sweep", "Ada", STEERABLE, 2.0)
    assert told.value.code == "not_running"
    run(store, id, 1)
    sent = [steer(store, id, text, "Ada", STEERABLE, 20.0 + place) for place, text in enumerate(("one", "two"))]
    assert [(task, number, said.text) for task, number, said in unheard(store, BLUE.id)] == [
        (id, 1, "one"),
        (id, 1, "two"),
    ]
    assert unheard(store, "green-1") == []
    for _ in range(2):
        heard(store, sent[0], 30.0)
    settle(store, enqueue, id, 1, Outcome(Ending.PREEMPTED, "why"), 40.0)
    assert unheard(store, BLUE.id) == []
    run(store, id, 2)
    assert [(number, said.id) for _, number, said in unheard(store, BLUE.id)] == [(2, sent[1])]
    heard(store, sent[1], 50.0)
    assert [said["heard"] for said in show(store, id)["messages"]] == [30.0, 50.0]


@pytest.mark.parametrize(("text", "driver", "code"), [(" ", "claude", "usage"), ("x", "shell", "no_steer")])
def test_what_nobody_can_hear_is_refused(store: Store, text: str, driver: str, code: str) -> None:
    command = Spec(("true",), "/") if driver == "shell" else Spec(("claude",), "/", driver="claude", prompt="tidy up")
    id = add(store, Enqueuing(), command, 1.0).id
    run(store, id, 1)
    with pytest.raises(BadInput) as told:
        steer(store, id, text, "Ada", STEERABLE, 2.0)
    assert told.value.code == code
    assert unheard(store, BLUE.id) == []
