"""What is built is what is needed: the wheel alone, in an empty home and any directory, judges as the checkout does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ("supervisor", "specialists", "taxonomy", ".ci", "pyproject.toml", "README.md", "LICENSE")
BUILT = ("manifest.json", "taxonomy.json")  # of the taxonomy, by every build anew
HEAVY = ("pydantic", "sqlalchemy", "httpx", "sqlglot", "tree_sitter", "cryptography", "anyio", "yaml", "typer", "re2")

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("wheel")]  # a wheel is built and installed, once


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A copy of the sources, so that building leaves nothing behind."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__", *BUILT))
        else:
            shutil.copy(source, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(checkout) -> zipfile.ZipFile:
    """The wheel, built as anyone builds it."""
    run = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist"]
    built = subprocess.run(run, cwd=checkout, capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, built.stdout + built.stderr
    (file,) = (checkout / "dist").glob("*.whl")
    return zipfile.ZipFile(file)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """A pure wheel is installed by unpacking it."""
    (about,) = (name for name in wheel.namelist() if name.endswith(".dist-info/WHEEL"))
    assert "Root-Is-Purelib: true" in wheel.read(about).decode()
    site = tmp_path_factory.mktemp("site")
    wheel.extractall(site)
    return site


@pytest.fixture
def run_installed(installed, tmp_path):
    """Runs Python with the wheel before everything else, in a directory and a home where nothing is."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    for folder in (home, elsewhere):
        folder.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SUPERVISOR", "XDG"))}
    environment = {**kept, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PYTHONPATH": str(installed)}

    def running(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        usual = {"cwd": elsewhere, "env": environment, "capture_output": True, "text": True, "timeout": 60}
        return subprocess.run(command, input=stdin, check=False, **usual)

    running.home = home
    return running


def test_the_wheel_holds_everything_that_is_needed(wheel, checkout):
    """A package that pyproject does not list would be missing only from what is installed."""
    names = set(wheel.namelist())
    code = {str(file.relative_to(checkout)) for file in (checkout / "supervisor").rglob("*.py")}
    models = {str(file.relative_to(checkout)) for file in (checkout / "supervisor" / "methods").rglob("*.json")}
    judges = {f"supervisor/{file.relative_to(checkout)}" for file in (checkout / "specialists").rglob("*.py")}
    entries = (file.relative_to(checkout / "taxonomy") for file in (checkout / "taxonomy").rglob("*.yaml"))
    clients = {"supervisor/adapters/hooks/client.pl"}
    needed = code | models | judges | clients | {f"supervisor/taxonomy_files/{entry}" for entry in entries}
    assert models
    assert needed - names == set()
    built = {f"supervisor/taxonomy_files/{name}" for name in BUILT}
    assert {"supervisor/py.typed", *built} <= names


def test_nothing_else_lands_in_site_packages(wheel):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"supervisor"}
    assert not [name for name in wheel.namelist() if "__pycache__" in name or name.endswith(".pyc")]


def test_it_is_this_wheel_that_runs(run_installed, installed):
    ran = run_installed("-c", "import supervisor; print(supervisor.__file__)")
    assert Path(ran.stdout.strip()) == installed / "supervisor" / "__init__.py"


def test_a_start_verifies_nothing_and_writes_nothing(run_installed, checkout):
    ran = run_installed("-m", "supervisor", "list", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    entries = {file.stem for file in (checkout / "taxonomy").rglob("*.yaml")}
    assert {each["id"] for each in json.loads(ran.stdout)} <= entries
    assert len(json.loads(ran.stdout)) > 20
    assert list(run_installed.home.iterdir()) == []


def test_the_taxonomy_ships_as_json(run_installed, installed):
    """What the wheel holds is what the command tells."""
    ran = run_installed("-m", "supervisor", "docs", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (installed / "supervisor" / "taxonomy_files" / "taxonomy.json").read_text() == ran.stdout
    assert list(run_installed.home.iterdir()) == []


@pytest.mark.parametrize(("command", "verdict", "code"), [("ls", "ok", 0), ("rm -rf /", "block", 1)])
def test_it_judges(run_installed, command, verdict, code):
    action = json.dumps({"tool": "bash", "args": {"command": command}})
    ran = run_installed("-m", "supervisor", "check", stdin=action)
    assert (ran.returncode, ran.stderr) == (code, "")
    assert json.loads(ran.stdout)["verdict"] == verdict
    assert list(run_installed.home.iterdir()) == []


def test_the_console_script_is_the_same_command(run_installed):
    code = "from importlib.metadata import entry_points as e; e(group='console_scripts')['supervisor'].load()()"
    ran = run_installed("-c", code, "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Usage: supervisor" in ran.stdout


def test_a_guarded_tool_is_guarded(run_installed):
    code = """
from supervisor import Blocked, guard

@guard
def bash(command):
    return f"ran {command}"

print(bash("ls"))
try:
    bash("rm -rf /")
except Blocked as blocked:
    print(blocked.decision.verdict.label, len(blocked.decision.record))
"""
    ran = run_installed("-c", code)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split("\n") == ["ran ls", "block 64", ""]
    assert list((run_installed.home / ".local/state/supervisor/records").glob("*.jsonl"))


def test_importing_it_imports_nothing_heavy(run_installed):
    code = f"import sys, supervisor; print(*sorted({set(HEAVY)!r} & set(sys.modules)))"
    assert run_installed("-c", code).stdout == "\n"


def test_every_public_name_is_there(run_installed):
    code = "import supervisor; print(*(getattr(supervisor, name).__module__ for name in supervisor.__all__))"
    ran = run_installed("-c", code)
    assert ran.stderr == ""
    assert all(module.startswith("supervisor.") for module in ran.stdout.split())
