"""Who is let in: tokens, cookies, other origins, forged forms; and text of agents that would be more than text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from supervisor.service.console.pages import visible
from supervisor.service.console.visits import _MOST, IDLE, Visits
from tests.feedback.journals import Machine
from tests.service.console.people import TOKEN, Console

EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>'\" onfocus=alert(3) autofocus {{7*7}} </textarea></pre>"


class Elements(HTMLParser):
    """The elements of a page, as a browser would make them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def elements(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Elements()
    parser.feed(page)
    return parser.found


def paths(console: Console) -> list[str]:
    """Every page and every form of somebody who has signed in."""
    (mount,) = (route for route in console.app.routes if getattr(route, "path", "") == "/r/{room}")
    return [
        f"{method} {route.path}"
        for route in mount.routes  # type: ignore[attr-defined]
        for method in route.methods - {"HEAD"}
    ]


def test_without_signing_in_there_is_nothing(machine: Machine, console: Console) -> None:
    record = machine.decide()
    console.refresh()
    ann, stranger = console.person(), console.client()
    seen = 0
    for each in paths(console):
        method, _, path = each.partition(" ")
        path = ann.base + path.replace("{record}", record).replace("{name}", "x").replace("{specialist}", "x")
        answer = stranger.request(method, path, data={"csrf": ann.csrf} if method == "POST" else None)
        assert answer.status_code == (401 if method == "POST" else 303), each
        assert record not in answer.text
        seen += 1
    assert seen >= 7


@pytest.mark.parametrize("fields", [{"by": "ann", "token": "wrong"}, {"by": "ann"}, {"token": ""}, {}])
def test_a_wrong_token_opens_nothing(console: Console, fields: dict[str, str]) -> None:
    answer = console.client().post("/", data=fields)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("by", ["", "   ", "x" * 1_001, "ann\u202e", "a\nb"])
def test_who_judges_has_a_name(console: Console, by: str) -> None:
    answer = console.client().post("/", data={"by": by, "token": TOKEN})
    assert answer.status_code == 400
    assert "set-cookie" not in answer.headers


def test_the_cookie_is_for_one_path_and_no_script(console: Console) -> None:
    answer = console.client().post("/", data={"by": "ann", "token": TOKEN})
    cookie = answer.headers["set-cookie"].lower()
    room = answer.headers["location"].removesuffix("/queue")
    assert len(room) > 20
    for part in ("httponly", "samesite=strict", f"path={room.lower()}"):
        assert part in cookie.split("; ")


def test_the_cookie_of_one_room_opens_no_other(machine: Machine, console: Console) -> None:
    machine.decide()
    console.refresh()
    ann, ben = console.person("ann"), console.person("ben")
    (cookie,) = [each.value for each in ann.client.cookies.jar]
    stranger = console.client()
    answer = stranger.get(f"{ben.base}/queue", headers={"Cookie": f"supervisor_console={cookie}"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_who_signs_out_is_out(console: Console, machine: Machine) -> None:
    machine.decide()
    console.refresh()
    ann = console.person()
    (cookie,) = [each.value for each in ann.client.cookies.jar]
    ann.post("/leave")
    answer = console.client().get(f"{ann.base}/queue", headers={"Cookie": f"supervisor_console={cookie}"})
    assert answer.status_code == 303


def test_visits_end(monkeypatch: pytest.MonkeyPatch) -> None:
    visits = Visits()
    first = visits.open("ann")
    others = [visits.open("ben") for _ in range(_MOST)]
    assert visits.of(first.room, first.cookie) is None
    assert visits.of(others[-1].room, others[-1].cookie) is others[-1]
    others[-1].seen -= IDLE + 1
    assert visits.of(others[-1].room, others[-1].cookie) is None


@pytest.mark.parametrize("csrf", ["", "x", "ä"])
def test_a_form_without_the_visits_token_changes_nothing(machine: Machine, console: Console, csrf: str) -> None:
    record = machine.decide()
    console.refresh()
    ann = console.person()
    posts = [each.partition(" ")[2] for each in paths(console) if each.startswith("POST")]
    assert len(posts) >= 4
    for path in posts:
        path = ann.base + path.replace("{record}", record)
        fields: dict[str, Any] = {"csrf": csrf, "word": "right", "record": record} if csrf else {"word": "right"}
        assert ann.client.post(path, data=fields).status_code == 403, path
    assert record in ann.get("/queue")
    assert "What people said" not in ann.page


def test_one_visits_form_is_no_form_of_another(machine: Machine, console: Console) -> None:
    record = machine.decide()
    console.refresh()
    ann, ben = console.person("ann"), console.person("ben")
    answer = ben.client.post(f"{ben.base}/record/{record}/label", data={"csrf": ann.csrf, "word": "right"})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://127.0.0.1:3000"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_page_of_another_origin_cannot_post(machine: Machine, console: Console, headers: dict[str, str]) -> None:
    record = machine.decide()
    console.refresh()
    ann = console.person()
    fields = {"csrf": ann.csrf, "word": "right"}
    assert ann.client.post(f"{ann.base}/record/{record}/label", data=fields, headers=headers).status_code == 403
    assert console.client().post("/", data={"by": "a", "token": TOKEN}, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "127.0.0.1:8651@evil.example", "10.0.0.1"]
)
def test_another_name_of_this_machine_is_refused(console: Console, host: str) -> None:
    assert console.client().get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:9000", "127.0.0.1", "[::1]:8651"])
def test_a_tunnel_may_end_at_any_port(console: Console, host: str) -> None:
    assert console.client().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(console: Console, method: str) -> None:
    assert console.client().request(method, "/").status_code == 405


def test_a_form_has_a_size(console: Console) -> None:
    assert console.client().post("/", content=b"token=" + b"x" * 300_000).status_code == 413
    assert console.client().post("/", content=b"&".join([b"a=1"] * 600)).status_code == 413
    assert console.client().post("/", content=b"\xff\xfe=1").status_code == 413
    ann = console.person()
    assert ann.client.post(f"{ann.base}/undo", content=b"note=" + b"x" * 300_000).status_code == 413


def test_every_answer_has_the_policy(console: Console, machine: Machine) -> None:
    machine.decide()
    console.refresh()
    ann = console.person()
    places = ["/", f"{ann.base}/queue", f"{ann.base}/nothing", "/static/console.js", "/static/none", "/r/x/queue"]
    for place in places:
        headers = ann.client.get(place).headers
        policy = dict(each.strip().partition(" ")[::2] for each in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert {policy[each] for each in ("script-src", "style-src", "form-action", "connect-src")} == {"'self'"}
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")


def test_the_pages_need_nothing_that_the_policy_forbids(console: Console, machine: Machine) -> None:
    record = machine.decide()
    console.refresh()
    ann = console.person()
    for path in ("/queue", f"/record/{record}", f"/record/{record}/alike"):
        for tag, attributes in elements(ann.get(path)):
            assert tag != "style"
            assert not [name for name in attributes if name == "style" or name.startswith("on")]
            for name in ("src", "href", "action"):
                assert not (attributes.get(name) or "").startswith(("http", "//", "data:", "javascript:"))


def test_what_an_agent_writes_stays_text(machine: Machine, console: Console) -> None:
    """In an action, its tool, its session, its agent, its specialists' reasons, a note, a name."""
    harmless = {path: tags(page) for path, page in pages_with(machine, console, "plain").items()}
    planted = {path: tags(page) for path, page in pages_with(machine, console, EVIL).items()}
    assert planted.keys() == harmless.keys()
    assert planted == harmless


def pages_with(machine: Machine, console: Console, text: str) -> dict[str, str]:
    """Every page that shows a decision, with a text wherever an agent or a person can put one."""
    record = machine.decide(
        text,
        session=text,
        agent=text,
        specialist=text,
        action={"tool": text, "args": {text: text, "other": {"in": [text]}}, "kind": text, "fields": {}},
    )
    console.refresh()
    person = console.person(text)
    shown = {"queue": person.get("/queue"), "record": person.get(f"/record/{record}")}
    assert text == "plain" or "onerror" in shown["record"]
    shown["alike"] = person.get(f"/record/{record}/alike")
    person.label(record, "wrong", note=text, entry=text)
    shown["after"] = person.get("/queue")
    shown["labelled"] = person.get(f"/record/{record}")
    shown["error"] = person.label(record, "wrong", 400, entry=f"{text}?").text
    shown["wrong token"] = console.client().post("/", data={"by": text, "token": "no"}).text
    return shown


def tags(page: str) -> list[tuple[str, list[str]]]:
    """The elements with the names of their attributes."""
    return [(tag, sorted(attributes)) for tag, attributes in elements(page)]


def test_what_would_not_be_seen_is_shown() -> None:
    shown = visible("rm \u202e gpj.exe\u0007\u200b <b>")
    assert shown == (
        'rm <mark title="U+202E">\\u202e</mark> gpj.exe<mark title="U+0007">\\x07</mark>'
        '<mark title="U+200B">\\u200b</mark> &lt;b&gt;'
    )
    assert visible("line\n\ttab ä 漢") == "line\n\ttab ä 漢"
    assert re.search(r"… 5 more characters", visible("x" * 100_005))
