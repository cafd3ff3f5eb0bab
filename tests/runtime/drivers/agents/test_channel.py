"""Lines are cut as a plain reading of the whole would cut them, and no request waits for ever."""

from __future__ import annotations

import io
import os

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.drivers.agents.channel import Channel, Lines, NoReply, message_of

LONGEST = 8


@given(st.lists(st.text("ab\n", max_size=12).map(str.encode)))
def test_chunks_are_cut_into_lines(chunks: list[bytes]) -> None:
    lines = Lines(LONGEST)
    found = [line for chunk in chunks for line in lines.feed(chunk)]
    *whole, _ = b"".join(chunks).split(b"\n")
    assert found == [line for line in whole if len(line) <= LONGEST]
    assert lines.dropped == sum(len(line) > LONGEST for line in whole)


@pytest.mark.parametrize("line", [b"", b"x", b"[1]", b'"a"', b"{", b"\xff", b"[" * 100_000, b"NaN"])
def test_what_is_no_object_is_no_message(line: bytes) -> None:
    assert message_of(line) is None


def test_a_request_has_a_deadline() -> None:
    async def ask() -> None:
        await Channel(io.BytesIO).request("who", {}, within=0.01)

    with pytest.raises(NoReply, match=r"it has not replied for 0\.01 s to who"):
        anyio.run(ask)


def test_an_agent_that_reads_nothing_delays_nobody_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.runtime.drivers.agents.channel._WRITTEN", 0.05)
    reading, writing = os.pipe()

    async def fill() -> None:
        await Channel(lambda: pipe).send({"text": "x" * 1_000_000})

    with open(writing, "wb") as pipe, open(reading, "rb") as reader:
        with pytest.raises(NoReply, match="it has not read what it was sent"):
            anyio.run(fill)
        assert reader.readline().endswith(b"}\n")  # so that the thread that writes comes to its end


def test_an_agent_that_is_gone_is_told() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    async def send() -> None:
        await Channel(lambda: pipe).send({})

    with (
        open(writing, "wb", buffering=0) as pipe,
        pytest.raises(NoReply, match="it does not read its input any more"),
    ):
        anyio.run(send)


def test_replies_are_paired_whatever_their_order() -> None:
    async def ask() -> list[object]:
        channel, found = Channel(io.BytesIO), []

        async def one(key: str) -> None:
            try:
                found.append(await channel.request(key, {}, within=5))
            except NoReply as error:
                found.append(str(error))

        async with anyio.create_task_group() as tasks:
            for key in ("a", "b"):
                tasks.start_soon(one, key)
            await anyio.wait_all_tasks_blocked()
            assert [channel.resolve(*reply) for reply in (("c", {}), ("b", {"is": "b"}))] == [False, True]
            await anyio.wait_all_tasks_blocked()
            assert [channel.resolve("a", None), channel.resolve("a", {})] == [True, False]
        return found

    assert anyio.run(ask) == [{"is": "b"}, "it refuses a"]
