"""The README and the documents are true: every command and every snippet in them runs."""

from __future__ import annotations

import json
import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from supervisor.catalog import open_catalog
from supervisor.policy import Taxonomy, check_names, policy_from
from supervisor.proposal import MAX_STEPS
from supervisor.tools import KINDS
from supervisor.values import MAX_PAST_ITEMS
from tests.attack.terminals import terminal

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)[^)]*\)")


def blocks(language: str) -> Iterator[object]:
    """Those of the README are in every run, those of the other pages in `make thorough`."""
    found = [(page, text) for page in PAGES for kind, text in BLOCK.findall(page.read_text()) if kind == language]
    for number, (page, text) in enumerate(found):
        marks = () if page.name == "README.md" else pytest.mark.thorough
        yield pytest.param(text, id=f"{page.name}-{number}", marks=marks)


def run(command: list[str], folder: Path) -> str:
    """In an empty folder, with an empty home, and with the `supervisor` that belongs to this Python."""
    environment = environment_in(folder)
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def environment_in(folder: Path) -> dict[str, str]:
    scripts = str(Path(sys.executable).parent)
    environment = {"PATH": f"{scripts}:{os.environ['PATH']}", "HOME": str(folder), "NO_COLOR": "1"}
    environment["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]  # what has passed its cases need not pass them again
    return environment


def run_with_a_person(command: list[str], folder: Path) -> None:
    """The same at a terminal, where somebody says yes to what is asked there."""
    with terminal(*command, cwd=folder, env=environment_in(folder)) as screen:
        screen.wait_for("to approve ")
        screen.type("yes\n")
        assert screen.ends() == 0, screen.shown


@pytest.mark.parametrize("snippet", list(blocks("python")))
def test_python_runs(snippet: str, tmp_path: Path) -> None:
    run([sys.executable, "-c", snippet], tmp_path)


@pytest.mark.parametrize("snippet", list(blocks("sh")))
def test_shell_runs(snippet: str, tmp_path: Path) -> None:
    """`make` targets are only looked up here: CI runs them."""
    needed = [tool for tool in ("openssl", "jq") if tool in snippet and not shutil.which(tool)]
    if needed:
        pytest.skip(f"{' and '.join(needed)} not installed")
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"^make (\w+)", snippet, re.MULTILINE)
    assert all(f"\n{target}:" in makefile for target in targets)
    rest = "\n".join(line for line in snippet.splitlines() if not line.startswith("make "))
    if "records/" in rest:
        command = '{"tool": "bash", "args": {"command": "ls"}}'
        rest = f"echo '{command}' | supervisor check --records records > told\n{rest}"
    asked = run_with_a_person if "supervisor approve " in rest else run
    asked(["bash", "-euo", "pipefail", "-c", rest], tmp_path)


def test_the_readmes_guard_says_what_it_says(tmp_path: Path) -> None:
    (snippet,) = [text for kind, text in BLOCK.findall((ROOT / "README.md").read_text()) if kind == "python"]
    told = run([sys.executable, "-c", snippet], tmp_path).splitlines()
    assert told[0] == "ran pytest -q"
    assert told[1].startswith('{"executed":false,"code":"nudge:force_push_to_shared_branch"')
    assert told[2]


@pytest.mark.parametrize("snippet", list(blocks("yaml")))
def test_policies_are_policies(snippet: str) -> None:
    policy = policy_from(yaml.safe_load(snippet), place="the document")
    check_names(policy, open_catalog(policy.taxonomy).known)


def only(language: str, page: str) -> str:
    (text,) = [text for kind, text in BLOCK.findall((ROOT / "docs" / page).read_text()) if kind == language]
    return text


def test_the_files_that_start_the_daemon_are_such_files(tmp_path: Path) -> None:
    """Of systemd and launchd; what they start is a command that `supervisor` takes."""
    unit, agent = only("ini", "daemon.md"), plistlib.loads(only("xml", "daemon.md").encode())
    (started,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    for program, *words in (shlex.split(started), agent["ProgramArguments"]):
        assert program.endswith("/bin/supervisor")
        run([sys.executable, "-m", "supervisor", *words, "--help"], tmp_path)
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not here to verify the unit")
    file = tmp_path / "supervisor.service"
    file.write_text(unit.replace("%h/.local/bin/supervisor", sys.executable))
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    verify = ["systemd-analyze", "verify", "--user", str(file)]
    verified = subprocess.run(verify, env=environment, capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"(`+).+?\1", "", page.read_text())
    local = [link for link in LINK.findall(prose) if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_every_decision_is_listed_under_its_number_and_title() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"^\| (\d+) \| \[(.+)\]\((.+)\) \|", (folder / "README.md").read_text(), re.MULTILINE)
    assert listed == [
        (str(number), path.read_text().splitlines()[0].removeprefix(f"# {number}. "), path.name)
        for number, path in enumerate(sorted(folder.glob("[0-9]*.md")), 1)
    ]


def test_the_limits_of_a_history_are_as_told() -> None:
    told = (ROOT / "docs" / "deadlines.md").read_text()
    assert f"| {MAX_PAST_ITEMS:,} in {MAX_STEPS:,} steps |" in told


def test_every_kind_is_named() -> None:
    text = (ROOT / "docs" / "policy.md").read_text()
    assert [kind for kind in KINDS if f"`{kind}`" not in text] == []


def test_the_readme_counts_what_ships() -> None:
    text = (ROOT / "README.md").read_text()
    catalog = open_catalog(Taxonomy())
    cases = [catalog.failure_mode(name).cases for name in catalog.entries]
    count = sum(len(each.caught) + len(each.let_through) + len(each.refused) for each in cases)
    assert f"{len(catalog.entries)} failure modes, {count} cases" in " ".join(text.split())


def test_the_readme_says_of_the_classifier_what_its_card_says() -> None:
    text = " ".join((ROOT / "README.md").read_text().split())
    card = json.loads((ROOT / "supervisor/methods/models/agent_directed.json").read_text())["card"]
    low, high = (f"{100 * each:.0f}" for each in card["recall"]["interval"])
    assert f"finds {100 * card['recall']['value']:.0f}% ({low} to {high})" in text
    low, high = (f"{100 * each:.1f}" for each in card["honest_stopped"]["interval"])
    assert f"stops {100 * card['honest_stopped']['value']:.1f}% ({low} to {high})" in text
