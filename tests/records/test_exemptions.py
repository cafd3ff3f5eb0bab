"""The store of exemptions: names, limits, and many at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from supervisor.errors import BadInput
from supervisor.records.exemptions import Exemptions, NoExemption
from tests.records.exempting import draft, stores


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Exemptions]:
    yield from stores(tmp_path)


def test_an_exemption_is_named_by_the_beginning_of_its_id(store: Exemptions, tmp_path: Path) -> None:
    made = store.add(draft(tmp_path))
    assert store.named(made.id[:6].upper()).exemption == made
    for name in ("", made.id[:5], "zzzzzz", "../../etc", made.id + "0"):
        with pytest.raises(NoExemption):
            store.named(name)
    store.revoke(made.id, "ann")
    with pytest.raises(NoExemption, match="revoked already, by ann"):
        store.revoke(made.id, "bob")


def test_what_is_too_long_is_refused_and_leaves_nothing(store: Exemptions, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="at most"):
        store.add(draft(tmp_path, shown="x" * 200_000))
    assert store.everything() == ([], [])


def test_many_at_once_are_all_kept(store: Exemptions, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda number: store.add(draft(tmp_path, f"wipe {number}")), range(12)))
    assert {each.exemption.id for each in store.everything()[0]} == {each.id for each in made}
