"""The one deployment that everything hostile is proposed to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Budgets, DoorPolicy, Policy, Records, Taxonomy
from supervisor.policy.doors import DatabaseDoor, HttpDoor, ModelDoor
from tests.hostile import specialists
from tests.hostile.database import FILL
from tests.hostile.servers import serving

PURE_MS = 1000  # generous, so that a busy machine does not decide what a test finds
HOSTILE_MS = 80  # they use it up to the end
DOORS_MS = 700
DOOR_MS = 300  # of one query, page or question


@dataclass(frozen=True, slots=True)
class Deployment:
    """An engine, and the servers that its doors lead to."""

    supervisor: Supervisor
    web: str
    wire: str

    def with_database(self, behaviour: str) -> Supervisor:
        """Another engine, whose database is a server that behaves so; no door needs workers. Close it."""
        policy = self.supervisor.policy
        database = DatabaseDoor(f"postgresql://agent@{self.wire}/{behaviour}", DOOR_MS)
        return Supervisor(replace(policy, doors=replace(policy.doors, database=database), isolation="none"))


@contextmanager
def deployed(folder: Path) -> Iterator[Deployment]:
    """Opens the servers and the engine, and closes them."""
    file = folder / "shop.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(FILL)
    with serving() as ports:
        doors = DoorPolicy(
            DatabaseDoor(f"sqlite:///{file}", DOOR_MS),
            HttpDoor(("127.0.0.1",), timeout_ms=DOOR_MS),
            ModelDoor(f"http://127.0.0.1:{ports.model}/v1", "hostile", timeout_ms=DOOR_MS),
        )
        supervisor = Supervisor(policy_for(folder, doors))
        try:
            yield Deployment(supervisor, f"http://127.0.0.1:{ports.web}", f"127.0.0.1:{ports.wire}")
        finally:
            supervisor.close()


def policy_for(folder: Path, doors: DoorPolicy) -> Policy:
    """The policy: all that ships, the third party's folder, records on disk."""
    return Policy(
        isolation="auto",
        budgets=Budgets(PURE_MS, DOORS_MS, specialists=_budgets()),
        doors=doors,
        records=Records(str(folder / "records"), str(folder / "key.pem")),
        taxonomy=Taxonomy(folders=(str(specialists.write(folder / "third_party")),)),
    )


def _budgets() -> dict[str, float]:
    return {specialists.hostile_id(file): HOSTILE_MS for file in specialists.files()}
