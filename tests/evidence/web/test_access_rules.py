"""Rules about users, in the words of many houses; none of them may bar whom it is not about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.web.access_rules import _rules_in, broken_rule
from supervisor.evidence.web.activities import things_in
from supervisor.intake.parsing import action_from, context_from

RULES = [
    ("Users under 21 may not buy alcohol.", {"age": 20}, {"age": 21}),
    ("Only members can check out.", {"member": False}, {"member": True}),
    ("You must be at least 25 to rent a luxury car.", {"age": 24}, {"age": 25}),
    ("Renting a scooter requires a valid driver's licence.", {"driving_license": False}, {"driving_license": True}),
    ("Non-members are not allowed to book courts.", {"membership": False}, {"membership": True}),
    ("Minors cannot place bets.", {"age": 17}, {"age": 18}),
    ("Users outside the EU may not open an account.", {"country": "India"}, {"country": "France"}),
    ("A prescription is required to order antibiotics.", {"prescription": False}, {"prescription": True}),
    ("No alcohol for customers under 18.", {"age": 16}, {"age": 30}),
    ("Cigarettes may not be sold to persons under 18.", {"age": 15}, {"age": 18}),
    ("Customers with a credit score below 600 cannot apply for a loan.", {"credit_score": 540}, {"credit_score": 640}),
    ("Users who are not verified cannot withdraw funds.", {"verified": False}, {"verified": True}),
    ("Guests aged 65 or older cannot ride the coaster.", {"age": 65}, {"age": 64}),
    (
        "Voting is restricted to residents of Canada.",
        {"country_of_residence": "US"},
        {"country_of_residence": "Canada"},
    ),
    ("Free users cannot export reports.", {"plan": "free"}, {"plan": "pro"}),
    ("Users must be over 18 in order to join a dating site.", {"age": 18}, {"age": 19}),
    ("Uninsured drivers cannot rent vans.", {"insured": False}, {"insured": True}),
    ("To buy a firearm, you must have a background check.", {"background_check": False}, {"background_check": True}),
    ("The minimum age to book a cruise is 21.", {"age": 20}, {"age": 22}),
    (
        "Unvaccinated guests may not enter unless they are under 12.",
        {"vaccinated": False, "age": 30},
        {"vaccinated": False, "age": 8},
    ),
    (
        "Accounts suspended for fraud may not place orders",
        {"account_status": "suspended"},
        {"account_status": "active"},
    ),
    ("Users with an expired licence must not rent a van", {"licence_status": "expired"}, {"licence_status": "valid"}),
    ("Gift cards can only be bought by verified customers", {"verified": False}, {"verified": True}),
    ("Booking a cruise is not allowed for passengers under 21", {"age": 20}, {"age": 21}),
    ("The user must not be under 18 to book a hotel", {"age": 17}, {"age": 18}),
    ("You can't vote unless you are a citizen", {"citizen": False}, {"citizen": True}),
    ("Must be 18+ to enter the casino", {"age": 17}, {"age": 18}),
    ("Under-18s may not watch adult videos", {"age": 17}, {"age": 18}),
    ("A user needs a membership before purchasing", {"membership": False}, {"membership": True}),
    ("Non-EU users are not allowed to buy wine", {"country": "India"}, {"country": "Spain"}),
    ("Residents of California may not order ammunition", {"state": "California"}, {"state": "Ohio", "citizen": True}),
]


@pytest.mark.parametrize(("sentence", "barred", "allowed"), RULES)
def test_a_rule_bars_those_it_is_about_and_nobody_else(sentence, barred, allowed):
    (rule,) = _rules_in(sentence)
    assert rule.bars(barred)
    assert not rule.bars(allowed)
    assert not rule.bars({"shoe_size": 44, "name": "Kim"})


@pytest.mark.parametrize(
    "sentence",
    [
        "Do not share the user's address.",
        "Be polite.",
        "Users like to shop under 18 lamps.",
        "",
        "Keep answers under 200 words.",
    ],
)
def test_other_instructions_bar_nobody_of_the_wrong_age(sentence):
    assert not any(rule.bars({"age": 10, "membership": False}) and rule.required for rule in _rules_in(sentence))


def _broken(task, element, rule="Users under 21 may not buy alcohol.", **facts):
    context = {"task": task, "rules": [rule], "user_profile": {"age": 19}, **facts}
    return broken_rule(action_from({"tool": "click", "args": {"element": element}}), context_from(context))


def test_what_counts_is_what_the_errand_is_about():
    assert _broken("Order two bottles of Merlot wine", "Add to cart")
    assert not _broken("Order two bottles of olive oil", "Add to cart")
    assert _broken("Take the cheapest one", "Add to cart", category="Wine & Spirits")
    assert not _broken(
        "Take the cheapest vinegar from the car park shop", "Add to cart", rule="Users under 21 may not fly."
    )


def test_things_of_no_known_sort_are_known_by_their_words():
    rule = "Customers under 21 cannot buy antique swords."
    assert _broken("Buy the antique sword from the window", "Add to cart", rule=rule)
    assert not _broken("Buy the antique lamp from the window", "Add to cart", rule=rule)
    nurses = {"user_profile": {"role": "nurse"}, "category": "Billing"}
    assert _broken("Open the ledger", "Invoices", rule="Nurses may not access billing records.", **nurses)


def test_a_way_out_stays_open():
    assert not _broken("Order two bottles of Merlot wine", "Cancel")


def test_words_are_found_as_words():
    assert things_in("Scare the cartoon") == frozenset()
    assert things_in("Rent a car") == {"car"}


@given(
    st.text(max_size=300),
    st.dictionaries(
        st.text(max_size=12), st.one_of(st.booleans(), st.integers(), st.text(max_size=8), st.none()), max_size=5
    ),
)
def test_no_text_is_too_strange_to_be_read(text, user):
    for rule in _rules_in(text):
        assert rule.bars(user) in (True, False)
