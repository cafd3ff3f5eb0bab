"""Which sources a report cites, and when one of them is not there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.catalog.case_world import CaseWorld
from supervisor.catalog.failure_mode import World
from supervisor.errors import DoorFailed
from supervisor.methods.sources import MAX_UNKNOWN, _beside, _trimmed, cited_sources

PAGE = "https://example.org/page"


async def cited(pages: dict[str, Any], args: dict[str, Any], quotes: tuple[str, ...] = ()) -> Any:
    context = Context(doors=CaseWorld(World(pages=pages)))
    return await cited_sources(Action("write_report", args, "report"), context, quotes)


@pytest.mark.parametrize("status", [400, 404, 405, 406, 410, 421, 423, 499])
@pytest.mark.anyio
async def test_a_status_that_says_that_the_source_is_not_there(status: int) -> None:
    (source,) = await cited({PAGE: status}, {"url": PAGE})
    assert source.problem == f"returned HTTP {status}"


@pytest.mark.parametrize("status", [204, 302, 401, 402, 403, 407, 408, 425, 429, 451, 500, 502, 503, 504, 599])
@pytest.mark.anyio
async def test_a_status_that_says_nothing_about_the_source(status: int) -> None:
    with pytest.raises(DoorFailed, match=f"the source could not be read: HTTP {status}") as failed:
        await cited({PAGE: status}, {"url": PAGE})
    assert failed.value.code == "http_status"


@pytest.mark.parametrize(
    "text",
    [
        f'It says "so it is" ({PAGE}).',
        f'It says "so it is": [the page]({PAGE}), page 3.',
        f'"so it is", <{PAGE}>',
        f"“so it is”: see {PAGE}!",
        f"> so it is\n\nFrom {PAGE}",
        f"> so it is\n> (from {PAGE})",
        f'**{PAGE}** has\nthe words\n"so it is"',
    ],
)
def test_an_address_beside_a_quotation_is_cited(text: str) -> None:
    quotes = ("so it is", f"so it is (from {PAGE})")
    assert list(_beside(quotes, text)) == [PAGE]


@pytest.mark.parametrize(
    "text",
    [f'It says "so it is".\n\n{PAGE}', f"> so it is\n\nIndeed.\n\n{PAGE}", f'Not "so it was": {PAGE}', PAGE],
)
def test_an_address_elsewhere_is_not(text: str) -> None:
    assert list(_beside(("so it is",), text)) == []


@pytest.mark.anyio
async def test_addresses_come_on_top_of_what_is_listed() -> None:
    text = f'"so it is" {PAGE} {PAGE}/2 {PAGE}'
    sources = await cited(
        {PAGE: "a", f"{PAGE}/2": "b", f"{PAGE}/0": "c"}, {"text": text, "url": f"{PAGE}/0"}, ("so it is",)
    )
    assert [source.text for source in sources] == ["c", "a", "b"]
    assert await cited({}, {"text": text}) == []
    many = '"so it is" ' + " ".join(f"{PAGE}/{number}" for number in range(MAX_UNKNOWN + 1))
    assert await cited({}, {"text": many}, ("so it is",)) is None


@given(st.text(alphabet="()a.,!", max_size=50))
def test_what_ends_an_address_is_no_part_of_it(end: str) -> None:
    trimmed = _trimmed(f"https://example.org/a{end}")
    assert f"https://example.org/a{end}".startswith(trimmed)
    assert trimmed == _trimmed(trimmed)
    assert not trimmed.endswith((".", ",", "!"))
