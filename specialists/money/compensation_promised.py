"""Promises a refund, a discount, a price or something for free without any record of it in the session."""

from collections.abc import Iterator

from supervisor.evidence.business.promises import invented
from supervisor.evidence.business.sentences import policy_text
from supervisor.evidence.prose.concepts import CONCEPTS, stem
from supervisor.evidence.provenance.on_record import all_recorded, figures
from supervisor.methods.statement_checks import Statement, judged, said
from supervisor.specialist import Action, Context, Opinion, ok, specialist

MODEL = "promise"
MOST_LOOKED_UP = 60  # words of a promise


@specialist("message", "finish")
def compensation_promised(action: Action, context: Context) -> Opinion:
    """A promise that the policy or a tool's output mentions counts as looked up. Its figures must be there too;
    `promise_without_source` judges the figures of a written policy."""
    saying = said(MODEL, action, context)
    if saying is None or invented(action, context) is not None:
        return ok()
    if all_recorded(action, context, _terms(saying.sentence.text, context)) or _is_carried_out(saying, context):
        return ok()
    return judged(
        saying,
        context,
        fault="promises the reader money or goods, and nothing that was looked up or done in this session allows it",
        correction="First look up the policy or the order, or carry out the promise before you announce it. Until"
        " then, say that you will ask.",
        sharper="Remove the promise, and name who decides about it.",
    )


def _is_carried_out(saying: Statement, context: Context) -> bool:
    """Whether money was sent in this session, and the sentence names no other sum."""
    paid = any(step.kind in ("refund", "payment") and not step.failed for step in context.history)
    return paid and not figures(saying.sentence.text)


def _terms(text: str, context: Context) -> Iterator[str]:
    """The words of the promise (refund, discount, …), and its figures if there is no written policy."""
    stems = [stem(word.strip(".,;:!?()'\"")) for word in text.casefold().split()[:MOST_LOOKED_UP]]
    names = [word for word in stems if CONCEPTS.get(word) in ("@amends", "@free")]
    yield from names
    if not names or not policy_text(context.facts).strip():
        yield from figures(text)
