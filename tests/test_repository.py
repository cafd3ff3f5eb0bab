"""What newcomers, reviewers and CI find at the top of the repository holds."""

from __future__ import annotations

import re
import tomllib

import yaml

from supervisor.catalog.catalog import open_catalog
from supervisor.policy import Taxonomy
from supervisor.version import VERSION
from tests.docs.pages import README, ROOT


def test_the_readme_fits_on_a_screen() -> None:
    assert len(README.read_text().splitlines()) <= 80


def test_what_contributing_adds_is_not_there_yet() -> None:
    (name,) = re.findall(r"^supervisor new \w+/(\w+)", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert name not in open_catalog(Taxonomy()).known


def test_hooks_before_a_commit_are_lines_of_make_check() -> None:
    """Nothing is fetched, and a commit hears what CI would say."""
    told = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    hooks = [(repository["repo"], hook) for repository in told["repos"] for hook in repository["hooks"]]
    makefile = (ROOT / "Makefile").read_text()
    for repository, hook in hooks:
        assert (repository, hook["language"], hook["pass_filenames"]) == ("local", "system", False)
        program = hook["entry"].removeprefix(".venv/bin/")
        assert f"\t@$(BIN)/{program}\n" in makefile
    assert [hook["id"] for _, hook in hooks] == ["ruff-check", "ruff-format", "mypy"]


def test_hosted_ci_runs_what_anybody_can_run() -> None:
    """Nothing but `.ci/run`, on the oldest Python there is support for, with no right but to read."""
    told = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    (job,) = told["jobs"].values()
    *actions, last = job["steps"]
    assert (last, told["permissions"]) == ({"run": "bash .ci/run"}, {"contents": "read"})
    assert (ROOT / ".ci" / "run").is_file()
    assert told["concurrency"]["cancel-in-progress"] is True
    assert 0 < job["timeout-minutes"] <= 120
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in actions)
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert [step["with"]["python-version"] for step in actions if "setup-python" in step["uses"]] == [
        oldest.lstrip(">=")
    ]


def test_the_changelog_has_this_version_before_it_or_ahead() -> None:
    """Newest first, dated; what is unreleased has the headings of Keep a Changelog; no version is behind the last."""
    text = (ROOT / "CHANGELOG.md").read_text()
    first, *rest = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    released = [tuple(map(int, version.split("."))) for version, _ in rest]
    assert first == ("Unreleased", "")
    assert all(day for _, day in rest)
    assert released == sorted(released, reverse=True)
    assert tuple(map(int, VERSION.split("."))) >= released[0]
    unreleased = text.partition("## [Unreleased]")[2].partition("\n## [")[0]
    headings = re.findall(r"^### (\w+)$", unreleased, re.MULTILINE)
    assert headings == ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def test_what_is_generated_is_marked() -> None:
    """And taxonomy.json, which is built, is not among it."""
    marks = (ROOT / ".gitattributes").read_text()
    for pattern in ("docs/failure-modes/**", "supervisor/methods/models/*.json"):
        assert re.search(rf"^{re.escape(pattern)} +linguist-generated$", marks, re.MULTILINE)
    assert not (ROOT / "docs" / "failure-modes" / "taxonomy.json").exists()
    assert "/taxonomy/taxonomy.json\n" in (ROOT / ".gitignore").read_text()
