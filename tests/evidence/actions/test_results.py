"""What tools return: as values, as rows changed, as money moved."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.affected import rows_changed, rows_counted, rows_named
from supervisor.evidence.actions.results import DEPTH, MAX_JSON, returned, texts_of, values_named
from supervisor.evidence.business.amounts import Money
from supervisor.evidence.business.moved import agrees, moved
from supervisor.evidence.sql import read
from tests.intake.json_strategies import ordinary

NO_OBJECTS = ["[1]", "text", '{"a": ', None, [1], 3, '{"a":' * 9_999, '{"a": "' + "x" * MAX_JSON + '"}']


def ran(output: Any, **args: Any) -> tuple[Action, Context]:
    return Action("tool", args), Context(ran=Step("tool", args, output))


@pytest.mark.parametrize("output", ['{"a": {"b": 1}}', ' \n{"a": {"b": 1}}', {"a": {"b": 1}}])
def test_an_object_is_one_however_it_is_returned(output: Any) -> None:
    assert returned(*ran(output)) == {"a": {"b": 1}}


@pytest.mark.parametrize("output", NO_OBJECTS, ids=range(len(NO_OBJECTS)))
def test_anything_else_is_none(output: Any) -> None:
    assert returned(*ran(output)) == {}


def test_names_are_compared_as_people_spell_them_and_outer_ones_come_first() -> None:
    value = {"x": {"amount-paid": 2, "y": {"z": {"amountPaid": 4}}}, "Amount_Paid": 1, "list": [{"amountpaid": 3}]}
    assert list(values_named(value, frozenset({"amountpaid"}))) == [("Amount_Paid", 1), ("amount-paid", 2)]


@given(ordinary)
def test_whatever_is_returned_can_be_read(output: Any) -> None:
    for each in (output, json.dumps(output)):
        action, context = ran(each)
        list(texts_of(context))
        assert all(
            isinstance(name, str) for name, _ in values_named(returned(action, context), frozenset({"a", "amount"}))
        )
        assert rows_changed(action, context) is None or rows_changed(action, context) >= 0
        agrees(Money(3), moved(action, context), action, context)


def test_what_lies_deep_is_not_looked_at() -> None:
    deep: dict[str, Any] = {"amount": 1}
    for _ in range(DEPTH):
        deep = {"inner": deep}
    assert list(values_named(deep, frozenset({"amount"}))) == []


@pytest.mark.parametrize(
    ("output", "rows"),
    [
        ("UPDATE 12", 12),
        ("BEGIN\nDELETE 3\nCOMMIT\n", 3),
        ("Query OK, 1 row affected (0.00 sec)", 1),
        ("(44 rows affected)", 44),
        ("Rows updated: 7", 7),
        ({"rowCount": 5}, 5),
        ('{"result": {"affected_rows": 6}}', 6),
        ("INSERT 0 9", None),
        ("please UPDATE 12 things", None),
        ({"rowCount": True}, None),
        ("(12 rows)", None),
    ],
)
def test_how_many_rows_were_changed(output: Any, rows: int | None) -> None:
    assert rows_changed(*ran(output)) == rows


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("DELETE FROM users WHERE id = 7", 1),
        ("DELETE FROM users WHERE 7 = id AND active", 1),
        ("UPDATE users SET a = 1 WHERE user_id IN (1, 2, 3)", 3),
        ("UPDATE users SET a = 1 WHERE id = $1", 1),
        ("UPDATE users SET a = 1 WHERE id = ?", 1),
        ("UPDATE users SET a = 1 WHERE id = 'x'::uuid", 1),
        ("UPDATE users SET a = 1 WHERE id IN (SELECT user_id FROM gone)", None),
        ("UPDATE users SET a = 1 WHERE id IN (?)", None),
        ("DELETE FROM users WHERE id = parent_id", None),
        ("DELETE FROM users WHERE id > 7", None),
        ("DELETE FROM users WHERE id = 7 OR id = 8", None),
        ("DELETE FROM posts WHERE user_id = 7", None),
        ("DELETE FROM users", None),
        ("SELECT * FROM users WHERE id = 7", None),
    ],
)
def test_how_many_rows_a_condition_names(query: str, rows: int | None) -> None:
    (statement,) = read(query)
    assert rows_named(statement) == rows


@pytest.mark.parametrize(
    ("asked", "output", "rows"),
    [
        ("SELECT count(*) FROM t WHERE a = 1 AND b = 2", "120", 120),
        ("select COUNT(1) as n from T where b=2 and a=1", [{"n": 120}], 120),
        ("SELECT count(*) FROM t WHERE a = 1 AND b = 2", " count \n-------\n   120\n(1 row)\n", 120),
        ("SELECT count(*) FROM t WHERE a = 1 AND b = 2", "| count(*) |\n|---|\n| 120 |", 120),
        ("SELECT count(*) FROM t WHERE a = 1", "120", None),
        ("SELECT count(*) FROM u WHERE a = 1 AND b = 2", "120", None),
        ("SELECT a, count(*) FROM t WHERE a = 1 AND b = 2 GROUP BY a", "120", None),
        ("SELECT count(*) FROM t WHERE a = 1 AND b = 2", "about 120, or 130", None),
        ("SELECT count( FROM", "120", None),
    ],
)
def test_how_many_rows_were_counted_before(asked: str, output: Any, rows: int | None) -> None:
    (statement,) = read("DELETE FROM t WHERE a = 1 AND b = 2")
    past = [Step("sql", {"query": asked}, output, "sql"), Step("sql", {"query": "SELECT 1"}, "1", "sql")]
    assert rows_counted(statement, past) == rows


@pytest.mark.parametrize(
    ("output", "fits"),
    [
        ({"amount": 20}, True),
        ({"amount": 2000}, True),
        ({"amount": "20.00"}, True),
        ({"amount": 0.2}, True),
        ({"amount": 21.5, "fee": 1.5}, True),
        ({"amount": 18.5, "fee": "1.50"}, True),
        ({"amount": 24, "tax": 3, "tip": 1}, True),
        ({"amount": -20}, True),
        ({"amount": 200}, False),
        ({"amount": 30, "fee": 1.5}, False),
        ("Refunded $20.00 of $90.00", True),
        ("Charged $200.00", False),
        ({"paid": True, "amount": 20}, True),
    ],
)
def test_whether_the_money_is_what_was_asked(output: Any, fits: bool) -> None:
    action, context = ran(output)
    found = moved(action, context)
    assert found
    assert agrees(Money(20.0), found, action, context) is fits


@pytest.mark.parametrize(
    "output", ["The balance is $200.00.", {"status": "declined", "amount": 200}, {"balance": 9}, "ok"]
)
def test_nothing_that_was_moved(output: Any) -> None:
    assert moved(*ran(output)) == []
