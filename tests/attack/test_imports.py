"""Python of ours imports nothing from where an agent works: whoever checks its work there runs none of its code."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import typer

from supervisor.adapters.hooks import HOSTS
from supervisor.cli.app import build
from tests.adapters.hooks.test_hooks import command, ran, shell
from tests.attack.terminals import SUPERVISOR
from tests.conftest import TinyTaxonomy
from tests.service.daemons import Daemon, end_daemon

SOURCE = Path(__file__).parents[2] / "supervisor"
VERBS = sorted(typer.main.get_command(build()).commands)  # type: ignore[attr-defined]
GIVEN: dict[str, list[str]] = {  # what a verb needs in order to do its work; `{records}` has been written before
    "demo": ["--help"],  # tried by itself
    "explain": ["touches_block"],
    "hook": ["claude", "--socket", "{folder}/none/d.sock"],
    "install": ["claude", "--dry-run"],
    "mcp": ["--", "true"],
    "new": ["files/new_one", "--to", "{folder}"],
    "replay": ["{records}"],
    "serve": ["--socket", "{folder}/none/d.sock"],
    "verify": ["{records}"],
    "log": ["{records}"],
    "approve": ["000000", "--records", "{records}"],
    "deny": ["000000", "--records", "{records}"],
}
EVENT = json.dumps({"tool": "bash", "args": {"command": "touch block"}})
THIRD_PARTIES = {name for name in packages_distributions() if name.isidentifier() and name != "supervisor"}
EARLY = {"sitecustomize", "usercustomize"}


class Planted:
    """A folder in which modules lie that leave a mark when they are imported."""

    def __init__(self, folder: Path, names: set[str]) -> None:
        self.folder, self._mark = folder / "work", folder / "imported"
        self.folder.mkdir()
        told = f"with open({str(self._mark)!r}, 'a') as mark: mark.write(__name__ + '\\n')\n"
        for name in names - {"pytest"}:
            (self.folder / f"{name}.py").write_text(told)
        if "supervisor" in names:
            (self.folder / "supervisor.py").rename(self.folder / "it.py")
            (self.folder / "supervisor").mkdir()
            (self.folder / "it.py").rename(self.folder / "supervisor" / "__init__.py")
        (self.folder / "evil.pm").write_text(f"open my $mark, '>>', '{self._mark}'; print $mark 'perl'; 1;\n")
        (self.folder / "strict.pm").write_text((self.folder / "evil.pm").read_text())

    @property
    def imported(self) -> list[str]:
        return self._mark.read_text().splitlines() if self._mark.exists() else []


SPELLINGS = {
    "the command": ([SUPERVISOR], THIRD_PARTIES | EARLY | {"supervisor", "specialists", *sys.stdlib_module_names}),
    "python -m": ([sys.executable, "-m", "supervisor"], THIRD_PARTIES | EARLY | {"specialists"}),
}


def tried(
    words: list[str], names: set[str], tmp_path: Path, tiny: TinyTaxonomy, verb: str
) -> subprocess.CompletedProcess[str]:
    records = tmp_path / "records"
    policy = tiny.set_policy(records={"path": str(records), "key": str(tmp_path / "key.pem")})
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"SUPERVISOR_POLICY": str(policy), "SUPERVISOR_PATIENCE": "1", "HOME": str(tmp_path)}
    if "{records}" in GIVEN.get(verb, []):
        subprocess.run([SUPERVISOR, "check"], input=EVENT, text=True, env=environment, capture_output=True, check=False)
    planted = Planted(tmp_path, names)
    environment["PYTHONSTARTUP"] = str(planted.folder / "orjson.py")
    told = [each.format(records=records, folder=tmp_path) for each in GIVEN.get(verb, [])]
    limit = {"serve": "8", "hook": "8", "up": "20"}.get(verb, "100")  # those three end by nothing else
    ended = subprocess.run(
        ["timeout", "-k", "1", limit, *words, verb, *told],
        cwd=planted.folder,
        env=environment,
        input=EVENT,
        capture_output=True,
        text=True,
        check=False,
    )
    if verb == "hook":
        end_daemon(tmp_path / "none" / "d.sock")
    assert planted.imported == []
    assert "Traceback" not in ended.stderr
    return ended


@pytest.mark.parametrize(("verb", "spelling"), [("check", "python -m"), ("replay", "the command")])
def test_what_judges_and_what_proves_imports_nothing_from_here(
    tmp_path: Path, tiny: TinyTaxonomy, verb: str, spelling: str
) -> None:
    assert set(GIVEN) <= set(VERBS)
    ended = tried(*SPELLINGS[spelling], tmp_path, tiny, verb)
    assert ended.returncode == (1 if verb == "check" else 0), ended.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_imports_anything_from_here(tmp_path: Path, tiny: TinyTaxonomy, spelling: str, verb: str) -> None:
    """All that there are; a new one is tried without arguments, or with those that it is given above."""
    tried(*SPELLINGS[spelling], tmp_path, tiny, verb)


@pytest.mark.thorough
def test_the_demos_proof_imports_nothing_from_here(tmp_path: Path) -> None:
    command, names = SPELLINGS["the command"]
    planted = Planted(tmp_path, names)
    subprocess.run([*command, "demo"], cwd=planted.folder, capture_output=True, check=True)
    assert planted.imported == []


def test_every_interpreter_that_is_started_is_closed_to_what_lies_around() -> None:
    """`sys.executable` stands where its options are chosen, and nowhere else."""
    named = {
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "executable" and getattr(node.value, "id", "") == "sys"
    }
    known = {"engine/workers/fork_client.py", "adapters/hooks/client.py", "adapters/hooks/settings.py", "cli/serve.py"}
    closed = {f"runtime/processes/{name}.py" for name in ("containment", "launch", "keeping")}  # -I -S; -P
    closed.add("runtime/drivers/agents/door.py")  # -I -S
    anew = {"runtime/execution/executor.py"}  # with the options with which it was started
    assert named == {
        *known,
        *closed,
        *anew,
        "engine/guard_assets.py",
    }  # which tells what belongs to the guard, starts nothing


@pytest.mark.parametrize("client", ["perl", pytest.param("python", marks=pytest.mark.thorough)])
def test_no_hook_and_no_daemon_that_it_starts_loads_anything_from_here(
    tmp_path: Path, tiny: TinyTaxonomy, client: str
) -> None:
    """The host's environment may be what an agent has written into a project's settings."""
    running = Daemon(tmp_path, tiny)
    tiny.set_policy()
    planted = Planted(tmp_path, THIRD_PARTIES | EARLY | {"supervisor", *sys.stdlib_module_names})
    here = str(planted.folder)
    hostile = dict.fromkeys(("PERL5LIB", "PERLLIB", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE"), here)
    hostile |= {"PERL5OPT": "-Mevil", "PERL5DB": "BEGIN { require evil }", "PYTHONSTARTUP": f"{here}/orjson.py"}
    line = command("claude", "PreToolUse", running.socket, "closed", client, tiny.policy)
    try:
        own = {"SUPERVISOR_POLICY": str(tiny.policy)}
        code, _, err = ran(f"cd '{here}' && {line}", shell("claude", "touch block"), **hostile, **own)
        assert (code, "block:touches_block" in err) == (2, True), err
    finally:
        running.wait_until(lambda: (tmp_path / "d.sock.lock").read_text())
        os.kill(int((tmp_path / "d.sock.lock").read_text()), 15)
        running.wait_until(lambda: not running.socket.exists())
    assert planted.imported == []


@pytest.mark.parametrize("host", HOSTS)
def test_a_hooks_command_unsets_what_perl_would_load(host: str, tmp_path: Path) -> None:
    for event in HOSTS[host].events:
        told = command(host, event, tmp_path / "d.sock", "closed")
        assert told.startswith("/bin/sh -c 'unset PERL5LIB PERLLIB PERL5OPT PERL5DB ")
        assert " -I -S " in command(host, event, tmp_path / "d.sock", "closed", "python")
