"""Programs and people that ask the API, and what an executor would do meanwhile."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from supervisor.runtime.execution.host import own_identity
from supervisor.runtime.processes.containment import Containment
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.attempts import Begun, Executor, begin, settle
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.executors import register
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import Question
from supervisor.service.tasks.app import Tokens, app_of
from supervisor.service.tasks.board import Board

PEOPLE, PROGRAMS = "p" * 43, "q" * 43
BLUE = Executor("blue-1", "blue", "here")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"  # of no account
ASKS = Outcome(
    Ending.PARKED, "May this run?", question=Question("May this run?", ("allow", "deny"), "d" * 64, "Bash touch x")
)


class Played:
    """What an executor has done to tasks, without one."""

    def __init__(self, board: Board, folder: Path) -> None:
        self.board, self.folder = board, folder

    def register(self) -> None:
        register(self.board.store, BLUE, own_identity(), "default", 4, time.time())

    def begin(self, id: str, number: int = 1, printed: str = "") -> None:
        log = self.folder / id / f"{number}.log"
        log.parent.mkdir(exist_ok=True)
        log.write_text(printed)
        tree = Tree.planned(new_marker(), Containment("group", "a test asks for it"))
        assert isinstance(begin(self.board.store, id, number, BLUE, tree, str(log), time.time()), Begun)

    def end(self, id: str, outcome: Outcome, number: int = 1) -> None:
        settle(self.board.store, self.board.queue, id, number, outcome, time.time())

    def attempt(self, id: str, outcome: Outcome, number: int = 1, printed: str = "") -> None:
        self.begin(id, number, printed)
        self.end(id, outcome, number)


class Api(TestClient):
    """A client with the token of programs, or with that of people."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.board = Board(store)
        self.folder = folder
        self.played = Played(self.board, folder)
        app = app_of(self.board, Tokens(PEOPLE, PROGRAMS))
        super().__init__(app, base_url="http://127.0.0.1:8652", headers={"Authorization": f"Bearer {PROGRAMS}"})

    def ask(self, method: str, path: str, status: int = 200, *, person: bool = False, **more: Any) -> Any:
        """The answer, which must have this status."""
        if person:
            more["headers"] = {"Authorization": f"Bearer {PEOPLE}"}
        answer = self.request(method, f"/v1{path}", **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    def events(self, query: str = "", **headers: str) -> Any:
        """A WebSocket of events."""
        told = {"Authorization": f"Bearer {PROGRAMS}", **headers}
        return self.websocket_connect(f"ws://127.0.0.1:8652/v1/events{query}", headers=told)

    def add(self, status: int = 200, **task: Any) -> str:
        made = {"driver": "shell", "command": ["true"], "folder": str(self.folder), **task}
        return str(self.ask("POST", "/tasks", status, json=made).get("id"))

    def state(self, id: str) -> str:
        return str(self.ask("GET", f"/tasks/{id}")["state"])
