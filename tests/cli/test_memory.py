"""`supervisor memory`: a person looks at what an agent was refused, and makes the guard forget it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from supervisor.memory import AgentMemory, RefusedAct
from supervisor.records.memories import FOLDER, Memories
from tests.conftest import Ran

ACT = RefusedAct("shell", frozenset({"operand:x"}), ("force_push",), (time.time() - 60,), shown="bash: git push\x1b[2J")


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("SUPERVISOR_URL", raising=False)
    folder = tmp_path / "records"
    folder.mkdir()
    Memories(folder, 30).change("bot", time.time(), lambda _: AgentMemory((ACT,)))
    return folder


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    shown: list[str] = []

    def read(text: str, question: str, accepted: Iterable[str], otherwise: str = "") -> None:
        assert list(accepted) == ["yes"]
        shown.extend((text, question))

    monkeypatch.setattr("supervisor.cli.terminal.confirm", read)
    return shown


def test_what_is_remembered_is_shown(run: Callable[..., Ran], records: Path) -> None:
    ran = run("memory", "show", "bot", "--records", records)
    assert (ran.code, ran.err) == (0, "")
    assert "1 refused act of bot remembered" in ran.out
    assert "force_push" in ran.out
    assert "\x1b[2J" not in ran.out
    told = json.loads(run("memory", "show", "bot", "--records", records, "--json").out)
    assert (told["agent"], [act["by"] for act in told["acts"]]) == ("bot", [["force_push"]])
    assert "0 refused acts of other" in run("memory", "show", "other", "--records", records).out


def test_a_person_makes_the_guard_forget_one_agent(run: Callable[..., Ran], records: Path, screen: list[str]) -> None:
    Memories(records, 30).change("other", time.time(), lambda _: AgentMemory((ACT,)))
    ran = run("memory", "forget", "bot", "--records", records)
    assert (ran.code, ran.out) == (0, "forgotten: 1 refused act of bot\n")
    assert "open  bash: git push" in screen[0]
    assert screen[1] == "Type yes to forget 1 refused act of bot:"
    assert not Memories(records, 30).knows("bot")
    assert Memories(records, 30).knows("other")
    assert run("memory", "forget", "bot", "--records", records).code == 1


def test_a_damaged_memory_can_be_forgotten(run: Callable[..., Ran], records: Path, screen: list[str]) -> None:
    (file,) = (records / FOLDER).glob("*.json")
    file.write_bytes(b"{")
    assert run("memory", "show", "bot", "--records", records).code == 2
    assert run("memory", "forget", "bot", "--records", records, "--json").code == 0
    assert "cannot be read" in screen[0]
    assert not file.exists()


def test_an_agent_cannot_make_the_guard_forget(
    run: Callable[..., Ran], records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supervisor.cli.terminal._opened", _no_terminal)
    ran = run("memory", "forget", "bot", "--records", records)
    assert (ran.code, "no_terminal" in ran.err) == (2, True)
    assert Memories(records, 30).knows("bot")


def _no_terminal(otherwise: str = "") -> int:
    from supervisor.errors import MayNotAnswer

    raise MayNotAnswer("only a person at a terminal can answer here", code="no_terminal")


def test_a_folder_without_records_is_told(run: Callable[..., Ran], tmp_path: Path) -> None:
    ran = run("memory", "show", "bot", "--records", tmp_path / "none")
    assert (ran.code, "is not a folder of records" in ran.err) == (2, True)
