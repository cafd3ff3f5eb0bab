"""The union against a reference model written without it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from supervisor.decision.union import Voice, union
from supervisor.verdict import Cause, Finding, Refusal, Verdict

verdicts = st.sampled_from(Verdict)
opinions = st.one_of(
    st.builds(Finding, verdicts, st.floats(0, 1), st.text(max_size=5)),
    st.builds(Refusal, st.text(max_size=5), st.sampled_from(Cause)),
)
voices = st.builds(
    Voice, st.text("abc", min_size=1, max_size=3), opinions, verdicts, st.sampled_from([Verdict.OK, Verdict.FLAG])
)


def reference(heard: list[Voice]) -> Verdict:
    """Any block blocks, else any nudge nudges, else any flag flags, else ok: read off the prose."""

    def counts(voice: Voice, verdict: Verdict) -> bool:
        if isinstance(voice.opinion, Refusal):
            said = voice.on_refuse if voice.opinion.cause is Cause.INPUT else Verdict.OK
        else:
            said = voice.opinion.verdict
        granted = [each for each in Verdict if each <= voice.ceiling]
        return verdict in granted and said >= verdict and (said == verdict or verdict == granted[-1])

    for verdict in (Verdict.BLOCK, Verdict.NUDGE, Verdict.FLAG):
        if any(counts(voice, verdict) for voice in heard):
            return verdict
    return Verdict.OK


@given(st.lists(voices, max_size=8))
def test_is_the_greatest_objection_that_authority_allows(heard: list[Voice]) -> None:
    assert union(heard).verdict is reference(heard)


@given(st.lists(voices, max_size=6), st.randoms())
def test_does_not_depend_on_the_order_of_the_voices(heard: list[Voice], random: object) -> None:
    shuffled = list(heard)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert union(shuffled).verdict is union(heard).verdict
    assert union(shuffled).review == union(heard).review


@given(st.lists(voices, max_size=6), voices)
def test_one_more_voice_never_lowers_the_verdict(heard: list[Voice], more: Voice) -> None:
    assert union([*heard, more]).verdict >= union(heard).verdict


@given(st.lists(voices, max_size=6), st.text(max_size=3))
def test_a_refusal_that_the_input_did_not_cause_changes_nothing(heard: list[Voice], name: str) -> None:
    silent = Voice(name, Refusal("down", Cause.INFRASTRUCTURE), on_refuse=Verdict.BLOCK)
    assert union([*heard, silent]) == union(heard)


@given(st.lists(voices, max_size=6))
def test_names_exactly_the_voices_that_reach_the_verdict(heard: list[Voice]) -> None:
    united = union(heard)
    expected = [voice for voice in heard if united.verdict and voice.weight == united.verdict]
    assert list(united.by) == expected


def test_nobody_asked_is_ok() -> None:
    assert union([]).verdict is Verdict.OK
    assert not union([]).review


def test_a_nudged_and_flagged_action_is_nudged_and_still_reviewed() -> None:
    heard = [Voice("a", Finding(Verdict.FLAG)), Voice("b", Finding(Verdict.NUDGE, correction="do this"))]
    united = union(heard)
    assert united.verdict is Verdict.NUDGE
    assert united.review
