"""An operator runs the daemon, changes its policy, scrapes it, upgrades and stops it: docs/start/operator.md."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from supervisor.version import VERSION
from tests.journeys.installation import Installation
from tests.journeys.traveller import Traveller, travelling

pytestmark = pytest.mark.thorough  # two dozen processes

PAGE = "docs/start/operator.md"


@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("jq"), reason="curl or jq is not installed")
def test_an_operator_runs_the_daemon(home: Path) -> None:
    installed = Installation.make(home / "installed")
    before = time.time()
    with travelling(home, scripts=installed.scripts, manager=installed.manage) as operator:
        told = operator.follow(PAGE)
        operator.has_taken(PAGE)
    assert f"Supervisor {VERSION}, process" in told
    assert installed.version != VERSION
    assert f"Supervisor {installed.version}, process" in told
    _prometheus_reads_it(before, (operator.work / "metrics.txt").read_text())
    _systemd_takes_it(operator)


def _prometheus_reads_it(before: float, text: str) -> None:
    """The parser of Prometheus' own client for Python."""
    families = {family.name: family for family in text_string_to_metric_families(text)}
    decided = {tuple(sorted(each.labels.items())): each.value for each in families["supervisor_decisions"].samples}
    assert decided == {(("kind", "shell"), ("verdict", "flag")): 2, (("kind", "shell"), ("verdict", "nudge")): 1}
    assert all(family.documentation and family.type != "unknown" for family in families.values())
    assert before < families["supervisor_start_time_seconds"].samples[0].value < time.time()
    buckets = [each for each in families["supervisor_decision_seconds"].samples if each.name.endswith("_bucket")]
    assert buckets[-1].labels["le"] == "+Inf"
    assert [each.value for each in buckets] == sorted(each.value for each in buckets)
    assert buckets[-1].value == sum(decided.values())


def _systemd_takes_it(operator: Traveller) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("all but the unit was tried: systemd-analyze is not here to verify it")
    verify = ["systemd-analyze", "verify", "--user", str(operator.work / "supervisor.service")]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(operator.home)}
    verified = subprocess.run(verify, env=environment, capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
