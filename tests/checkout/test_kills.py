"""Real processes are killed at every boundary of a checkout, and money and stock are consistent in the end."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from parties import Shop, opened, problems, stock
from tasks import Tasks

from benchmarks.fleet import Member, processes_below
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import list_tasks
from tests.runtime.execution.running import until
from tests.runtime.processes.starting import only_linux

pytestmark = [only_linux, pytest.mark.thorough]

_FORWARD = ("check_cart", "charge", "note_payment", "reserve", "note_reservation", "confirm", "send_mail")
_ADDED = ("add_cart", "add_payment", "add_inventory", "add_confirmation")
_BACK = ("add_release", "release", "add_refund", "refund", "close_")
# The customer of each order, and where it stops. One of them can pay.
ORDERS = {
    f"{customer}-{number}": (customer, f"{when} {place}")
    for customer, places in (("rich", (*_FORWARD, *_ADDED)), ("poor", _BACK))
    for number, (place, when) in enumerate((place, when) for place in places for when in ("before", "after"))
}
_NAMES = ("lamp", "poor", "rich")
_MOST = 300.0  # seconds; undisturbed, all orders take less than a minute
_LAMP, _MONEY, _LAMPS = 10, 1_000, 100


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    made = opened(tmp_path / "shop")
    stock(made, prices={"lamp": _LAMP}, money={"rich": _MONEY, "poor": 1}, pieces={"lamp": _LAMPS})
    return made


@pytest.fixture
def members(tmp_path: Path) -> Iterator[list[Member]]:
    """An executor for supervisors and one for steps, with a slot for each order."""
    started: list[Member] = []
    with ExitStack() as stack:
        for pool in ("checkout", "steps"):
            member = Member(url_in(tmp_path), tmp_path, pool, len(ORDERS), 30.0, ("shell", pool))
            stack.callback(member.kill)
            started.append(member)
        yield started
    until(lambda: not processes_below(tmp_path))


def test_a_kill_at_every_boundary(shop: Shop, members: list[Member], tmp_path: Path) -> None:
    """Before an act its process alone is killed; after it both executors are, and all that they watch with them."""
    with contextlib.chdir(tmp_path):
        place_all(tmp_path)
    trouble = tmp_path / "trouble"
    until(lambda: len(list(trouble.glob("*.happened"))) == len(ORDERS), _MOST, lambda: str(list(trouble.iterdir())))
    for no, (_, where) in ORDERS.items():
        if where.startswith("before"):
            os.kill(int((trouble / f"{no}.happened").read_text()), signal.SIGKILL)
    for member in members:
        member.kill()
    for member in members:
        member.start()
    store = Store(url_in(tmp_path))
    until(lambda: checkouts(store) == ["succeeded"] * len(ORDERS), _MOST, lambda: str(list_tasks(store)))
    store.close()
    assert problems(shop) == []
    statuses = {no: shop.orders.row(no)["status"] for no in ORDERS}
    assert statuses == {no: "confirmed" if who == "rich" else "cancelled" for no, (who, _) in ORDERS.items()}
    bought = sum(who == "rich" for who, _ in ORDERS.values())
    left = [
        row["amount"]
        for ledger in (shop.bank, shop.warehouse)
        for row in ledger.connection.execute(f"SELECT amount FROM accounts WHERE name IN {_NAMES} ORDER BY name")
    ]
    assert left == [1, _MONEY - bought * _LAMP, _LAMPS - bought]


def url_in(folder: Path) -> str:
    return f"sqlite:///{folder / 'runtime.db'}"


def place_all(folder: Path) -> None:
    """As `checkout.py place` does, in the folder of the shop; a process for each would take half of the time."""
    (folder / "trouble").mkdir()
    tasks = Tasks(url_in(folder))
    for no, (customer, where) in ORDERS.items():
        (folder / "trouble" / no).write_text(f"hold {where}")
        tasks.checkout(no, [no, customer, "lamp", "1"])


def checkouts(store: Store) -> list[str]:
    """The states of all supervisors' tasks."""
    return [each["state"] for each in list_tasks(store, pool="checkout")]
