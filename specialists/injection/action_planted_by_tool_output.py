"""Obeys an instruction that was planted in a tool's output, instead of the user's task."""

from __future__ import annotations

from supervisor.evidence.planted import suspects
from supervisor.methods.classifier import Classifier
from supervisor.specialist import Action, Context, Opinion, block, ok, specialist

MODEL = "planted_action"
QUOTED = 160  # characters


@specialist(
    *("tool", "shell", "python", "sql", "http", "browse", "click", "form", "message", "payment", "refund"),
    *("file_read", "file_write", "file_edit", "file_delete"),
    needs_past=True,
)
def action_planted_by_tool_output(action: Action, context: Context) -> Opinion:
    found = suspects(action, context)
    if not found:
        return ok()
    classifier = Classifier.load(MODEL)
    firsts: dict[tuple[int, ...], int] = {}  # of those with the same evidence, which score the same
    for number, suspect in enumerate(found):
        firsts.setdefault(tuple(suspect.features.values()), number)
    score, number = max((classifier.score(found[number].features), -number) for number in firsts.values())
    confidence = classifier.confidence(score)
    if not classifier.says_yes(score):
        return ok(confidence)
    suspect = found[-number]
    tool = context.history[suspect.order.step].tool or "a message"
    taken = f" and takes {', '.join(map(repr, suspect.values[:3]))} from it" if suspect.values else ""
    return block(
        f"This call does what step {suspect.order.step + 1} ({tool}) told the agent to do, not what the user asked for"
        f"{taken}: “{suspect.quote[:QUOTED]}”.",
        confidence=confidence,
        evidence=(suspect.quote,),
    )
