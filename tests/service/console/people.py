"""A console over a journal of a test's own, and people who have signed in."""

from __future__ import annotations

import re
from typing import Any

from starlette.testclient import TestClient

from supervisor.policy import Policy, Records
from supervisor.service.console.app import app_of
from supervisor.service.console.desk import Deployed, Desk
from tests.feedback.journals import Machine

TOKEN = "t" * 43
_FIELD = re.compile(r'name="csrf" value="([^"]+)"')


class Console:
    """The console of a machine's records. `index` is the URL of another index than the usual one, `runtime` that of
    the database of tasks."""

    def __init__(self, machine: Machine, policy: Policy | None = None, index: str = "", runtime: str = "") -> None:
        key = str(machine.records.parent / "key.pem")
        own = policy or Policy(records=Records(str(machine.records), key))
        self.machine = machine
        tasks = runtime or f"sqlite:///{machine.records.parent / 'runtime.db'}"
        self.desk = Desk(Deployed(own, machine.records, machine.signer, index, tasks))
        self.app = app_of(self.desk, TOKEN, "ann")

    def refresh(self) -> None:
        self.desk.refresh()
        assert self.desk.problem == ""

    def close(self) -> None:
        self.desk.close()

    def client(self) -> TestClient:
        """A browser that nobody has signed in with."""
        return TestClient(self.app, base_url="http://127.0.0.1:8651", follow_redirects=False)

    def person(self, by: str = "ann") -> Person:
        return Person(self.client(), by)


class Person:
    """Somebody who has signed in."""

    def __init__(self, client: TestClient, by: str) -> None:
        self.client = client
        answer = client.post("/", data={"by": by, "token": TOKEN})
        assert answer.status_code == 303, answer.text
        self.base = answer.headers["location"].removesuffix("/queue")
        self.page = ""

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(self.base + path)
        assert answer.status_code == status, answer.text
        self.page = answer.text
        return self.page

    @property
    def csrf(self) -> str:
        found = _FIELD.search(self.page) or _FIELD.search(self.get("/queue"))
        assert found
        return found[1]

    def post(self, path: str, status: int = 303, **fields: Any) -> Any:
        answer = self.client.post(self.base + path, data={"csrf": self.csrf, **fields})
        assert answer.status_code == status, answer.text
        return answer

    def label(self, record: str, word: str, status: int = 303, **fields: str) -> Any:
        return self.post(f"/record/{record}/label", status, word=word, **fields)
