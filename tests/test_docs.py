"""The README and the documents are true: every command and every snippet in them runs."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from supervisor.adapters.hooks import HOSTS
from supervisor.catalog.catalog import Catalog, in_force, open_catalog
from supervisor.catalog.policy_names import check_names
from supervisor.cli.app import build
from supervisor.intake.json_values import MAX_PAST_ITEMS
from supervisor.intake.kinds import KINDS
from supervisor.intake.parsing import MAX_STEPS
from supervisor.memory import FACT
from supervisor.policy import Policy, Taxonomy, policy_from
from supervisor.service.unit import unit_of
from tests.conftest import Ran
from tests.docs.pages import (
    BLOCK,
    LINK,
    PAGES,
    README,
    ROOT,
    WALKS,
    run_command,
    run_with_a_person,
    without_make,
    words,
)


def blocks(language: str) -> Iterator[object]:
    """Those of the README are in every run, those of the other pages in `make thorough`. Those of CONTRIBUTING and of
    `docs/start` belong together: `tests/journeys` runs them."""
    found = [
        (page, text)
        for page in PAGES
        if page not in WALKS
        for kind, text in BLOCK.findall(page.read_text())
        if kind == language
    ]
    for number, (page, text) in enumerate(found):
        marks = () if page == README else pytest.mark.thorough
        yield pytest.param(text, id=f"{page.name}-{number}", marks=marks)


@pytest.mark.parametrize("snippet", list(blocks("python")))
def test_python_runs(snippet: str, tmp_path: Path) -> None:
    run_command([sys.executable, "-c", snippet], tmp_path)


@pytest.mark.parametrize("snippet", list(blocks("sh")))
def test_shell_runs(snippet: str, tmp_path: Path) -> None:
    """`make` targets are only looked up here: CI runs them."""
    needed = [tool for tool in ("openssl", "jq") if tool in snippet and not shutil.which(tool)]
    if needed:
        pytest.skip(f"{' and '.join(needed)} not installed")
    rest = without_make(snippet)
    if "records/" in rest or "supervisor records " in rest:
        command = '{"tool": "bash", "args": {"command": "ls"}}'
        rest = f"echo '{command}' | supervisor check --records records > told\n{rest}"
    asks = re.search(r"supervisor (?:approve|label|allow --record .* --reason) ", rest)
    asked = run_with_a_person if asks else run_command
    asked(["bash", "-euo", "pipefail", "-c", rest], tmp_path)


def test_the_readmes_guard_says_what_it_says(tmp_path: Path) -> None:
    (snippet,) = [text for kind, text in BLOCK.findall((ROOT / "README.md").read_text()) if kind == "python"]
    own = tmp_path / ".config" / "supervisor" / "policy.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("budgets: {pure_ms: 10000}\n")  # so that a slow machine makes no vote late
    told = run_command([sys.executable, "-c", snippet], tmp_path).splitlines()
    assert told[0] == "ran pytest -q"
    assert told[1].startswith('{"executed":false,"code":"nudge:force_push_to_shared_branch"')
    assert told[2]


@pytest.mark.parametrize("snippet", list(blocks("yaml")))
def test_policies_are_policies(snippet: str) -> None:
    policy = policy_from(yaml.safe_load(snippet), place="the document")
    check_names(policy, open_catalog(policy.taxonomy))


def test_each_promise_of_the_threat_model_names_a_test_that_is_there() -> None:
    page = (ROOT / "docs" / "threat-model.md").read_text()
    promises = [line for line in page.partition("## What cannot")[0].splitlines() if "`tests/" in line]
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", page)
    assert len(promises) >= 20
    assert [(file, test) for file, test in named if f"def {test}" not in (ROOT / file).read_text()] == []


def only(language: str, page: str) -> str:
    (text,) = [text for kind, text in BLOCK.findall((ROOT / "docs" / page).read_text()) if kind == language]
    return text


def test_the_unit_of_systemd_is_the_one_that_is_written() -> None:
    unit, told = unit_of("systemd", Path("x"), [], Path("log")).text, only("ini", "daemon.md")
    settings = [line for line in unit.splitlines() if not line.startswith(("ExecStart", "#"))]
    assert [line for line in told.splitlines() if not line.startswith("ExecStart")] == settings
    (started,) = re.findall(r"^ExecStart=\S+ (.+) --socket \S+$", told, re.MULTILINE)
    assert started in unit


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


def shipped() -> Catalog:
    return open_catalog(Taxonomy())


def test_the_pages_count_what_ships() -> None:
    catalog = shipped()
    cases = [catalog.failure_mode(name).cases for name in catalog.entries]
    count = sum(len(each.caught) + len(each.let_through) + len(each.refused) for each in cases)
    assert f"{len(catalog.entries)} failure modes, {count} cases" in words("docs/measured.md")
    assert f"names {len(catalog.entries)} failure modes" in words("README.md")


def test_who_is_in_force_is_as_told() -> None:
    """By doctor, and by the page that explains what doctor says."""
    page, all_of_them, asked = words("docs/commands.md"), shipped(), in_force(Policy())
    assert f"`failure modes: {len(asked.entries)} in force of {len(all_of_them.known)}`" in page
    assert f"All {len(all_of_them.known)} ship" in page
    left_out = [all_of_them.entries[name] for name in all_of_them.known - asked.entries.keys()]
    judges = [entry for entry in left_out if entry.method == "narrow-llm"]
    remembering = [entry for entry in left_out if FACT in entry.needs_facts]
    assert len(judges) + len(remembering) == len(left_out)
    assert f"the {len(judges)} whose method is `narrow-llm`" in page
    assert f"the {len(remembering)} that ask what an agent was refused in other sessions" in page
    assert all(entry.maturity == "stable" for entry in all_of_them.entries.values()), "some are in preview: say so"
    asking = {"doors": {"model": {"url": "http://localhost:1/v1"}}, "memory": {"days": 30}}
    judged = policy_from(asking, place="the test")
    assert in_force(judged).entries.keys() == all_of_them.entries.keys()


def test_the_figures_of_the_classifier_are_those_of_its_card() -> None:
    text = words("docs/measured.md")
    card = json.loads((ROOT / "supervisor/methods/models/agent_directed.json").read_text())["card"]
    low, high = (f"{100 * each:.0f}" for each in card["recall"]["interval"])
    assert f"finds {100 * card['recall']['value']:.0f}% ({low} to {high})" in text
    low, high = (f"{100 * each:.1f}" for each in card["honest_stopped"]["interval"])
    assert f"stops {100 * card['honest_stopped']['value']:.1f}% ({low} to {high})" in text


def test_the_readmes_figures_are_those_of_the_pages() -> None:
    """Rounded as the pages have them: whoever measures again changes both."""
    pages = words("docs/accuracy.md") + words("docs/measured.md") + words("docs/injection.md")
    told = {float(each) for each in re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)(?=%| ms)", pages)}
    rounded = told | {round(each) for each in told}
    table = re.search(r"^\| at first sight.*?\n\n", README.read_text(), re.MULTILINE | re.DOTALL)
    assert table
    figures = {float(each) for each in re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)(?=%|, [\d.]+ ms| ms)", table[0])}
    assert len(figures) > 15
    assert figures - rounded == set()


def test_what_is_installed_is_this() -> None:
    """Every command that installs us names this distribution, and extras that it has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for page in PAGES:
        for name, extra in re.findall(
            r"(?:pip|pipx|uv tool) install '?(supervisor[\w-]*)(?:\[(\w+)\])?", page.read_text()
        ):
            assert name == project["name"], page
            assert not extra or extra in project["optional-dependencies"], page


