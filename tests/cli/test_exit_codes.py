"""Exit codes and errors of every verb: 0 fine, 1 what was asked does not hold, 2 wrong use (`docs/cli.md`).

A wrong use is one line on stderr with its place, its cause and a stable code, nothing on stdout, and no traceback.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.main import get_command

from supervisor.cli.app import build
from tests.docs.command_line import verbs

LINE = re.compile(r"supervisor: \S.*\[[a-z_0-9]+\]\n", re.DOTALL)
ACTION = json.dumps({"tool": "bash", "args": {"command": "ls"}})

# Wrong uses, as they are typed. {empty} is an empty folder, {none} is not there, {file} is a text file, {policy} is a
# policy under which three failure modes are in force, {broken} is a policy with a misspelt section.
WRONG = """
nonesuch
lst
--nonesuch
-x
check --nonesuch
check --policy
check --policy {none}
check --policy {empty}
check --policy {broken}
check --policy {file}
check --fail
check --records
check extra
list --family file
list --family
list --agent nobody
list extra
list --policy {none}
list --policy {broken}
explain
explain duplicate_refund --policy {policy}
explain touches_flg --policy {policy}
explain touches_flag --action -
explain touches_flag touches_nudge
explain --action {none}
explain --action {empty}
explain --action {file}
explain touches_flag --policy {none}
new
new files
new files/
new /x
new ../x/y
new nonesuch/x
new files/Bad-Name
new files/touches_flag --kind nonesuch --folder {empty}
new files/x --folder
coverage --policy {none}
coverage --nonesuch
docs --check --json
docs --policy {none}
docs extra
verify
verify {none}
verify {file}
verify {empty} --key
verify {empty} --since
replay
replay {none}
replay {file}
replay {empty} extra
log {none}
log {file}
log {empty} extra
log --verdict blok
log --since whenever
log --until 25:00
log --since 1h --until 2h
log -n 0
log -n many
log --last
log --html
log --html x --json
log --policy {none}
log show
log show --at whenever {empty}
log show x {none}
log show --nonesuch
review --policy {none}
review --records {none}
review extra
approve
approve 000000 --records {none}
approve 000000 --policy {none}
approve 000000 --by
deny
deny 000000 --records {none}
deny 000000 --records {file}
doctor --nonesuch
doctor --policy
hook
hook nonesuch
hook clade
hook claude --on-failure maybe
hook claude --socket
install
install clade
install claude --scope nowhere
install claude --policy {none}
install claude extra
serve --port 99999
serve --port many
serve --port -1
serve --socket {long}
serve --policy
task nonesuch
task add
task add --priority 10 true
task add --on-failure rety true
task add --timeout soon true
task add --wait 1 true
task add --env A true
task add --env SUPERVISOR_TASK=1 true
task add --pool A/b true
task add --after nope true
task add --parent nope true
task add --database nonsense true
task list --state done
task list extra
task show
task show nope
task cancel
task cancel nope
task retry nope
task logs nope
task logs nope --attempt 0
task answer nope
task answer nope retry
task answer nope maybe
up --slots 0
up --lease 0.1
up --name A/b
up --pool A/b
up --database nonsense
mcp
mcp --nonesuch
demo --nonesuch
demo extra
""".strip().splitlines()

# What was asked does not hold, though it was asked well.
UNTRUE = """
verify {empty}
replay {empty}
log {empty}
log show 000000 {empty}
log show --at 03:14 {empty}
coverage nonesuch --policy {policy}
""".strip().splitlines()


@pytest.fixture
def typed(run, tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs a line, in a home of its own."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("just: [text", encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("autority: {default: block}\n", encoding="utf-8")
    places = {
        "empty": tmp_path / "empty",
        "file": tmp_path / "file",
        "none": tmp_path / "none",
        "policy": tiny.policy,
        "broken": tmp_path / "broken.yaml",
        "long": tmp_path / ("x" * 200),
    }
    monkeypatch.setenv("HOME", str(tmp_path / "empty"))
    monkeypatch.setenv("SUPERVISOR_SOCKET", str(tmp_path / "none.sock"))
    monkeypatch.setenv("SUPERVISOR_REPLAY_PROCESS", "1")
    monkeypatch.chdir(tmp_path / "empty")
    return lambda line: run(*(word.format(**places) for word in line.split()), stdin=ACTION)


def every_verb() -> list[str]:
    return [path for path, _ in verbs(get_command(build()))]


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_use_is_one_line_and_exit_code_2(typed, line):
    ran = typed(line)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert LINE.fullmatch(ran.err), ran.err
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("line", UNTRUE)
def test_what_does_not_hold_is_exit_code_1(typed, line):
    ran = typed(line)
    assert ran.code == 1, ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("verb", every_verb())
def test_every_verb_refuses_what_it_does_not_know(typed, verb):
    ran = typed(f"{verb} --no-such-option")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("supervisor: No such option: --no-such-option")
    assert ran.err.endswith(" [usage]\n")


@pytest.mark.parametrize("verb", every_verb())
def test_every_verb_has_help_with_an_example(typed, verb):
    ran = typed(f"{verb} -h")
    assert (ran.code, ran.err) == (0, "")
    assert "Example: " in ran.out
    assert f"supervisor {verb}" in ran.out


def test_coverage_of_a_misspelt_entry_names_the_right_one(typed):
    assert "no entry 'touches_flg'; did you mean 'touches_flag'?" in typed("coverage touches_flg --policy {policy}").out


@pytest.mark.parametrize("folder", ["verify", "replay", "log"])
def test_a_folder_without_records_is_said_to_have_none(typed, folder):
    assert "no records there" in typed(f"{folder} {{empty}}").err


def test_the_word_alone_shows_the_verbs(run):
    ran = run()
    assert ran.code == 2
    assert "doctor" in ran.out + ran.err


@pytest.mark.parametrize(
    ("line", "suggested"),
    [
        ("explan", "explain"),
        ("explain touches_flg --policy {policy}", "touches_flag"),
        ("list --family gt", "git"),
        ("list --agent codng", "coding"),
        ("log --verdict nugde", "nudge"),
        ("install clade", "claude"),
        ("hook gemni", "gemini"),
        ("log --sesion x", "--session"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_right_one(typed, line, suggested):
    ran = typed(line)
    assert ran.code == 2
    assert suggested in ran.err.partition("ou mean")[2] or suggested in ran.err.partition("ossible options")[2]
