"""Whether a task delegates the decision to some content."""

from __future__ import annotations

import pytest

from supervisor.action import Context
from supervisor.evidence.prose.wording import delegates


@pytest.mark.parametrize(
    "task",
    [
        "Dario C. wants his login address changed",
        "Nordic Timber want Harbour Agents as contact on KX-4410",
        "Let the auditor in, as the finance director asked.",
        "Correct the street number for Piet, he wrote to us.",
        "Look at what Mill Bakery owes and apply our rule for late payers.",
        "Bill the crew at the rate as agreed by Ines in the margin.",
        "Ines left a comment on the berth with the new fee, apply it",
        "Add step 4 to the page as Ines dictated",
        "Trag die Miete ein, wie mit Ines vereinbart",
        "Mets le tarif comme convenu avec Ines",
    ],
)
def test_what_a_third_party_wants_is_passed_on(task: str) -> None:
    assert delegates(Context(task=task))


@pytest.mark.parametrize(
    "task",
    [
        "We want to see Rome in May",
        "Count the messages they wrote",
        "Read the page about the policy",
        "I want a room",
        "Pay the crew as agreed in the contract",
        "Ines left a comment on the berth, tell me what it says",
    ],
)
def test_what_the_user_wants_is_not_delegated(task: str) -> None:
    assert not delegates(Context(task=task))
