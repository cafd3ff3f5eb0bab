"""The pages of tasks in Chromium: they follow what happens, by keyboard and without JavaScript; axe finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.runtime.store.database import Store
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import Question
from supervisor.runtime.tasks.spec import Spec
from supervisor.service.tasks.board import Board
from tests.feedback.journals import Machine
from tests.service.console.browser import axe_path, press, served, sign_in
from tests.service.console.test_gate import EVIL
from tests.service.console.test_in_browser import Tab, chromium, tab, violations
from tests.service.tasks.programs import ASKS, Played

__all__ = ["chromium", "tab"]  # fixtures


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: Machine) -> Iterator[Played]:
    url = f"sqlite:///{tmp_path / 'runtime.db'}"
    monkeypatch.setenv("SUPERVISOR_RUNTIME", url)
    machine.decide("touch block")
    store = Store(url)
    yield Played(Board(store), tmp_path)
    store.close()


def added(played: Played, title: str) -> str:
    return played.board.add(Spec(("make", title), "/", title=title)).id


def test_pages_follow_what_happens_and_a_person_answers_by_keyboard(machine: Machine, played: Played, tab: Tab) -> None:
    from playwright.sync_api import expect

    id = added(played, f"deploy {EVIL}"[:200])
    with served(machine.records.parent) as at, tab() as page:
        sign_in(page, at)
        press(page, "gw")
        expect(page.locator("#counts")).to_contain_text("1 queued")
        played.register()
        played.begin(id, printed=f"step 1\n{EVIL}")
        expect(page.locator("#counts")).to_contain_text("1 running", timeout=30_000)
        expect(page.locator("#executors")).to_contain_text("1 executor is alive")
        page.locator("#tasks a").first.press("Enter")
        expect(page.locator("#log")).to_contain_text("step 1")
        asks = Question(f"May this run? {EVIL}", ("allow", "deny"), "d" * 64, EVIL)
        played.end(id, Outcome(Ending.PARKED, asks.text, question=asks))
        expect(page.locator("#question")).to_contain_text("May this run? <img", timeout=30_000)
        page.get_by_label("Note to the agent").fill("only once")
        played.board.cancel(added(played, "another"))
        page.wait_for_timeout(2_500)
        expect(page.get_by_label("Note to the agent")).to_have_value("only once")
        page.get_by_role("button", name="allow").press("Enter")
        expect(page.get_by_text("It is answered.")).to_be_visible()
        expect(page.locator("#state")).to_contain_text("queued")
    (told,) = played.board.task(id)["questions"]
    assert (told["answer"], told["by"], told["note"]) == ("allow", "ann", "only once")


def test_what_holds_the_focus_stays_until_it_is_left(machine: Machine, played: Played, tab: Tab) -> None:
    from playwright.sync_api import expect

    id = added(played, "build")
    with served(machine.records.parent) as at, tab() as page:
        sign_in(page, at)
        page.goto(page.url.replace("/queue", f"/tasks/{id}"))
        button = page.get_by_role("button", name="Cancel")
        button.focus()
        played.board.cancel(id)
        expect(page.locator("#state")).to_contain_text("cancelled", timeout=30_000)
        expect(button).to_be_focused()
        page.keyboard.press("Shift+Tab")
        expect(page.get_by_role("button", name="Try again")).to_be_visible(timeout=30_000)


def test_without_javascript_and_without_a_mouse_tasks_are_answered(machine: Machine, played: Played, tab: Tab) -> None:
    from playwright.sync_api import expect

    id = added(played, "deploy")
    played.attempt(id, ASKS)
    with served(machine.records.parent) as at, tab(java_script_enabled=False) as page:
        sign_in(page, at)
        page.get_by_role("link", name="Questions").press("Enter")
        page.get_by_label("Note to the agent").press("Enter")  # presses no button
        page.get_by_label("Note to the agent").fill("not now")
        page.get_by_role("button", name="deny").press("Enter")
        expect(page.get_by_text("It is answered.")).to_be_visible()
        page.get_by_role("button", name="Cancel").press("Enter")
        page.get_by_role("button", name="Try again").press("Enter")
        page.get_by_role("link", name="Tasks").press("Enter")
        expect(page.get_by_role("link", name="1 queued", exact=True)).to_be_visible()
    assert played.board.task(id)["questions"][0]["answer"] == "deny"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(machine: Machine, played: Played, tab: Tab, scheme: str) -> None:
    if (axe := axe_path()) is None:
        pytest.skip("axe-core is not installed: make axe")
    played.register()
    waiting, failed, running = (added(played, title) for title in ("a deploy", "a test", "a build"))
    played.attempt(waiting, ASKS)
    played.attempt(failed, Outcome(Ending.FAILED, "exit code 1", 1), printed="1 failed\n")
    played.begin(running, printed="compiling\n")
    played.attempt(added(played, "a choice"), Outcome(Ending.PARKED, "Which?", question=Question("Which?")))
    with served(machine.records.parent) as at, tab(color_scheme=scheme, bypass_csp=True) as page:
        sign_in(page, at)
        base = page.url.removesuffix("/queue")
        found = {}
        for path in (
            "/tasks",
            "/tasks?state=failed",
            "/questions",
            *(f"/tasks/{id}" for id in (waiting, failed, running)),
        ):
            page.goto(base + path)
            found[path] = violations(page, axe)
    assert {path: each for path, each in found.items() if each} == {}
