"""The steps of a checkout, and what the supervisor of one does next.

A step is a list of transactions, each with one party. It is repeated from its beginning after a crash.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from parties import CANCELLED, CANCELLING, CONFIRMED, OPEN, REFUSED, Shop

Transaction = Callable[[Shop, str], None]


def check_cart(shop: Shop, no: str) -> None:
    if not shop.orders.set_price(no):
        shop.orders.move(no, OPEN, CANCELLING, "no such article")


def charge(shop: Shop, no: str) -> None:
    order = shop.orders.row(no)
    shop.bank.take(no, order["customer"], order["cents"])


def note_payment(shop: Shop, no: str) -> None:
    if shop.bank.state(no) == REFUSED:
        shop.orders.move(no, OPEN, CANCELLING, "the payment was declined")


def reserve(shop: Shop, no: str) -> None:
    order = shop.orders.row(no)
    shop.warehouse.take(no, order["article"], order["pieces"])


def note_reservation(shop: Shop, no: str) -> None:
    if shop.warehouse.state(no) == REFUSED:
        shop.orders.move(no, OPEN, CANCELLING, "out of stock")


def confirm(shop: Shop, no: str) -> None:
    """The point of no return: from here on the order stands."""
    shop.orders.move(no, OPEN, CONFIRMED)


def send_mail(shop: Shop, no: str) -> None:
    shop.orders.send_mail(no)


def release(shop: Shop, no: str) -> None:
    shop.warehouse.give_back(no)


def refund(shop: Shop, no: str) -> None:
    shop.bank.give_back(no)


@dataclass(frozen=True)
class Step:
    """What a step does, and what follows when it fails: words of `supervisor task add --on-failure`."""

    transactions: tuple[Transaction, ...]
    on_failure: str


# A no of a party is an answer: the step succeeds and the order is cancelled. What fails here is the machinery.
STEPS: Mapping[str, Step] = {
    "cart": Step((check_cart,), "retry*2"),
    "payment": Step((charge, note_payment), "retry*2 failover"),
    "inventory": Step((reserve, note_reservation), "retry*2"),
    "confirmation": Step((confirm, send_mail), "retry*3 escalate"),
    "release": Step((release,), "retry*5 escalate"),
    "refund": Step((refund,), "retry*5 escalate"),
}
FORWARD, BACK = ("cart", "payment", "inventory", "confirmation"), ("release", "refund")
OVER, DEAD = ("succeeded", "failed", "cancelled"), ("failed", "cancelled")


class Move(NamedTuple):
    """What a supervisor does next: `add` a step, `give_up` the order because a step has failed, `wait`, `close` a
    cancelled order, `end`, or `fail`, since a step is a dead letter that must not be left out."""

    what: Literal["add", "give_up", "wait", "close", "end", "fail"]
    step: str = ""


WAIT = Move("wait")


def next_move(states: Mapping[str, str], status: str) -> Move:
    """The next move, given the states of the steps' tasks and the status of the order, which was read after them."""
    if status == OPEN:
        return _missing(states, FORWARD, "give_up") or WAIT
    if any(states[step] not in OVER for step in FORWARD if step in states):
        return WAIT
    if status == CANCELLING:
        return _missing(states, BACK, "fail") or Move("close")
    if status == CONFIRMED and states["confirmation"] in DEAD:
        return Move("fail", "confirmation")
    assert status in (CONFIRMED, CANCELLED)
    return Move("end")


def _missing(states: Mapping[str, str], steps: tuple[str, ...], if_dead: Literal["give_up", "fail"]) -> Move | None:
    """What has to follow until all of these steps have succeeded, one after the other."""
    for step in steps:
        if step not in states:
            return Move("add", step)
        if states[step] in DEAD:
            return Move(if_dead, step)
        if states[step] not in OVER:
            return WAIT
    return None


def settle(shop: Shop, no: str, move: Move) -> None:
    """The supervisor's own transactions with the orders."""
    if move.what == "give_up":
        shop.orders.move(no, OPEN, CANCELLING, f"{move.step} has failed")
    elif move.what == "close":
        shop.orders.move(no, CANCELLING, CANCELLED)
