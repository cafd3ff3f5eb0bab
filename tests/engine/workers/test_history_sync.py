"""What a worker makes of what it is told equals the history itself, however sessions grow, branch and are forgotten."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Step
from supervisor.engine.workers.history_sync import ReceivedHistories, SentHistories
from supervisor.history import History

STEPS = st.builds(Step, st.sampled_from("ab"), st.just({}), st.text("xy", max_size=40))
# A session grows by steps, is looked at as it was some steps ago, or forks; or another process says the same again.
MOVES = st.lists(
    st.tuples(
        st.integers(0, 5),
        st.one_of(
            st.tuples(st.just("grow"), st.lists(STEPS, min_size=1, max_size=3)),
            st.tuples(st.just("earlier"), st.integers(0, 3)),
            st.tuples(st.just("fork"), st.integers(0, 5)),
            st.tuples(st.just("copy"), st.none()),
        ),
    ),
    max_size=40,
)


def _arrived(sent: SentHistories, history: History) -> dict[str, Any] | None:
    """What a worker reads of what it is told."""
    arrived: dict[str, Any] | None = orjson.loads(orjson.dumps(sent.message(history.snapshot())))
    return arrived


@given(MOVES, st.integers(1, 3), st.integers(0, 300))
def test_a_worker_sees_what_the_host_means(moves: list[tuple[int, tuple[str, object]]], trunks: int, size: int) -> None:
    sent, kept = SentHistories(most_bytes=size, most_trunks=trunks), ReceivedHistories()
    sessions = [History() for _ in range(6)]
    for number, (move, how) in moves:
        seen = session = sessions[number]
        if move == "grow":
            assert isinstance(how, list)
            for step in how:
                session.append(step)
        elif move == "earlier":
            assert isinstance(how, int)
            seen = session.first(max(0, len(session) - how))
        elif move == "fork":
            assert isinstance(how, int)
            seen = sessions[how] = History(list(session))
        else:
            seen = History(list(session))
        assert list(kept.history(_arrived(sent, seen))) == list(seen)


def test_a_step_is_told_once() -> None:
    sent, session = SentHistories(), History()
    counts = []
    for number in range(5):
        session.append(Step("read", {"number": number}, "text"))
        answer = _arrived(sent, session)
        assert answer is not None
        counts.append(len(answer["steps"]))
    again = _arrived(sent, session)
    assert again is not None
    assert (counts, again["steps"]) == ([1] * 5, [])


def test_what_a_worker_keeps_is_bounded() -> None:
    sent, kept = SentHistories(most_bytes=2000, most_trunks=100), ReceivedHistories()
    for session in range(50):
        kept.history(_arrived(sent, History([Step("read", {"session": session}, "x" * 100)])))
    assert sum(history.size for history in kept._trunks.values()) < 4000


def _grown_by(kept: ReceivedHistories, sent: SentHistories, text: str) -> History:
    """The worker's copy of a session of one step, with evidence."""
    history = kept.history(_arrived(sent, History([Step("a", {}, text)])))
    history.memory["evidence"] = text
    return history


def test_evidence_is_kept_of_the_histories_used_last() -> None:
    sent, kept = SentHistories(), ReceivedHistories()
    histories = [_grown_by(kept, sent, letter * 1000) for letter in "abc"]
    assert kept.history(_arrived(sent, History(list(histories[0])))).memory
    assert kept.read == kept.size
    kept.keep_read(kept.size - 1)
    assert [bool(history.memory) for history in histories] == [True, False, True]
    kept.keep_read(0)
    assert [bool(history.memory) for history in histories] == [True, False, False]
    assert kept.read == kept.size // 3
    assert [history[0].text[:1] for history in histories] == ["a", "b", "c"]
    kept.history(_arrived(sent, History(list(histories[1]))))
    assert kept.read == 2 * (kept.size // 3)
