"""Draws data at random and saves or shows it as if it had been measured."""

import ast
import re
from collections.abc import Iterator
from functools import partial

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Mark, Spot, analysis, spot, tables, unless
from supervisor.evidence.analysis.labels import SIMULATED
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def invented_data_as_measured(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(partial(_invented, task=context.task or "")):
        return nudge(
            f"{found.where}`{found.text}` presents numbers as measured that `{found.about}` drew at random.",
            correction="Read the data that was measured, or stop and say that there is none; numbers for"
            " trying out are"
            " called simulated in the name of the file and in each title.",
            evidence=(found.text,),
        )
    return ok()


def _invented(flow: Flow, task: str) -> Iterator[Spot]:
    return unless(
        lambda: (
            SIMULATED.search(_DRAWS.sub(" ", flow.text))
            or SIMULATED.search(task)
            or SIMULATED.search(flow.path)
            or _reads(flow)
        ),
        _found(flow),
    )


def _found(flow: Flow) -> Iterator[Spot]:
    for event in flow.events:
        if event.method not in tables.WRITERS and event.method not in _TELLS:
            continue
        drawn = _drawn(flow, event)
        claims = _CLAIMED if event.method == "print" else _MEASURED
        told = claims.search(_told(event)) if drawn is not None else None
        if drawn is not None and told is not None:
            yield spot(flow, event.line, drawn.line, about=flow.source(drawn.line))


_TELLS = frozenset({"title", "set_title", "suptitle", "print", "update_layout", "savefig"})
_DRAWS = re.compile(
    r"\b(?:np|numpy|rng|random)\.[\w.]+|default_rng|random_state|\bseed\b|import random|from numpy import \w+"
)
# A program that is tried out prints its results, too: there only what can be nothing else counts.
_CLAIMED = re.compile(
    r"(?i)measured|survey|experiment|observ(?:ed|ation)|revenue|sales|patient|clinical|participant|poll\b|conversion"
    r"|customers?\b|p\s*=|significan|\bstudy\b|\btrials?\b|accuracy on the"
)
_MEASURED = re.compile(
    r"(?i)result|measure|survey|experiment|observ|actual|real\b|metric|performance|accuracy|revenue|sales"
    r"|patient|study|trial"
    r"|evaluat|finding|report|benchmark|response|clinical|participant|poll\b|conversion|customers?\b|p\s*=|significan"
)


def _reads(flow: Flow) -> bool:
    """Whether any data comes from outside."""
    return any(event.result.has("read") or event.name in ("open", "requests.get") for event in flow.events)


def _drawn(flow: Flow, event: Event) -> Mark | None:
    """Where the data that an event saves or tells was drawn; of a plot, all that the code plots before."""
    own = next((mark for value in event.given if (mark := value.mark("random")) is not None), None)
    if own is not None or event.method in ("print", *tables.WRITERS - {"savefig"}):
        return own
    plotted = (value.mark("random") for each in flow.calls_of(_PLOTS) for value in each.given)
    return next((mark for mark in plotted if mark is not None), None)


_PLOTS = (
    "plot",
    "bar",
    "scatter",
    "hist",
    "boxplot",
    "barplot",
    "lineplot",
    "errorbar",
    "violinplot",
    "imshow",
    "barh",
)


def _told(event: Event) -> str:
    texts = [str(value.const) for value in event.given if isinstance(value.const, str)]
    return " ".join((*texts, *_texts_in(event.node)))


def _texts_in(node: ast.AST) -> Iterator[str]:
    return (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))
