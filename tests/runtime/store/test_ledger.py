"""The ledger has what the models have counted, whatever is told twice, late or on another day; and caps hold."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from supervisor.policy import Cap, Price, SpendingPolicy
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.attempts import begin, settle
from supervisor.runtime.store.changes import answer
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.ledger import (
    Counter,
    cap_reached,
    note,
    price_unpriced,
    spent_by_attempt,
    spent_by_day,
    spent_by_task,
    spent_in_tree,
)
from supervisor.runtime.store.queries import show
from supervisor.runtime.store.schema import spending
from supervisor.runtime.tasks.caps import Sum, next_day
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.usage import Spent, Usage
from tests.runtime.store.test_transitions import GROUP, Enqueuing, QuickStore, executor

DAY = 24 * 3600.0
PRICES = {"a": Price(2.0, 10.0, cached=0.2), "b": Price(1.0, 4.0)}
requests = st.tuples(
    st.sampled_from(["a", "b", "new"]),
    st.builds(Spent, st.integers(0, 9000), st.integers(0, 500), st.integers(0, 900), stored=st.integers(0, 500)),
)
attempts = st.lists(st.lists(requests, max_size=6), max_size=3)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Any:
    store = QuickStore(f"sqlite:///{tmp_path_factory.mktemp('ledger') / 'a.db'}")
    yield store
    store.close()


def cumulative(told: list[tuple[str, Spent]]) -> list[Usage]:
    """What a counter says after each request: its totals so far."""
    found: list[Usage] = []
    for model, spent in told:
        before = dict(found[-1]) if found else {}
        found.append({**before, model: before.get(model, Spent()) + spent})
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(attempts, st.randoms(), st.data())
def test_it_has_what_the_models_have_counted(
    quick: Store, counted: list[list[tuple[str, Spent]]], chance: Any, data: st.DataObject
) -> None:
    """Each attempt tells its totals, some of them twice, in any order, over three days, with a clock that may be set
    back."""
    with quick.writing() as connection:
        connection.execute(spending.delete())
    readings = [(at, each) for at, told in enumerate(counted, 1) for each in cumulative(told) * 2]
    chance.shuffle(readings)
    for attempt, usage in readings:
        now = DAY * data.draw(st.integers(0, 2))
        note(quick, Counter("t", attempt, "agent", "p"), usage, PRICES, now)
    flat = [each for told in counted for each in told]
    found = spent_by_task(quick).get("t", Sum())
    assert found.tokens == sum(spent.tokens for _, spent in flat)
    known = [(PRICES[model], spent) for model, spent in flat if model in PRICES]
    dollars = sum(price.of(each.input, each.cached, each.stored, each.output) for price, each in known)
    assert found.dollars == pytest.approx(dollars)
    is_unknown = any(spent.tokens for model, spent in flat if model == "new")
    assert found.unpriced == (("new",) if is_unknown else ())
    by_attempt = {at: sum(each.tokens for _, each in told) for at, told in enumerate(counted, 1) if told}
    assert {at: each.tokens for at, each in spent_by_attempt(quick, "t").items()} == by_attempt
    assert sum(each.tokens for each in spent_by_day(quick, "1970-01-01").values()) == found.tokens


def test_what_the_agent_and_the_gateway_count_adds_up(store: Store) -> None:
    for source in ("agent", "gateway"):
        note(store, Counter("t", 1, source, "p"), {"a": Spent(10, 0, 5)}, {}, 0.0)
    assert spent_by_task(store)["t"] == Sum(30, 0.0, ("a",))


def test_a_model_that_turns_out_to_have_another_name_is_not_counted_twice(store: Store) -> None:
    """Meanwhile an agent tells what it reads; in the end, what each model has come to."""
    counter = Counter("t", 1, "agent", "p")
    note(store, counter, {"alias": Spent(100, 0, 1)}, {}, 0.0)
    note(store, counter, {"name": Spent(100, 0, 50, 0.25)}, {}, DAY)
    assert spent_by_task(store)["t"] == Sum(150, 0.25)
    note(store, counter, {"alias": Spent(100, 0, 1)}, {}, DAY)
    assert spent_by_task(store)["t"] == Sum(150, 0.25)


def test_a_price_that_comes_later_prices_what_was_spent_before(store: Store) -> None:
    note(store, Counter("t", 1, "agent", "p"), {"a": Spent(1_000_000, 0, 0), "new": Spent(7)}, {}, 0.0)
    price_unpriced(store, PRICES)
    assert spent_by_task(store)["t"] == Sum(1_000_007, 2.0, ("new",))
    price_unpriced(store, {"a": Price(9.0, 9.0)})  # what has a cost keeps it
    assert spent_by_task(store)["t"].dollars == 2.0


class Tree3:
    """A task, its child and grandchild, and another task."""

    def __init__(self, store: Store, **caps: Cap) -> None:
        self.store, self.enqueue = store, Enqueuing()
        self.root = self.add(**caps)
        self.child = self.add(parent=self.root)
        self.grandchild = self.add(parent=self.child)
        self.other = self.add()

    def add(self, **more: Any) -> str:
        return add(self.store, self.enqueue, Spec(("true",), "/", **more), time.time()).id

    def spend(self, task: str, tokens: int, provider: str = "p", now: float = 0.0) -> None:
        note(self.store, Counter(task, 1, "agent", provider), {"a": Spent(tokens)}, PRICES, now)

    def why(self, task: str, policy: SpendingPolicy, *providers: str, now: float = 0.0) -> str:
        found = cap_reached(self.store, task, policy, now, providers)
        return found.reason if found else ""


def test_the_cap_of_a_tree_counts_all_that_was_added(store: Store) -> None:
    tree, policy = Tree3(store), SpendingPolicy(tree=Cap(tokens=100))
    tree.spend(tree.root, 50)
    tree.spend(tree.grandchild, 49)
    tree.spend(tree.other, 60)
    assert spent_in_tree(store, tree.child) == Sum(49, pytest.approx(49 * 2 / 1e6))
    assert [tree.why(each, policy) for each in (tree.root, tree.child, tree.other)] == ["", "", ""]
    tree.spend(tree.child, 1)
    reason = f"task {tree.root} with all that it has added has spent 100 tokens, and may spend 100"
    assert [tree.why(each, policy) for each in (tree.root, tree.child, tree.grandchild)] == [reason] * 3
    assert tree.why(tree.other, policy) == ""


def test_a_task_has_the_stricter_of_its_own_cap_and_the_policys(store: Store) -> None:
    tree = Tree3(store, cap=Cap(tokens=10))
    tree.spend(tree.root, 10)
    tree.spend(tree.child, 50)
    assert "may spend 10" in tree.why(tree.root, SpendingPolicy(task=Cap(tokens=1000)))
    assert tree.why(tree.child, SpendingPolicy(task=Cap(tokens=51))) == ""
    assert "may spend 5" in tree.why(tree.root, SpendingPolicy(task=Cap(tokens=5)))


def test_the_caps_of_a_day_and_of_a_provider_end_with_the_day(store: Store) -> None:
    tree = Tree3(store)
    policy = SpendingPolicy(day=Cap(tokens=100), providers={"p": Cap(tokens=50)})
    tree.spend(tree.root, 50, "p")
    assert tree.why(tree.other, policy, "p") == "p today has spent 50 tokens, and may spend 50"
    assert tree.why(tree.other, policy, "q") == ""
    tree.spend(tree.root, 50, "q")
    assert tree.why(tree.other, policy) == "everything today has spent 100 tokens, and may spend 100"
    found = cap_reached(store, tree.other, policy, 0.0)
    assert found is not None
    assert found.until == next_day(0.0)
    assert tree.why(tree.other, policy, "p", now=next_day(0.0)) == ""


@pytest.mark.parametrize("whose", ["task", "tree"])
@pytest.mark.parametrize("word", ["retry", "give-up"])
def test_a_person_allows_as_much_again_or_gives_up(store: Store, whose: str, word: str, tmp_path: Path) -> None:
    caps: Mapping[str, Cap] = {"cap" if whose == "task" else "tree_cap": Cap(tokens=100)}
    tree = Tree3(store, **caps)
    stopped = tree.root if whose == "task" else tree.child
    begin(store, stopped, 1, executor("blue"), Tree.planned(new_marker(), GROUP), "log", 0.0)
    tree.spend(stopped, 100)
    found = cap_reached(store, stopped, SpendingPolicy(), 0.0)
    assert found is not None
    settle(store, tree.enqueue, stopped, 1, found.outcome(0.0), 0.0)
    (question,) = show(store, stopped)["questions"]
    assert question["choices"] == ["retry", "give-up"]
    answer(store, tree.enqueue, stopped, word, "Ada", 1.0)
    if word == "give-up":
        assert (show(store, stopped)["state"], show(store, stopped)["reason"]) == ("failed", "given up by Ada")
        return
    row = show(store, stopped)
    assert (row["state"], row["target"], row["failures"]) == ("queued", "blue", 0)
    assert cap_reached(store, stopped, SpendingPolicy(), 0.0) is None
    tree.spend(stopped, 199)
    assert cap_reached(store, stopped, SpendingPolicy(), 0.0) is None
    tree.spend(stopped, 200)
    assert cap_reached(store, stopped, SpendingPolicy(), 0.0) is not None
    begun = begin(store, stopped, 2, executor("blue"), Tree.planned(new_marker(), GROUP), "log", 2.0)
    assert getattr(begun, "given", "none") is None  # the agent has asked nothing
