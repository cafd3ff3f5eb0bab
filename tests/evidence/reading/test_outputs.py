"""What a tool returned, as values, in whatever format it is written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from supervisor.evidence.reading.outputs import returned_values, says_failed

_ORDER = {"order_id": "A-1", "paid": 50, "shipped": False}
_ORDERS = [_ORDER, {"order_id": "A-2", "paid": 7, "shipped": True}]


@pytest.mark.parametrize(
    "output",
    [
        _ORDER,
        [_ORDER],
        json.dumps(_ORDER),
        json.dumps(json.dumps(_ORDER)),
        f"```json\n{json.dumps(_ORDER, indent=2)}\n```",
        f"Here is the order:\n{json.dumps(_ORDER)}",
        {"status": "ok", "data": _ORDER},
        {"success": True, "result": json.dumps(_ORDER)},
        "order_id: A-1\npaid: 50\nshipped: false",
        "order_id: 'A-1'\npaid: 50\nshipped: false",
        "**Order ID:** A-1\n**Paid:** 50\n**Shipped:** false",
        "| Order ID | Paid | Shipped |\n|---|---:|---|\n| A-1 | 50 | false |",
        "order_id,paid,shipped\nA-1,50,false",
        "order_id;paid;shipped\nA-1;50;false",
        "<table><tr><th>Order ID</th><th>Paid</th><th>Shipped</th></tr>"
        "<tr><td>A-1</td><td>50</td><td>false</td></tr></table>",
        "<dl><dt>Order ID</dt><dd>A-1</dd><dt>Paid</dt><dd>50</dd><dt>Shipped</dt><dd>false</dd></dl>",
    ],
)
def test_one_record_is_the_same_in_every_format(output: Any) -> None:
    assert returned_values(output) == _ORDER


@pytest.mark.parametrize(
    "output",
    [
        "\n".join(map(json.dumps, _ORDERS)),
        "order_id: A-1\npaid: 50\nshipped: false\n\norder_id: A-2\npaid: 7\nshipped: true",
        "- order_id: A-1\n  paid: 50\n  shipped: false\n- order_id: A-2\n  paid: 7\n  shipped: true",
        "order_id\tpaid\tshipped\nA-1\t50\tfalse\nA-2\t7\ttrue",
    ],
)
def test_so_are_several(output: Any) -> None:
    assert returned_values(output) == _ORDERS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sent",
        "Note: please call back tomorrow.",
        "Dear Kim,\nthank you for your order, it is on its way.\nBest, Ida",
        "From: ida@example.org\nSubject: Order\n\nIt is on its way.",
        "- milk\n- bread",
        "a, b\nc, d, e",
        "anchors: &a\n  - 1\nmore: *a",
        "{broken",
        "Total: 5 euros. Call us: it helps.\nBye",
        "x" * 20_000,
        "[" * 5_000,
    ],
)
def test_prose_stays_prose(text: str) -> None:
    assert returned_values(text) is None


def test_a_state_is_no_envelope() -> None:
    shipped = {"status": "shipped", "items": [{"sku": "x"}]}
    assert returned_values(shipped) == shipped
    assert returned_values({"status": "failed", "data": {"id": 1}}) == {"status": "failed", "data": {"id": 1}}


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ({"error": "not found"}, True),
        ('{"ok": false, "reason": "quota"}', True),
        ("ok: false\nreason: quota", True),
        ({"status": 404}, True),
        ({"status": "failed"}, True),
        ({"status": "ok", "data": {"error": "declined"}}, True),
        ({"error": None, "id": 1}, False),
        ({"status": 200}, False),
        ("Error: not found", False),
        (_ORDER, False),
    ],
)
def test_a_field_says_that_a_call_failed(output: Any, failed: bool) -> None:
    assert says_failed(output) is failed
