"""A journal with two sessions: stops, corrections, a failed run, lost votes, an outcome, and hostile text."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from supervisor.action import Action, Context
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Policy, Records
from supervisor.policy.sections import Budgets
from supervisor.specialist import Cause, Opinion, block, flag, nudge, ok, refuse, specialist
from tests.catalog.catalogs import catalog_of

BUILDER, SUPPORT = "claude:3f0c9a1e-77aa-4a51-9c1c-0123456789ab", "support-1"
HOSTILE = "[red]x[/] \x1b[2J <script>alert(1)</script> \u202e"


@specialist("shell")
def stops_deletion(action: Action, context: Context) -> Opinion:
    return (
        block("It deletes [red]all[/] <b>files</b>.", evidence=("rm -rf",))
        if "rm -rf" in action.text("command")
        else ok()
    )


@specialist("shell")
def corrects_push(action: Action, context: Context) -> Opinion:
    return nudge("It pushes by force.", correction="Push to a branch.") if "push" in action.text("command") else ok()


@specialist("shell")
def flags_install(action: Action, context: Context) -> Opinion:
    return flag("It installs a package.", confidence=0.75) if "install" in action.text("command") else ok()


@specialist("refund")
def knows_refunds(action: Action, context: Context) -> Opinion:
    return refuse("no such table: refunds", Cause.INFRASTRUCTURE)


@specialist("refund")
def knows_orders(action: Action, context: Context) -> Opinion:
    return refuse("no such table: refunds", Cause.INFRASTRUCTURE)


@specialist("refund")
def not_concerned(action: Action, context: Context) -> Opinion:
    return refuse("it names no currency")


@specialist("shell")
def judges_output(action: Action, context: Context) -> Opinion:
    return flag("It failed.") if context.ran is not None and context.ran.failed else ok()


CATALOG = catalog_of(
    stops_deletion,
    corrects_push,
    flags_install,
    knows_refunds,
    knows_orders,
    not_concerned,
    after=[judges_output],
    corrects_push="nudge",
    flags_install="flag",
)


@dataclass(frozen=True)
class Written:
    """The journal, and the decisions in it by a name."""

    folder: Path
    decided: dict[str, Decision]

    def id(self, name: str) -> str:
        return self.decided[name].id


class Deployment:
    """An engine with records, for sessions of a test."""

    def __init__(self, folder: Path, **policy_parts: Any) -> None:
        policy = Policy(
            isolation="none",
            budgets=Budgets(pure_ms=60_000),
            records=Records(str(folder / "records"), str(folder / "key.pem")),
            **policy_parts,
        )
        self.folder, self.engine = folder / "records", Supervisor(policy, catalog=CATALOG)

    def decide(self, session: Session, tool: str, **args: Any) -> Decision:
        return self.engine.decide_from_thread(self.engine.action(tool, args), session.context(), session)

    def ran(self, session: Session, tool: str, output: Any, *, failed: bool = False, **args: Any) -> Decision:
        decision = self.decide(session, tool, **args)
        self.engine.observe(session, decision.action, output, failed=failed)
        return decision


@contextlib.contextmanager
def deployment(folder: Path, **policy_parts: Any) -> Iterator[Deployment]:
    deployed = Deployment(folder, **policy_parts)
    yield deployed
    deployed.engine.close()


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    builder = Session("builder", "Fix the test", {"cwd": "/repo", "customer": {"name": "Ann"}}, BUILDER)
    support = Session("refunds", "Refund order A1", {}, SUPPORT)
    with deployment(tmp_path_factory.mktemp("log")) as deployed:
        decided = {
            "test": deployed.ran(builder, "bash", "1 failed", failed=True, command="pytest"),
            "push": deployed.decide(builder, "bash", command="git push -f"),
            "refund": deployed.decide(support, "issue_refund", order_id="A1", amount=20),
            "delete": deployed.decide(builder, "bash", command="rm -rf ~ " + "long " * 30),
            "install": deployed.ran(builder, "bash", "installed", command="pip install x"),
            "hostile": deployed.decide(builder, "bash", command=HOSTILE),
        }
    return Written(deployed.folder, decided)
