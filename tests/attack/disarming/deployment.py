"""A deployment with places of its own: a home outside /home, hosts that the real `install` has been at, a policy
whose records, key, taxonomy and socket stand nowhere by default."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from supervisor import Supervisor
from supervisor.engine.guard_assets import daemon_assets
from supervisor.policy import read_policy
from tests.catalog import taxonomies

HOSTS = {"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json"}
HOSTS |= {"cursor": ".cursor/hooks.json"}


@dataclass(frozen=True)
class Deployment:
    """What stands where, and the engine that judges there."""

    places: dict[str, str]
    supervisor: Supervisor


def deployed(folder: Path, install: Callable[..., Any]) -> Deployment:
    """A deployment below a folder; `install` runs our command line."""
    home, srv, run, project = (folder / name for name in ("people/ada", "srv/guard", "var/run", "work/shop"))
    for each in (home, srv / "rules", run, project):
        each.mkdir(parents=True)
    (home / ".codex").mkdir()
    taxonomies.add(srv / "rules", "touches_flag", family="files", verdict="flag", word="touch flag")
    policy = {
        "records": {"path": str(srv / "ledger"), "key": str(srv / "sealing.pem")},
        "taxonomy": {"folders": [str(srv / "rules")]},
        "isolation": "none",
        "budgets": {"pure_ms": 10_000},  # what is slow on a busy machine is no way to disarm the guard
    }
    file = srv / "rules-of-the-house.yaml"
    file.write_text(yaml.safe_dump(policy), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.chdir(project)
        for host, *scope in (*((host,) for host in HOSTS), ("claude", "--scope", "project")):
            ran = install("install", host, *scope, "--yes", "--socket", run / "judge.sock", "--policy", file)
            assert ran.code == 0, ran.err
        own = [each for each in daemon_assets(run / "judge.sock", srv / "bearer", 8651) if each.sort != "process"]
        daemon = [*own, type(own[0])("48151", "supervisor", "process")]
        supervisor = Supervisor(read_policy(file), assets=daemon)
    return Deployment(_places(supervisor, home, srv, run, project), supervisor)


def _places(supervisor: Supervisor, home: Path, srv: Path, run: Path, project: Path) -> dict[str, str]:
    """By name, for the ways to be written with."""
    rows = supervisor.guard_assets
    library = next(place for place, _, sort, *_ in rows if sort == "library")
    code = next(place for place, _, sort, *_ in rows if sort == "code")
    named = {
        "policy": srv / "rules-of-the-house.yaml",
        "rule": srv / "rules/taxonomy/touches_flag.yaml",
        "rules": srv / "rules",
        "ledger": srv / "ledger",
        "segment": srv / "ledger/segment-000001.jsonl",
        "key": srv / "sealing.pem",
        "bearer": srv / "bearer",
        "guard": srv,
        "sock": run / "judge.sock",
        "lock": run / "judge.sock.lock",
        "run": run,
        "home": home,
        "list": home / ".local/state/supervisor/installed.json",
        "state": home / ".local/state/supervisor",
        **{host: home / file for host, file in HOSTS.items()},
        "project": project,
        "project_claude": project / ".claude/settings.json",
        "client": f"{code}/hooks/client.pl",
        "engine": f"{code}/engine.py",
        "code": code,
        "library": library,
        "pth": f"{library}/zz_own.pth",
        "customize": f"{library}/sitecustomize.py",
        "python": sys.executable,
        "venv": sys.prefix,
        "pid": "48151",
        "port": "8651",
    }
    return {name: str(place) for name, place in named.items()}
