"""Exemptions under a daemon that serves a project with its own policy: people's hold there, the project's do not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from supervisor.adapters.hooks import HOSTS
from tests.conftest import Ran, TinyTaxonomy
from tests.service.daemons import Daemon


@pytest.fixture
def daemon(tmp_path: Path, tiny: TinyTaxonomy) -> Iterator[Daemon]:
    running = Daemon(tmp_path, tiny)
    tiny.set_policy(
        records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")},
        projects={"may_loosen": [str(tmp_path / "trusted")]},
        isolation="none",
    )
    running.start()
    yield running
    assert running.stop() == 0, running.log


def project(folder: Path, **policy: Any) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "supervisor.yaml"
    file.write_text(json.dumps(policy))
    return file


def hooked(daemon: Daemon, command: str, policy: Path) -> int:
    """The status of the answer to Claude Code's event in this project."""
    event = HOSTS["claude"].canary(command) | {"cwd": str(policy.parent), "session_id": policy.parent.name}
    body, named = json.dumps(event).encode(), quote(os.fsencode(policy))
    head = f"POST /hook/claude HTTP/1.1\r\nHost: x\r\nConnection: close\r\nSupervisor-Policy-File: {named}\r\n"
    return int(daemon.exchange(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body).split(b" ", 2)[1])


def state(daemon: Daemon, file: Path) -> dict[str, Any]:
    policies: list[dict[str, Any]] = daemon.get("/v1/status")["policies"]
    return next(each for each in policies if each["project"] == str(file))


def test_a_persons_exemption_holds_in_a_project_and_its_own_do_not(
    daemon: Daemon, run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supervisor.cli.terminal.confirm", lambda *_, **__: None)
    monkeypatch.delenv("SUPERVISOR_URL", raising=False)
    declared = {"specialists": ["touches_block"], "reason": "its own", "path": "/**"}
    named = {"specialists": ["touches_block"], "reason": "its own", "command": "touch block", "project": str(tmp_path)}
    file = project(tmp_path / "shop", patience=1, exemptions={"allow": [declared, named]})
    trusted = project(tmp_path / "trusted", exemptions={"allow": [named | {"project": str(tmp_path / "trusted")}]})

    assert (hooked(daemon, "touch block", file), hooked(daemon, "touch block", trusted)) == (403, 200)
    assert state(daemon, file)["ignored"] == ["exemptions.allow"]
    assert state(daemon, trusted)["ignored"] == []
    assert "without effect: exemptions.allow (a project's policy can only" in " ".join(
        run("status", "--socket", daemon.socket).out.split()
    )

    about = ("--specialist", "touches_block", "--command", "touch block", "--project", file.parent)
    made = run("allow", *about, "--reason", "it is mine", "--by", "ann", "--json", "--policy", daemon.tiny.policy)
    assert (made.code, made.err) == (0, "")
    id = json.loads(made.out)["id"]
    assert hooked(daemon, "touch block", file) == 200

    logged = [json.loads(line) for line in run("log", "--json", tmp_path / "records").out.splitlines()]
    of_person, of_policy = (
        next(each for each in logged if "exemptions" in each and f":{name}@" in each["session"])
        for name in ("shop", "trusted")
    )
    shown = " ".join(run("log", "show", of_person["id"], tmp_path / "records").out.split())
    assert f"{id[:12]}: it is mine lifts the objection of touches_block" in shown
    assert "made by ann `supervisor allow revoke" in shown
    shown = " ".join(run("log", "show", of_policy["id"], tmp_path / "records").out.split())
    assert "its own lifts the objection of touches_block; for ever; made by the policy" in shown
    assert "allow revoke" not in shown

    file.write_text(json.dumps({"exemptions": {"never": ["touches_block"]}}))  # a project may rule them out
    daemon.wait_until(lambda: hooked(daemon, "touch block", file) == 403)
    assert run("verify", tmp_path / "records").code == 0
