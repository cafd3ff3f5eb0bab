"""The agents' sandbox and policy."""

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
    """Everything that a tool of the demo can change. All of it is in `root`, except the port of the pages."""

    root: Path
    shop: Shop
    workspace: Workspace
    pages: Pages


@contextmanager
def open_world(root: Path) -> Iterator[World]:
    """A world in an existing empty folder."""
    with closing(Shop(root / "shop.db")) as shop, closing(Pages()) as pages:
        yield World(root, shop, Workspace(root), pages)


def policy_for(root: Path, records: Path, authority: Authority) -> Policy:
    """A policy whose database door leads to the shop and whose http door leads only to the loopback interface. The
    signing key is in `root`."""
    doors = DoorPolicy(DatabaseDoor(f"sqlite:///{root / 'shop.db'}"), HttpDoor(allow_private=("127.0.0.1",)))
    kept = Records(path=str(records), key=str(root / "signing-key.pem"))
    return Policy(doors=doors, records=kept, authority=authority)
