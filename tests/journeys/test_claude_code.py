"""Somebody guards Claude Code, from the first refusal to the removal: docs/start/claude-code.md.

The real program, on a model that follows a script.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.agents import agent
from tests.hosts.model_server import Call, model
from tests.journeys.traveller import travelling

pytestmark = pytest.mark.thorough

PAGE = "docs/start/claude-code.md"
ANSWERS = {
    "supervisor install claude": ("Write", "y"),
    "supervisor allow --record": ("Type yes", "yes"),
    "supervisor uninstall\n": ("Remove", "y"),
}
# What anybody who uses git has in the home already.
GIT = "[user]\n\tname = Me\n\temail = me@example.com\n[init]\n\tdefaultBranch = main\n"
SCRIPT = {
    "Publish": [Call("Bash", {"command": "git push --force origin main", "description": "Publish the work"})],
    "Tidy": [Call("Bash", {"command": "git reset --hard", "description": "Start afresh"})],
}


def test_somebody_guards_claude_code(home: Path) -> None:
    found = agent("claude", home / "agent")
    if found is None:
        pytest.skip("claude is not on this machine: `make agents` installs it, SUPERVISOR_AGENTS names its folder")
    (home / ".gitconfig").write_text(GIT)
    with model(**SCRIPT) as scripted:
        quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
        variables = {"ANTHROPIC_BASE_URL": scripted.url, "ANTHROPIC_API_KEY": "none", **quiet}
        variables["XDG_CACHE_HOME"] = str(home / ".cache")  # which `uninstall` removes
        programs = (Path(found.program).parent,)
        with travelling(home, variables=variables, answers=ANSWERS, programs=programs) as person:
            person.follow(PAGE)
            person.has_taken(PAGE)
    assert "A forced push replaces the history of main" in scripted.heard
    assert [file for file in home.rglob("*.json") if ".claude" in file.parts and "client.p" in file.read_text()] == []
