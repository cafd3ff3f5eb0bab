"""`supervisor serve --console`, as it is started."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran, TinyTaxonomy


@pytest.fixture
def policy(tiny: TinyTaxonomy, tmp_path: Path) -> Path:
    records = {"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")}
    return tiny.set_policy(records=records, isolation="none")


def test_it_needs_records_and_their_key(run: Callable[..., Ran], policy: Path, tmp_path: Path) -> None:
    command = ("serve", "--console", "--policy", policy, "--token", tmp_path / "token", "--port", "0")
    ran = run(*command)
    assert (ran.code, "[no_journal]" in ran.err) == (2, True)
    run("check", "--policy", policy, stdin='{"tool": "bash", "args": {"command": "ls"}}')
    (tmp_path / "key.pem").unlink()
    ran = run(*command)
    assert (ran.code, "[no_key]" in ran.err) == (2, True)


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "jinja2"])
def test_what_is_not_installed_is_named(
    run: Callable[..., Ran], policy: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in [each for each in sys.modules if each.startswith("supervisor.service.console")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [package, *(each for each in sys.modules if each.startswith(f"{package}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    ran = run("serve", "--console", "--policy", policy)
    assert ran.code == 2
    assert "pip install 'supervisor-guard[console]' [missing_extra]" in ran.err


def test_the_daemon_takes_no_folder_of_records(run: Callable[..., Ran], tmp_path: Path) -> None:
    ran = run("serve", "--records", tmp_path)
    assert (ran.code, "[usage]" in ran.err) == (2, True)


def test_a_daemon_elsewhere_has_records_of_its_own(
    run: Callable[..., Ran], policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUPERVISOR_URL", "http://127.0.0.1:9")
    ran = run("serve", "--console", "--policy", policy)
    assert (ran.code, "SUPERVISOR_URL" in ran.err) == (2, True)
