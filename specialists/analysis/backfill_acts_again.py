"""Runs a job again over past dates that sends or charges, so that everybody gets it a second time."""

import re
from collections.abc import Iterator
from functools import partial

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Spot, analysis, spot, unless
from supervisor.evidence.effects import Act
from supervisor.evidence.python.names import words_of
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def backfill_acts_again(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(partial(_again, task=context.task or "")):
        return nudge(
            f"{found.where}`{found.text}` repeats `{found.about}` for days that were done before, and people get"
            " or pay it twice.",
            correction="Rebuild the data without the step that acts (a switch that is off in a backfill), or"
            " skip what is"
            " recorded as sent, and pass an idempotency key to the provider.",
            evidence=(found.text,),
        )
    return ok()


def _again(flow: Flow, task: str) -> Iterator[Spot]:
    return unless(lambda: _GUARDED.search(flow.text) is not None, _found(flow, task))


def _found(flow: Flow, task: str) -> Iterator[Spot]:
    is_named = _BACKFILL.search(task) or _BACKFILL.search(flow.path) or _BACKFILL.search(flow.text)
    for event in flow.events:
        acts = words_of(event.method)
        if event.method == "DAG" and event.const("catchup") is True:
            later = next((each for each in flow.events if _acts(each)), None)
            if later is not None:
                yield spot(flow, event.line, later.line, about=flow.source(later.line))
        elif acts and is_named and event.loops and _acts(event):
            yield spot(flow, event.line, about=flow.source(event.line))


_BACKFILL = re.compile(r"(?i)back.?fill|re.?play|re.?run|re.?process|catch.?up|re.?send|past\b.{0,20}days")
_GUARDED = re.compile(
    r"(?i)idempot|already|dry.?run|_sent\b|sent_at|is_sent|notified|dedup|charged_at|processed_ids|send_emails?=false"
    r"|suppress|exists\(|not in sent|seen"
)
_ACTS = frozenset({"send", "charge", "bill", "notify", "email", "refund", "payout", "sms", "capture", "mail", "remind"})
_QUIET = frozenset({"metric", "metrics", "event", "signal", "log", "task", "bytes", "query", "progress"})


def _acts(event: Event) -> bool:
    words = words_of(event.method)
    return bool(words & _ACTS) and not words & _QUIET and not event.method.startswith(("is_", "get_", "load_", "read_"))
