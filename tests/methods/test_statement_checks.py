"""What agents tell people, weighed by the classifiers of sentences."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.actions.phrasing import MAX_TEXT, features, phrased, sentences_of
from supervisor.evidence.provenance.on_record import all_recorded, figures
from supervisor.intake.parsing import shaped
from supervisor.methods.classifier import MODELS, Classifier
from supervisor.methods.statement_checks import judged, said
from supervisor.verdict import Verdict
from tests.evidence.effort import assert_linear

CURE = "Our ginger tea cures arthritis within two weeks."


def message(body: str) -> Action:
    return shaped("send_email", {"to": "kim@example.org", "body": body}, None, {})


def verdict(body: str, context: Context) -> Verdict:
    return judged(said("health_claim", message(body), context), context, fault="f", correction="c", sharper="s").verdict


@pytest.mark.parametrize(
    ("sentence", "there", "absent"),
    [
        ("We can't guarantee it.", "!@sure", "@sure"),
        ("It does not cure, treat or prevent gout.", "!@disease", "@disease"),
        ("No, I am human.", "@person", "!@person"),
        ("There is no hurry, you will win.", "@rise", "!@rise"),
        ("You get 8 % more.", "#%", "8"),
        ("It costs $1,200.50 today.", "#$", "1,200.50"),
        ("Is it safe?", "=question", "=reported"),
        ("They claimed it works.", "=reported", "=question"),
    ],
)
def test_features_tell_what_a_sentence_says(sentence: str, there: str, absent: str) -> None:
    found = features(sentence)
    assert there in found
    assert absent not in found


@given(st.text(max_size=400))
def test_any_text_has_the_same_features_however_often_it_is_read(text: str) -> None:
    first, second = list(phrased(text)), list(phrased(text))
    assert first == second
    assert all(sentence.features for sentence in first)


@pytest.mark.parametrize("text", ['Dear Kim, they wrote "{}" to me.', "Dear Kim, see this:\n> {}\nIs it true?"])
def test_what_is_quoted_is_not_said(text: str) -> None:
    assert verdict(text.format(CURE), Context()) is Verdict.OK
    assert verdict(CURE, Context()) is Verdict.NUDGE


def test_a_text_that_is_one_quotation_is_said_all_the_same() -> None:
    assert verdict(f"“{CURE}”", Context()) is Verdict.NUDGE


def test_what_the_user_dictated_goes_to_a_person_and_what_is_cleared_goes_out() -> None:
    assert verdict(CURE, Context(task=f"Write to Kim: {CURE}")) is Verdict.FLAG
    assert verdict(CURE, Context(facts={"approved_statements": [CURE.upper()]})) is Verdict.OK
    assert verdict(CURE, Context(facts={"approved_statements": "cures"})) is Verdict.NUDGE


def test_one_guilty_sentence_among_many_is_found() -> None:
    plain = "Your parcel was shipped on Monday. "
    saying = said("health_claim", message(plain * 200 + CURE + " " + plain * 200), Context())
    assert saying is not None
    assert saying.sentence.text == CURE


def test_too_long_a_text_is_not_read() -> None:
    with pytest.raises(Unreadable):
        sentences_of(message("word " * (MAX_TEXT // 5 + 1)), Context())


@pytest.mark.parametrize("piece", ['"', "<", "1", "a'", "not ", "“"])
def test_hostile_texts_take_linear_time(piece: str) -> None:
    def read(text: str) -> None:
        list(phrased(text))

    assert_linear(read, lambda size: piece * (size // len(piece)), counted=MAX_TEXT // 4, ended=MAX_TEXT)


def test_records_are_outputs_and_the_policy_but_not_wishes() -> None:
    history = [Step("get_order", {}, {"refund": "80.00"}), Step("get_stock", {}, "7 left", failed=True)]
    context = Context(task="I want 99.", history=history, facts={"policy": ["Vouchers of 1,500 EUR."]})
    action = message("x")
    assert all_recorded(action, context, figures("80 EUR and 1500.0"))
    assert not all_recorded(action, context, figures("7"))
    assert not all_recorded(action, context, figures("99"))
    assert not all_recorded(action, context, [])


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.json")), ids=lambda path: path.stem)
def test_every_model_has_a_card_with_figures_and_limits(path: Path) -> None:
    model = Classifier.load(path.stem)
    assert model.name == path.stem
    assert model.card["question"].endswith("?")
    assert model.card["limits"]
    assert sum(value for name, value in model.card["n"].items() if name in ("texts", "trained")) >= 3000
    for measure in ("recall", "precision", "honest_stopped"):
        low, high = model.card[measure]["interval"]
        assert low <= model.card[measure]["value"] <= high


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.json")), ids=lambda path: path.stem)
def test_the_figures_of_a_card_belong_to_the_weights_beside_it(path: Path) -> None:
    model = json.loads(path.read_bytes())
    scores = [model[key] for key in ("features", "bias", "threshold", "scale")]
    assert model["card"]["digest"] == hashlib.sha256(json.dumps(scores, sort_keys=True).encode()).hexdigest()


def test_training_twice_gives_the_same_bytes() -> None:
    pytest.importorskip("sklearn")
    from benchmarks.training.recipe import SEED, fit, texts, written
    from benchmarks.training.subjects import SUBJECTS, others

    subject = SUBJECTS[0]
    made = [written(fit(texts(subject, others(subject), 400, SEED))) for _ in range(2)]
    assert made[0] == made[1]
    assert len(made[0]) > 1_000


def test_templates_are_held_out_whole() -> None:
    pytest.importorskip("sklearn")
    from benchmarks.training.recipe import FOLDS, SEED, Sort, by_family, by_template, texts
    from benchmarks.training.subjects import SUBJECTS, others

    made = texts(SUBJECTS[0], others(SUBJECTS[0]), 2_000, SEED)
    assert {by_template(text) for text in made} == {by_family(text) for text in made} == set(range(FOLDS))
    harmful = {(text.family, by_family(text)) for text in made if text.sort is Sort.HARMFUL}
    assert len(harmful) == len({family for family, _ in harmful})
