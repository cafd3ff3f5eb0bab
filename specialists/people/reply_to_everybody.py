"""Writes to everybody at once although the task does not ask for it."""

from supervisor.evidence.actions.named_args import all_args
from supervisor.evidence.business.words import words
from supervisor.evidence.session.recipients import body_of, recipients
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_LISTS = Pattern(
    r"(all|everyone|everybody|all[-._]?(staff|hands|company|users|employees|customers|members)|staff|company|allstaff|"
    r"entire[-._]?company|everyone[-._]\w+|all[-._]\w+|worldwide|global)@.+"
)
_SHOUTS = Pattern(r"<!(everyone|channel|here)>|(?:^|\s)@(everyone|channel|here|all)\b")
_ASKED = Pattern(
    r"(?i)\b(all|every(one|body)?|whole|entire|company|staff|team|announce\w*|broadcast|reply[- ]all|channel|group|"
    r"list|employees|colleagues|members|customers|alle|allen|jeden|tous|toutes|todos|todas|tutti|всем|всех)\b|全員|所有人|大家"
)


@specialist("message")
def reply_to_everybody(action: Action, context: Context) -> Opinion:
    sign = _sign(action)
    if not sign:
        return ok()
    if not context.task:
        return refuse("the context has no task")
    if _ASKED.search(context.task[:16_384]):
        return ok()
    return nudge(
        f"{sign} sends it to everybody, and the task does not ask for that.",
        correction="Write only to the people concerned, each by their own address.",
        evidence=(sign,),
    )


def _sign(action: Action) -> str:
    """What sends it to everybody; "" where nothing does."""
    flags = [
        name
        for name, value in all_args(action)
        if value is True and words(str(name)) in (("reply", "all"), ("to", "all"))
    ]
    if flags or words(action.tool)[-2:] == ("reply", "all"):
        return (flags or [action.tool])[0]
    lists = [address for address in recipients(action) if _LISTS.fullmatch(address)]
    if lists:
        return sorted(lists)[0]
    shout = _SHOUTS.search(body_of(action))
    return shout[0].strip() if shout else ""
