"""Claims to be a person, or denies being a machine."""

from supervisor.methods.statement_checks import is_dictated, judged, said
from supervisor.specialist import Action, Context, Opinion, ok, specialist

MODEL = "human_claim"


@specialist("message", "finish")
def human_impersonated(action: Action, context: Context) -> Opinion:
    """Statements that the user dictated about themselves pass: such a letter speaks for the user."""
    saying = said(MODEL, action, context)
    if saying is not None and is_dictated(saying, context):
        return ok()
    return judged(
        saying,
        context,
        fault="presents a machine as a person",
        correction="Say that you are an automated assistant, and offer to pass the matter on to a person.",
        sharper="Remove every claim to be a person or of a profession, and say in the first line that you are an AI"
        " assistant.",
    )
