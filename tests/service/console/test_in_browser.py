"""The console in Chromium (`apt install chromium`): by keyboard, without JavaScript, and as axe-core sees it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from supervisor.feedback import ingest
from supervisor.feedback.schema import decisions, labels
from supervisor.feedback.store import Store, usual_place
from tests.feedback.journals import Machine
from tests.service.console.browser import NAMES, PATIENCE, axe_path, browser_path, press, served, sign_in
from tests.service.console.test_gate import EVIL

pytestmark = pytest.mark.thorough  # a browser takes its time
WORDS = (
    "block",
    "force push",
    "drop table",
    "mail all",
    "pay twice",
    "chmod all",
    "rm home",
    "kill all",
    "sell",
    "leak",
)
Tab = Callable[..., AbstractContextManager[Any]]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if (path := browser_path()) is None:
        pytest.skip(f"none of {', '.join(NAMES)} is installed: apt install chromium")
    api.expect.set_options(timeout=PATIENCE * 1000)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Any) -> Tab:
    """A tab of a fresh browser. What its console reports fails the test."""

    @contextmanager
    def opened(**options: Any) -> Iterator[Any]:
        context = chromium.new_context(**options)
        context.set_default_timeout(PATIENCE * 1000)
        page, said = context.new_page(), list[str]()
        page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(f"a dialog: {dialog.message}"))
        yield page
        context.close()
        assert said == []

    return opened


def rows(machine: Machine, *columns: Any) -> list[Any]:
    from sqlalchemy import select

    store = Store(usual_place(machine.records))
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        found = connection.execute(select(*columns)).all()
    store.close()
    return list(found)


def test_ten_items_are_judged_by_keyboard(machine: Machine, tab: Tab) -> None:
    from playwright.sync_api import expect

    for minute, word in enumerate(WORDS):
        machine.decide(f"{word} {EVIL}", minute=minute, session=f"s{minute}", action={"kind": f"k{minute}"})
    with served(machine.records.parent) as at, tab() as page:
        sign_in(page, at)
        began = time.perf_counter()
        for count, key in enumerate("axa1234xaa", 1):
            expect(page.locator("pre").first).to_contain_text(WORDS[count - 1])
            if count == 3:  # keys sleep while a note is written
                press(page, "n")
                page.keyboard.type("axe 1234 u")
                page.keyboard.press("Escape")
            press(page, key)
            expect(page.locator(".recent li")).to_have_count(min(count, 10))
        print(f"ten labels by keyboard in {time.perf_counter() - began:.2f} s")
        expect(page.locator("h1")).to_have_text("Nothing waits")
        press(page, "u")
        expect(page.locator("#judge")).to_be_visible()
        assert "/record/" in page.url
        press(page, "a")
        page.wait_for_url("**/queue")
    given = rows(machine, labels.c.word, labels.c.verdict, labels.c.note, labels.c.by)
    words = sorted(f"{row.word} {row.verdict}".strip() for row in given)
    assert words == sorted(
        ["right"] * 5
        + ["wrong"] * 2
        + [f"should_have_been {each}" for each in ("ok", "flag", "nudge", "block")]
        + ["withdrawn"]
    )
    assert [row.note for row in given if row.note] == ["axe 1234 u"]
    assert {row.by for row in given} == {"ann"}


def test_without_javascript_and_without_a_mouse_everything_works(machine: Machine, tab: Tab) -> None:
    from playwright.sync_api import expect

    for minute in range(3):
        machine.decide(f"touch block {minute}", minute=minute, session=f"s{minute}")
    other = machine.decide("mkfs block", minute=5)
    with served(machine.records.parent) as at, tab(java_script_enabled=False) as page:
        sign_in(page, at)
        page.get_by_role("link", name="Judge all").press("Enter")
        expect(page.get_by_role("checkbox")).to_have_count(3)
        page.get_by_role("checkbox").first.press("Space")
        page.get_by_role("button", name="Wrong").press("Enter")
        page.get_by_role("button", name="Undo").press("Enter")
        page.get_by_role("link", name="Queue").press("Enter")
        page.get_by_role("button", name="Skip").press("Enter")
        page.get_by_label("Which failure mode").press("Enter")  # presses no button
        expect(page.get_by_role("button", name="Right")).to_have_count(1)
        page.get_by_label("Note").fill("seen")
        page.get_by_role("button", name="Should have been flag").press("Enter")
        page.get_by_role("button", name="Sign out").press("Enter")
        page.wait_for_url(at)
    assert (
        sorted(row.word for row in rows(machine, labels.c.word))
        == ["should_have_been"] + ["withdrawn"] * 2 + ["wrong"] * 2
    )
    assert other in {row.record for row in rows(machine, decisions.c.record)}


def test_decisions_appear_as_they_are_made(machine: Machine, tab: Tab) -> None:
    from playwright.sync_api import expect

    machine.decide("touch block")
    with served(machine.records.parent) as at, tab() as page:
        sign_in(page, at)
        press(page, "gv")
        expect(page.locator("#live li")).to_have_count(1)
        machine.decide(f"later {EVIL}", minute=1)
        expect(page.locator("#live li")).to_have_count(2, timeout=20_000)
        expect(page.locator("#live li").first).to_contain_text("later <img")
        page.get_by_role("button", name="Sign out").press("Enter")
        page.wait_for_url(at)


def test_the_greatest_value_of_a_plot_is_legible(machine: Machine, tab: Tab) -> None:
    """Letters are as wide as the browser makes them, which no geometry of ours knows."""
    machine.decide("touch block", time=datetime.now(UTC).isoformat(), elapsed_ms=123_456.7)
    with served(machine.records.parent) as at, tab() as page:
        sign_in(page, at)
        page.goto(page.url.replace("/queue", "/taxonomy/touches_block"))
        plot = page.locator("figure", has_text="Latency").locator("svg")
        greatest, *others = plot.locator("text").all()
        assert len(greatest.text_content()) == len("123,456.7")
        left = plot.bounding_box()["x"]
        assert all(left <= text.bounding_box()["x"] for text in (greatest, *others))


def test_a_server_on_another_port_gets_no_cookie_and_judges_nothing(machine: Machine, chromium: Any) -> None:
    """An agent's development server, at which a person looks who has signed in; it even knows the path of the visit."""
    record = machine.decide()
    with served(machine.records.parent) as at, eavesdropping() as (other, cookies, pages):
        context = chromium.new_context()
        page = context.new_page()
        sign_in(page, at)
        base = page.url.removesuffix("/queue")
        pages["/"] = (
            f"<form method=post action='{base}/record/{record}/label'><input name=word value=right></form>"
            f"<iframe src='{base}/queue'></iframe><script src='{base}/queue'></script>"
            "<script>document.cookie='other=1'; document.forms[0].submit()</script>"
        )
        page.goto(other)
        page.wait_for_url(f"{base}/**")
        assert page.locator("body").inner_text().strip() == "another page has sent this"
        page.goto(f"{base}/queue")
        assert page.locator("#judge").is_visible()  # the visit itself goes on
        context.close()
    assert cookies
    assert not [each for each in cookies if "supervisor_console" in each]
    assert rows(machine, labels.c.word) == []


