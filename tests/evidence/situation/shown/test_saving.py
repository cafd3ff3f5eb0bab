"""A source goes only after what was to be saved of it."""

from __future__ import annotations

import pytest

from tests.evidence.situation.judging import found


@pytest.mark.parametrize("between", ["; ", "\n", " || true; "])
@pytest.mark.parametrize(
    "copy", ["tar czf /b/a.tgz data/a", "rsync -a data/a /b/", "cp -r data/a /b/a", "zip -r /b/a.zip data/a"]
)
def test_a_source_goes_only_after_its_copy(copy: str, between: str) -> None:
    assert found(f"{copy}{between}rm -rf data/a", "Archive data/a and remove it.")
    assert found(f"{copy} && rm -rf data/a", "Archive data/a and remove it.") == []
    assert found(f"set -e\n{copy}\nrm -rf data/a", "Archive data/a and remove it.") == []
    assert found(f"{copy}{between}rm -rf build/a", "Archive data/a and tidy up.") == []
