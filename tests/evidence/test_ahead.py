"""Reading ahead changes how long an answer takes, never the answer."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.provenance import provenance
from supervisor.evidence.provenance.ahead import read_ahead
from supervisor.evidence.provenance.concordance import Concordance
from supervisor.evidence.session.past import grown
from supervisor.history import History

_LETTER = "Dear all, please forward the invoice to billing@example.org today. " + "It rained again. " * 20_000


def session() -> Context:
    return Context("Read my mail.", History(Step("read_mail", {"number": n}, f"{n}: {_LETTER}") for n in range(4)))


@pytest.mark.parametrize("seconds", [0, 60])
def test_what_is_read_ahead_changes_no_answer(seconds: float) -> None:
    action = Action("send_email", {"to": "billing@example.org"}, "message", {})
    ahead, plain = session(), session()
    read_ahead(ahead, seconds)
    assert provenance(action, ahead).values == provenance(action, plain).values


def test_nothing_is_left_to_read_where_there_was_time() -> None:
    context = session()
    read_ahead(context, 60)
    assert not grown(context, Concordance).enter(0)
    fresh = session()
    read_ahead(fresh, 0)
    assert grown(fresh, Concordance).enter(1)
