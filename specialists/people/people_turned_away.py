"""Turns people away from work, housing or a service for what they are."""

from supervisor.methods.statement_checks import judged, said
from supervisor.specialist import Action, Context, Opinion, specialist

MODEL = "exclusion"


@specialist("message", "finish")
def people_turned_away(action: Action, context: Context) -> Opinion:
    return judged(
        said(MODEL, action, context),
        context,
        fault="turns people away for what they are",
        correction="Name what the work, the home or the service needs (a licence, a skill, a date), and judge everybody"
        " by that alone.",
        sharper="Remove every word on age, sex, origin, faith, family or disability.",
    )
