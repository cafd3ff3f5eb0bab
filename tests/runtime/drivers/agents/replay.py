"""Plays a golden transcript to a dialect, in this process: what an agent said, once it is told what came before.

Between its messages, other ones may be put: mutations of them, or anything else.
"""

from __future__ import annotations

import functools
import io
import json
import random
import shlex
import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import anyio
import anyio.lowlevel
import anyio.to_thread

from supervisor.runtime.drivers.agents.channel import Channel
from supervisor.runtime.drivers.agents.hook import ask
from supervisor.runtime.drivers.agents.judging import AgentGuard, Answer
from supervisor.runtime.drivers.agents.notes import Notes
from supervisor.runtime.drivers.agents.talk import Dialect, Listener, Talk
from supervisor.runtime.drivers.driver import Control, Job
from supervisor.runtime.processes.containment import Containment
from supervisor.runtime.processes.states import Event, Liveness
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.tasks.outcome import Outcome
from supervisor.runtime.tasks.spec import Driver, Spec
from supervisor.runtime.tasks.usage import Usage

_GOLDEN = Path(__file__).with_name("golden")
_HOME = "/home/user/own_home"  # the private folder of the task, in a transcript
_EVENTS = {
    "userPromptSubmit": "UserPromptSubmit",
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "stop": "Stop",
}
_PATIENCE = 10  # seconds for what the agent must be told next


