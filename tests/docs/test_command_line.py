"""`docs/cli.md` is what the command says, and what it says about JSON is what the verbs print."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from supervisor.cli.app import build
from supervisor.cli.output import JSON_VERSION
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Records, read_policy
from tests.docs.command_line import JSON, PAGE, options_of, page, verbs

ACTION = json.dumps({"tool": "bash", "args": {"command": "touch block"}})


def test_the_page_is_what_the_command_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.docs.command_line writes it anew"


def test_every_verb_with_json_is_described_and_no_other() -> None:
    with_json = [path for path, each in verbs(get_command(build())) if "--json" in options_of(each)]
    assert sorted(JSON) == sorted(with_json)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory, make_taxonomy: Any) -> Path:
    file: Path = make_taxonomy(tmp_path_factory.mktemp("taxonomy")).set_policy(isolation="none")
    return file


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory, policy: Path) -> Path:
    """A journal with one decision."""
    folder = tmp_path_factory.mktemp("journal")
    kept = Records(str(folder / "records"), str(folder / "key.pem"))
    with contextlib.closing(Supervisor(replace(read_policy(policy), records=kept))) as engine:
        engine.decide_from_thread(engine.action("bash", {"command": "touch block"}))
    return folder / "records"


def keys_of(text: str) -> list[str]:
    """The keys at the top level that a description promises in every case."""
    text = re.split(r"; where they apply|; `unreadable`|\. With ", text)[0]
    while "(" in text:
        text = re.sub(r"\([^()]*\)", "", text)
    return re.findall(r"`(\w+)`", text)


@pytest.mark.parametrize(
    "line",
    [
        "check --policy {policy} --json",
        "list --policy {policy} --json",
        "explain touches_flag --policy {policy} --json",
        "coverage touches_flag --policy {policy} --json",
        "docs --policy {policy} --json",
        "verify {records} --json",
        "replay {records} --json",
        "log list {records} --json",
        "log show --at 2999-01-01T00:00 {records} --json",
    ],
)
def test_the_keys_are_there(run: Any, policy: Path, records: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setenv("SUPERVISOR_REPLAY_PROCESS", "1")
    ran = run(*line.format(policy=policy, records=records).split(), stdin=ACTION)
    printed = json.loads(ran.out)
    first = printed[0] if isinstance(printed, list) else printed
    verb = next(path for path in JSON if line.startswith(path))
    keys = keys_of(JSON[verb])
    assert len(keys) >= 2
    assert [key for key in ("version", *keys) if key not in first] == []
    assert first["version"] == JSON_VERSION
