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
    is_named: bool | None = None
    for event in flow.events:
        if event.method == "DAG" and event.const("catchup") is True:
            later = next((each for each in flow.events if _acts(each)), None)
            if later is not None:
                yield spot(flow, event.line, later.line, about=flow.source(later.line))
        elif event.loops and _acts(event) and _reaches_somebody(event, flow.source(event.line)):
            if is_named is None:  # few codes act in a loop
                is_named = any(map(_BACKFILL.search, (task, flow.path, flow.text)))
            if is_named:
                yield spot(flow, event.line, about=flow.source(event.line))


_BACKFILL = re.compile(
    r"(?i:back.?fill|catch.?up|past\b.{0,20}days|(?<!p)replay)"
    r"|(?:(?<![A-Za-z])(?i:re)|(?<=[a-z])Re)(?i:.?(?:play|run|process|send))"  # `re-run`, `dailyRerun`; not `are run`
)
_GUARDED = re.compile(
    r"(?i)idempot|already|dry.?run|_sent\b|sent_at|is_sent|notified|dedup|charged_at|processed_ids|send_emails?=false"
    r"|suppress|exists\(|not in sent|seen"
)
_ACTS = frozenset({"send", "charge", "bill", "notify", "email", "refund", "payout", "sms", "capture", "mail", "remind"})
_SENDS = frozenset({"send", "capture"})  # verbs of programs, too: they need somebody or something that is sent
_SOMEBODY = re.compile(
    r"(?i)mail|sms|notif|remind|invoice|receipt|bill|pay|charge|refund|order|customer|client(?!\.)|user|member|subscriber"
    r"|recipient|patient|guest|parent|letter|push|newsletter|whatsapp|statement|report|digest|message|alert|webhook"
)
_QUIET = frozenset({"metric", "metrics", "event", "signal", "log", "task", "bytes", "query", "progress"})


def _acts(event: Event) -> bool:
    words = words_of(event.method)
    return bool(words & _ACTS) and not words & _QUIET and not event.method.startswith(("is_", "get_", "load_", "read_"))


def _reaches_somebody(event: Event, line: str) -> bool:
    """Whether an act is more than a transfer between programs, by its verb or by what its line names."""
    return not words_of(event.method) & _ACTS <= _SENDS or _SOMEBODY.search(line) is not None
