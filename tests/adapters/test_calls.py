"""What all adapters share, with a host that is no framework at all; and that no adapter is forgotten."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from supervisor import adapters
from supervisor.adapters.calls import MAX_SESSIONS, Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.proposed import Same
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import ApprovalPolicy, Policy, Records
from supervisor.policy.sections import Askable
from tests.adapters.contract import PAGE, SEEN, TASK, Contract, Played, _break, _open, answers_of, judges, snippet
from tests.catalog.catalogs import catalog_of
from tests.engine.waiting import eventually

SHARED = ("__init__", "calls", "proposed", "reading")
HOSTS = sorted(file.stem for file in Path(adapters.__path__[0]).glob("*.py") if file.stem not in SHARED)


class TestSync(Contract):
    knows_tools = False

    def play(self, *texts: str) -> Played:
        played, calls = Played(), Calls()
        for text in texts:
            proposed = calls.before("note", {"text": text}, calls.session("it", [TASK]))
            try:
                played.told.append(calls.around(proposed, partial(played.note, text), str))
            except ValueError as error:
                played.told.append(str(error))
        return played


class TestAsync(Contract):
    knows_tools = False

    def play(self, *texts: str) -> Played:
        played, calls = Played(), Calls()

        async def note(text: str) -> str:
            return played.note(text)

        async def run() -> None:
            for text in texts:
                proposed = await calls.abefore("note", {"text": text}, calls.session("it", [TASK]))
                try:
                    played.told.append(await calls.aaround(proposed, partial(note, text), str))
                except ValueError as error:
                    played.told.append(str(error))

        asyncio.run(run())
        return played


@pytest.fixture
def calls() -> Calls:
    SEEN.clear()
    return Calls(_open())


def test_a_call_that_is_asked_about_twice_is_judged_once(calls: Calls) -> None:
    session = calls.session()
    first = calls.before("note", {"text": "NUDGE"}, session, key="m-1")
    assert calls.before("note", {"text": "NUDGE"}, session, key="m-1") is first
    assert calls.before("note", {"text": "NUDGE?"}, session, key="m-1") is not first, "it has other arguments"
    assert calls.before("note", {"text": "NUDGE"}, calls.session("other"), key="m-1") is not first
    assert len(SEEN) == 3
    calls.before("note", {"text": object()}, session, key="m-2")  # what is no JSON has no key, and is judged as it is


def test_what_cannot_be_judged_whole_is_refused_whatever_the_policy_says() -> None:
    calls = Calls(_open("ok"))
    proposed = calls.before("note", {"text": "a\0b"}, calls.session())
    assert "nul_character" in proposed.refusal


def test_what_ran_has_run_even_if_it_cannot_be_remembered(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise RuntimeError("no room")

    proposed = calls.before("note", {"text": "fine"}, calls.session())
    monkeypatch.setattr(calls.guard, "observe", fail)
    monkeypatch.setattr(calls.guard, "aobserve", fail)
    assert calls.around(proposed, lambda: "ran", str) == "ran"
    asyncio.run(calls.aafter(proposed, "ran"))


def test_a_call_that_pauses_has_not_ended(calls: Calls) -> None:
    session = calls.session()

    def pause() -> str:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        calls.around(calls.before("note", {"text": "fine"}, session), pause, str, pauses=(InterruptedError,))
    assert len(session.context().history) == 0


def test_sessions_are_those_of_the_hosts_conversations(calls: Calls) -> None:
    assert calls.session("a") is calls.session("a")
    assert calls.session("a") is not calls.session("b")

    class Run:
        """Of a host that has no name for it."""

    run = Run()
    assert calls.session(Same(run)) is calls.session(Same(run))
    kept = Same(run)
    del run
    later = [Run() for _ in range(1000)]
    assert all(Same(each) != kept for each in later), "none of them is taken for it, wherever it stands"
    assert calls.session(Same(later)) is calls.session(Same(later))
    with calls.guard.session() as own:
        assert calls.session("a") is own
    first = calls.session("first")
    for number in range(MAX_SESSIONS):
        calls.session(number)
    assert calls.session("first") is not first, "the longest unused is forgotten"


def test_the_task_is_what_the_user_has_said(calls: Calls) -> None:
    for said in (["Tidy up"], ["Tidy up", "but keep the notes"], ["Tidy up", "but keep the notes"]):
        session = calls.session("it", said)
    assert session.task == "Tidy up\n\nbut keep the notes"
    assert Calls(_open(), task="Tidy up").session("it", ["something else"]).task == "Tidy up"


def test_facts_are_learnt_once_or_anew() -> None:
    session = Session(facts={"cwd": "/srv"})
    session.learn(cwd="/tmp", host="a", unknown=None)
    assert session.facts == {"cwd": "/srv", "host": "a"}
    session.relearn(cwd="/tmp")
    assert session.facts["cwd"] == "/tmp"


def test_a_daemon_has_its_own_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    guard = _open()
    monkeypatch.setattr(guard.supervisor, "policy", None)
    _break(guard, monkeypatch)
    calls = Calls(guard)
    assert calls.before("tool", {}, calls.session()).refusal


@pytest.mark.parametrize("host", HOSTS)
def test_every_adapter_is_small_tested_and_told_of(host: str) -> None:
    file = Path(adapters.__path__[0]) / f"{host}.py"
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 120
    assert Path(__file__).with_name(f"test_{host}.py").exists()
    assert f"supervisor.adapters.{host}" in snippet(host) or f"import {host}" in snippet(host)
    assert PAGE.read_text(encoding="utf-8").count(f"```python {host}\n") == 1


def test_no_adapter_is_imported_unasked() -> None:
    program = (
        "import sys, supervisor.adapters.function.guard; print([name for name in sys.modules if "
        "name.startswith('supervisor.adapters.') and '.function' not in name])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


def test_a_guard_is_opened_with_the_adapter() -> None:
    """A policy that cannot be read is an error of the start, not one of every call."""

    class Broken(Guard):
        @property
        def supervisor(self) -> Any:
            raise RuntimeError("no such policy")

    with pytest.raises(RuntimeError, match="no such policy"):
        Calls(Broken())


@pytest.mark.parametrize("word", ["approved", "denied"])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_waits_for_the_queue(tmp_path: Path, word: str, is_async: bool) -> None:
    """As all do whose host has no pause, or nobody who looks; what is approved runs, and is remembered."""
    records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
    policy = Policy(records=records, isolation="none", approval=ApprovalPolicy(ask=(Askable(),), wait=600))
    supervisor = Supervisor(policy, catalog=catalog_of(judges))
    calls = Calls(Guard(supervisor))

    def person() -> None:
        assert eventually(supervisor.queue.waiting)
        supervisor.queue.answer(supervisor.queue.waiting()[0].approval.name, word, "ann", "terminal")

    session, answering = calls.session(), threading.Thread(target=person)
    answering.start()
    args = ("note", {"text": "BLOCK"}, session)
    proposed = asyncio.run(calls.abefore(*args)) if is_async else calls.before(*args)
    answering.join()
    assert calls.around(proposed, lambda: "noted", str) == ("noted" if word == "approved" else proposed.refusal)
    assert len(session.context().history) == (word == "approved")
    assert answers_of(calls.guard) == [(word, "ann", "")]
    supervisor.close()
