"""The parties of a checkout. Each has a database of its own, so no transaction covers two of them.

What makes a checkout safe is here: every request carries the number of its order. A party works on an order once, and
gives the same answer when it is asked again. What a party has taken back it never does later: a request that was under
way for too long finds the order closed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

OPEN, CANCELLING, CANCELLED, CONFIRMED = "open", "cancelling", "cancelled", "confirmed"  # of an order
TAKEN, REFUSED, RETURNED, VOID = "taken", "refused", "returned", "void"  # what a ledger has done for an order
_WAIT = 30.0  # seconds for another writer

_ORDERS = """
CREATE TABLE IF NOT EXISTS prices (article TEXT PRIMARY KEY, cents INTEGER);
CREATE TABLE IF NOT EXISTS orders (no TEXT PRIMARY KEY, customer TEXT, article TEXT, pieces INTEGER, cents INTEGER,
    status TEXT, reason TEXT);
CREATE TABLE IF NOT EXISTS mails (no TEXT PRIMARY KEY);
"""
_LEDGER = """
CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, amount INTEGER CHECK (amount >= 0));
CREATE TABLE IF NOT EXISTS entries (no TEXT PRIMARY KEY, account TEXT, amount INTEGER, state TEXT);
"""


@dataclass(frozen=True)
class Party:
    """One database."""

    connection: sqlite3.Connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction."""
        self.connection.execute("BEGIN IMMEDIATE")
        with self.connection:
            yield self.connection


class Ledger(Party):
    """Takes amounts out of accounts: a bank takes cents from customers, a warehouse takes pieces from shelves."""

    def take(self, no: str, account: str, amount: int) -> None:
        """Takes an amount for an order, unless there is too little or the order was seen before."""
        with self.writing() as connection:
            if self.state(no) is None:
                enough = "UPDATE accounts SET amount = amount - ? WHERE name = ? AND amount >= ?"
                state = TAKEN if connection.execute(enough, (amount, account, amount)).rowcount else REFUSED
                connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (no, account, amount, state))

    def give_back(self, no: str) -> None:
        """Gives back what was taken for an order. If nothing was, nothing will be."""
        with self.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO entries VALUES (?, '', 0, ?)", (no, VOID))
            returned = "UPDATE entries SET state = ? WHERE no = ? AND state = ? RETURNING account, amount"
            for account, amount in connection.execute(returned, (RETURNED, no, TAKEN)).fetchall():
                connection.execute("UPDATE accounts SET amount = amount + ? WHERE name = ?", (amount, account))

    def state(self, no: str) -> str | None:
        """What was done for an order; None if it was never seen."""
        row = self.connection.execute("SELECT state FROM entries WHERE no = ?", (no,)).fetchone()
        return None if row is None else str(row[0])


class Orders(Party):
    """The orders, the prices, and the mails to customers."""

    def open(self, no: str, customer: str, article: str, pieces: int) -> None:
        with self.writing() as connection:
            row = (no, customer, article, pieces, OPEN)
            connection.execute("INSERT OR IGNORE INTO orders VALUES (?, ?, ?, ?, NULL, ?, '')", row)

    def set_price(self, no: str) -> bool:
        """Fixes what the order costs. Returns False if the article has no price."""
        with self.writing() as connection:
            price = "(SELECT cents * pieces FROM prices WHERE prices.article = orders.article)"
            connection.execute(f"UPDATE orders SET cents = coalesce(cents, {price}) WHERE no = ?", (no,))
        return self.row(no)["cents"] is not None

    def move(self, no: str, before: str, after: str, reason: str = "") -> None:
        """Moves an order from one status to another. Does nothing if it has another one: whoever was first has won."""
        with self.writing() as connection:
            moved = "UPDATE orders SET status = ?, reason = reason || ? WHERE no = ? AND status = ?"
            connection.execute(moved, (after, reason, no, before))

    def send_mail(self, no: str) -> None:
        """Tells the customer that a confirmed order is coming, once."""
        with self.writing() as connection:
            confirmed = "INSERT OR IGNORE INTO mails SELECT no FROM orders WHERE no = ? AND status = ?"
            connection.execute(confirmed, (no, CONFIRMED))

    def row(self, no: str) -> sqlite3.Row:
        found: sqlite3.Row = self.connection.execute("SELECT * FROM orders WHERE no = ?", (no,)).fetchone()
        return found


@dataclass(frozen=True)
class Shop:
    """All parties."""

    orders: Orders
    bank: Ledger
    warehouse: Ledger


def opened(folder: Path | None) -> Shop:
    """The shop in a folder, or one in memory."""
    if folder is not None:
        folder.mkdir(exist_ok=True)

    def connected(name: str, tables: str) -> sqlite3.Connection:
        place = ":memory:" if folder is None else folder / f"{name}.db"
        connection = sqlite3.connect(place, timeout=_WAIT, isolation_level=None)
        connection.row_factory = sqlite3.Row
        connection.executescript(tables)
        return connection

    places = (("orders", _ORDERS), ("bank", _LEDGER), ("warehouse", _LEDGER))
    orders, bank, warehouse = (connected(*each) for each in places)
    return Shop(Orders(orders), Ledger(bank), Ledger(warehouse))


def stock(shop: Shop, prices: dict[str, int], money: dict[str, int], pieces: dict[str, int]) -> None:
    """Fills the price list, the customers' accounts and the shelves, once."""
    rows = ((shop.orders, "prices", prices), (shop.bank, "accounts", money), (shop.warehouse, "accounts", pieces))
    for party, table, values in rows:
        with party.writing() as connection:
            connection.executemany(f"INSERT OR IGNORE INTO {table} VALUES (?, ?)", values.items())


def problems(shop: Shop, *, is_over: bool = True) -> list[str]:
    """What does not fit together. While orders are under way, only what must hold at every moment counts."""
    found = []
    for row in shop.orders.connection.execute("SELECT * FROM orders").fetchall():
        no, status = row["no"], row["status"]
        held = [ledger.state(no) == TAKEN for ledger in (shop.bank, shop.warehouse)]
        mails = shop.orders.connection.execute("SELECT count(*) FROM mails WHERE no = ?", (no,)).fetchone()[0]
        if status == CONFIRMED and not all(held):
            found.append(f"{no} is confirmed, and not paid or not reserved")
        if status == CANCELLED and any(held):
            found.append(f"{no} is cancelled, and still paid or reserved")
        if mails and status != CONFIRMED:
            found.append(f"{no} was confirmed by mail, and is {status}")
        if is_over and status == CONFIRMED and not mails:
            found.append(f"{no} is confirmed, and the customer was not told")
        if is_over and status not in (CONFIRMED, CANCELLED):
            found.append(f"{no} is {status}")
    return found
