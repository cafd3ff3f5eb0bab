"""The base installation: it judges without the packages of any extra, and a verb that needs one names it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OF_EXTRAS = (  # names of modules
    "alembic dbos jinja2 opentelemetry psutil psycopg pyarrow sklearn sqlalchemy sqlglotc starlette uvicorn websockets"
).split()
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({OF_EXTRAS!r}))\n"
VERB = WITHOUT + "from supervisor.cli import main; sys.argv[0] = 'supervisor'; main()"


def without_extras(code: str, *arguments: str, folder: Path, told: str = "") -> subprocess.CompletedProcess[str]:
    """Runs Python in which no module of an extra can be imported."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "PYTHONPATH": str(ROOT)},
        input=told,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_base_depends_on_no_package_of_an_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    base = {re.split(r"[^\w-]", each)[0].lower() for each in project["dependencies"]}
    extras = {
        re.split(r"[^\w-]", each)[0].lower()
        for name in ("feedback", "runtime", "console", "postgres")
        for each in project["optional-dependencies"][name]
    }
    assert len(base) > 10
    assert "sqlalchemy" in extras
    assert not base & extras
    assert "sqlglot>=27" in project["dependencies"]  # without its compiled variant


def test_the_front_door_needs_no_extra(tmp_path: Path) -> None:
    code = (
        WITHOUT + "from supervisor import Blocked, guard\n"
        "@guard\ndef bash(command): return 'ran'\n"
        "print(bash(command='ls'))\n"
        "try:\n    bash(command='rm -rf ~')\nexcept Blocked:\n    print('refused')\n"
    )
    ran = without_extras(code, folder=tmp_path)
    assert (ran.returncode, ran.stdout.split()) == (0, ["ran", "refused"]), ran.stderr


def test_a_database_of_sqlite_needs_no_extra(tmp_path: Path) -> None:
    code = (
        WITHOUT + "import anyio, sqlite3\n"
        "from supervisor.doors.database import Database\n"
        "from supervisor.policy.doors import DatabaseDoor\n"
        "sqlite3.connect('a.db').executescript('CREATE TABLE t (a); INSERT INTO t VALUES (7)')\n"
        "print(anyio.run(Database(DatabaseDoor('sqlite:///a.db')).query, 'SELECT a FROM t WHERE a = :a', {'a': 7}))\n"
        "print(anyio.run(Database(DatabaseDoor('postgresql://localhost/a')).query, 'SELECT 1', {}))\n"
    )
    ran = without_extras(code, folder=tmp_path)
    assert ran.stdout == "[{'a': 7}]\n"
    assert "DoorFailed: a PostgreSQL database needs sqlalchemy: pip install 'supervisor-guard[postgres]'" in ran.stderr


def test_check_needs_no_extra(tmp_path: Path) -> None:
    action = json.dumps(
        {"tool": "sql", "args": {"query": "DROP TABLE orders"}, "context": {"environment": "production"}}
    )
    ran = without_extras(VERB, "check", folder=tmp_path, told=action)
    assert (ran.returncode, json.loads(ran.stdout)["verdict"]) == (1, "block"), ran.stderr


@pytest.mark.parametrize(
    ("verb", "extra"),
    [
        (("up",), "runtime"),
        (("task", "list"), "runtime"),
        (("index", "update"), "feedback"),
        (("audit",), "feedback"),
        (("serve", "--console"), "console"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else each,
)
def test_a_verb_of_an_extra_names_it(verb: tuple[str, ...], extra: str, tmp_path: Path) -> None:
    checked = without_extras(
        VERB, "check", "--records", "records", folder=tmp_path, told='{"tool": "bash", "args": {"command": "ls"}}'
    )
    assert checked.returncode == 0, checked.stderr
    given = ("--records", "records") if verb[0] in ("index", "audit") else ()
    ran = without_extras(VERB, *verb, *given, folder=tmp_path)
    assert ran.returncode == 2
    (told,) = ran.stderr.strip().splitlines()
    assert f"pip install 'supervisor-guard[{extra}]' [missing_extra]" in " ".join(told.split())


@pytest.mark.thorough
def test_the_demo_needs_no_extra(tmp_path: Path) -> None:
    ran = without_extras(VERB, "demo", folder=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
