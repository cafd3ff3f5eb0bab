"""A pattern takes only what the user named."""

from __future__ import annotations

import pytest

from tests.evidence.situation.judging import found


@pytest.mark.parametrize("act", ["rm -rf {p}", "mv {p} /mnt/archive/", "rsync -a --remove-source-files {p} /mnt/a/"])
def test_a_pattern_takes_only_what_was_named(act: str) -> None:
    shown = ("ls", "FY24\nFY25\nFY26")
    assert found(act.format(p="FY2*"), "Move FY25 away.", shown)
    assert found(act.format(p="FY25"), "Move FY25 away.", shown) == []
    assert found(act.format(p="FY2*"), "Move FY24, FY25 and FY26 away.", shown) == []
