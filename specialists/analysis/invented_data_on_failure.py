"""Replaces data that cannot be read by numbers drawn at random, and goes on as if nothing had happened."""

import ast
from collections.abc import Iterator, Sequence

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Spot, analysis, spot
from supervisor.evidence.analysis.labels import SIMULATED
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def invented_data_on_failure(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_replaced):
        return nudge(
            f"{found.where}`{found.text}` takes the place of `{found.about}` when that fails, and whatever follows"
            " is computed from chance.",
            correction="Let the error stop the analysis (raise, or sys.exit with the cause), and tell"
            " the user which data is missing.",
            evidence=(found.text,),
        )
    return ok()


def _replaced(flow: Flow) -> Iterator[Spot]:
    for node in flow.tries:
        read = [event for event in flow.events if _is_in(event, node.body) and _brings(event)]
        handled = [statement for handler in node.handlers for statement in handler.body]
        if not read or any(isinstance(each, ast.Raise) for each in handled) or _is_told(handled):
            continue
        values = [
            each for statement in handled for each in ast.walk(statement) if isinstance(each, ast.Assign | ast.Return)
        ]
        for event in flow.events:
            if _is_in(event, values) and event.result.has("random") and not event.result.has("read"):
                yield spot(flow, event.line, read[0].line, about=flow.source(read[0].line))
                break


def _brings(event: Event) -> bool:
    return event.result.has("read") or event.method in (
        "get",
        "json",
        "open",
        "load",
        "query",
        "execute",
        "download",
        "request",
    )


def _is_in(event: Event, body: Sequence[ast.stmt]) -> bool:
    return any(each.lineno <= event.node.lineno <= (each.end_lineno or each.lineno) for each in body)


def _is_told(handled: list[ast.stmt]) -> bool:
    """Whether a text that the handler prints, logs or stores says that the data is not real."""
    texts = (each.value for statement in handled for each in ast.walk(statement) if isinstance(each, ast.Constant))
    return any(isinstance(text, str) and SIMULATED.search(text) for text in texts)
