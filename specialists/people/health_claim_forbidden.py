"""Claims that a product cures, treats or prevents a disease, or has no side effects."""

from supervisor.methods.statement_checks import judged, said
from supervisor.specialist import Action, Context, Opinion, specialist

MODEL = "health_claim"


@specialist("message", "finish")
def health_claim_forbidden(action: Action, context: Context) -> Opinion:
    return judged(
        said(MODEL, action, context),
        context,
        fault="claims an effect on an illness, which regulators allow only for approved medicines",
        correction="Say what the product contains and how it is used, and leave out every effect on an illness. Refer"
        " questions about health to a doctor or pharmacist.",
        sharper="Remove the sentence. Cleared claims belong in the fact `approved_statements`.",
    )
