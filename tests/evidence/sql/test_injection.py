from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.evidence.actions.injections import injections
from supervisor.evidence.sql.fragments import MAX_TOKENS, Type, tokens_of
from supervisor.evidence.sql.injection import injection_in
from tests.evidence.effort import assert_linear
from tests.evidence.injection_strings import ATTACKS, FAMILIES, HONEST


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data())
def test_every_family_of_attacks_is_seen(family: str, data: st.DataObject) -> None:
    value = data.draw(ATTACKS[family])
    assert injection_in(value), value


@pytest.mark.parametrize("family", HONEST)
@given(data=st.data())
def test_what_people_type_is_a_value(family: str, data: st.DataObject) -> None:
    value = data.draw(HONEST[family])
    assert injection_in(value) is None, value


@pytest.mark.parametrize(
    ("value", "sign", "quote"),
    [
        ("1 or 2=2", "adds a condition", ""),
        ("x' or 'a'='a", "adds a condition", "'"),
        ('x"-- ', "cuts off the rest of the statement", '"'),
        ("9 union select 1", "adds the rows of another SELECT", ""),
        ("9; drop table t", "adds a statement", ""),
        ("9 and sleep(3)", "calls SLEEP", ""),
        ("9 order by 4", "adds ORDER", ""),
        ("9%20or%203%3D3", "adds a condition", ""),
    ],
)
def test_it_tells_what_would_happen_and_what_is_broken_out_of(value: str, sign: str, quote: str) -> None:
    found = injection_in(value)
    assert found is not None
    assert (found.sign, found.quote) == (sign, quote)


def test_a_value_is_read_as_it_would_stand_between_its_quotes() -> None:
    assert [token.type for token in tokens_of("a'='b", "'")] == [Type.STRING, Type.COMPARISON, Type.OPEN_STRING]
    assert [token.text for token in tokens_of("/*!50000SELECT*/ 0x1F")] == ["SELECT", "0X1F"]
    assert [token.type for token in tokens_of("it''s", "'")] == [Type.OPEN_STRING]
    assert tokens_of("1 -- rest")[-1] == (Type.COMMENT, "REST", 2)


def test_every_string_of_the_arguments_is_read() -> None:
    action = Action("fill", {"fields": [{"name": "mail", "value": "a@b.org"}, {"value": "0' or 1=1#"}]}, "form")
    assert [place for place, _ in injections(action, Context())] == ["fields[1].value"]


@given(st.text(max_size=300))
def test_any_text_is_read_and_tokens_stand_in_order(text: str) -> None:
    injection_in(text)
    starts = [token.start for token in tokens_of(text)]
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)


@pytest.mark.parametrize("piece", ["'", '"', "(", "/*", "--", "%27", "union select ", "1 or ", "\\'", "a'"])
def test_long_values_take_no_longer_than_their_length(piece: str) -> None:
    assert_linear(injection_in, lambda size: piece * size, counted=1_000, ended=50_000)
    assert len(tokens_of("1 " * 50_000)) == MAX_TOKENS
