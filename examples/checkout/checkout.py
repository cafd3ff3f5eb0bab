"""A checkout that survives the end of any of its processes.

    python checkout.py place NO CUSTOMER ARTICLE PIECES    # a task for the supervisor of this order
    python checkout.py audit                               # whether money and stock fit together

`supervise` and `step` are what the tasks run.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import trouble
from parties import Shop, opened, problems, stock
from steps import STEPS, Move, next_move, settle

if TYPE_CHECKING:
    from tasks import Tasks

LOOK = 0.5  # seconds between two looks at the steps


def work(shop: Shop, no: str, step: str) -> None:
    """Does one step, from its beginning."""
    for transaction in STEPS[step].transactions:
        trouble.at(no, "before", transaction.__name__)
        transaction(shop, no)
        trouble.at(no, "after", transaction.__name__)


def supervise(shop: Shop, tasks: Tasks, no: str, own: str) -> int:
    """Has each step done by a task, and has undone what was done if one fails. All that it knows is stored, so another
    attempt goes on where this one has ended."""
    move = look(shop, tasks, no, own)
    if move.what == "fail":  # somebody wants it tried again, else this attempt would not be
        tasks.retry(tasks.steps(own)[move.step].id)
    while move.what != "end":
        move = look(shop, tasks, no, own)
        trouble.at(no, "before", f"{move.what}_{move.step}")
        if move.what == "fail":
            print(f"{move.step} of order {no} is a dead letter", file=sys.stderr)
            return 1
        if move.what == "add":
            tasks.step(no, move.step, own)
        elif move.what == "wait":
            time.sleep(LOOK)
        settle(shop, no, move)
        trouble.at(no, "after", f"{move.what}_{move.step}")
    return 0


def look(shop: Shop, tasks: Tasks, no: str, own: str) -> Move:
    """The next move. The status is read last: a step has written it before its task has ended."""
    states = {step: added.state for step, added in tasks.steps(own).items()}
    return next_move(states, shop.orders.row(no)["status"])


def audit(shop: Shop) -> int:
    for row in shop.orders.connection.execute("SELECT * FROM orders ORDER BY no").fetchall():
        print(f"order {row['no']}: {row['status']}{row['reason'] and ', '}{row['reason']}")
    for name, ledger in (("cents of", shop.bank), ("pieces of", shop.warehouse)):
        for row in ledger.connection.execute("SELECT * FROM accounts ORDER BY name").fetchall():
            print(f"{row['amount']} {name} {row['name']}")
    found = problems(shop)
    print("\n".join(found) or "money and stock fit together")
    return bool(found)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="checkout.py")
    parser.add_argument("--database", default="")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, words in _WORDS.items():
        made = verbs.add_parser(verb)
        for word in words:
            made.add_argument(word, type=int if word == "pieces" else str)
    return parser.parse_args()


_WORDS: Mapping[str, tuple[str, ...]] = {
    "place": ("no", "customer", "article", "pieces"),
    "supervise": ("no", "customer", "article", "pieces"),
    "step": ("no", "step"),
    "audit": (),
}


def main() -> int:
    given = parsed()
    shop = opened(Path("shop"))
    stock(shop, prices={"lamp": 3400}, money={"ines": 15000, "olaf": 2000}, pieces={"lamp": 5})
    if given.verb == "audit":
        return audit(shop)
    if given.verb == "step":
        work(shop, given.no, given.step)
        return 0
    from tasks import Tasks  # a step does without the runtime, and starts sooner

    tasks = Tasks(given.database)
    order = (given.no, given.customer, given.article, given.pieces)
    if given.verb == "place":
        tasks.checkout(given.no, list(map(str, order)))
        return 0
    shop.orders.open(*order)
    return supervise(shop, tasks, given.no, os.environ["SUPERVISOR_TASK"])


if __name__ == "__main__":
    sys.exit(main())
