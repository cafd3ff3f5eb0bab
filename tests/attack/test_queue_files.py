"""What may lie in place of a file of ours: nothing of it hangs a decision, is followed, or is believed."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from supervisor.adapters.hooks.transcript import refused
from supervisor.catalog.manifest import Manifest
from supervisor.engine.remote.transport import token
from supervisor.errors import SupervisorError
from supervisor.intake.files import check_folder, open_file, read_file
from supervisor.policy import read_policy
from supervisor.records.envelope import open_signer
from tests.attack.test_approvals import Deployment, approve, deployment, propose, state
from tests.conftest import Ran

__all__ = ["deployment"]


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


def link(path: Path) -> None:
    target = path.with_name("target")
    target.write_bytes(b"x")
    path.symlink_to(target)


def dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def loop(path: Path) -> None:
    path.symlink_to(path)


def folder(path: Path) -> None:
    path.mkdir()


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def listener(path: Path) -> None:
    made = socket.socket(socket.AF_UNIX)
    before = Path.cwd()
    os.chdir(path.parent)  # a socket's path is short
    made.bind(path.name)
    os.chdir(before)
    made.close()


ODD = [fifo, endless, terminal, link, dangling, loop, folder, huge, listener]
Odd = Callable[[Path], None]


def put(odd: Odd, path: Path) -> None:
    if path.exists():
        path.unlink()
    odd(path)


@pytest.mark.parametrize("odd", ODD)
def test_no_file_in_the_queue_hangs_a_decision_or_says_yes(deployment: Deployment, odd: Odd) -> None:
    engine = deployment.engine()
    asked = propose(engine).approval
    assert asked
    name = asked.name
    for what in ("question", "answer"):
        put(odd, deployment.queue / f"{name}.{what}")
        for _ in range(2):
            assert not propose(engine).allowed
        assert [each.approval.name for each in engine.queue.waiting()] in ([name], [])
        for left in deployment.queue.iterdir():
            shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
        propose(engine)
    approve(engine)
    assert state(propose(engine)) == "approved"


@pytest.mark.parametrize("odd", ODD)
def test_nothing_that_is_named_like_a_segment_hangs_a_reader_or_lets_anything_run(
    deployment: Deployment, run: Callable[..., Ran], odd: Odd
) -> None:
    engine = deployment.engine()
    propose(engine)
    planted = deployment.records / "20990101T000000.000000-1-000000.jsonl"
    odd(planted)
    assert not propose(engine).allowed
    if odd is not huge:  # of a file without end, whatever fits is read, which takes its time
        assert run("review", "--policy", deployment.policy).code in (0, 1, 2)
        assert run("verify", deployment.records).code == 1
    shutil.rmtree(deployment.queue)  # which is built anew from the segments
    decision = propose(engine)
    assert (decision.allowed, bool(decision.record_error)) == (False, True)


@pytest.mark.parametrize("odd", [fifo, link, dangling, loop, huge])
def test_another_thing_in_place_of_the_queue_refuses(deployment: Deployment, tmp_path: Path, odd: Odd) -> None:
    engine = deployment.engine()
    propose(engine)
    shutil.rmtree(deployment.queue)
    odd(deployment.queue)
    decision = propose(engine)
    assert (decision.allowed, bool(decision.record_error)) == (False, True)


def test_a_queue_that_leads_elsewhere_is_not_used(deployment: Deployment, tmp_path: Path) -> None:
    engine, elsewhere = deployment.engine(), tmp_path / "elsewhere"
    propose(engine)
    deployment.queue.rename(elsewhere)
    before = sorted(elsewhere.iterdir())
    deployment.queue.symlink_to(elsewhere)
    assert not propose(engine).allowed
    assert sorted(elsewhere.iterdir()) == before


def test_a_folder_into_which_others_write_is_not_used(deployment: Deployment) -> None:
    engine = deployment.engine()
    propose(engine)
    deployment.queue.chmod(0o777)
    decision = propose(engine)
    assert (decision.allowed, "others may write" in (decision.record_error or "")) == (False, True)
    with pytest.raises(OSError, match="others may write"):
        check_folder(deployment.queue)


@pytest.mark.parametrize("odd", ODD)
def test_a_file_of_ours_is_read_whole_or_not_at_all(tmp_path: Path, odd: Odd) -> None:
    path = tmp_path / "file"
    odd(path)
    with pytest.raises(OSError, match=r"\w"):
        read_file(path, 1000, own=True)
    with pytest.raises(OSError, match=r"\w"):
        open_file(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, own=True)


def test_how_much_is_read_is_bounded_and_a_link_may_be_followed(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_bytes(b"x" * 10)
    other.symlink_to(path)
    assert (read_file(path, 10, own=True), read_file(other, 10)) == (b"x" * 10, b"x" * 10)
    with pytest.raises(OSError, match="more than the 9 allowed"):
        read_file(path, 9)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_none_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    os.chown(path, 12345, 12345)
    with pytest.raises(OSError, match="belongs to another user"):
        read_file(path, 10, own=True)
    assert read_file(path, 10) == b"x"


READERS: dict[str, Callable[[Path], object]] = {
    "policy": read_policy,
    "key": open_signer,
    "transcript": lambda path: refused(str(path), ["call"]),
    "cache": lambda path: Manifest(None, path, path.with_name("key")),
    "cache key": lambda path: Manifest(None, path.with_name("cache"), path),
}


@pytest.mark.parametrize("odd", [fifo, endless, folder, huge])
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_no_other_file_of_ours_hangs(tmp_path: Path, read: Callable[[Path], object], odd: Odd) -> None:
    """Whatever is said of it; a policy and a key may be links, as in a container."""
    odd(tmp_path / "file")
    try:
        assert not getattr(read(tmp_path / "file"), "policy", None)
    except SupervisorError as error:
        assert str(tmp_path / "file") in str(error)  # noqa: PT017 - some readers raise, others pass over it


@pytest.mark.parametrize("odd", [fifo, endless, folder, huge])
def test_no_token_hangs_a_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: Odd) -> None:
    odd(tmp_path / "token")
    monkeypatch.setenv("SUPERVISOR_TOKEN_FILE", str(tmp_path / "token"))
    with pytest.raises(Exception, match="the token cannot be read"):
        token()
