"""Averages the averages of groups of different sizes and gives the result as the average of all."""

import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Query, Spot, analysis, spot, tables, unless
from supervisor.evidence.analysis.labels import is_entity
from supervisor.evidence.analysis.queries import column_name, sources_of
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def mean_of_means(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_averaged, _in_query):
        return nudge(
            f"{found.where}`{found.text}` gives each {found.about} the same weight, however many rows it has, so"
            " it is not the mean of all rows.",
            correction="Take the mean over the rows themselves, or weight by the size of the groups"
            " (np.average(means,"
            " weights=sizes), SUM(x) / COUNT(x)); if each group is to count alike, call it an unweighted mean.",
            evidence=(found.text,),
        )
    return ok()


def _averaged(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: _MEANT.search(flow.text), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(tables.AVERAGES):
        data = event.receiver if event.receiver.base is not None else event.argument(0)
        if data is None or "weights" in event.options or len(event.args) > 1:
            continue
        mark = data.mark("group_mean", "group_average", "group_median")
        if mark is not None and mark.note and mark.line <= event.line and not _are_people(mark.note.split(",")):
            yield spot(flow, event.line, mark.line, about=mark.note.replace(",", ", "))


_MEANT = re.compile(
    r"(?i)macro|unweighted|equal.?weight|equally|per[- _](?:subject|participant|patient|person|animal)|mean of means"
)


def _are_people(keys: list[str]) -> bool:
    """Whether the groups are the units of the study, which count alike."""
    return any(is_entity(key) for key in keys)


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    for select in query.selects():
        averaged = {
            part.alias_or_name.lower(): inner
            for inner in sources_of(select).values()
            if isinstance(inner, exp.Select) and inner.args.get("group") is not None
            for part in inner.expressions
            if part.find(exp.Avg) is not None
        }
        for figure in (each for part in select.expressions for each in part.find_all(exp.Avg)):
            name = column_name(figure.this)
            if name in averaged and figure.find_ancestor(exp.Select) is select:
                keys = [column_name(each) for each in averaged[name].args["group"].expressions]
                if not _are_people(keys) and not _MEANT.search(query.text):
                    yield Spot(query.line, figure.sql(), ", ".join(filter(None, keys)) or "the group")
