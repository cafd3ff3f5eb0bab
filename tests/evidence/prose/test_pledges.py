"""A promise is the speaker's own, about what is to come, and without conditions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.prose.pledges import pledge_in


@pytest.mark.parametrize(
    "text",
    [
        "I will not do that again.",
        "Understood. I won't force-push to main anymore.",
        "I\u2019ll never touch that table in future, sorry.",
        "From now on we will not refund twice.",
        "I am not going to delete it again.",
    ],
)
def test_never_again(text: str) -> None:
    found = pledge_in(text, 1.0)
    assert found is not None
    assert (found.sort, found.at) == ("never", 1.0)


@pytest.mark.parametrize(
    ("text", "words", "dropped"),
    [
        ("I'll use the staging database instead.", {"staging", "database"}, set()),
        ("I will use staging instead of prod-db.", {"staging"}, {"prod-db"}),
        ("Rather than dropping users, I'll archive the table.", {"archive", "table"}, {"dropping", "users"}),
        ("Sorry. Let me open a pull request instead.", {"open", "pull", "request"}, set()),
    ],
)
def test_another_way(text: str, words: set[str], dropped: set[str]) -> None:
    found = pledge_in(text, 1.0)
    assert found is not None
    assert found.sort == "instead"
    assert (set(found.words), set(found.dropped)) == (words, dropped)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Should I use the staging database instead?",
        "If it fails, I won't try again.",
        'The user wrote: "I will never do that again".',
        "She said she'd use staging instead.",
        "> I will not do that again.",
        "You could use staging instead.",
        "The job will not run again.",
        "I will not be in the office today.",
        "I used the staging database instead.",
        "Maybe I'll use staging instead.",
    ],
)
def test_what_is_no_promise(text: str) -> None:
    assert pledge_in(text, 1.0) is None


@given(st.text(max_size=2000))
def test_any_text_can_be_read(text: str) -> None:
    pledge_in(text, 1.0)
