"""`supervisor records prune` asks before it removes, and says what stays and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from supervisor.records.envelope import open_signer
from supervisor.records.verify import verify
from tests.conftest import Ran
from tests.records.aged import write_days

Run = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_days(tmp_path / "records", open_signer(tmp_path / "key.pem"), 50, 40, 2)
    return tmp_path / "records"


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    file = tmp_path / "policy.yaml"
    file.write_text(f"records: {{path: {tmp_path / 'records'}, key: {tmp_path / 'key.pem'}}}\n")
    return file


def test_pruning_shows_asks_and_says_what_it_did(run: Run, folder: Path, policy: Path) -> None:
    prune = ("records", "prune", "--keep-days", 30, "--policy", policy)
    shown = run(*prune, "--dry-run")
    assert (shown.code, "10 records in 2 segments, none of them since" in shown.out) == (0, True)
    unasked = run(*prune)
    assert (unasked.code, unasked.err) == (
        2,
        "supervisor: nothing is removed without a confirmation; --yes gives it [not_confirmed]\n",
    )
    assert verify(folder).segments == 3
    told = json.loads(
        run(*prune, "--yes", "--json", "--why", "the law, token ghp_9fK2mQ7xTz4LwB1vNc8RjY5hDs3GpE6uAo0i").out
    )
    assert (told["records"], len(told["removed"]), told["dry_run"]) == (10, 2, False)
    assert "ghp_" not in told["why"]  # secrets are masked in a tombstone, too
    checked = run("verify", folder)
    assert (checked.code, "2 segments with 10 records were removed" in checked.out) == (0, True)
    assert "Nothing to prune" in run(*prune).out


def test_a_date_says_the_same(run: Run, folder: Path, policy: Path) -> None:
    shown = run("records", "prune", "--before", "2026-01-01T00:00:00+02:00", "--policy", policy, "--json", "--dry-run")
    assert json.loads(shown.out)["before"] == "2026-01-01T00:00:00+02:00"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "either with --before DATE or with --keep-days N"),
        (("--keep-days", "3", "--before", "2026-01-01"), "either with --before DATE or with --keep-days N"),
        (("--before", "yesterday"), "no date such as 2026-10-01"),
        (("--before", "2999-01-01"), "an approval may still be valid"),
        (("--keep-days", "1e300"), "longer ago than dates reach"),
        (("--keep-days", "nan"), "greater than or equal to 1"),
        (("/nonexistent", "--keep-days", "30"), "holds no records"),
    ],
)
def test_a_wrong_request_is_one_line(run: Run, folder: Path, policy: Path, words: tuple[str, ...], why: str) -> None:
    ended = run("records", "prune", *words, "--yes", "--policy", policy)
    assert (ended.code, why in ended.err) == (2, True), ended.err
    assert verify(folder).segments == 3


def test_the_key_is_never_made_for_a_tombstone(run: Run, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(f"records: {{key: {tmp_path / 'other.pem'}}}\n")
    ended = run("records", "prune", folder, "--keep-days", 30, "--yes", "--policy", other)
    assert (ended.code, "--policy names the policy of these records" in ended.err) == (2, True)
    assert not (tmp_path / "other.pem").exists()


def test_without_a_folder_the_policys_is_meant(run: Run, policy: Path, tmp_path: Path, monkeypatch: Any) -> None:
    policy.write_text("records: {path: null}\n")
    assert "the policy keeps no records; name a folder" in run("records", "export", "--policy", policy).err
    monkeypatch.setenv("SUPERVISOR_POLICY", str(policy))
    assert "the policy keeps no records; name a folder" in run("records", "export").err
