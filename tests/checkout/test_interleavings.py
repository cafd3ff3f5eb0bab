"""Money and stock are consistent in every state that a checkout can reach, and each checkout can come to its end."""

from __future__ import annotations

import pytest
from parties import RETURNED, TAKEN, Ledger

from tests.checkout.exploring import Explorer, World, ends, statuses, stuck, wrong

A, B = ("a", "lamp", 1), ("b", "lamp", 1)
BOTH, CANCELLED = {("cancelled",), ("confirmed",)}, {("cancelled",)}


def explored(carts: list[tuple[str, str, int]], money: int, pieces: int, **more: int) -> Explorer:
    explorer = Explorer(**more)
    explorer.explore(carts, money, pieces)
    return explorer


def faults(explorer: Explorer, money: int, pieces: int) -> list[str]:
    """What is wrong in any state. States with the same content are alike, but for whether all is over."""
    alike = {(world.content, _is_over(world)): world for world in explorer.calm}
    return [fault for world in alike.values() for fault in wrong(explorer, world, money, pieces)]


def _is_over(world: World) -> bool:
    return all(order.result == "end" for order in world.orders)


@pytest.mark.parametrize(
    ("cart", "money", "pieces", "come_to"),
    [(A, 10, 1, BOTH), (A, 9, 1, CANCELLED), (A, 10, 0, CANCELLED), (("a", "tree", 1), 10, 1, CANCELLED)],
    ids=["it is there", "too little money", "out of stock", "no such article"],
)
@pytest.mark.parametrize("late", [2, pytest.param(9, marks=pytest.mark.thorough)])
def test_one_checkout_whatever_goes_wrong(
    cart: tuple[str, str, int], money: int, pieces: int, come_to: set[tuple[str, ...]], late: int
) -> None:
    explorer = explored([cart], money, pieces, most_late=late)
    assert faults(explorer, money, pieces) == []
    assert stuck(explorer) == set()
    assert set(map(statuses, ends(explorer))) == come_to


@pytest.mark.parametrize("fails", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_two_checkouts_want_the_last_lamp(fails: bool) -> None:
    explorer = explored([A, B], 10, 1, most_late=0, fails=fails)
    assert faults(explorer, 20, 1) == []
    assert stuck(explorer) == set()
    one = {("cancelled", "confirmed"), ("confirmed", "cancelled")}
    assert set(map(statuses, ends(explorer))) == (one | {("cancelled", "cancelled")} if fails else one)


def test_two_checkouts_want_the_same_money() -> None:
    explorer = explored([A, A], 10, 2, most_late=0, fails=False)
    assert faults(explorer, 10, 2) == []
    assert set(map(statuses, ends(explorer))) == {("cancelled", "confirmed"), ("confirmed", "cancelled")}


def test_a_bank_that_forgets_what_it_has_never_seen_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exploration sees a charge that comes after its refund."""

    def give_back(self: Ledger, no: str) -> None:
        with self.writing() as connection:
            returned = "UPDATE entries SET state = ? WHERE no = ? AND state = ? RETURNING account, amount"
            for account, amount in connection.execute(returned, (RETURNED, no, TAKEN)).fetchall():
                connection.execute("UPDATE accounts SET amount = amount + ? WHERE name = ?", (amount, account))

    monkeypatch.setattr(Ledger, "give_back", give_back)
    assert "0 is cancelled, and still paid or reserved" in faults(explored([A], 10, 1, most_late=1), 10, 1)
