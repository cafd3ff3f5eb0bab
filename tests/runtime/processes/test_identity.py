"""A process is told from every other one, also from one with its pid."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace

import pytest

from supervisor.runtime.processes import identity as identities
from supervisor.runtime.processes.identity import Identity, identity_of, is_alive, send
from tests.runtime.processes.starting import python, until


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(python("import time; time.sleep(60)")) as running:
        yield running
        running.kill()


@pytest.fixture
def identity(process: subprocess.Popen[bytes]) -> Identity:
    found = identity_of(process.pid)
    assert found is not None
    return found


def test_an_identity_is_read_as_it_was_stored(identity: Identity) -> None:
    assert Identity.from_json(identity.to_json()) == identity
    assert is_alive(identity)


@pytest.mark.parametrize("forged", [{"started": 1}, {"boot": "another"}, {"pid": 1}])
@pytest.mark.parametrize("has_pidfd", [True, False])
def test_a_forged_identity_is_not_signalled(
    identity: Identity,
    process: subprocess.Popen[bytes],
    forged: dict[str, object],
    has_pidfd: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(identities, "_HAS_PIDFD", has_pidfd and identities._HAS_PIDFD)
    other = replace(identity, **forged)  # type: ignore[arg-type]
    assert not is_alive(other)
    assert not send(other, signal.SIGKILL)
    assert process.poll() is None
    assert send(identity, signal.SIGKILL)
    assert process.wait(5) == -signal.SIGKILL
    assert not send(identity, signal.SIGKILL)


def test_a_zombie_is_not_alive(identity: Identity, process: subprocess.Popen[bytes]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    until(lambda: not is_alive(identity))
    assert identity_of(process.pid) is None
    assert process.wait() == -signal.SIGKILL


def test_no_process_has_no_identity() -> None:
    assert identity_of(2**22 + 1) is None