def test_the_readmes_commands_for_agents_are_ours(run: Callable[..., Ran], tmp_path: Path) -> None:
    (block,) = re.findall(r"^```\n(supervisor install .*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    install, doctor, mcp = (shlex.split(line, comments=True)[1:] for line in block.splitlines())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        patch.setenv("HOME", str(tmp_path))
        patch.setenv("SUPERVISOR_SOCKET", "/nonexistent/daemon.sock")
        assert run(*install, "--yes").code == 0
        assert (tmp_path / ".claude" / "settings.json").exists()
    assert (doctor, mcp[:2]) == (["doctor"], ["mcp", "--"])
    assert all(run(verb, "--help").code == 0 for verb in ("doctor", "mcp"))
    hosts = re.findall(r"\w+", block.splitlines()[0].partition("# or")[2])
    assert set(HOSTS) == {install[1], *hosts}


def test_every_verb_stands_in_the_table_of_commands() -> None:
    table = "".join(line for line in (ROOT / "docs" / "commands.md").read_text().splitlines() if line.startswith("| `"))
    assert [name for name in get_command(build()).commands if f"`{name}`" not in table] == []


def test_every_page_is_reached_from_the_index() -> None:
    """In one step. The folders of failure modes and of decisions have indexes of their own."""
    index = ROOT / "docs" / "README.md"
    reached = {(index.parent / link).resolve() for link in LINK.findall(index.read_text())}
    pages = {page for folder in ("docs", "docs/start") for page in (ROOT / folder).glob("*.md")} - {index}
    assert sorted(page.name for page in pages - reached) == []
    assert index in {(ROOT / link).resolve() for link in LINK.findall(README.read_text())}
