"""Where a browsing agent is, what it presses and what it types, however its tools name these."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.web.browsing import label_of, page_url
from supervisor.evidence.web.buttons import DELETES, ORDERS, PUBLISHES
from supervisor.evidence.web.typing_in import credential_fields, secret_fields
from supervisor.intake.parsing import action_from, context_from


def _click(**args: object):
    return action_from({"tool": "browser_click", "args": args})


@pytest.mark.parametrize(
    ("button", "label"),
    [
        (ORDERS, "'Place order' button"),
        (ORDERS, "Pay $1,031.43"),
        (ORDERS, "Jetzt kaufen"),
        (ORDERS, "Confirm booking"),
        (DELETES, "Yes, delete my account"),
        (DELETES, "Vaciar papelera"),
        (PUBLISHES, "link 'Publish'"),
        (PUBLISHES, "Make public"),
    ],
)
def test_buttons_are_known_by_their_whole_label(button, label):
    assert button.pressed(_click(element=label))
    assert not button.pressed(_click(element=f"{label} history and more"))


@pytest.mark.parametrize(
    "label", ["Buy", "Order history", "Post office", "Delete row", "Add to cart", "Deleted items", "Payment methods"]
)
def test_labels_that_only_sound_alike(label):
    assert not any(button.pressed(_click(element=label)) for button in (ORDERS, DELETES, PUBLISHES))


@pytest.mark.parametrize(
    ("task", "asked"),
    [
        ("Buy the lamp", True),
        ("Bestelle die Lampe", True),
        ("Find the lamp", False),
        ("Put the lamp into the cart, but do not order it", False),
        ("Fill the cart without buying anything", False),
    ],
)
def test_a_deed_is_asked_for_where_the_task_says_so_and_does_not_hold_it_back(task, asked):
    assert ORDERS.is_asked(context_from({"task": task})) is asked


def test_the_label_is_what_stands_on_the_thing():
    assert label_of(_click(element="button", text="APPLY")) == "apply"
    assert label_of(_click(element="the 'Delete_account' button")) == "delete account"


def test_the_page_is_what_the_deployment_says_then_what_the_tools_said_last():
    history = [
        {"tool": "browser_navigate", "args": {"url": "https://a.example.org/"}, "output": "welcome"},
        {
            "tool": "browser_click",
            "args": {"element": "Next"},
            "output": "- Page URL: https://b.example.org/next\n- text",
        },
    ]
    assert page_url(_click(element="x"), context_from({"history": history[:1]})) == "https://a.example.org/"
    assert page_url(_click(element="x"), context_from({"history": history})) == "https://b.example.org/next"
    assert (
        page_url(_click(element="x"), context_from({"history": history, "page_url": "https://c.example.org"}))
        == "https://c.example.org"
    )
    assert page_url(_click(element="x"), context_from({})) == ""


@pytest.mark.parametrize(
    ("args", "secret", "credential"),
    [
        ({"element": "Password", "text": "x"}, True, True),
        ({"fields": [{"name": "CVC", "value": "123"}]}, True, False),
        ({"fields": {"user": "kim", "one_time_code": "1"}}, True, True),
        ({"element": "Search passwords", "text": "x"}, False, False),
        ({"element": "Password", "text": ""}, False, False),
        ({"element": "City", "text": "my password is x"}, False, False),
    ],
)
def test_what_is_typed_is_secret_by_its_field(args, secret, credential):
    action = action_from({"tool": "browser_type", "args": args})
    assert (bool(secret_fields(action)), bool(credential_fields(action))) == (secret, credential)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(["element", "text", "fields", "values", "value", "page_url", "name"]), _JSON, max_size=4
    )
)
def test_no_arguments_are_too_strange(args):
    action = action_from({"tool": "browser_type", "args": args, "kind": "form"})
    assert isinstance(label_of(action), str)
    assert isinstance(page_url(action, context_from({})), str)
    assert all(isinstance(label, str) for label in secret_fields(action))
