"""Takes a value that contradicts the request or an earlier output."""

from supervisor.methods.judge import judge_effect
from supervisor.specialist import Action, Context, Opinion, refuse, specialist

_QUESTION = (
    "Does a value in the tool call (who, what, which one, how much, when, where) contradict the user's"
    " request or what the earlier steps show? A value that they do not mention contradicts nothing."
)


@specialist("*")
async def value_against_record(action: Action, context: Context) -> Opinion:
    if not (context.task or context.history):
        return refuse("there is neither a request nor an earlier step")
    return await judge_effect(
        action,
        context,
        _QUESTION,
        fault="has a value that contradicts the request or an earlier output",
        correction="Compare each value of this call with the request and with the records that were read, and"
        " correct the one that differs. If the records differ among themselves, ask the user which one"
        " holds.",
        sharper="Do not send this call again. Name the value and the record that contradicts it, and ask the user.",
    )
