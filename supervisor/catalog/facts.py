"""The facts that shipped specialists and the evidence read: the source of docs/facts.md.

A policy's `facts:` may have these names, those that a deployment's own specialists declare, and those in `own_facts`.
A fact has several names where hosts use several; docs/facts.md leads with the first one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.catalog.fact_shapes import Amount, Number, People, QuietHours, Rate, RefundTable, Spending, Texts
from supervisor.evidence.business.sentences import POLICY_FACTS
from supervisor.evidence.web.user_facts import PROFILE_FACTS
from supervisor.policy.business import Schema
from supervisor.specialist import Fact

_DEPLOYMENT = (
    Fact("allowed_domains", "The domains that the agent may open and send data to.", list[str], ["example.com"]),
    Fact("known_domains", "Further domains that are no look-alikes.", list[str], ["example.org"]),
    Fact("login_domains", "Further domains on which the agent may log in.", list[str], ["login.example.com"]),
    Fact("refund_window_days", "A second refund of an order within this many days is a duplicate.", float, 30),
    Fact("refunds", RefundTable.__doc__ or "", RefundTable, {"table": "erstattung", "order": "bestell_nr"}),
    Fact("budget", "The money that may be spent.", Number | Spending, {"amount": 500, "currency": "EUR"}),
    Fact(
        "limits",
        "By act (`refund`, `pay`, …), the greatest amount, or the greatest amount by role.",
        dict[str, Number | Amount | dict[str, Number]],
        {"refund": {"agent": 100, "manager": 1000}},
    ),
    Fact(
        "rates", "By kind of action, how many are allowed in a time.", dict[str, int | Rate], {"refund": {"most": 20}}
    ),
    Fact(
        "payees",
        "The payees that may be paid, by name, id or account.",
        People,
        [{"name": "Example Ltd", "iban": "DE02120300000000202051"}],
        ("known_payees", "approved_payees", "beneficiaries", "approved_vendors", "vendors", "suppliers"),
    ),
    Fact("max_discount_percent", "The greatest discount.", Number, 15),
    Fact(
        "discount_codes",
        "The codes that exist.",
        list[str | dict[str, Any]] | dict[str, Any],
        ["SPRING10"],
        ("coupons", "promo_codes", "promotions", "offers"),
    ),
    Fact("approved_statements", "Sentences that the agent may write as they are.", list[str], ["Offer ends Friday."]),
    Fact(
        "roles", "By role, the acts and tools that it may use; `*` for all.", dict[str, list[str]], {"agent": ["read"]}
    ),
    Fact(
        "do_not_contact",
        "The people who want no message at all.",
        People,
        ["ann@example.com"],
        ("dnc", "do_not_call", "blocked_recipients", "no_contact", "suppression_list"),
    ),
    Fact(
        "unsubscribed",
        "The people who want no offers.",
        People,
        ["bob@example.com"],
        ("opted_out", "opt_out", "opt_outs", "marketing_opt_out", "unsubscribe_list"),
    ),
    Fact(
        "quiet_hours",
        "The hours without messages: `from`, `to`, `zone`, and the `channels` concerned.",
        QuietHours,
        {"from": "21:00", "to": "08:00", "zone": "Europe/Berlin"},
    ),
    Fact("max_bulk_recipients", "More recipients than this make a message a mass mailing.", int, 50),
    Fact("max_visible_recipients", "More recipients than this must not see each other's addresses.", int, 20),
    Fact("max_same_repeats", "How often the same call may be repeated.", int, 3),
    Fact("max_failed_repeats", "How often a call may fail before its repetition is stopped.", int, 3),
    Fact("max_alternations", "How often two calls may alternate.", int, 4),
    Fact("max_source_age_days", "The greatest age of a source for a claim about the present.", int, 365),
    Fact("retracted", "The identifiers and addresses of retracted works.", list[str], ["10.1000/example"]),
    Fact(
        "policy",
        "The deployment's written rules as text; specialists read limits, states and confirmations from it.",
        Texts | dict[str, Any],
        "Refunds over 250 EUR need the manager.",
        tuple(name for name in POLICY_FACTS if name not in ("policy", "rules")),
    ),
    Fact("rules", "Written rules as text; also those that protect files.", Texts, ["Do not change migrations/."]),
    Fact("access_rules", "The rules by which a site bars some of its users.", Texts, ["Guests must not post."]),
    Fact("read_only", "Whether the agent may only read.", bool, True, ("readonly",)),
    Fact("access", "The same as a word: `read-only`.", str, "read-only", ("mode", "permissions")),
    Fact("dialect", "The dialect of SQL statements, as sqlglot names it.", str, "postgres"),
    Fact(
        "environment",
        "Words that say whether a database is in production.",
        Any,
        "production",
        ("connection", "database", "database_url", "db", "dsn", "env", "host", "stage"),
    ),
    Fact("system", "The deployment's instructions to the agent.", Texts, "You are a support agent."),
    Fact(
        "contacts",
        "People with their names and addresses.",
        Any,
        [{"name": "Ann", "email": "ann@example.com"}],
        ("address_book",),
    ),
)
_BUDGETS = (
    Fact("max_steps", "The number of actions that a session may take.", int, 50, ("max_tool_calls",)),
    Fact("max_cost", "The greatest cost of a session.", Number, 5, ("cost_budget", "max_budget_usd")),
    Fact("cost_used", "The cost of the session so far.", Number, 1.25, ("cost", "total_cost", "cost_usd")),
    Fact("max_tokens", "The greatest number of tokens of a session.", Number, 200_000, ("token_budget",)),
    Fact("tokens_used", "The tokens of the session so far.", Number, 12_000, ("total_tokens",)),
    Fact(
        "max_seconds",
        "The greatest length of a session in seconds.",
        Number,
        3_600,
        ("time_budget_seconds", "timeout_seconds"),
    ),
    Fact("elapsed_seconds", "The length of the session so far in seconds.", Number, 90, ("seconds_used", "elapsed")),
    Fact("usage", "What the session has used, by the names above.", dict[str, Any], {"total_tokens": 12_000}),
)
_SESSION = (
    Fact("cwd", "The directory in which the agent works.", str, "/repo"),
    Fact("workspace", "The directory that the task may change; by default `cwd`.", str, "/repo"),
    Fact("branch", "The branch that is checked out.", str, "main"),
    Fact("files_created_by_agent", "The files that the agent has made itself.", Texts, ["/repo/out.txt"]),
    Fact("typed_input_unseen", "Whether the host does not show what is typed into a running program.", bool, True),
    Fact("now", "The day and the time at hand, as ISO 8601 writes them.", str, "2031-06-12T14:05+02:00", ("today",)),
    Fact("earlier_requests", "The user's earlier messages.", Texts, ["Book the cheapest flight."]),
    Fact(
        "conversation",
        "The conversation with the customer: turns with a role and a text.",
        list[dict[str, Any]],
        [{"role": "user", "content": "Yes, please cancel it."}],
        ("messages", "transcript", "chat", "dialogue", "turns"),
    ),
    Fact(
        "thread",
        "The message or thread that is answered, with its participants.",
        Any,
        {"from": "ann@example.com", "to": ["support@example.com"]},
        ("conversation_participants", "email", "ticket", "message"),
    ),
    Fact(
        "sources",
        "The sources of a report: texts, or objects with `id`, `url`, `text` and `date`, or texts by name.",
        list[str | dict[str, Any]] | dict[str, Any],
        [{"id": "1", "url": "https://example.com/a", "text": "Sales rose by 4%."}],
    ),
    Fact(
        "tools",
        "The host's tools with their descriptions.",
        list[dict[str, Any]],
        [{"name": "fetch", "description": "Reads a page."}],
    ),
    Fact(
        "page_url",
        "The address of the page that the agent is on.",
        Any,
        "https://example.com/cart",
        ("current_url", "page"),
    ),
    Fact("page_text", "The text of that page.", str, "Your cart is empty."),
    Fact(
        "category",
        "The part of a site that the agent is in.",
        Any,
        "electronics",
        ("subdomain", "domain", "section", "website", "site", "page_title"),
    ),
    Fact(
        "user",
        "The user of a site, with attributes such as age.",
        Any,
        {"age": 34},
        tuple(each for each in PROFILE_FACTS if each not in ("user", "customer")),
    ),
    Fact(
        "customer",
        "The customer who makes the request, by id or as an object; every name of a customer counts.",
        Any,
        {"id": "C-17"},
    ),
    Fact("principal", "Who makes the request, if that is a customer of the records.", Any, "C-17"),
    Fact(
        "role",
        "The role of whoever makes the request; staff have no requesting customer.",
        str,
        "agent",
        ("principal_role", "user_role", "caller_role", "principal_kind", "principal_type"),
    ),
    Fact("approved_by", "The person who has approved what exceeds a limit.", Any, "manager"),
)
# Facts that the engine sets.
_ENGINE = (
    Fact("policy_file", "The path of the policy. The engine sets it.", str, "/etc/supervisor.yaml"),
    Fact("guard_assets", "The guard's own files, processes and variables. The engine sets it.", Any, []),
    Fact(
        "trusted_tools", "The tools of the policy's key `trusted_tools`. The engine sets it.", list[str], ["price_list"]
    ),
    Fact(
        "agent_memory",
        "Whether what is remembered of the agent may concern the action. The engine sets it.",
        bool,
        True,
    ),
    Fact("business", "The policy's section `business`. The engine sets it.", Schema, {}),
)
GROUPS: Mapping[str, tuple[Fact, ...]] = {
    "The deployment": _DEPLOYMENT,
    "Budgets of a session": _BUDGETS,
    "The session": _SESSION,
    "Set by the engine": _ENGINE,
}
FACTS: Mapping[str, Fact] = {fact.name: fact for group in GROUPS.values() for fact in group}
# Facts that nearly every specialist reads through the evidence, so that a list of its facts leaves them out.
COMMON = frozenset({"cwd", "workspace", "guard_assets", "policy_file"})


@functools.cache
def names() -> Mapping[str, str]:
    """Every name of a fact, with the first one of the same fact."""
    return {name: fact.name for fact in FACTS.values() for name in (fact.name, *fact.also)} | {
        name: "customer" for name in _of_customers() if name not in FACTS
    }


def _of_customers() -> Iterator[str]:
    from supervisor.evidence.business.parties import CUSTOMER_FACTS
    from supervisor.evidence.business.words import PERSONS

    yield from sorted(CUSTOMER_FACTS | PERSONS)
