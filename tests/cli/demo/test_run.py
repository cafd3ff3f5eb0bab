from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from supervisor.cli.demo.run import Audience, run
from supervisor.cli.demo.screen import Screen
from supervisor.errors import BadInput
from supervisor.policy import Authority

# Every Python process of the demo, the replay's too, notes what it writes.
NOTING = """
import os, sys

def note(event, args):
    makes = event in ("os.mkdir", "os.rename", "os.link", "os.symlink")
    writes = event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (makes or writes) and isinstance(args[0], (str, bytes, os.PathLike)):
        os.write(notes, os.path.abspath(os.fsencode(args[0])) + b"\\n")

notes = os.open(os.environ["NOTES"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
sys.addaudithook(note)
"""


def demo(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`supervisor demo` with a home and temporary files of its own."""
    for name in ("home", "tmp", "noting"):
        (folder / name).mkdir()
    (folder / "noting" / "sitecustomize.py").write_text(NOTING)
    root = str(Path(__file__).parents[3])
    apart = {"HOME": folder / "home", "TMPDIR": folder / "tmp"}
    noting = {"PYTHONPATH": f"{folder / 'noting'}:{root}", "NOTES": folder / "notes", "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {**os.environ, "COLUMNS": "100", **{name: str(value) for name, value in {**apart, **noting}.items()}}
    environment.pop("SUPERVISOR_POLICY", None)
    command = [sys.executable, "-m", "supervisor", "demo", *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    done = demo(folder, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout))


def steps(told: dict[str, Any], agent: str, tool: str) -> list[dict[str, Any]]:
    proposed = [step for step in told["steps"] if step.get("stage") != "after"]
    return [step for step in proposed if (step["agent"], step["tool"]) == (agent, tool)]


@pytest.mark.thorough
def test_every_promise_comes_true(told: dict[str, Any]) -> None:
    assert told["kept"]
    assert [promise["what"] for promise in told["promises"] if not promise["kept"]] == []
    assert len(told["promises"]) == 14


@pytest.mark.thorough
def test_every_verdict_is_met_and_most_actions_run(told: dict[str, Any]) -> None:
    assert all(told["totals"][verdict] for verdict in ("ok", "flag", "nudge", "block"))
    assert told["totals"]["ok"] > len(told["steps"]) / 2
    assert sum(told["totals"].values()) == len(told["steps"])
    assert all(step["ran"] == (step["verdict"] in ("ok", "flag")) for step in told["steps"])


@pytest.mark.thorough
def test_a_correction_is_heeded(told: dict[str, Any]) -> None:
    nudged, repaired = steps(told, "support", "sql")[1:3]
    assert (nudged["verdict"], repaired["verdict"]) == ("nudge", "ok")
    assert repaired["args"]["query"].startswith("DELETE FROM carts WHERE")
    invented, quoted = steps(told, "research", "cite")
    assert (invented["verdict"], quoted["verdict"]) == ("nudge", "ok")
    assert quoted["args"]["quote"] in invented["correction"]


@pytest.mark.thorough
def test_an_ignored_correction_becomes_a_block(told: dict[str, Any]) -> None:
    first, second, third, honest = steps(told, "coding", "edit_file")
    assert [first["verdict"], second["verdict"], third["verdict"], honest["verdict"]] == [
        "nudge",
        "nudge",
        "block",
        "ok",
    ]
    assert first["correction"] != second["correction"]
    assert first["by"] == second["by"] == third["by"]


@pytest.mark.thorough
def test_a_flagged_action_runs_and_waits_for_review(told: dict[str, Any]) -> None:
    (flagged,) = [step for step in told["steps"] if step["verdict"] == "flag"]
    assert flagged["ran"]
    assert flagged["review"]


@pytest.mark.parametrize(
    ("agent", "tool", "by"),
    [
        ("support", "issue_refund", "duplicate_refund_same_order"),
        ("coding", "shell", "recursive_delete_outside_workspace"),
        ("research", "click", "click_outside_allowed_domains"),
    ],
)
@pytest.mark.thorough
def test_what_must_not_run_is_blocked_beside_honest_uses_of_the_same_tool(
    told: dict[str, Any], agent: str, tool: str, by: str
) -> None:
    used = steps(told, agent, tool)
    (blocked,) = [step["by"] for step in used if step["verdict"] == "block"]
    assert by in blocked
    assert any(step["verdict"] == "ok" for step in used)


@pytest.mark.thorough
def test_what_a_ticket_plants_is_not_sent_beside_honest_uses_of_the_same_tool(told: dict[str, Any]) -> None:
    used = steps(told, "support", "send_email")
    (planted,) = [step for step in used if step["verdict"] == "nudge"]
    assert planted["by"] == ["planted_recipient"]
    assert any(step["verdict"] == "ok" for step in used)


@pytest.mark.thorough
def test_the_records_hold_and_a_changed_byte_does_not(told: dict[str, Any]) -> None:
    assert told["verified"]["problems"] == 0
    assert told["replayed"] == {"decisions": len(told["steps"]), "differing": 0}
    assert told["tampered"]["changed_line"] == told["tampered"]["found_line"]


@pytest.mark.thorough
def test_nothing_outside_the_sandbox_is_written_and_the_sandbox_goes(told: dict[str, Any], folder: Path) -> None:
    written = {Path(line) for line in (folder / "notes").read_text().splitlines()} - {Path(os.devnull)}
    cache = Path(os.environ["XDG_CACHE_HOME"])  # where entries that pass for the first time are remembered
    inside = {path for path in written if path.is_relative_to(folder / "tmp")}
    assert {path for path in written - inside if path != cache and cache not in path.parents} == set()
    assert any(path.suffix == ".jsonl" for path in inside)
    assert list((folder / "tmp").iterdir()) == list((folder / "home").iterdir()) == []


@pytest.mark.thorough
def test_people_get_one_screen(tmp_path: Path) -> None:
    done = demo(tmp_path, "--keep", "records")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 100
    assert "not met" not in done.stdout
    assert done.stderr == ""
    assert list((tmp_path / "records").glob("*.jsonl"))
    assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.thorough
@pytest.mark.parametrize("rows", [30, 50])
def test_a_small_terminal_gets_one_line_an_action(rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for name, value in {"COLUMNS": "80", "LINES": str(rows), "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Terminal())
    screen = Screen()
    ended = run(screen)
    screen.ended(ended, None)
    lines = sys.stdout.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert any("╰" in line for line in lines) == (rows == 50)
    assert len(lines) <= rows or rows == 30
    assert lines[-1].strip() == "→ supervisor explain duplicate_refund_same_order"


def test_records_go_to_an_empty_folder_only(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(BadInput, match="not an empty folder"):
        run(Audience(), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine"]


@pytest.mark.thorough
def test_a_guard_that_lets_a_deletion_pass_harms_a_decoy_alone_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine").touch()
    ended = run(Audience(), authority=Authority(specialists={"recursive_delete_outside_workspace": "record"}))
    assert not ended.kept
    assert [each.what for each in ended.promises if not each.kept] == ["a home directory survives a cleanup"]
    assert (tmp_path / "mine").exists()


@pytest.mark.thorough
def test_a_guard_that_misses_something_is_told() -> None:
    deaf = Authority(specialists={"fabricated_citation": "record", "duplicate_refund_same_order": "flag"})
    ended = run(Audience(), authority=deaf)
    unkept = [each.what for each in ended.promises if not each.kept]
    assert unkept == [
        "a correction of a quotation is heeded",
        "a flagged action runs and waits for review",
        "an order is refunded once",
    ]
