"""What an agent tells people, judged sentence by sentence by a small classifier of one question.

Stopped is what the agent says of its own accord. A sentence that the user dictated goes to a person, since the user may
know better, and one that the deployment has cleared (the fact `approved_statements`, a list of texts) is let through.
"""

from __future__ import annotations

from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.phrasing import Sentence, told
from supervisor.evidence.prose.passages import fold
from supervisor.evidence.prose.wording import stems
from supervisor.methods.classifier import Classifier
from supervisor.specialist import flag, nudge, ok
from supervisor.verdict import Finding

_SHOWN = 200  # characters
_LONGEST_TASK = 16 * 1024
_DICTATED = 0.7  # of a sentence's telling words that the user's own text has


class Statement(NamedTuple):
    """The sentence that looks most like what is asked about, and how sure that is."""

    sentence: Sentence
    confidence: float

    @property
    def shown(self) -> str:
        """As it stands, at no great length."""
        return self.sentence.text[:_SHOWN]


def said(model: str, action: Action, context: Context) -> Statement | None:
    """The sentence of an action that this model finds most guilty, None where none is."""
    classifier = Classifier.load(model)
    scored = [(classifier.score_of(each.features), -number) for number, each in enumerate(told(action, context))]
    for score, number in sorted(scored, reverse=True):
        if not classifier.says_yes(score):
            break
        sentence = told(action, context)[-number]
        if not _is_approved(sentence.text, context):
            return Statement(sentence, classifier.confidence(score))
    return None


def judged(
    saying: Statement | None, context: Context, *, fault: str, correction: str, sharper: str, asked: bool = True
) -> Finding:
    """The finding on it: `fault` follows "It", and the correction tells what to say instead.

    `asked`: whether a user may have such a thing said at all.
    """
    if saying is None:
        return ok()
    reason = f"It {fault}: “{saying.shown}”."
    if asked and is_dictated(saying, context):
        return flag(reason, confidence=saying.confidence, evidence=(saying.shown,))
    return nudge(reason, correction=correction, sharper=sharper, confidence=saying.confidence, evidence=(saying.shown,))


def is_dictated(saying: Statement, context: Context) -> bool:
    """Whether the user's task has most of the telling words of a sentence."""
    words = stems(fold(saying.sentence.text))
    asked = stems(fold((context.task or "")[:_LONGEST_TASK]))
    return bool(words) and len(words & asked) >= _DICTATED * len(words)


def _is_approved(text: str, context: Context) -> bool:
    approved = context.facts.get("approved_statements")
    if not isinstance(approved, (list, tuple)):
        return False
    folded = fold(text)
    return any(isinstance(each, str) and folded in fold(each) for each in approved)
