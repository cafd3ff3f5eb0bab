"""What a worker prints never blocks it, is kept up to a bound, and is never lost in silence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.processes.output import Bound, Drain, Kept
from supervisor.runtime.processes.worker import Sink
from tests.runtime.processes.starting import METHODS, begin, python


@given(st.lists(st.binary(max_size=40)), st.integers(0, 50), st.integers(0, 50))
def test_the_beginning_and_the_end_are_kept_and_the_gap_is_counted(chunks: list[bytes], head: int, tail: int) -> None:
    kept = Kept(Bound(head, tail))
    first = b"".join(map(kept.add, chunks))
    whole = b"".join(chunks)
    rest = whole[head:]
    dropped = max(0, len(rest) - tail)
    mark = f"\n[… {dropped} bytes are not kept …]\n".encode() if dropped else b""
    assert (first, kept.total, kept.dropped) == (whole[:head], len(whole), dropped)
    assert kept.content() == whole[:head] + mark + rest[dropped:]


def test_memory_is_bounded_while_much_is_printed() -> None:
    kept = Kept(Bound(head=10, tail=1000))
    for _ in range(1000):
        kept.add(bytes(65536))
        assert len(kept._tail) <= 2 * 1000 + 2 * 65536
    assert kept.dropped == 1000 * 65536 - 1010


@pytest.mark.parametrize("method", METHODS)
def test_a_worker_that_prints_fifty_megabytes_is_not_blocked(method: str, tmp_path: Path) -> None:
    program = """
import sys
sys.stdout.write('begin')
for _ in range(50): sys.stdout.write('x' * 1_000_000)
sys.stdout.write('end')
sys.stderr.write('quiet')
"""
    file = tmp_path / "out"
    sinks = {"stdout": Sink(bound=Bound(5, 3), file=file), "stderr": Sink()}
    with begin(python(program), tmp_path, method, **sinks) as worker:
        assert worker.wait(30) == 0
        assert worker.stdout is not None
        assert worker.stderr is not None
        assert worker.stdout.finish(10)
        assert worker.stderr.finish(10)
        assert worker.stdout.content() == "begin\n[… 50000000 bytes are not kept …]\nend".encode()
        assert (worker.stdout.total, worker.stderr.content()) == (50_000_008, b"quiet")
    assert file.read_bytes() == worker.stdout.content()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_has_the_beginning_at_once(tmp_path: Path) -> None:
    """So that a crash of the supervisor loses nothing of it."""
    ours, theirs = os.pipe()
    heard: list[bytes] = []
    drain = Drain(ours, Bound(100, 100), tmp_path / "out", heard.append)
    os.write(theirs, b"first")
    while not heard:
        assert not drain.finish(0.01)
    assert (tmp_path / "out").read_bytes() == b"first"
    os.close(theirs)
    assert drain.finish(5)


def test_a_listener_that_fails_is_reported_and_the_pipe_is_drained() -> None:
    ours, theirs = os.pipe()
    calls: list[bytes] = []

    def listener(chunk: bytes) -> None:
        calls.append(chunk)
        raise ValueError("no JSON")

    drain = Drain(ours, Bound(0, 4), listener=listener)
    for _ in range(100):
        os.write(theirs, bytes(10_000))
    os.write(theirs, b"last")
    os.close(theirs)
    with pytest.raises(ValueError, match="no JSON"):
        drain.finish(5)
    assert (len(calls), drain.total, drain.content()[-4:]) == (1, 1_000_004, b"last")
