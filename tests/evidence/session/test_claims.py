"""Closing words against the steps of a session; circles; budgets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.session import suites
from supervisor.evidence.session.budgets import Budget, budget_of
from supervisor.evidence.session.claims import ClaimKind, claims_of, could_have, has_failed
from supervisor.evidence.session.repetition import alternations, repeats
from supervisor.intake.parsing import action_from, context_from


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("I've just emailed Kim.", ClaimKind.MESSAGE),
        ("Die Einladung wurde verschickt.", ClaimKind.MESSAGE),
        ("Se ha enviado el aviso.", ClaimKind.MESSAGE),
        ("The refund of 5 euros has been issued.", ClaimKind.TRANSACTION),
        ("Ich habe das Zimmer gebucht.", ClaimKind.TRANSACTION),
        ("The invitation was sent by Kim, according to the log.", None),
        ("I will send the email.", None),
        ("The email could not be sent.", None),
        ("Have you sent the email?", None),
        ("Once you have paid, the order is placed.", None),
    ],
)
def test_only_what_is_said_to_be_done_is_a_claim(words, kind):
    assert list(claims_of(words, context_from({"task": "Mail Kim, and refund the order."}))) == ([kind] if kind else [])


def test_what_others_did_is_reported_and_not_claimed():
    told = "The refund was issued on May 3."
    assert claims_of(told, context_from({"task": "Refund the order."}))
    assert not claims_of(told, context_from({"task": "Was the order refunded?"}))
    assert not claims_of(told, context_from({}))


@pytest.mark.parametrize(
    ("step", "could"),
    [
        ({"tool": "send_email", "args": {}}, True),
        ({"tool": "bash", "args": {"command": "ls"}}, True),
        ({"tool": "create_ticket", "args": {}}, True),
        ({"tool": "mcp__mail__search_mail", "args": {}}, False),
        ({"tool": "get_post_address", "args": {}}, False),
        ({"tool": "mcp__post_office__list_submit_forms", "args": {}}, False),
        ({"tool": "add_to_list", "args": {}}, True),
        ({"tool": "drive.lists.add", "args": {}}, True),
        ({"tool": "read_file", "args": {"path": "a"}}, False),
        ({"tool": "write_file", "args": {"path": "a", "content": "b"}}, False),
        ({"tool": "http_request", "args": {"url": "https://example.org", "method": "POST"}}, True),
        ("[button] Send -> CLICK", True),
    ],
)
def test_a_claim_is_denied_only_where_no_step_could_have_done_it(step, could):
    assert could_have(ClaimKind.MESSAGE, context_from({"history": [step]})) is could


@pytest.mark.parametrize(
    "tool", ["get_refund_policy", "list_refund_requests", "getRefund", "orders.get_refund", "GET /v1/refunds"]
)
def test_a_tool_that_reads_about_a_change_has_not_made_it(tool):
    context = context_from({"history": [{"tool": tool, "args": {"order_id": "O-1001"}}]})
    assert not could_have(ClaimKind.TRANSACTION, context)


@pytest.mark.parametrize(
    ("command", "output", "count", "passed"),
    [
        ("python -m pytest -q", "14 passed", 1, True),
        ("cd app && npm run test:unit", "Tests: 2 failed, 3 passed", 1, False),
        ("python manage.py test", "OK", 1, True),
        ("go test ./...", "--- FAIL: TestSum", 1, False),
        ("cat test_notes.txt", "", 0, None),
        ("git diff", "-a", 0, None),
        ("pytest tests/test_errors.py", "3 passed in 0.1s", 1, True),
    ],
)
def test_runs_of_tests_are_told_from_other_commands(command, output, count, passed):
    runs = suites.suite_runs(
        context_from({"history": [{"tool": "bash", "args": {"command": command}, "output": output}]})
    )
    assert (runs.count, runs.passed) == (count, passed)


@pytest.mark.parametrize(
    ("output", "failed"),
    [("Error: no", True), ("404 Not Found", True), ("450 rows updated", False), ({"ok": False}, True),
     ({"error": None}, False), ("Created 'Error handling'", False), ("", False), (None, False)],
)  # fmt: skip
def test_an_answer_that_speaks_of_errors_is_no_error(output, failed):
    assert has_failed(context_from({"history": [{"tool": "x", "args": {}, "output": output}]}).history[0]) is failed


@given(st.lists(st.sampled_from("ab"), max_size=12))
def test_repeats_are_counted_from_the_end(letters):
    steps = [{"tool": "search", "args": {"q": letter}, "output": letter} for letter in letters]
    context = context_from({"history": steps})
    action = action_from({"tool": "search", "args": {"q": "a"}})
    tail = len(letters) - len("".join(letters).rstrip("a"))
    assert repeats(action, context) == tail
    told = "".join(letters)
    turns = 0
    while told.endswith("ab" * (turns + 1)):
        turns += 1
    assert alternations(action, context) == turns


@pytest.mark.parametrize(
    ("facts", "spent"),
    [
        ({"max_tokens": 10, "tokens_used": 9}, False),
        ({"max_tokens": "1,000", "usage": {"input_tokens": 600, "output_tokens": 400}}, True),
        ({"max_tokens": 100, "token_budget": 5, "tokens_used": 7}, True),
    ],
)
def test_the_narrower_budget_holds(facts, spent):
    budget = budget_of(
        context_from(facts), ("max_tokens", "token_budget"), ("tokens_used",), ("input_tokens", "output_tokens")
    )
    assert isinstance(budget, Budget)
    assert budget.is_spent is spent


@pytest.mark.parametrize(
    "facts",
    [{}, {"max_tokens": 5}, {"max_tokens": True, "tokens_used": 3}, {"max_tokens": 5, "tokens_used": float("1e999")}],
)
def test_what_is_no_budget_refuses(facts):
    assert not isinstance(
        budget_of(context_from({}) if not facts else _with(facts), ("max_tokens",), ("tokens_used",)), Budget
    )


def _with(facts):
    from dataclasses import replace

    return replace(context_from({}), facts=facts)