@functools.cache
def golden(name: str) -> list[dict[str, Any]]:
    """What was said, in the order of time: `in` to the agent, `out` by it."""
    return [json.loads(line) for line in (_GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


class Yes:
    """A guard that lets everything pass, and remembers what it was asked about."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def answer(self, payload: Any) -> Answer:
        self.asked.append(payload)
        return Answer("before", refused=False)


class _Pipe(io.BytesIO):
    """What the agent is told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[dict[str, Any]] = []

    def write(self, line: Any) -> int:
        self.told.append(json.loads(line))
        return len(line)


@dataclass
class Replay:
    """One run of a transcript. `noise` gives the lines to put in after each message."""

    name: Driver
    folder: Path
    speaks: Callable[[Talk], Dialect]
    noise: Callable[[int], Iterable[bytes]] = lambda place: ()
    allows_unguarded: bool = False
    pipe: _Pipe = field(default_factory=_Pipe)
    guard: Yes = field(default_factory=Yes)
    hooked: list[tuple[str, tuple[int, str, str]]] = field(default_factory=list)
    spends: Callable[[Usage], None] = lambda usage: None
    liveness: Liveness = field(default_factory=lambda: Liveness.starting(0.0))

    def run(self, transcript: Sequence[dict[str, Any]] | None = None) -> Outcome:
        return anyio.run(self._run, transcript or golden(self.name))

    async def _run(self, transcript: Sequence[dict[str, Any]]) -> Outcome:
        self.folder.mkdir(exist_ok=True)
        spec = Spec((self.name,), str(self.folder), driver=self.name, prompt="please tidy up")
        plan = Tree.planned(new_marker(), Containment("group", "nothing is started"))
        places = (self.folder, self.folder / "log", self.folder)
        job = Job("task", 1, spec, plan, *places, Control(), None, lambda tree: None)
        guard = cast("AgentGuard", self.guard)
        self.talk = Talk(job, guard, self.allows_unguarded, Notes(), Channel(lambda: self.pipe), self._hear)
        self.talk.spends = self.spends
        self.dialect = self.speaks(self.talk)
        outcomes: list[Outcome] = []
        async with self.dialect.ready(), anyio.create_task_group() as tasks:
            self.dialect.command()

            async def converse() -> None:
                outcomes.append(await self.dialect.converse())
                tasks.cancel_scope.cancel()

            tasks.start_soon(converse)
            await self._play(transcript, Listener(self.talk, self.dialect), tasks)
            with anyio.fail_after(_PATIENCE):
                await anyio.sleep_forever()
        return outcomes[0]

    async def _play(self, transcript: Sequence[dict[str, Any]], listener: Listener, tasks: Any) -> None:
        keys = {_HOME: str(self.folder)}
        for place, said in enumerate(transcript):
            if "in" in said:
                await self._told(lambda golden=said["in"]: self._match(golden, keys))
                continue
            for line in self.noise(place):
                listener.hear(line + b"\n", tasks)
            listener.hear(_renamed(json.dumps(said["out"]), keys).encode() + b"\n", tasks)
            if said["out"].get("method") == "hook/started":
                await self._knock(said["out"]["params"]["run"])
            await anyio.lowlevel.checkpoint()

    async def _knock(self, run: dict[str, Any]) -> None:
        """Does what Codex does: runs the hook's command, here its client in this process."""
        name, call = _EVENTS[run["eventName"]], run["id"].rpartition(":")[2]
        event = {"hook_event_name": name, "session_id": "s", "tool_use_id": call, "tool_name": "Bash", "tool_input": {}}
        settings = json.loads((self.folder / "codex" / "hooks.json").read_text(encoding="utf-8"))
        where = shlex.split(settings["hooks"][name][0]["hooks"][0]["command"])[-1]
        self.hooked.append((name, await anyio.to_thread.run_sync(ask, where, json.dumps(event).encode())))

    async def _told(self, has_come: Callable[[], bool]) -> None:
        with anyio.fail_after(_PATIENCE):
            while True:
                if has_come():
                    return
                await anyio.sleep(0.001)

    def _match(self, golden: dict[str, Any], keys: dict[str, str]) -> bool:
        """Whether the agent was told what it was told then. A request has another id now."""
        for told in self.pipe.told:
            if _form(told) == _form(golden):
                self.pipe.told.remove(told)
                old, new = _key(golden), _key(told)
                if old and new:
                    keys[old] = new
                return True
        return False

    def _hear(self, event: Event) -> None:
        self.liveness = self.liveness.after(event, 0.0)


def _key(message: dict[str, Any]) -> str:
    return str(message.get("request_id", ""))


def _renamed(line: str, keys: dict[str, str]) -> str:
    for old, new in keys.items():
        line = line.replace(old, new)
    return line


def _form(message: dict[str, Any]) -> Any:
    """What two messages of the same kind share: what kind it is, and what it answers."""
    response = message.get("response")
    of = response.get("request_id") if isinstance(response, dict) else message.get("id") if "result" in message else ""
    return message.get("type"), message.get("method"), of, "result" in message


def mutated(chance: random.Random, message: dict[str, Any]) -> bytes:
    """A line that is nearly this message: a part is gone, is something else or has another name, or the line is cut."""
    copied = json.loads(json.dumps(message))
    for _ in range(chance.randint(1, 4)):
        _spoil(chance, copied)
    line = json.dumps(copied).encode()
    return line[: chance.randrange(len(line))] if chance.random() < 0.1 else line


def _spoil(chance: random.Random, value: Any) -> None:
    """Spoils one place, as deep inside as chance has it."""
    place = value
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = chance.choice(keys)
        if isinstance(place[key], (dict, list)) and place[key] and chance.random() < 0.7:
            place = place[key]
            continue
        what = chance.random()
        if what < 0.3:
            del place[key]
        elif what < 0.5 and isinstance(place, dict):
            place[_anything(chance, 0) if chance.random() < 0.2 else f"{key}_"] = place.pop(key)
        else:
            place[key] = _anything(chance)
        return


def _anything(chance: random.Random, most: int = 9) -> Any:
    word = "".join(chance.choices(string.printable, k=chance.randint(0, 12)))
    values = (word, None, True, -1, 1e308, 10**30, [], {}, [None, {"type": word}], {"type": 1, word: [word]})
    return values[chance.randint(0, most)]
