"""What an analysis does to data: its frames, splits, fits, joins and figures in Python, notebooks and SQL.

A specialist gives a relation on one `Flow` (code) or `Query`, and asks `spots` where an action newly shows it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.analysis.flow import Flow
from supervisor.evidence.analysis.pieces import LANGUAGES, Piece, language_of, pieces_of
from supervisor.evidence.analysis.queries import Query, queries_in
from supervisor.evidence.analysis.values import Event, Mark, Value

__all__ = [
    "LANGUAGES",
    "NO_ANALYSIS",
    "Analysis",
    "Event",
    "Flow",
    "Mark",
    "Query",
    "Spot",
    "Value",
    "analysis",
    "spot",
]

NO_ANALYSIS = "the action contains no Python or SQL that computes on data"
# Text without any of these computes on no data.
_HINTS = (
    "pandas polars sklearn numpy scipy statsmodels imblearn xgboost torch spark duckdb plotly seaborn DataFrame "
    "dataframe read_ .merge( groupby group_by .fit .sample( .drop .shift( .mean .std .sum .corr .median .agg( "
    ".count( .nunique( .append( .bar barplot ylim twinx .to_ .score .load .create .execute .commit .copy_ "
    "_test_split cross_val _train _test .csv .parquet ttest pval p_val SELECT select openai anthropic random op. "
    "backfill df np. pd. wilcoxon pearsonr spearmanr mannwhitney chi2_ fisher_ f_oneway .filter( .query( weight_ "
    "_usd _kg .isin( catchup charge( notify send_ .send( payout completions messages.create litellm requests."
).split()
_ESCAPES = re.compile(r"\\(.)", re.DOTALL)
_KNOWN_ESCAPES = frozenset("\\'\"abfnrtvxNuU01234567\n")


class Spot(NamedTuple):
    """A place where a relation holds: the line in the code (0 in SQL), what is written there, and what it is about.
    `lines` are all lines that take part; the action must add one of them."""

    line: int
    text: str
    about: str = ""
    lines: tuple[int, ...] = ()

    @property
    def where(self) -> str:
        """The line for a sentence: `Line 7: `; empty where there is none."""
        return f"Line {self.line}: " if self.line else ""


def spot(flow: Flow, line: int, *others: int, about: str = "") -> Spot:
    """A place in code, with the other lines that take part."""
    return Spot(line, flow.source(line), about, (line, *others))


def unless(is_excused: Callable[[], object], spots: Iterator[Spot]) -> Iterator[Spot]:
    """The places, unless the code says something that excuses them; it is searched for that only if there are any."""
    first = next(spots, None)
    if first is not None and not is_excused():
        yield first
        yield from spots


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analyses in one action."""

    flows: tuple[Flow, ...]
    queries: tuple[Query, ...]
    pieces: tuple[Piece, ...]

    def spots(
        self,
        in_code: Callable[[Flow], Iterable[Spot]] | None = None,
        in_query: Callable[[Query], Iterable[Spot]] | None = None,
    ) -> Iterator[Spot]:
        """The places where a relation holds through a line that the action adds."""
        if in_code is not None:
            for flow in self.flows:
                yield from _new_spots(flow, in_code)
        if in_query is not None:
            for query in self.queries:
                yield from in_query(query)


def _new_spots(flow: Flow, in_code: Callable[[Flow], Iterable[Spot]]) -> Iterator[Spot]:
    """The places that an action adds: on its own lines, or on earlier ones that only its lines make faulty."""
    known: set[tuple[int, str]] | None = None
    for each in in_code(flow):
        if not flow.is_new(*(each.lines or (each.line,))):
            if not flow.is_continued:
                continue
            if known is None:
                earlier = flow_of(Piece("python", flow.earlier, flow.path))
                known = {(old.line, old.about) for old in in_code(earlier)} if earlier is not None else set()
            if (each.line, each.about) in known:
                continue
        yield each


@reader
def analysis(action: Action, context: Context) -> Analysis | None:
    """What an action's code and queries do to data; None if it has none. Tests and examples are read as empty.

    Raises Unreadable as the readers of scripts and SQL do, and for code whose data would have to be followed too far.
    """
    if action.kind in ("file_write", "file_edit") and not language_of(action.text("path")):
        return None
    if is_trial(action):
        return Analysis((), (), ())
    pieces = tuple(pieces_of(action, context))
    if not pieces:
        return None
    flows = tuple(flow for piece in pieces if (flow := flow_of(piece)) is not None)
    queries = tuple(
        query for piece in pieces if piece.language == "sql" for query in queries_in(piece.text, path=piece.path)
    )
    inside = tuple(
        query
        for flow in flows
        for line, text in flow.queries
        if flow.is_new(line)
        for query in queries_in(text, line=line, path=flow.path)
    )
    return Analysis(flows, (*queries, *inside), pieces)


def flow_of(piece: Piece) -> Flow | None:
    """The data of a piece of Python; None if it is none, computes on no data, or cannot be parsed."""
    text = piece.text
    if piece.language != "python" or not any(hint in text for hint in _HINTS):
        return None
    try:
        tree = ast.parse(_ESCAPES.sub(_escaped, text) if "\\" in text else text)
    except (SyntaxError, ValueError):
        return None
    except (RecursionError, MemoryError):
        raise Unreadable("Python nested too deeply to be read") from None
    return Flow(text, tree, piece.new, piece.path)


def _escaped(found: re.Match[str]) -> str:
    """An escape that Python does not know, written so that its parser does not warn of it."""
    return found[0] if found[1] in _KNOWN_ESCAPES else f"\\{found[0]}"
