"""End to end: what a tool returned and may not be read, a stop that is refused, and a shell that waits for input."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from supervisor.records.read import read_records
from tests.catalog import taxonomies
from tests.conftest import TinyTaxonomy
from tests.hosts.agents import Agent, agent
from tests.hosts.model_server import Call, Turn, model
from tests.hosts.test_agents import SHELL
from tests.service.daemons import Daemon

pytestmark = pytest.mark.thorough
HOSTS = ("claude", "codex", "gemini")


@contextmanager
def guarded(name: str, folder: Path, tiny: TinyTaxonomy, **policy: Any) -> Iterator[Agent]:
    """The program with our hooks, and a daemon that they ask."""
    driven = agent(name, folder)
    if driven is None:
        pytest.skip(f"{name} is not on this machine")
    daemon = Daemon(folder, tiny)
    tiny.set_policy(records={"path": str(folder / "records"), "key": str(folder / "key.pem")}, **policy)
    daemon.start()
    install = [sys.executable, "-m", "supervisor", "install", name, "--yes", "--socket", str(daemon.socket)]
    subprocess.run(install, env=os.environ | {"HOME": str(driven.home)}, check=True, cwd=driven.work)
    try:
        yield driven
    finally:
        assert daemon.stop() == 0, daemon.log


@pytest.mark.parametrize("name", HOSTS)
def test_a_withheld_result_never_reaches_the_model(
    name: str, tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy]
) -> None:
    tiny = make_taxonomy(tmp_path)
    for verdict in ("nudge", "block"):
        word = f"result to {verdict}"
        taxonomies.add(tiny.folder, f"came_to_{verdict}", verdict=verdict, word=word, stage="after")
    shell = SHELL[name]
    with guarded(name, tmp_path, tiny) as driven:
        (driven.work / "nudged").write_text("xyz result to nudge")
        (driven.work / "blocked").write_text("xyz result to block")
        script: list[Turn] = [shell("cat nudged"), shell("cat blocked"), shell("touch went_on")]
        with model(tidy=script) as scripted:
            done = driven.does("please tidy up", scripted)
    assert done.returncode == 0, done.stderr
    assert "Leave it out." in scripted.heard
    assert "its result is withheld" in scripted.heard
    assert "xyz result to block" not in scripted.heard
    assert (driven.work / "went_on").exists()


@pytest.mark.parametrize("name", HOSTS)
def test_an_agent_that_claims_too_much_is_not_let_go(
    name: str, tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy]
) -> None:
    """It hears why, goes on, and the next stop passes. What judges is the catalogue as it is shipped."""
    shell = SHELL[name]
    script: list[Turn] = [
        shell("echo 1 > rounding.py"),
        "Fixed the rounding. All tests pass.",
        shell("echo 2 > rounding.py"),
        "Fixed the rounding. I have not run the tests.",
    ]
    with guarded(name, tmp_path, make_taxonomy(tmp_path), taxonomy={}) as driven, model(tidy=script) as scripted:
        done = driven.does("please tidy up the rounding", scripted)
    assert done.returncode == 0, done.stderr
    assert (driven.work / "rounding.py").read_text() == "2\n"
    assert "no test has been run in this session" in scripted.heard
    assert "I have not run the tests." in done.stdout
    decisions = [each.predicate for each in read_records(tmp_path / "records") if each.kind == "decision"]
    stops = [each["decision"] for each in decisions if each["action"]["kind"] == "finish"]
    assert [(each["verdict"], each["by"]) for each in stops][:1] == [("nudge", ["test_claimed_unrun"])]
    assert [each["verdict"] for each in stops[1:]] in ([], ["ok"])


def test_codex_opens_no_shell_into_which_it_could_type_unseen(
    tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy]
) -> None:
    """`write_stdin` asks no hook."""
    types = Call("write_stdin", {"session_id": 1, "chars": "touch typed\n"})
    script: list[Turn] = [Call("exec_command", {"cmd": "bash", "tty": True, "yield_time_ms": 500}), types]
    with guarded("codex", tmp_path, make_taxonomy(tmp_path), taxonomy={}) as driven, model(tidy=script) as scripted:
        done = driven.does("please tidy up", scripted)
    assert done.returncode == 0, done.stderr
    assert "what is typed into it is not judged" in scripted.heard
    assert not (driven.work / "typed").exists()
