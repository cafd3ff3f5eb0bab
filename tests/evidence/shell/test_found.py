"""Which files the tests of a `find` select."""

from __future__ import annotations

import pytest

from supervisor.evidence.shell.found import selects_recent


@pytest.mark.parametrize(
    ("tests", "recent"),
    [
        ("-mtime -7", True),
        ("-mmin -60 -name *.gz", True),
        ("! -mtime +7", True),
        ("-newer stamp", True),
        ("-mtime +7", False),
        ("-not -newer stamp", False),
        ("-mtime +7 -mtime -30", False),
        ("-name *.gz", False),
        ("-mtime", False),
    ],
)
def test_a_search_for_recent_files_is_told_from_one_for_old_ones(tests: str, recent: bool) -> None:
    assert selects_recent(tests.split()) is recent
