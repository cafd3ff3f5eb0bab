"""The sandbox that the agents work in, and the policy that they work under."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from supervisor.cli.demo.pages import Pages
from supervisor.cli.demo.shop import Shop
from supervisor.cli.demo.workspace import Workspace
from supervisor.policy import Authority, DoorPolicy, Policy, Records
from supervisor.policy.doors import DatabaseDoor, HttpDoor


@dataclass(frozen=True, slots=True)
class World:
    """Everything that a tool of the demo can touch. All of it stands in `root`, but for the port of the pages."""

    root: Path
    shop: Shop
    workspace: Workspace
    pages: Pages


@contextmanager
def open_world(root: Path) -> Iterator[World]:
    """The world in a folder that exists and is empty."""
    with closing(Shop(root / "shop.db")) as shop, closing(Pages()) as pages:
        yield World(root, shop, Workspace(root), pages)


def policy_for(root: Path, records: Path, authority: Authority) -> Policy:
    """The database door leads to the shop, the http door to the loopback alone; the signing key stays in `root`."""
    doors = DoorPolicy(DatabaseDoor(f"sqlite:///{root / 'shop.db'}"), HttpDoor(allow_private=("127.0.0.1",)))
    kept = Records(path=str(records), key=str(root / "signing-key.pem"))
    return Policy(doors=doors, records=kept, authority=authority)
