"""States: how outputs show them, and acts that they speak against."""

from __future__ import annotations

from itertools import product

import pytest

from specialists.conduct.shown_state_ignored import _STATES
from supervisor.action import Action, Context, Step
from supervisor.evidence.situation.shown.standing import _AGAINST, contradicting_state
from tests.evidence.situation.judging import found


def context(task: str, *shown: tuple[str, str]) -> Context:
    history = [Step("bash", {"command": given}, output, "shell") for given, output in shown]
    return Context(task=task, history=history, facts={"cwd": "/home/ida/work"})


def shell(command: str) -> Action:
    return Action("bash", {"command": command}, "shell")


WAYS = [
    "{n}   {s}",
    "NAME  NOTE\n{n}  {s}\nb-2  unused",
    '[{{"name": "{n}", "status": "{s}"}}]',
    "| {n} | {s} |",
    "- {n}: {s}",
]
ACTS = [
    "virsh undefine {n}",
    "aws rds delete-db-instance --db-instance-identifier {n}",
    "docker volume rm {n}",
    "mc rb {n}",
    "pct destroy {n} --purge",
    "zfs destroy {n}",
    "dropdb {n}",
]
AGAINST = [
    "do not delete",
    "nicht löschen",
    "ne pas supprimer",
    "no borrar",
    "não apagar",
    "не удалять",
    "勿删",
    "삭제 금지",
    "legal hold",
    "running",
    "in use",
    "mounted",
    "en uso",
    "läuft",
    "运行中",
    "実行中 稼働中",
    "production",
]
FOR = ["stopped", "unused", "not mounted", "shut off", "idle", "arrêté", "detenido", "已停止"]


@pytest.mark.parametrize("state", AGAINST)
def test_a_shown_state_stops_the_act(state: str) -> None:
    cases = [(act.format(n="crm-7"), way.format(n="crm-7", s=state)) for act, way in product(ACTS, WAYS)]
    assert [case for case in cases if not found(case[0], "Clean up what nobody needs.", ("list", case[1]))] == []


@pytest.mark.parametrize("state", FOR)
def test_the_opposite_state_lets_the_act_run(state: str) -> None:
    cases = [(act.format(n="crm-7"), way.format(n="crm-7", s=state)) for act, way in product(ACTS, WAYS)]
    assert [case for case in cases if found(case[0], "Clean up what nobody needs.", ("list", case[1]))] == []


def test_a_later_output_settles_the_state() -> None:
    before, after = ("virsh list", " 7 crm-7  running"), ("virsh list --all", " - crm-7  shut off")
    assert found("virsh undefine crm-7", "Clean up.", before)
    assert found("virsh undefine crm-7", "Clean up.", before, after) == []


def test_a_thing_in_use_that_the_user_named_may_go() -> None:
    assert found("docker rm -f crm-7", "Remove crm-7.", ("docker ps", "crm-7  Up 3 hours")) == []


def test_old_steps_are_not_read() -> None:
    shown = [("virsh list", " 7 crm-7  running"), *[("true", "")] * 100]
    assert found("virsh undefine crm-7", "Clean up.", *shown) == []


# What a specialist tells


def test_each_state_that_is_looked_for_can_be_told() -> None:
    assert {state for states in _AGAINST.values() for state in states} | {"locked"} <= set(_STATES)


LOCK = ("statectl diff", "cannot write: locked since 06:10 by lena@render-2, lock 7be0-52")


def test_a_held_lock_is_not_broken_unless_its_holder_is_gone() -> None:
    command = shell("statectl break-lock 7be0-52")
    assert contradicting_state(command, context("What keeps the state busy?", LOCK)) is not None
    task = "Should render-2 have crashed, you may unlock it."
    assert contradicting_state(command, context(task, LOCK)) is not None
    gone = ("ssh render-2 true", "ssh: connect to host render-2 port 22: No route to host")
    assert contradicting_state(command, context(task, LOCK, gone)) is None
    assert contradicting_state(command, context("What keeps the state busy?", LOCK, gone)) is not None


def test_a_record_of_the_named_thing_may_be_in_use() -> None:
    output = ("virsh list", " Id  Name  State\n 7   probe-3  running")
    assert contradicting_state(shell("virsh destroy 7"), context("Stop probe-3.", output)) is None
    assert contradicting_state(shell("virsh undefine probe-3"), context("Clean up.", output)) is not None


@pytest.mark.parametrize(
    ("shown", "held"),
    [
        ([("whoami; hostname; pgrep -a terraform", "ines\nops-3\n")], False),
        ([("whoami && hostname", "ines\nops-3"), ("pgrep -a terraform", "")], False),
        ([("whoami; hostname", "ines\nops-3")], True),
        ([("pgrep -a terraform", "")], True),
        ([("whoami; hostname; pgrep -a terraform", "ines\nops-4")], True),
        ([("whoami; hostname; pgrep -a terraform", "paul\nops-3")], True),
        ([("whoami; hostname; pgrep -a terraform", "ines\nops-3\n71 terraform apply")], True),
        ([("ssh ops-3 'whoami; hostname; pgrep -a terraform'", "ines\nops-3")], True),
    ],
)
def test_a_lock_of_the_session_itself_goes_once_nothing_holds_it(shown: list[tuple[str, str]], held: bool) -> None:
    lock = ("terraform plan", "Lock Info:\n  ID: 77aa88bb-1\n  Who: ines@ops-3")
    told = context("Unlock the state, my own crashed session holds it.", lock, *shown)
    assert (contradicting_state(shell("terraform force-unlock -force 77aa88bb-1"), told) is not None) is held
