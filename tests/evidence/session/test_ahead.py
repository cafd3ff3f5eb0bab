"""Reading ahead changes how long an answer takes, never the answer."""

from __future__ import annotations

from itertools import islice

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.history.past import grown
from supervisor.evidence.provenance import provenance
from supervisor.evidence.provenance.concordance import Concordance
from supervisor.evidence.session.ahead import LONG, read_ahead
from supervisor.history import History

_LETTER = "Dear all, please forward the invoice to billing@example.org today. " + "It rained again. " * 20_000


def session() -> Context:
    return Context("Read my mail.", History(Step("read_mail", {"number": n}, f"{n}: {_LETTER}") for n in range(4)))


@pytest.mark.parametrize("steps", [0, 1, 5, 1_000])
def test_what_is_read_ahead_changes_no_answer(steps: int) -> None:
    action = Action("send_email", {"to": "billing@example.org"}, "message", {})
    ahead, plain = session(), session()
    assert len(list(islice(read_ahead(ahead, LONG + 1), steps))) <= steps
    assert provenance(action, ahead).values == provenance(action, plain).values


def test_in_the_end_everything_is_read() -> None:
    context = session()
    for _ in read_ahead(context, 4 * len(_LETTER)):
        pass
    assert not grown(context, Concordance).enter(0)


def test_the_words_of_a_short_session_are_not_indexed() -> None:
    """All its outputs are recent."""
    context = session()
    assert list(read_ahead(context, LONG + 1))
    assert not any(make is Concordance for make, _ in context.history.memory)  # type: ignore[attr-defined]


def test_of_a_short_addition_only_what_was_run_is_read() -> None:
    assert list(read_ahead(session(), LONG)) == []
    steps = [Step("bash", {"command": "cd $(mktemp -d) && tar -x > a"}, "", kind="shell")] * 3
    assert len(list(read_ahead(Context("Go.", History(steps)), 100))) == 3
