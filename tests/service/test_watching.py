"""Edits are noticed by the status of files alone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from supervisor.service import watching
from supervisor.service.watching import Watched, stamp_of


def test_a_file_that_is_being_written_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text("patience: 1")
    watched = Watched([str(file)])
    assert watched.wait_until_quiet()
    assert time.time_ns() - file.stat().st_ctime_ns >= 100_000_000
    assert not watched.has_changed()
    file.write_text("patience: 2")
    assert watched.has_changed()


def test_a_file_that_is_written_all_the_time_is_never_quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text("patience: 1")
    monkeypatch.setattr(watching, "_PATIENCE", 0.3)
    monkeypatch.setattr(watching.time, "sleep", lambda _: file.write_text("patience: 2"))
    assert not Watched([str(file)]).wait_until_quiet()


def rewritten(entry: Path) -> None:
    entry.write_text("x" * len(entry.read_text()))


def renamed(entry: Path) -> None:
    entry.rename(entry.with_name("other.yaml"))


def joined(entry: Path) -> None:
    (entry.parent.parent / "git").mkdir()
    (entry.parent.parent / "git" / "new.yaml").write_text("")


def replaced(entry: Path) -> None:
    """As editors do, with the size and the time of the file before."""
    about = entry.stat()
    fresh = entry.with_name("fresh.tmp")
    fresh.write_text("y" * about.st_size)
    os.utime(fresh, ns=(about.st_atime_ns, about.st_mtime_ns))
    fresh.replace(entry)


@pytest.mark.parametrize("edit", [rewritten, renamed, joined, replaced, Path.unlink])
def test_an_edit_in_a_folder_of_the_taxonomy_is_noticed(tmp_path: Path, edit: Callable[[Path], object]) -> None:
    entry = tmp_path / "taxonomy" / "files" / "a.yaml"
    entry.parent.mkdir(parents=True)
    entry.write_text("id: a")
    time.sleep(0.02)  # longer than a tick of the kernel's clock
    watched = Watched(())
    watched.watch_folders([str(tmp_path)])
    (entry.parent / "__pycache__").mkdir()
    (entry.parent / "notes.txt").write_text("no entry")
    assert not watched.has_changed()
    edit(entry)
    assert watched.has_changed()


@pytest.mark.parametrize("path", ["/nonesuch/file", "a\0b", "x" * 9000])
def test_nothing_is_a_state_too(path: str) -> None:
    assert stamp_of(path) is None
    assert not Watched([path]).has_changed()
