"""Computes a figure from the first or some rows and gives it as one of all."""

import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Query, Spot, analysis, spot, tables, unless
from supervisor.evidence.analysis.labels import PARTIAL
from supervisor.evidence.analysis.queries import Tree, sources_of
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def sample_taken_for_all(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_partial, _in_query):
        return nudge(
            f"{found.where}`{found.text}` takes only some of the rows, and `{found.about}` gives a figure as if it"
            " were all of them.",
            correction="Compute it over all rows (in chunks, or in the database), or call it what it is,"
            " with the number of rows: `sample_mean` of 1,000 rows.",
            evidence=(found.text,),
        )
    return ok()


def _partial(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: PARTIAL.search(_METHODS.sub("(", flow.text)), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(_FIGURES):
        data = event.receiver if event.receiver.base is not None else event.argument(0)
        mark = data.mark("sampled") if data is not None else None
        if (
            data is None
            or mark is None
            or event.loops
            or data.sort == "model"
            or event.method == "len"
            or data.has("part")
        ):
            continue
        if not any(each.kind == "sorted" and each.line <= mark.line for each in data.marks):  # no list of the greatest
            yield spot(flow, mark.line, event.line, about=flow.source(event.line))


_FIGURES = tables.AVERAGES | {"sum", "nunique", "n_unique", "value_counts", "corr", "agg"}
_METHODS = re.compile(r"\.\s*(?:head|limit|sample|sample_n|tail|nlargest)\s*\(|\brandom_sample\s*\(|train_test_\w+")


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    for select in query.selects():
        if not any(part.find(exp.Avg, exp.Sum, exp.Count) for part in select.expressions):
            continue
        for name, inner in sources_of(select).items():
            if isinstance(inner, exp.Select) and _is_cut(inner) and not PARTIAL.search(name) and not _is_named(query):
                yield Spot(query.line, inner.sql()[-80:], select.expressions[0].sql()[:80])


def _is_cut(select: Tree) -> bool:
    return select.args.get("limit") is not None and select.args.get("order") is None


def _is_named(query: Query) -> bool:
    """Whether the query calls its figure one of a sample."""
    return PARTIAL.search(_LIMIT.sub(" ", query.text)) is not None


_LIMIT = re.compile(r"(?i)\blimit\s+\d+")
