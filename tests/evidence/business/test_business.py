"""A business is read from the shapes and names that it has, whatever it sells; and no shape breaks a reading."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.evidence.business import Business, business, operation
from supervisor.evidence.business.amounts import given_back, paid_for, requested_amount, sums_in
from supervisor.evidence.business.schema import schema
from supervisor.evidence.business.sentences import rules_in
from tests.intake.json_strategies import ordinary

LOOK = Action("get_order", {"order_id": "A-100"})


def known(*steps: Step, **facts: Any) -> Business:
    return business(Action(LOOK.tool, LOOK.args), Context(history=steps, facts=facts))


SHAPES: dict[str, dict[str, Any]] = {
    "a fact of its own": {"order": {"order_id": "A-100", "user_id": "u1", "status": "Open"}},
    "a plain id below its kind": {"order": {"id": "A-100", "customer": "u1", "state": "open"}},
    "a list": {"orders": [{"order_id": "A-100", "customer_id": "u1", "status": "open"}]},
    "a table by id": {"orders": {"#A-100": {"customer_id": "u1", "status": "open"}}},
    "below what the host calls its data": {
        "db": {"data": {"order": {"orderId": "A-100", "userId": "u1", "status": "open"}}}
    },
    "inside of its owner": {"user": {"user_id": "u1", "orders": [{"order_id": "A-100", "status": "open"}]}},
    "an owner that is an object": {"order": {"id": "A-100", "customer": {"id": "u1"}, "status": "open"}},
    "under names of its own": {
        "purchase": {"purchase_no": "A-100", "client_no": "u1", "phase": "open"},
        "business": {
            "records": {"order": {"table": "purchase", "id": "purchase_no", "owner": "client_no", "state": "phase"}}
        },
    },
}


@pytest.mark.parametrize("facts", SHAPES.values(), ids=SHAPES.keys())
def test_a_record_in_many_shapes(facts: dict[str, Any]) -> None:
    record = known(**facts).find("order", "a-100")
    assert record is not None
    assert (record.kind, record.owner, record.state) == ("order", "u1", "open")


class TestWhoseRequestItIs:
    @pytest.mark.parametrize(
        ("facts", "customer"),
        [
            ({"authenticated_user": "u1"}, "u1"),
            ({"verified_customer": {"id": 7, "name": "x"}}, "7"),
            ({"customer": {"customer_id": "c1"}}, "c1"),
            ({"db": {"user": {"user_id": "u1"}, "order": {"order_id": "o1", "user_id": "u2"}}}, "u1"),
            ({"principal": "u2", "order": {"order_id": "o1", "user_id": "u2"}}, "u2"),
            ({"principal": "user"}, ""),
            ({"users": [{"user_id": "u1"}, {"user_id": "u2"}]}, ""),
            ({"role": "admin", "authenticated_user": "u1"}, ""),
            ({"role": "admin", "authenticated_user": "u1", "authenticated_customer": "c1"}, "c1"),
            ({"business": {"customer": "who"}, "who": "k9", "customer_id": "c1"}, "k9"),
        ],
    )
    def test_the_one_who_is_named(self, facts: dict[str, Any], customer: str) -> None:
        assert known(**facts).customer == customer

    def test_an_address_and_a_number_are_one_person(self) -> None:
        found = known(authenticated_user="ann@example.org", user={"user_id": "u1", "email": "Ann@example.org"})
        assert found.is_customer("u1")
        assert not found.is_customer("u2")


class TestWhatToolsReturned:
    READ = Step("get_line", {"line_id": "L-77"}, {"line_id": "L-77", "status": "active"})

    def test_it_is_known(self) -> None:
        found = known(self.READ, Step("x", {}, "not JSON {")).find("line", "L-77")
        assert found is not None
        assert found.state == "active"

    def test_what_was_changed_since_has_no_state(self) -> None:
        changed = Step("suspend_line", {"line_id": "L-77"}, "done")
        found = known(self.READ, changed)
        record = found.find("line", "L-77")
        assert record is not None
        assert found.state_of(record) == ""
        again = known(
            self.READ, changed, Step("get_line", {"line_id": "L-77"}, '{"line_id": "L-77", "status": "suspended"}')
        )
        record = again.find("line", "L-77")
        assert record is not None
        assert again.state_of(record) == "suspended"

    def test_facts_count_before_them(self) -> None:
        found = known(self.READ, line={"line_id": "L-77", "status": "closed"})
        record = found.find("line", "L-77")
        assert record is not None
        assert found.state_of(record) == "closed"

    def test_a_shorter_past_of_the_same_session_sees_no_more(self) -> None:
        from supervisor.history import History

        history = History([self.READ])
        before = history.snapshot()
        history.append(Step("get_line", {"line_id": "L-78"}, {"line_id": "L-78", "status": "active"}))
        assert business(Action("x", {}), Context(history=history.snapshot())).find("line", "L-78")
        assert business(Action("x", {}), Context(history=before)).find("line", "L-78") is None


@pytest.mark.parametrize(
    ("tool", "act", "reads", "states"),
    [
        ("cancel_pending_order", "cancel", False, {"pending"}),
        ("orders.update", "modify", False, set()),
        ("mcp__shop__exchangeDeliveredItems", "exchange", False, {"delivered"}),
        ("process_refund", "refund", False, set()),
        ("mark_order_shipped", "", False, set()),
        ("get_cancelled_orders", "", True, set()),
        ("find_user_id_by_email", "", True, set()),
        ("close_account", "close", False, set()),
        ("parcelshop_update_shipping_address", "modify", False, set()),
        ("signdesk_void_envelope", "cancel", False, set()),
        ("ledger_void_paid_invoice", "cancel", False, {"paid"}),
    ],
)
def test_what_a_tools_name_tells(tool: str, act: str, reads: bool, states: set[str]) -> None:
    found = operation(Action(tool, {}), Context())
    assert (found.act, found.reads, found.states) == (act, reads, states)


@pytest.mark.parametrize(
    ("tool", "args", "reads"),
    [
        ("wipe_accounts_lookup", {"order_id": "O-1001", "amount": 500}, False),
        ("purge_find_accounts", {"order_id": "O-1001", "Amount": 500}, False),
        ("order_lookup", {"order_id": "O-1001", "amount": 500}, True),
        ("office-get-order", {"order_id": "O-1001"}, True),
    ],
)
def test_a_call_with_an_amount_does_not_only_read_behind_an_unknown_word(
    tool: str, args: dict[str, Any], reads: bool
) -> None:
    assert operation(Action(tool, args, "tool"), Context()).reads is reads


def test_what_arguments_name() -> None:
    args = {"order_id": 5, "item_ids": ["a", "b"], "new_item_ids": ["c"], "to_account_id": "x", "zip_code": "8004"}
    found = operation(Action("swap", {**args, "payment_method_id": "p", "legs": [{"flight_id": "f"}]}), Context())
    told = [(each.kind, each.id, each.others) for each in found.named]
    assert told == [
        ("order", "5", False),
        ("item", "a", False),
        ("item", "b", False),
        ("item", "c", False),
        ("account", "x", True),
        ("payment_method", "p", False),
        ("flight", "f", False),
    ]


def test_a_gift_card_is_nobody_elses_for_its_name() -> None:
    (own,) = operation(Action("pay_order", {"gift_card_id": "g-1"}), Context()).named
    (given,) = operation(Action("pay_order", {"gift_account_id": "a-1"}), Context()).named
    assert (own.is_instrument, own.others, given.others) == (True, False, True)


RULES = [  # a sentence, an act, a state, and whether the act is forbidden in it
    ("An order can only be cancelled if its status is 'open'.", "cancel", "shipped", True),
    ("An order can only be cancelled if its status is 'open'.", "cancel", "open (address changed)", False),
    ("Only delivered orders may be returned.", "return", "pending", True),
    ("Cancelled orders cannot be refunded.", "refund", "cancelled", True),
    ("Do not cancel orders that have been shipped.", "cancel", "shipped", True),
    ("Bills that are already paid cannot be paid again.", "pay", "paid", True),
    ("An account that is frozen must not be charged.", "pay", "frozen", True),
    ("You must not modify a booking once it has been used.", "modify", "used", True),
    ("Reservations cannot be changed unless they are confirmed.", "modify", "draft", True),
    ("Reservations cannot be changed unless they are confirmed.", "modify", "confirmed", False),
]


@pytest.mark.parametrize(("sentence", "act", "state", "forbidden"), RULES)
def test_rules_about_states(sentence: str, act: str, state: str, forbidden: bool) -> None:
    (rule,) = rules_in(sentence).states
    assert act in rule.acts
    assert rule.forbids(state) is forbidden


@pytest.mark.parametrize(
    ("sentence", "value", "speaks"),
    [
        ("Basic economy flights cannot be modified.", "basic_economy", True),
        ("Basic economy flights cannot be modified.", "economy", False),
        ("Economy flights cannot be modified.", "economy", True),
        ("Economy plus flights cannot be modified.", "economy", False),
        ("Flights booked in economy cannot be modified.", "economy", True),
    ],
)
def test_a_class_is_not_another_one_whose_name_it_is_part_of(sentence: str, value: str, speaks: bool) -> None:
    (rule,) = rules_in(sentence).states
    assert rule.speaks_of(value) is speaks


@pytest.mark.parametrize(
    ("sentence", "most"),
    [
        ("At most 2 GB per request can be added.", 2),
        ("Each booking can have at most five passengers.", 5),
        ("At most 2 bags per passenger are free.", None),
    ],
)
def test_a_limit_of_one_request_is_one(sentence: str, most: float | None) -> None:
    assert [limit.most for limit in rules_in(sentence).limits] == ([] if most is None else [most])


def test_what_is_not_understood_is_told() -> None:
    read = rules_in("Refunds over $100 need a manager. Be kind. You must never argue with a customer about taste.")
    assert [limit.most for limit in read.limits] == [100]
    assert read.unread == ("You must never argue with a customer about taste.",)


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        ("$1,250.50 and 30 EUR", [(1250.5, "USD"), (30, "EUR")]),
        ("€ 12,50, CHF 1'000, £3k", [(12.5, "EUR"), (1000, "CHF"), (3000, "GBP")]),
        ("try 20 times in 7 days, room 101", []),
        ("20 dollars", [(20, "USD")]),
    ],
)
def test_sums_of_money(text: str, sums: list[tuple[float, str]]) -> None:
    assert [(each.amount, each.currency) for each in sums_in(text)] == sums


def test_amounts_in_cents() -> None:
    action = Action("charge", {"amount_cents": 4500, "currency": "eur"})
    asked = requested_amount(action, schema(action, Context()))
    assert asked is not None
    assert (asked.amount, asked.currency) == (45, "EUR")
    record = known(order={"order_id": "A-100", "total_cents": 1550, "refunded_cents": 50}).find("order", "A-100")
    assert record is not None
    assert (paid_for(record), given_back(record)) == (15.5, 0.5)


@given(
    st.dictionaries(
        st.sampled_from(["order", "user", "db", "orders", "business", "policy", "x"]), ordinary, max_size=4
    ),
    ordinary,
)
def test_no_shape_breaks_a_reading(facts: dict[str, Any], output: Any) -> None:
    action = Action("cancel_order", {"order_id": output, "amount": output})
    context = Context(facts=facts, history=[Step("get_order", {"order_id": 1}, output)])
    found = business(action, context)
    assert operation(action, context).act == "cancel"
    for record in found.facts.records.values():
        paid_for(record)
        given_back(record)
        assert record.id.strip()


@given(st.text(max_size=400))
def test_no_text_breaks_the_reading_of_rules(text: str) -> None:
    read = rules_in(text)
    assert all(rule.sentence in text for rule in read.states)
    sums_in(text)
