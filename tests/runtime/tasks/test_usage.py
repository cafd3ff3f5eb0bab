"""What requests come to, in whatever order and however often they are told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.tasks.usage import Meter, Spent, Usage, total, usage_since

counts = st.integers(0, 10_000)
spent = st.builds(Spent, counts, counts, counts, st.none() | st.integers(0, 50).map(float), counts)


def parts(whole: Spent, steps: int) -> list[Spent]:
    """What a request tells on its way to `whole`."""
    return [
        Spent(whole.input, whole.cached, whole.output * step // steps, whole.cost, whole.stored)
        for step in range(1, steps + 1)
    ]


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), spent, st.integers(1, 3)), max_size=8), st.randoms())
def test_requests_count_once_in_any_order(requests: list[tuple[str, Spent, int]], chance: object) -> None:
    told = [
        (f"request {at}", model, part)
        for at, (model, whole, steps) in enumerate(requests)
        for part in parts(whole, steps) * 2
    ]
    chance.shuffle(told)  # type: ignore[attr-defined]
    meter = Meter()
    for each in told:
        meter.note(*each)
    counted = meter.usage()
    for model in ("a", "b"):
        wholes = [whole for name, whole, _ in requests if name == model]
        assert counted.get(model, Spent()) == sum(wholes, Spent())
    assert total(counted).tokens == sum(whole.tokens for _, whole, _ in requests)


@given(st.dictionaries(st.sampled_from("abc"), spent), st.dictionaries(st.sampled_from("abc"), spent))
def test_what_was_added_is_what_is_left(before: Usage, added: Usage) -> None:
    after = {model: before.get(model, Spent()) + added.get(model, Spent()) for model in {*before, *added}}
    for model, since in usage_since(after, before).items():
        plain = added.get(model, Spent())
        assert (since.input, since.output, since.stored) == (plain.input, plain.output, plain.stored)
        assert since.cost is None or since.cost == (plain.cost or 0.0)


@given(spent)
def test_it_is_stored_as_it_is(whole: Spent) -> None:
    assert Spent.from_json(whole.to_json()) == whole
