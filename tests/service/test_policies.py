"""One daemon, several policies: edits are followed, and a project's policy is joined to the user's."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from supervisor.adapters.hooks import HOSTS
from supervisor.engine.guard_assets import note_installed
from supervisor.service import engines, policies
from supervisor.service.policies import Choice, Policies
from tests.conftest import TinyTaxonomy
from tests.service.daemons import Daemon


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, make_taxonomy: Callable[[Path], TinyTaxonomy]) -> Iterator[Daemon]:
    """A daemon that judges in its own process: each reload would start workers."""
    folder = tmp_path_factory.mktemp("daemon")
    running = Daemon(folder, make_taxonomy(folder))
    records = {"path": str(folder / "records"), "key": str(folder / "key.pem")}
    running.tiny.set_policy(records=records, isolation="none")
    running.start()
    yield running
    assert running.stop() == 0, running.log


@pytest.fixture(autouse=True)
def whole(daemon: Daemon) -> Iterator[None]:
    """Each test finds the daemon with the same policy, and leaves it so."""
    good = daemon.tiny.policy.read_text()
    yield
    policy = daemon.tiny.policy
    if policy.is_dir():
        policy.rmdir()
    policy.unlink(missing_ok=True)
    policy.write_text(good)
    follows(daemon, lambda: own(daemon)["problem"] == "" and verdict(daemon, "touch block") == "block")


def follows(daemon: Daemon, holds: Callable[[], Any]) -> None:
    daemon.wait_until(holds)


def asked(daemon: Daemon, method: str, path: str, value: Any = None, **headers: str) -> tuple[int, Any]:
    body = b"" if value is None else json.dumps(value).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: x", "Connection: close", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head, _, answer = daemon.exchange("\r\n".join([*lines, "", ""]).encode() + body).partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), answer.decode()


def hooked(daemon: Daemon, words: str, policy: str | Path | None = None, session: str = "s") -> tuple[int, str]:
    named = {"Supervisor_Policy_File": quote(os.fsencode(policy))} if policy else {}
    return asked(daemon, "POST", "/hook/claude", HOSTS["claude"].canary(words) | {"session_id": session}, **named)


def verdict(daemon: Daemon, words: str) -> str:
    _, answer = asked(daemon, "POST", "/v1/check", {"tool": "bash", "args": {"command": words}})
    return str(json.loads(answer).get("verdict"))


def own(daemon: Daemon) -> dict[str, Any]:
    return next(each for each in daemon.get("/v1/status")["policies"] if each["project"] is None)


def edited(daemon: Daemon, **changed: Any) -> None:
    values = json.loads(daemon.tiny.policy.read_text())
    daemon.tiny.policy.write_text(json.dumps(values | changed))


def test_an_edit_of_the_policy_takes_effect_by_itself(daemon: Daemon) -> None:
    before = own(daemon)["digest"]
    edited(daemon, authority={"default": "flag"})
    follows(daemon, lambda: verdict(daemon, "touch block") == "flag")
    assert own(daemon)["digest"] != before


@pytest.mark.thorough
def test_an_edit_of_a_taxonomy_folder_takes_effect_by_itself(daemon: Daemon) -> None:
    entry = daemon.tiny.entry("system/touches_block")
    good = entry.read_text()
    try:
        entry.write_text("id: 7")
        follows(daemon, lambda: own(daemon)["problem"])
        assert verdict(daemon, "touch block") == "block"
    finally:
        entry.write_text(good)
    follows(daemon, lambda: not own(daemon)["problem"])


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def half(path: Path) -> None:
    path.write_text(path.read_text()[:25])


def huge(path: Path) -> None:
    path.write_text(f"# {'x' * 1024 * 1024}")


def gone(path: Path) -> None:
    path.unlink()


def swapped(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def a_circle(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def binary(path: Path) -> None:
    path.write_bytes(b"\x00\xff" * 99)


SPOILED = (directory, half, huge, gone, swapped, a_circle, binary)


@pytest.mark.parametrize("spoil", [fifo, *(pytest.param(each, marks=pytest.mark.thorough) for each in SPOILED)])
def test_a_spoiled_policy_keeps_the_earlier_one_and_everybody_is_told(daemon: Daemon, spoil: Any) -> None:
    spoil(daemon.tiny.policy)
    follows(daemon, lambda: own(daemon)["problem"])
    assert verdict(daemon, "touch block") == "block"
    assert daemon.get("/health")["status"] == "stale"
    assert b"supervisor_reload_is_stale 1" in daemon.exchange(
        b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    code, text = hooked(daemon, "touch block", session=spoil.__name__)
    assert (code, "`supervisor status` says why" in text) == (403, True)
    assert "says why" not in hooked(daemon, "touch block", session=spoil.__name__)[1]  # one person is told once


@pytest.mark.thorough
def test_a_swapped_link_is_followed(daemon: Daemon, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    values = json.loads(daemon.tiny.policy.read_text()) | {"authority": {"default": "flag"}}
    other.write_text(json.dumps(values))
    daemon.tiny.policy.unlink()
    daemon.tiny.policy.symlink_to(other)
    follows(daemon, lambda: verdict(daemon, "touch block") == "flag")


@pytest.mark.thorough
def test_a_policy_under_constant_edits_drops_no_decision_and_ends_at_the_last(daemon: Daemon) -> None:
    over, found = threading.Event(), []

    def agent() -> None:
        while not over.is_set():
            found.append(verdict(daemon, "touch block"))

    agents = [threading.Thread(target=agent) for _ in range(2)]
    for each in agents:
        each.start()
    try:
        for number in range(100):
            edited(daemon, patience=number % 50)
            time.sleep(0.01)
        edited(daemon, patience=51)
        digest = policies.read_policies(Policies(str(daemon.tiny.policy))).policy.digest()
        follows(daemon, lambda: own(daemon)["digest"] == digest)
    finally:
        over.set()
        for each in agents:
            each.join()
    assert set(found) == {"block"}


# A project's policy


def project_of(tmp_path: Path, **values: Any) -> Path:
    file = tmp_path / "project" / "säfe %41\t.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(values))
    return file


def state_of(daemon: Daemon, file: Path) -> dict[str, Any]:
    return next(each for each in daemon.get("/v1/status")["policies"] if each["project"] == str(file))


def test_a_projects_policy_tightens_for_its_own_events_alone(daemon: Daemon, tmp_path: Path) -> None:
    file = project_of(tmp_path, patience=0, authority={"default": "record"}, tools={"Bash": {"kind": "finish"}})
    assert hooked(daemon, "touch block", file)[0] == 403  # neither looser authority nor another reading of its tools
    assert "block:touches_nudge" in hooked(daemon, "touch nudge", file, "p")[1]
    assert "nudge:touches_nudge" in hooked(daemon, "touch nudge", None, "p")[1]
    assert sorted(state_of(daemon, file)["ignored"]) == ["authority.default", "tools.Bash"]
    file.write_text(json.dumps({"patience": 5}))
    follows(daemon, lambda: "nudge:" in hooked(daemon, "touch nudge", file, f"q{time.monotonic()}")[1])


def test_a_trusted_project_loosens(daemon: Daemon, tmp_path: Path) -> None:
    file = project_of(tmp_path, authority={"default": "flag"})
    assert hooked(daemon, "touch block", file)[0] == 403
    edited(daemon, projects={"may_loosen": [str(tmp_path)]})
    follows(daemon, lambda: hooked(daemon, "touch block", file)[0] == 200)
    assert hooked(daemon, "touch block")[0] == 403


BROKEN = ("authority: nothing", "{", "on_refuse: {nobody: block}", None)


MOST_BROKEN = [pytest.param(each, marks=pytest.mark.thorough) for each in BROKEN]


@pytest.mark.parametrize("content", ["no_such_key: 1", *MOST_BROKEN])
def test_a_projects_policy_that_cannot_be_read_lets_nothing_run(daemon: Daemon, tmp_path: Path, content: Any) -> None:
    file = tmp_path / "broken.yaml"
    if content is not None:
        file.write_text(content)
    code, text = hooked(daemon, "ls", file)
    assert (code, str(file) in text, "a person has to mend the file" in text) == (403, True, True)
    asking = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "x"}
    assert asked(daemon, "POST", "/hook/claude", asking, Supervisor_Policy_File=quote(str(file)))[0] == 500
    event = HOSTS["cursor"].canary("ls")
    code, text = asked(daemon, "POST", "/hook/cursor", event, Supervisor_Policy_File=quote(str(file)))
    assert (code, json.loads(text)["permission"]) == (403, "deny")
    assert (str(file) in str(daemon.get("/v1/status")["unusable"]), daemon.get("/health")["status"]) == (True, "stale")
    file.write_text("{}")
    follows(daemon, lambda: hooked(daemon, "ls", file)[0] == 200)
    follows(daemon, lambda: daemon.get("/health")["status"] == "ok")


@pytest.mark.parametrize("named", ["relative.yaml", "", "%00/x", "/a%00b", f"/{'x' * 9000}"])
def test_a_name_that_is_no_path_is_refused(daemon: Daemon, named: str) -> None:
    event = HOSTS["claude"].canary("ls")
    assert asked(daemon, "POST", "/hook/claude", event, Supervisor_Policy_File=named)[0] in (400, 403)


def test_the_port_names_no_policy(daemon: Daemon) -> None:
    """Who reaches the port may be another user, who must not learn what a file of this user contains."""
    import urllib.error
    import urllib.request

    headers = {"Authorization": f"Bearer {daemon.token}", "Supervisor-Policy-File": "/etc/passwd"}
    request = urllib.request.Request(f"http://127.0.0.1:{daemon.port}/v1/status", headers=headers)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 400
    refused.value.close()


def test_a_request_for_status_needs_no_policy_that_can_be_read(daemon: Daemon, tmp_path: Path) -> None:
    code, text = asked(daemon, "GET", "/v1/status", None, Supervisor_Policy_File=str(tmp_path / "none.yaml"))
    assert (code, json.loads(text)["files"]) == (200, [str(daemon.tiny.policy)])


def test_the_users_own_hooks_name_the_users_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    socket, choice = tmp_path / "d.sock", Choice(None, tmp_path / "d.sock")
    assert choice.of("claude", None) == Policies(None)
    note_installed("claude", tmp_path / ".claude" / "settings.json", socket, Path("/etc/own.yaml"), ["x"])
    note_installed("claude", tmp_path / "p" / ".claude" / "settings.json", socket, Path("/p/its.yaml"), ["x"])
    note_installed("cursor", tmp_path / ".cursor" / "hooks.json", tmp_path / "other.sock", Path("/o.yaml"), ["x"])
    assert choice.of("claude", "/etc/own.yaml") == Policies("/etc/own.yaml")
    assert choice.of("claude", None) == Policies("/etc/own.yaml")
    assert choice.of("claude", "/p/its.yaml") == Policies("/etc/own.yaml", "/p/its.yaml")
    assert choice.of("cursor", "/o.yaml") == Policies(None, "/o.yaml")  # that is of a daemon at another socket
    assert choice.of("", None) == Policies(None)


def test_the_policy_at_the_default_place_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    choice, place = Choice(None, tmp_path / "d.sock"), tmp_path / ".config" / "supervisor" / "policy.yaml"
    assert choice.own == Policies(None)
    place.parent.mkdir(parents=True)
    place.write_text("patience: 1")
    assert choice.own == Policies(str(place))
    place.unlink()
    assert choice.own == Policies(str(place))  # a policy that is removed is an error, not the default policy


def test_policies_are_bounded_in_number(tiny: TinyTaxonomy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import anyio

    from supervisor import Supervisor

    monkeypatch.setattr(engines, "MOST", 3)
    closed: list[str] = []

    def opened(files: Policies) -> engines.Opened:
        merged = policies.open_policies(files)
        made = Supervisor(merged.policy, catalog=merged.catalog)
        monkeypatch.setattr(made, "close", lambda: closed.append(str(files.project)))
        return engines.Opened(made, merged.ignored)

    async def main() -> None:
        held = engines.Engines(opened, lambda: Policies(str(tiny.policy)))
        for number in range(8):
            file = tmp_path / f"{number}.yaml"
            file.write_text("patience: 1")
            async with held.lease(Policies(str(tiny.policy), str(file))) as lease:
                assert lease.supervisor.policy.patience == 1
        assert len(list(held)) == 4
        assert next(iter(held)).files.project is None
        await held.follow()
        assert len(list(held)) == 4
        monkeypatch.setattr(engines, "IDLE", 0.0)
        await held.follow()
        assert [each.files.project for each in held] == [None]

    anyio.run(main)
    assert len(closed) == 8


def test_one_event_opens_a_policy_and_the_others_wait_for_it(tiny: TinyTaxonomy, tmp_path: Path) -> None:
    import anyio

    from supervisor import Supervisor

    opened: list[str | None] = []

    def opening(files: Policies) -> engines.Opened:
        opened.append(files.project)
        time.sleep(0.05)
        merged = policies.open_policies(files)
        return engines.Opened(Supervisor(merged.policy, catalog=merged.catalog), merged.ignored)

    async def main() -> None:
        held = engines.Engines(opening, lambda: Policies(str(tiny.policy)))

        async def event(number: int) -> None:
            file = tmp_path / f"{number % 3}.yaml"
            async with held.lease(Policies(str(tiny.policy), str(file))):
                await anyio.sleep(0.01)

        for number in range(3):
            (tmp_path / f"{number}.yaml").write_text("{}")
        async with anyio.create_task_group() as tasks:
            for number in range(30):
                tasks.start_soon(event, number)
        held.close()

    anyio.run(main)
    assert sorted(map(str, opened)) == sorted(["None", *(str(tmp_path / f"{number}.yaml") for number in range(3))])
