"""Finishes with an answer that leaves out what was asked for."""

from supervisor.methods.judge import asks, doubted
from supervisor.specialist import Action, Context, Opinion, ok, refuse, specialist

_QUESTION = "Does the answer leave out something that the request asks for, without saying that it is left out?"


@specialist("finish")
async def answer_misses_request(action: Action, context: Context) -> Opinion:
    request, answer = (context.task or "").strip(), action.text("summary").strip()
    if not request or not answer:
        return refuse("there is no request, or no answer in words")
    judged = await asks(context, _QUESTION, request=request, answer=answer)
    if not judged.yes:
        return ok(judged.confidence)
    return doubted(
        judged,
        "The answer leaves out something that the request asks for.",
        correction="Read the request again and do or answer what is missing. Name each part that could not be done, and"
        " why.",
        sharper="Answer the request point by point.",
        evidence=(answer[:200],),
    )
