"""What attempts have spent, and which caps are reached.

Each attempt is counted by one process at a time, which tells the ledger how far it has come. A reading that is told
twice, or after a later one, changes nothing: the greatest stands. So the ledger is right after any crash, up to the
request that was under way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, select, true

from supervisor.policy.spending import Cap, Price, SpendingPolicy, price_in
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.rows import read_task
from supervisor.runtime.store.schema import spending, tasks
from supervisor.runtime.tasks.caps import Reached, Sum, day_of, next_day, reached
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.usage import Spent, Usage, summed, total

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

_LONGEST_MODEL = 200
_READ = spending.c.input_tokens + spending.c.output_tokens


@dataclass(frozen=True, slots=True)
class Counter:
    """What counts: the gateway or the agent, for one attempt at one provider."""

    task: str
    attempt: int
    source: str
    provider: str

    def where(self) -> ColumnElement[bool]:
        of_attempt = (spending.c.task == self.task, spending.c.attempt == self.attempt)
        return and_(*of_attempt, spending.c.source == self.source, spending.c.provider == self.provider)


def note(store: Store, counter: Counter, usage: Usage, prices: Mapping[str, Price], now: float) -> None:
    """Stores what a counter has come to since its attempt began. A reading that is less than what is stored is an old
    one. What was added since the last reading belongs to the day of `now`."""
    told = {model[:_LONGEST_MODEL]: spent for model, spent in usage.items()}
    with store.writing() as connection:
        stored = connection.execute(select(spending).where(counter.where())).all()
        if total(told).tokens < sum(row.input_tokens + row.output_tokens for row in stored):
            return
        today = day_of(now)
        gone = spending.c.model.not_in(told) | (spending.c.day == today)
        connection.execute(spending.delete().where(counter.where(), gone))
        for model, spent in told.items():
            before = summed(_spent(row) for row in stored if row.model == model and row.day != today)
            _insert(connection, counter, model, today, spent.since(before), price_in(prices, model))


def _spent(row: Any) -> Spent:
    return Spent(row.input_tokens, row.cached_tokens, row.output_tokens, row.cost, row.stored_tokens)


def _insert(connection: Connection, counter: Counter, model: str, day: str, spent: Spent, price: Price | None) -> None:
    cost = _priced(price, spent) if price else spent.cost
    connection.execute(
        spending.insert().values(
            task=counter.task,
            attempt=counter.attempt,
            source=counter.source,
            provider=counter.provider,
            model=model,
            day=day,
            input_tokens=spent.input,
            cached_tokens=spent.cached,
            stored_tokens=spent.stored,
            output_tokens=spent.output,
            cost=cost,
        )
    )


def _priced(price: Price, spent: Spent) -> float:
    return price.of(spent.input, spent.cached, spent.stored, spent.output)


def price_unpriced(store: Store, prices: Mapping[str, Price]) -> None:
    """Gives a cost to what was spent on models whose price is known only now."""
    if not prices:
        return
    key = ("task", "attempt", "source", "provider", "model", "day")
    with store.writing() as connection:
        for row in connection.execute(select(spending).where(spending.c.cost.is_(None))).all():
            if price := price_in(prices, row.model):
                same = and_(*(spending.c[name] == getattr(row, name) for name in key))
                connection.execute(spending.update().where(same).values(cost=_priced(price, _spent(row))))


def cap_reached(
    store: Store, task: str, policy: SpendingPolicy, now: float, providers: Iterable[str] = ()
) -> Reached | None:
    """The first cap that is reached, of the task, of it and those above it with all that they have added, and of the
    day, also at these providers. Raises BadInput if there is no such task."""
    with store.reading() as connection:
        return next(_reached(connection, task, policy, now, providers), None)


def _reached(
    connection: Connection, task: str, policy: SpendingPolicy, now: float, providers: Iterable[str]
) -> Iterator[Reached]:
    for cap, scope, whose, grants, raises in _task_caps(connection, task, policy):
        if cap != Cap() and (why := reached(cap, _sum(connection, scope), whose, grants)):
            yield Reached(why, raises=raises)
    today, until = spending.c.day == day_of(now), next_day(now)
    daily = [(cap, today & (spending.c.provider == name), name) for name, cap in policy.providers.items()]
    for cap, scope, whose in [*(each for each in daily if each[2] in providers), (policy.day, today, "everything")]:
        if cap != Cap() and (why := reached(cap, _sum(connection, scope), f"{whose} today")):
            yield Reached(why, until)


def _task_caps(
    connection: Connection, task: str, policy: SpendingPolicy
) -> Iterator[tuple[Cap, ColumnElement[bool], str, int, str]]:
    """The caps that hold for a task: each with what counts for it, whose it is, how often it was raised, and what
    raises it."""
    spec, row = _spec(connection, task)
    yield spec.cap.least(policy.task), spending.c.task == task, f"task {task}", row.grants, "task"
    while True:
        cap = spec.tree_cap if spec.parent else spec.tree_cap.least(policy.tree)
        below = spending.c.task.in_(subtree(row.id))
        yield cap, below, f"task {row.id} with all that it has added", row.tree_grants, f"tree:{row.id}"
        if spec.parent is None:
            return
        spec, row = _spec(connection, spec.parent)


def _spec(connection: Connection, task: str) -> tuple[Spec, Any]:
    row = connection.execute(select(tasks.c.id, tasks.c.grants, tasks.c.tree_grants).where(tasks.c.id == task)).first()
    return read_task(connection, task).spec, row


def subtree(task: str) -> Any:
    """A query for a task and all that it has added."""
    found = select(tasks.c.id).where(tasks.c.id == task).cte(recursive=True)
    found = found.union(select(tasks.c.id).join(found, tasks.c.parent == found.c.id))
    return select(found.c.id)


def _sum(connection: Connection, scope: ColumnElement[bool]) -> Sum:
    row = connection.execute(select(func.sum(_READ), func.sum(spending.c.cost)).where(scope)).one()
    unpriced = select(spending.c.model).where(scope, spending.c.cost.is_(None), _READ > 0).distinct()
    models = connection.scalars(unpriced.order_by(spending.c.model)).all()
    return Sum(int(row[0] or 0), float(row[1] or 0.0), tuple(models))


# What people look at


def spent_by_task(store: Store, ids: Sequence[str] | None = None) -> dict[str, Sum]:
    """What each of these tasks, or each task, has spent by itself."""
    scope = true() if ids is None else spending.c.task.in_(ids)
    return {key[0]: spent for key, spent in _grouped(store, ("task",), scope).items()}


def spent_by_attempt(store: Store, task: str) -> dict[int, Sum]:
    """What each attempt of a task has spent."""
    found = _grouped(store, ("attempt",), spending.c.task == task)
    return {int(key[0]): spent for key, spent in found.items()}


def spent_in_tree(store: Store, task: str) -> Sum:
    """What a task has spent with all that it has added."""
    with store.reading() as connection:
        return _sum(connection, spending.c.task.in_(subtree(task)))


def spent_by_day(store: Store, since: str) -> dict[tuple[Any, ...], Sum]:
    """What was spent on each day from this one (UTC), by provider and model: `(day, provider, model)`."""
    return _grouped(store, ("day", "provider", "model"), spending.c.day >= since)


def _grouped(store: Store, names: Sequence[str], scope: ColumnElement[bool]) -> dict[tuple[Any, ...], Sum]:
    """Sums over all rows that share these columns."""
    columns = [spending.c[name] for name in names]
    sums = select(*columns, func.sum(_READ), func.sum(spending.c.cost)).where(scope).group_by(*columns)
    lacking = select(*columns, spending.c.model).where(scope, spending.c.cost.is_(None), _READ > 0).distinct()
    with store.reading() as connection:
        rows = connection.execute(sums.order_by(*columns)).all()
        models: dict[tuple[Any, ...], list[str]] = {}
        for row in connection.execute(lacking.order_by(spending.c.model)).all():
            models.setdefault(tuple(row[: len(names)]), []).append(row[-1])
    found = {}
    for row in rows:
        key, size = tuple(row[: len(names)]), len(names)
        found[key] = Sum(int(row[size] or 0), float(row[size + 1] or 0.0), tuple(models.get(key, ())))
    return found
