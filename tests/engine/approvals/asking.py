"""Engines that ask a person, and one that answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from supervisor.action import Action, Context
from supervisor.decision.decision import Decision
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import ApprovalPolicy
from supervisor.policy.sections import Askable
from supervisor.specialist import Opinion, block, flag, nudge, ok, specialist
from tests.catalog.catalogs import catalog_of

ASK = ApprovalPolicy(ask=(Askable(("flag", "nudge", "block"), ("flags_odd", "nudges_draft", "stops_wipe")),))


@specialist("shell")
def stops_wipe(action: Action, context: Context) -> Opinion:
    return block("It wipes.") if "wipe" in action.text("command") else ok()


@specialist("shell")
def stops_all(action: Action, context: Context) -> Opinion:
    return block("It is all.") if "all" in action.text("command") or context.facts.get("careful") else ok()


@specialist("shell")
def nudges_draft(action: Action, context: Context) -> Opinion:
    return nudge("It is a draft.", correction="finish it") if "draft" in action.text("command") else ok()


@specialist("shell")
def flags_odd(action: Action, context: Context) -> Opinion:
    return flag("It is odd.") if "odd" in action.text("command") else ok()


CATALOG = catalog_of(flags_odd, nudges_draft, stops_all, stops_wipe)
Opened = Callable[..., Supervisor]


def decide(supervisor: Supervisor, command: str = "wipe", **known: Any) -> Decision:
    known = {"agent": "bot", "session": "s1", "facts": {"cwd": "/w"}} | known
    return supervisor.decide_from_thread(supervisor.action("bash", {"command": command}), Context(**known))


def state(decision: Decision) -> str | None:
    return decision.approval.state if decision.approval else None


def answer(supervisor: Supervisor, decision: Decision, word: str = "approved", **about: Any) -> None:
    assert decision.approval is not None
    supervisor.queue.answer(decision.approval.name, word, "ann", "terminal", **about)
