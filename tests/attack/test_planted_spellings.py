"""Files that something runs later, by every spelling of their path and text; what nobody can read is not written."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from supervisor.action import Action, Context
from supervisor.errors import CutOff, Unreadable
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes import planted as planted_module
from supervisor.evidence.changes.planted import planted
from supervisor.evidence.machine import command_files
from supervisor.evidence.machine.command_files import commands_in, may_hold_commands
from tests.evidence.effort import steps

StoppedBy = Callable[..., tuple[str, ...]]
HARM, HONEST = "rm -rf ~", "npm test"
HOOKS = (
    ".GIT/hooks/pre-commit",
    ".git/Hooks/PRE-COMMIT",
    ".git\\hooks\\pre-commit",
    ".\\.git\\hooks\\pre-commit",
    "src\\..\\.git\\hooks\\pre-commit",
    "./.git//hooks/../hooks/pre-commit",
    ".//.git/././hooks//pre-commit",
    "src/../.Git\\hooks/pre-commit",
    ".HUSKY/pre-push",
)


@pytest.mark.parametrize("path", HOOKS)
def test_a_hook_is_one_however_its_path_is_spelt(stopped_by: StoppedBy, path: str) -> None:
    for command, stops in ((HARM, True), (HONEST, False)):
        text = f"#!/bin/sh\n{command}\n"
        assert bool(stopped_by("Write", {"file_path": path, "content": text})) is stops
        assert bool(stopped_by("bash", {"command": f"cat > '{path}' <<'EOF'\n{text}EOF"})) is stops
        assert bool(stopped_by("python", {"code": f"open({path!r}, 'w').write({text!r})"})) is stops


@pytest.mark.parametrize("path", ["docs/git/hooks/pre-commit", "a\\b.md", "hooks.md", "GIT/hooks/x", "n\\hooks.txt"])
def test_other_paths_stay_other_files(stopped_by: StoppedBy, path: str) -> None:
    assert not stopped_by("Write", {"file_path": path, "content": f"#!/bin/sh\n{HARM}\n"})


def _escaped(text: str) -> str:
    return "".join(f"\\u{ord(each):04x}" if each.isalpha() else each for each in text)


PARTS = (
    '"x": {{"command": "sh", "env": {{"A": "1"}}, "args": ["-c", "{}"]}},',
    '"x": {{"args": ["-c", "{}"], "command": "sh"}},',
    '"x": {{"args": ["-c", "{}"], "env": {{}}, "command": "sh"}}, "y": {{"command": "npx", "args": ["-y", "z"]}},',
    '"x": {{"command": "npx", "args": ["-y", "z"]}}, "y": {{"command": "sh", "timeout": 9, "args": ["-c", "{}"]}},',
    '"x": {{"\\u0063ommand": "sh", "\\u0061rgs": ["-c", "{}"]}},',
)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_settings_tells_which_words_belong_to_a_command(stopped_by: StoppedBy, part: str) -> None:
    for command, stops in ((HARM, True), (HONEST, False)):
        edit = {"file_path": ".mcp.json", "old_string": "x", "new_string": part.format(command)}
        assert bool(stopped_by("Edit", edit)) is stops


TEXTS: dict[str, Callable[[str], str]] = {
    "package.json": lambda command: json.dumps({"scripts": {"N": command}}).replace('"N"', f'"{_escaped("prepare")}"'),
    ".vscode/tasks.json": lambda command: json.dumps(
        {"tasks": [{"command": command, "runOptions": {"runOn": "X"}}]}
    ).replace("X", _escaped("folderOpen")),
    "lefthook.yml": lambda command: (
        f"pre-commit:\n  commands:\n    x:\n      run: |\n        true\n        {command}\n"
    ),
    ".pre-commit-config.yaml": lambda command: f"- id: x\n  entry: >-\n    {command.replace(' ', chr(10) + '    ')}\n",
    "~/.config/systemd/user/x.timer": lambda command: f"[X]\nExecStart=/bin/sh \\\n  -c '{command}'\n",
}


@pytest.mark.parametrize("path", TEXTS)
def test_a_text_is_read_as_its_program_reads_it(stopped_by: StoppedBy, path: str) -> None:
    assert stopped_by("Write", {"file_path": path, "content": TEXTS[path](HARM)})
    assert any(HONEST in " ".join(told.split()) for told in map(str, commands_in(f"/repo/{path}", TEXTS[path](HONEST))))


@pytest.mark.parametrize("path", [path for path in TEXTS if not path.startswith("~")])
def test_and_honest_texts_pass(stopped_by: StoppedBy, path: str) -> None:
    assert not stopped_by("Write", {"file_path": path, "content": TEXTS[path](HONEST)})


# What nobody can read


NESTED = "$(" * 600 + "ls" + ")" * 600


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("Write", {"file_path": ".git/hooks/pre-commit", "content": f"#!/bin/sh\n{NESTED}\n"}),
        ("Write", {"file_path": "package.json", "content": json.dumps({"scripts": {"prepare": NESTED}})}),
        ("Edit", {"file_path": ".husky/pre-push", "old_string": "x", "new_string": NESTED}),
        ("python", {"code": f"open('.git/hooks/pre-commit', 'w').write({NESTED!r})"}),
        ("bash", {"command": f"cat > .envrc <<'EOF'\n{NESTED}\nEOF"}),
        (
            "multi_edit",
            {"edits": [{"path": f"{at}", "new_string": "x"} for at in range(1_001)] + [{"path": ".envrc"}]},
        ),
    ],
)
def test_what_is_planted_and_cannot_be_read_is_not_written(
    stopped_by: StoppedBy, tool: str, args: dict[str, Any]
) -> None:
    assert "unreadable_execution" in stopped_by(tool, args)


def test_the_same_text_in_a_file_that_nothing_runs_is_written(stopped_by: StoppedBy) -> None:
    assert not stopped_by("Write", {"file_path": "docs/nested.md", "content": NESTED})


def _write() -> Action:
    return Action("Write", {"path": ".envrc", "content": "ls"}, "file_write")


def test_a_reading_that_fails_is_no_empty_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever judges is told why, and does not take the file for one without commands."""

    def fails(path: str, text: str) -> list[str]:
        raise Unreadable("too deep to be read")

    monkeypatch.setattr(planted_module, "commands_in", fails)
    later = planted(_write(), Context())
    assert later is not None
    with pytest.raises(Unreadable, match="too deep"):
        script(later, Context())


