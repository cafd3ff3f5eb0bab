"""Whenever turns end and messages come: each is heard once, in the order in which it was said, and the guard knows it
first. The talk ends with the first turn after which none is left."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.runtime.drivers.agents import steering
from supervisor.runtime.drivers.agents.channel import NoReply
from supervisor.runtime.drivers.agents.judging import AgentGuard
from supervisor.runtime.drivers.agents.observation import Kind, Observation
from supervisor.runtime.drivers.agents.steering import Steering
from supervisor.runtime.drivers.driver import Control, Job
from supervisor.runtime.processes.containment import Containment
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.tasks.said import Said
from supervisor.runtime.tasks.spec import Spec


class Guard:
    def __init__(self) -> None:
        self.knows: list[str] = []

    def hears(self, text: str) -> None:
        self.knows.append(text)


class Agent:
    """Takes messages while its turn runs, and says at once that it hears them, or only at the end of that turn or of
    another one, which it begins by itself: for each turn, `leaves` says which."""

    def __init__(self, refuses: Sequence[bool], leaves: Sequence[bool] | None, turns: Sequence[Sequence[Said]]) -> None:
        self.refuses, self.tells_later, self.coming = list(refuses), leaves is not None, list(turns)
        self.leaves = list(leaves or ())
        self.guard, self.control, self.heard, self.stored = Guard(), Control(), list[str](), list[str]()
        self.turns = 0
        spec = Spec(("claude",), "/", driver="claude", prompt="tidy up")
        plan = Tree.planned(new_marker(), Containment("group", "nothing is started"))
        places = (Path("/"), Path("/log"), Path("/"))
        job = Job("task", 1, spec, plan, *places, self.control, None, lambda tree: None, heard=self.stored.append)
        self.steering = Steering(job, cast("AgentGuard", self.guard))

    async def join(self, said: Said) -> None:
        await anyio.lowlevel.checkpoint()
        if self.refuses and self.refuses.pop():
            raise NoReply("its turn has just ended")
        assert said.text in self.guard.knows
        self.heard.append(said.id)
        if self.tells_later:
            self.steering.awaited.add(said.id)
        else:
            self.steering.hears(said.id)

    async def begin(self, said: Said) -> None:
        self.refuses.clear()
        await self.join(said)

    async def turn(self) -> Observation:
        self.turns += 1
        for said in self.coming.pop(0) if self.coming else ():
            self.control.tell(said)
            self.control.tell(said)  # as the watcher does, until it is heard
            await anyio.sleep(0.002)
        if not (self.leaves and self.leaves.pop()):
            for id in sorted(self.steering.awaited, key=self.heard.index):
                self.steering.hears(id)
        return Observation(Kind.TURN_ENDED, str(self.turns))

    async def run(self) -> Observation:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.steering.run, self.join)
            ended = await self.steering.through(self.turn, self.begin, lambda: True)
            tasks.cancel_scope.cancel()
        await self.steering.note()
        return ended


messages = st.lists(st.uuids().map(lambda id: Said(str(id), f"say {id}")), max_size=3)


coins = st.lists(st.booleans(), max_size=4)


@settings(max_examples=40)
@given(st.lists(messages, max_size=3), coins, st.none() | coins)
def test_each_message_is_heard_once_and_in_order(
    turns: list[list[Said]], refuses: list[bool], leaves: list[bool] | None
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steering, "_LOOK", 0.001)
        patch.setattr(steering, "_AGAIN", 0.001)
        agent = Agent(refuses, leaves, turns)
        ended = anyio.run(agent.run)
    taken = [said for turn in turns[: agent.turns] for said in turn]
    assert agent.heard == agent.stored == [said.id for said in taken]
    assert agent.guard.knows == [said.text for said in taken]
    assert (ended.text, agent.steering.is_open) == (str(agent.turns), False)
    assert agent.control.next_said() is None
