"""Statements of an agent to people, judged sentence by sentence by a small classifier for one question.

A sentence that the agent wrote of its own accord is stopped. One that the user dictated goes to a person, since the
user may know better. One that the deployment approved (the fact `approved_statements`, a list of texts) is let through.
"""

from __future__ import annotations

from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.phrasing import Sentence, sentences_of
from supervisor.evidence.prose.passages import fold
from supervisor.evidence.prose.wording import stems
from supervisor.methods.classifier import Classifier
from supervisor.specialist import flag, nudge, ok
from supervisor.verdict import Finding

_SHOWN = 200  # characters
_LONGEST_TASK = 16 * 1024
_DICTATED = 0.7  # the share of a sentence's stems that the user's own text must contain


class Statement(NamedTuple):
    """The sentence with the highest score, and the confidence."""

    sentence: Sentence
    confidence: float

    @property
    def shown(self) -> str:
        """The sentence's text, cut to _SHOWN characters."""
        return self.sentence.text[:_SHOWN]


def said(model: str, action: Action, context: Context) -> Statement | None:
    """The sentence of an action with the model's highest score above the threshold, except approved ones; or None."""
    classifier = Classifier.load(model)
    scored = [
        (classifier.score_of(each.features), -number) for number, each in enumerate(sentences_of(action, context))
    ]
    for score, number in sorted(scored, reverse=True):
        if not classifier.says_yes(score):
            break
        sentence = sentences_of(action, context)[-number]
        if not _is_approved(sentence.text, context):
            return Statement(sentence, classifier.confidence(score))
    return None


def judged(
    saying: Statement | None, context: Context, *, fault: str, correction: str, sharper: str, asked: bool = True
) -> Finding:
    """The finding on a statement: `fault` follows "It", and `correction` is what to say instead.

    `asked`: whether a user may request such a statement at all.
    """
    if saying is None:
        return ok()
    reason = f"It {fault}: “{saying.shown}”."
    if asked and is_dictated(saying, context):
        return flag(reason, confidence=saying.confidence, evidence=(saying.shown,))
    return nudge(reason, correction=correction, sharper=sharper, confidence=saying.confidence, evidence=(saying.shown,))


def is_dictated(saying: Statement, context: Context) -> bool:
    """Whether the user's task contains most stems of a sentence."""
    words = stems(fold(saying.sentence.text))
    asked = stems(fold((context.task or "")[:_LONGEST_TASK]))
    return bool(words) and len(words & asked) >= _DICTATED * len(words)


def _is_approved(text: str, context: Context) -> bool:
    approved = context.facts.get("approved_statements")
    if not isinstance(approved, (list, tuple)):
        return False
    folded = fold(text)
    return any(isinstance(each, str) and folded in fold(each) for each in approved)
