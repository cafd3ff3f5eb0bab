"""Makes the very same call again after it has given the same answer several times in a row."""

from supervisor.evidence.reading.facts import is_whole_number
from supervisor.evidence.session.claims import only_reads
from supervisor.evidence.session.repetition import is_waiting, repeats
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

MOST = 4
_RUN = ("shell", "sql")  # kinds in which an effective command seldom returns the same result twice
_CLOSING = ("browse", "ask_user", "finish", "report")


@specialist("*", needs_past=True, past=["repeated"], facts=["max_same_repeats"])
def same_call_repeated(action: Action, context: Context) -> Opinion:
    """Polling and key presses repeat on purpose; the page after a click is not an answer to the call."""
    most = context.facts.get("max_same_repeats", MOST)
    if not is_whole_number(most, least=1):
        return refuse(f"max_same_repeats is {most!r}, not a whole number above 0", Cause.INFRASTRUCTURE)
    count = repeats(action, context)
    if count and (action.kind in _CLOSING or not (action.kind in _RUN or only_reads(action))):
        return refuse("a call that changes something may be repeated on purpose")
    if count < most or is_waiting(action):
        return ok()
    return nudge(
        f"This very {action.tool} call gave the same answer {count} times in a row.",
        correction="Use the answer that you have. If it does not help, ask something else or another tool; if nothing"
        " is left to try, finish with what you know.",
        sharper="Do not make this call again. Go on to the next step of the task, or finish.",
        evidence=(str(context.history[-1].output)[:200],),
    )
