"""Every state that checkouts can reach, whatever crashes, fails or is late, and in whatever order it happens.

A state is what the databases hold, and where each process stands. From each state, every process may make its next
move, and each transaction may also

- happen while its process crashes, which begins the step again;
- not happen although its process has sent it, and happen at any later time, or never: it is `late`;
- be the last thing that its step's task has done, or has left undone, because the task has failed for good.

The number of crashes and failures has no bound: states that were seen are not explored again, so all are reached.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from parties import Party, Shop, opened, problems, stock
from steps import BACK, DEAD, STEPS, Move, next_move, settle

Content = tuple[Any, ...]  # what the databases hold, as rows
Late = tuple[str, str, int]  # an order, a step and the number of a transaction


@dataclass(frozen=True)
class Order:
    """One checkout: the states of its steps' tasks, which transaction the running one makes next, and what its
    supervisor has seen of the states when it looked. `result` is set when the supervisor has ended."""

    no: str
    cart: tuple[str, str, int]
    states: tuple[tuple[str, str], ...] = ()
    position: int = 0
    seen: tuple[tuple[str, str], ...] | None = None
    result: str = ""

    def with_state(self, step: str, state: str, position: int = 0) -> Order:
        states = {**dict(self.states), step: state}
        return replace(self, states=tuple(states.items()), position=position)

    @property
    def running(self) -> str | None:
        """The step whose task runs: one at a time."""
        found = [step for step, state in self.states if state == "running"]
        assert len(found) <= 1
        return found[0] if found else None


@dataclass(frozen=True)
class World:
    """A state."""

    content: Content
    orders: tuple[Order, ...]
    late: frozenset[Late] = frozenset()


Moved = tuple[bool, Content, Order, frozenset[Late]]  # whether nothing went wrong, and what is then


@dataclass
class Databases:
    """The parties, in any of the contents that they can have. What a transaction does to a content is done once."""

    shop: Shop = field(default_factory=lambda: opened(None))
    _held: dict[Content, tuple[bytes, ...]] = field(default_factory=dict)
    _done: dict[Any, Content] = field(default_factory=dict)

    def keep(self) -> Content:
        """The content that they have now."""
        content = _content(self.shop)
        if content not in self._held:
            self._held[content] = tuple(party.connection.serialize() for party in _parties(self.shop))
        return content

    def at(self, content: Content) -> Shop:
        """The parties with this content."""
        for party, held in zip(_parties(self.shop), self._held[content], strict=True):
            party.connection.deserialize(held)
        return self.shop

    def after(self, content: Content, transaction: Callable[..., None], *about: Any) -> Content:
        """What is there after a transaction."""
        key = (content, transaction, about)
        if key not in self._done:
            transaction(self.at(content), *about)
            self._done[key] = self.keep()
        return self._done[key]


@dataclass
class Explorer:
    """Walks through all states. `fails` says whether steps may fail for good, `most_late` how many transactions may be
    late at a time. `calm` has what follows a state if nothing goes wrong."""

    fails: bool = True
    most_late: int = 9
    databases: Databases = field(default_factory=Databases)
    calm: dict[World, list[World]] = field(default_factory=dict)

    def explore(self, carts: list[tuple[str, str, int]], money: int, pieces: int) -> None:
        """All states of these checkouts, with so much money for each customer and so many pieces on the shelf."""
        shop = self.databases.shop
        stock(shop, {"lamp": 10}, {cart[0]: money for cart in carts}, {"lamp": pieces})
        orders = tuple(Order(str(number), cart) for number, cart in enumerate(carts))
        for order in orders:
            shop.orders.open(order.no, *order.cart)
        left = [World(self.databases.keep(), orders)]
        while left:
            world = left.pop()
            if world not in self.calm:
                followed = list(self._after(world))
                self.calm[world] = [after for is_calm, after in followed if is_calm]
                left += [after for _, after in followed if after not in self.calm]

    def _after(self, world: World) -> Iterator[tuple[bool, World]]:
        """The states that may follow, each with whether nothing went wrong."""
        for number, order in enumerate(world.orders):
            for is_calm, content, moved, late in (*self._supervised(world, order), *self._stepped(world, order)):
                orders = (*world.orders[:number], moved, *world.orders[number + 1 :])
                if len(world.late | late) <= self.most_late:
                    yield is_calm, World(content, orders, world.late | late)
        for each in world.late:
            no, step, position = each
            content = self.databases.after(world.content, STEPS[step].transactions[position], no)
            yield False, World(content, world.orders, world.late - {each})

    def _stepped(self, world: World, order: Order) -> Iterator[Moved]:
        """The step that runs makes its next transaction."""
        step = order.running
        if step is None:
            return
        transactions = STEPS[step].transactions
        content = self.databases.after(world.content, transactions[order.position], order.no)
        is_last = order.position + 1 == len(transactions)
        done = order.with_state(step, "succeeded") if is_last else replace(order, position=order.position + 1)
        yield True, content, done, frozenset()
        for end in ("running", "failed") if self.fails else ("running",):
            late = frozenset({(order.no, step, order.position)})
            yield False, content, order.with_state(step, end), frozenset()
            yield False, world.content, order.with_state(step, end), late
            yield False, world.content, order.with_state(step, end), frozenset()

    def _supervised(self, world: World, order: Order) -> Iterator[Moved]:
        """The supervisor looks at its steps, then at the order, and moves. A crash of it changes nothing but that it
        looks again, since all that it knows is stored."""
        if order.result == "fail":  # a person wants it tried again
            dead = next(step for step, state in order.states if state in DEAD and step in (*BACK, "confirmation"))
            yield True, world.content, replace(order.with_state(dead, "running"), result=""), frozenset()
        if order.result:
            return
        if order.seen is None:
            yield True, world.content, replace(order, seen=order.states), frozenset()
            return
        move = next_move(dict(order.seen), _status(world, order.no))
        moved = replace(order, seen=None, result=move.what if move.what in ("end", "fail") else "")
        if move.what == "add":
            moved = moved.with_state(move.step, "running")
        yield True, self.databases.after(world.content, _settled, order.no, move), moved, frozenset()


def _settled(shop: Shop, no: str, move: Move) -> None:
    settle(shop, no, move)


def _status(world: World, no: str) -> str:
    return str(next(row[5] for row in world.content[0] if row[0] == no))


def _content(shop: Shop) -> Content:
    """All rows of all parties."""
    tables = ((shop.orders, "orders"), (shop.orders, "mails"), (shop.bank, "accounts"), (shop.bank, "entries"))
    more = ((shop.warehouse, "accounts"), (shop.warehouse, "entries"))
    return tuple(_rows(party.connection, table) for party, table in (*tables, *more))


def _rows(connection: sqlite3.Connection, table: str) -> tuple[Any, ...]:
    return tuple(sorted(map(tuple, connection.execute(f"SELECT * FROM {table}").fetchall())))


def _parties(shop: Shop) -> tuple[Party, ...]:
    return shop.orders, shop.bank, shop.warehouse


def wrong(explorer: Explorer, world: World, money: int, pieces: int) -> list[str]:
    """What must hold in a state, and does not: money and pieces are where they were or taken, and orders fit."""
    shop = explorer.databases.at(world.content)
    found = problems(shop, is_over=all(order.result == "end" for order in world.orders))
    for ledger, whole in ((shop.bank, money), (shop.warehouse, pieces)):
        there = ledger.connection.execute("SELECT sum(amount) FROM accounts").fetchone()[0]
        taken = ledger.connection.execute("SELECT sum(amount) FROM entries WHERE state = 'taken'").fetchone()[0] or 0
        if there + taken != whole:
            found.append(f"{there} there and {taken} taken are not {whole}")
    return found


def ends(explorer: Explorer) -> list[World]:
    """The states in which all supervisors have ended well."""
    return [world for world in explorer.calm if all(order.result == "end" for order in world.orders)]


def stuck(explorer: Explorer) -> set[World]:
    """The states from which no end is reached although nothing more goes wrong."""
    before: dict[World, list[World]] = {}
    for world, followers in explorer.calm.items():
        for after in followers:
            before.setdefault(after, []).append(world)
    reaching, left = set(ends(explorer)), ends(explorer)
    while left:
        fresh = [world for world in before.get(left.pop(), ()) if world not in reaching]
        reaching.update(fresh)
        left += fresh
    return set(explorer.calm) - reaching


def statuses(world: World) -> tuple[str, ...]:
    """The status of each order."""
    return tuple(row[5] for row in world.content[0])
