"""End to end, where the policy has a person asked: what is approved runs, once, and the real programs go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from supervisor.engine.remote.client import Remote
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.conftest import TinyTaxonomy
from tests.hosts.agents import Agent, agent
from tests.hosts.model_server import model
from tests.hosts.terminal import Terminal
from tests.hosts.test_agents import SHELL
from tests.service.daemons import Daemon

pytestmark = pytest.mark.thorough


def test_the_no_of_claude_codes_user_at_its_prompt_is_recorded(
    tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy]
) -> None:
    """In its terminal, as people use it."""
    driven = agent("claude", tmp_path)
    if driven is None:
        pytest.skip("claude is not on this machine")
    daemon = _asking("claude", driven, make_taxonomy(tmp_path))
    shell = SHELL["claude"]
    with model(tidy=[shell("touch block"), shell("touch block"), "Then not."]) as scripted, Terminal(driven) as screen:
        screen.begin("please tidy up", scripted)
        screen.wait_for(b"Esc")
        for key in (b"\x1b[B", b"\t", b"on a branch", b"\r"):  # down to "No", and why
            screen.press(key)
        screen.wait_for(b"not.")
    assert not (driven.work / "block").exists()
    assert "denied:touches_block" in scripted.heard
    assert daemon.stop() == 0, daemon.log
    answers = [each.predicate for each in read_records(tmp_path / "records") if each.kind == "approval"]
    assert [(each["answer"], each["by"], each["note"]) for each in answers] == [
        ("denied", "the user of claude", "on a branch")
    ]
    assert verify(tmp_path / "records").problems == []


@pytest.mark.parametrize(
    ("name", "prompt", "keys"),
    [("claude", b"Esc", (b"\x1b[B", b"\x1b[B", b"\r")), ("gemini", b"suggest", (b"\x1b[B", b"\x1b[B", b"\r"))],
)
def test_the_no_of_a_hosts_user_to_what_was_let_through_is_a_miss(
    name: str, prompt: bytes, keys: tuple[bytes, ...], tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy]
) -> None:
    """At the host's own prompt, in its terminal. It is known once the user goes on."""
    driven = agent(name, tmp_path)
    if driven is None:
        pytest.skip(f"{name} is not on this machine")
    daemon = _asking(name, driven, make_taxonomy(tmp_path))
    asks, ends = [SHELL[name]("touch other"), "Then not."], ["Then not."] * 3  # Gemini CLI forgets the refused call
    with model(something=ends, tidy=asks) as scripted, Terminal(driven) as screen:
        screen.begin("please tidy up", scripted)
        screen.wait_for(prompt)
        for key in (*keys, b"say something else", b"\r"):
            screen.press(key)
        screen.wait_for(b"not.")
    assert not (driven.work / "other").exists()
    assert daemon.stop() == 0, daemon.log
    found = [each.predicate for each in read_records(tmp_path / "records") if each.kind == "declined"]
    assert [each["by"] for each in found] == [f"the user of {name}"]
    asked = [sys.executable, "-m", "supervisor", "coverage", "--misses", "--json", "--records"]
    told = subprocess.run([*asked, tmp_path / "records"], capture_output=True, text=True, check=False, cwd=tmp_path)
    (cluster,) = json.loads(told.stdout)["clusters"]
    assert [(each["record"], each["why"]) for each in cluster["misses"]] == [(found[0]["record"], "declined")]
    assert (told.returncode, verify(tmp_path / "records").problems) == (1, [])


def _asking(name: str, driven: Agent, tiny: TinyTaxonomy) -> Daemon:
    """A daemon whose policy has a person asked, and our hooks in the host's settings."""
    daemon = Daemon(driven.folder, tiny)
    records = {"path": str(driven.folder / "records"), "key": str(driven.folder / "key.pem")}
    tiny.set_policy(records=records, approval={"ask": [{"families": ["system"]}], "wait": 600})
    daemon.start()
    install = [sys.executable, "-m", "supervisor", "install", name, "--yes", "--socket", str(daemon.socket)]
    subprocess.run(install, env=os.environ | {"HOME": str(driven.home)}, check=True, cwd=driven.work)
    return daemon


@pytest.mark.parametrize("name", ["claude", "codex", "gemini"])
def test_what_a_person_approves_runs(name: str, tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy]) -> None:
    """Claude Code is told to ask, and refuses where it has no user; the others' hooks wait for the queue."""
    driven = agent(name, tmp_path)
    if driven is None:
        pytest.skip(f"{name} is not on this machine")
    daemon = _asking(name, driven, make_taxonomy(tmp_path))
    remote, shell = Remote(daemon.url, daemon.token), SHELL[name]

    def person() -> None:
        while not (waiting := remote.questions()):
            time.sleep(0.05)
        assert not (driven.work / "block").exists()
        remote.answer(waiting[0]["id"], "approved", "ann")
        (driven.work / "answered").touch()

    answering = threading.Thread(target=person)
    answering.start()
    until_answered = shell("while [ ! -e answered ]; do sleep 0.1; done; rm answered")
    script = [shell("touch block"), until_answered, *([shell("touch block")] if name == "claude" else [])]
    with model(tidy=script) as scripted:
        done = driven.does("please tidy up", scripted)
    answering.join()
    assert done.returncode == 0, done.stderr
    assert (driven.work / "block").exists()
    assert ("supervisor approve" in scripted.heard) == (name == "claude")
    remote.close()
    assert daemon.stop() == 0, daemon.log
    states = [
        each.predicate["approval"]["state"]
        for each in read_records(tmp_path / "records")
        if each.kind == "decision" and "approval" in each.predicate
    ]
    assert states == ["asked", "approved"]
    assert verify(tmp_path / "records").problems == []