def test_a_reading_that_time_ended_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(path: str, text: str) -> list[str]:
        raise CutOff("not in time")

    monkeypatch.setattr(planted_module, "commands_in", late)
    with pytest.raises(CutOff):
        planted(_write(), Context())


# What is too long for a glance


def test_a_long_text_is_not_glanced_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked at where a deadline ends it, and not on the way to there."""
    long = "a/" * 500_000
    assert steps(may_hold_commands, long) <= steps(may_hold_commands, "a/" * 500)
    monkeypatch.delattr(command_files, "_BETWEEN")
    monkeypatch.delattr(command_files, "_PREFILTER")
    assert may_hold_commands(long)


@pytest.mark.parametrize("pad", ["./", "a/../", "/"])
def test_a_long_spelling_of_a_short_path_is_that_path(stopped_by: StoppedBy, pad: str) -> None:
    path = f"x/../{pad * 9_000}/.git/hooks/pre-commit".replace("//.git", "/.git")
    assert stopped_by("Write", {"file_path": f"/repo/{path}", "content": HARM})


def test_a_path_that_no_system_opens_has_nothing_run() -> None:
    assert commands_in(f"/{'a' * 5_000}/.git/hooks/pre-commit", HARM) == []
    assert commands_in(f"/{'a' * 200}/.git/hooks/pre-commit", HARM) == [HARM]
