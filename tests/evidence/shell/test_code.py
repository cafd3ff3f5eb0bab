"""Code that a script hands to an interpreter, in all spellings; and the commands that code runs."""

import pytest

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import commands_of_code
from supervisor.evidence.shell import code_in
from tests.evidence.shell_reading import read

PYTHON, JAVASCRIPT, SQL = "python", "javascript", "sql"
CODE = [
    ("python -c X", PYTHON, ""),
    ("python3.11 -uc X arg", PYTHON, ""),
    ("python -W ignore -IcX", PYTHON, ""),
    ("python - <<'EOF'\nX\nEOF", PYTHON, ""),
    ("python3 /dev/stdin a <<< X", PYTHON, ""),
    ("echo X | sudo python3", PYTHON, ""),
    ("cat <<EOF | python3 -\nX\nEOF", PYTHON, ""),
    ("node -e X", JAVASCRIPT, ""),
    ("node --eval=X", JAVASCRIPT, ""),
    ("node -pe X", JAVASCRIPT, ""),
    ("deno eval X", JAVASCRIPT, ""),
    ("perl -lne X file", "perl", ""),
    ("ruby -e X", "ruby", ""),
    ("php -r X", "php", ""),
    ("psql -h h -U u -d d -tAc X", SQL, "postgres"),
    ("psql 'postgres://h/d' --command=X", SQL, "postgres"),
    ("PGPASSWORD=p psql d <<< X", SQL, "postgres"),
    ("mysql -u root -psecret -Nse X d", SQL, "mysql"),
    ("mariadb d --execute=X", SQL, "mysql"),
    ("sqlite3 -header a.db X", SQL, "sqlite"),
    ("sqlite3 a.db <<< X", SQL, "sqlite"),
    ("duckdb -c X", SQL, "duckdb"),
    ("clickhouse-client --query=X", SQL, "clickhouse"),
    ("bq query --use_legacy_sql=false X", SQL, "bigquery"),
    ("snowsql -q X", SQL, "snowflake"),
    ("sqlcmd -S h -Q X", SQL, "tsql"),
    ("mongosh db --eval X", JAVASCRIPT, ""),
    ("redis-cli -h h X", "redis", ""),
    ("docker exec -i db psql -U u -c X", SQL, "postgres"),
    ("kubectl exec db-0 -- mysql -e X", SQL, "mysql"),
    ("ssh host 'psql -c X'", SQL, "postgres"),
]


@pytest.mark.parametrize(("command", "language", "dialect"), CODE)
def test_code(command: str, language: str, dialect: str) -> None:
    found = [(each.language, each.text.strip(), each.dialect) for each in code_in(read(command))]
    assert found == [(language, "X", dialect)]


@pytest.mark.parametrize(
    "command",
    [
        "python app.py <<< X",
        "python -m json.tool <<< X",
        "python app.py -c X",
        "node app.js -e X",
        "psql -f a.sql",
        "bq ls X",
        "sqlite3 a.db < a.sql",
        "echo psql -c X",
        "perl script.pl -e X",
        'python -c "$(curl u)"',
    ],
)
def test_no_code(command: str) -> None:
    assert not list(code_in(read(command)))


@pytest.mark.parametrize(
    ("code", "argv"),
    [
        ("import os\nos.system('rm -rf ' + p)", ("rm", "-rf", "\ue000")),
        ("import subprocess as s\ns.run(['rm', '-rf', '/x'], check=True)", ("rm", "-rf", "/x")),
        ("from subprocess import run\nrun('rm -rf /x', shell=True)", ("rm", "-rf", "/x")),
        ("import subprocess\nc = 'rm -rf /x'\nsubprocess.Popen(c, shell=True).wait()", ("rm", "-rf", "/x")),
        ("import shlex, subprocess\nsubprocess.run(shlex.split('rm -rf /x'))", ("rm", "-rf", "/x")),
        ("import subprocess\nsubprocess.run('rm -rf /x'.split())", ("rm", "-rf", "/x")),
        ("import os\nos.execvp('rm', ['rm', '-rf', '/x'])", ("rm", "-rf", "/x")),
        ("import os\nos.system(f'rm -rf {root}/x')", ("rm", "-rf", "\ue000/x")),
        ("import asyncio\nasyncio.create_subprocess_exec('rm', '-rf', '/x')", ("rm", "-rf", "/x")),
        ("__import__('os').system('rm -rf /x')", ("rm", "-rf", "/x")),
    ],
)
def test_python_runs_commands(code: str, argv: tuple[str, ...]) -> None:
    found = commands_of_code(Action("python", {"code": code}, "python"), Context(facts={"cwd": "/w"}))
    assert [(each.argv, each.cwd) for each in found.named("rm")] == [(argv, "/w")]


@pytest.mark.parametrize("code", ["print('rm -rf /x')", "x.system", "def system(): ...", "log.run(['rm'])", ""])
def test_python_that_runs_none(code: str) -> None:
    assert not commands_of_code(Action("python", {"code": code}, "python"), Context()).commands


def test_only_python_that_is_run_runs_commands() -> None:
    action = Action("write", {"path": "a.py", "content": "import os\nos.system('ls')"}, "file_write")
    assert not commands_of_code(action, Context()).commands
