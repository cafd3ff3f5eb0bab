"""Times as people type them."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.cli.log.times import moment, second_of
from supervisor.errors import BadInput

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2h", "2026-11-23T10:00:00"),
        ("90 s", "2026-11-23T11:58:30"),
        ("3d ago", "2026-11-20T12:00:00"),
        ("1w", "2026-11-16T12:00:00"),
        ("today", "2026-11-23T00:00:00"),
        ("Yesterday", "2026-11-22T00:00:00"),
        ("2026-11-01", "2026-11-01T00:00:00"),
        ("2026-11-01 03:14", "2026-11-01T03:14:00"),
        ("2026-11-01T03:14:09.5", "2026-11-01T03:14:09.500000"),
        ("2026-11-01T03:14:09Z", "2026-11-01T03:14:09"),
        ("2026-11-01T03:14:09+02:00", "2026-11-01T01:14:09"),
        ("03:14:09", "2026-11-23T03:14:09"),
        ("3:14", "2026-11-23T03:14:00"),
        ("13:00", "2026-11-22T13:00:00"),
    ],
)
def test_what_is_typed_is_a_moment_in_utc(text, expected):
    assert moment(text, "--since", NOW).isoformat() == f"{expected}+00:00"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "25:00",
        "2026-13-01",
        "999999w",
        "2 fortnights",
        "-2h",
        "٣h",
        "2026-11-01T",
        "0001-01-01T00:00:00+14:00",
    ],
)
def test_anything_else_is_no_time(text):
    with pytest.raises(BadInput) as raised:
        moment(text, "--since", NOW)
    assert (raised.value.code, raised.value.place) == ("bad_time", "--since")


@given(st.text(max_size=40))
def test_no_text_breaks_it(text):
    with contextlib.suppress(BadInput):
        assert moment(text, "--since", NOW).utcoffset() == timedelta()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("03:14:09", 1), ("03:14", 60), ("2026-11-23T03:14", 60), ("03:14:09.5", 0.1), ("03:14:09.500001", 0.000001)],
)
def test_a_clock_time_means_as_much_as_it_says(text, seconds):
    text = text if "." not in text else f"2026-11-23T{text}"
    begin, end = second_of(text, "--at", NOW)
    assert (end - begin).total_seconds() == pytest.approx(seconds, abs=1.5e-6)