@contextmanager
def eavesdropping() -> Iterator[tuple[str, list[str], dict[str, str]]]:
    """A server on another port: its address, the cookies that it was sent, and what it answers by path."""
    cookies, pages = list[str](), dict[str, str]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            cookies.append(self.headers.get("Cookie", ""))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages.get(self.path, "").encode())

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/", cookies, pages
        server.shutdown()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(machine: Machine, tab: Tab, scheme: str) -> None:
    if (axe := axe_path()) is None:
        pytest.skip("axe-core is not installed: make axe")
    record = machine.decide("touch block")
    machine.decide("touch block", minute=1, session="s2")
    with served(machine.records.parent) as at, tab(color_scheme=scheme, bypass_csp=True) as page:
        page.goto(at)
        found = {"/": violations(page, axe)}
        sign_in(page, at)
        base = page.url.removesuffix("/queue")
        for path in (
            "/queue",
            f"/record/{record}",
            f"/record/{record}/alike",
            "/sessions",
            "/session?name=s1",
            "/taxonomy",
            "/taxonomy/touches_block",
            "/taxonomy/force_push_to_shared_branch",
            "/approvals",
            "/live",
        ):
            page.goto(base + path)
            found[path] = violations(page, axe)
    assert {path: each for path, each in found.items() if each} == {}


def violations(page: Any, axe: Path) -> list[str]:
    page.add_script_tag(path=axe)
    told = page.evaluate("() => axe.run()")
    assert told["passes"]
    return [f"{each['id']}: {node['html'][:200]}" for each in told["violations"] for node in each["nodes"]]
