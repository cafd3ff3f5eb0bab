"""Swallows the failure of a load, so that the job is green and the data is missing."""

import ast
import re
from collections.abc import Iterator

from supervisor.evidence.analysis import Flow, Spot, analysis, spot, tables
from supervisor.evidence.analysis.jobs import NO_JOB, hushed_in, jobs_in
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def load_failure_swallowed(action: Action, context: Context) -> Opinion:
    read, jobs = analysis(action, context), jobs_in(action, context)
    if read is None and not jobs:
        return refuse(NO_JOB)
    hushed = next((line for job in jobs for line in hushed_in(job)), "")
    found = Spot(0, hushed) if hushed else next(read.spots(_swallowed), None) if read is not None else None
    if found is None:
        return ok()
    return nudge(
        f"{found.where}`{found.text}` hides that the load failed, so the job is green and nobody looks for the data.",
        correction="Let the error end the job (raise, set -euo pipefail), or count what failed and end with"
        " an error if"
        " there is any.",
        evidence=(found.text,),
    )


def _swallowed(flow: Flow) -> Iterator[Spot]:
    if _TRIED_OUT.search(flow.path) or ":memory:" in flow.text:
        return
    for node in flow.tries:
        loads = [event for event in flow.events if event.method in tables.LOADS and _is_in(event.node, node.body)]
        for handler in node.handlers if loads else ():
            if _is_broad(handler) and all(map(_is_idle, handler.body)):
                yield spot(flow, handler.lineno, loads[0].line)


# What is only tried out prints what happened to whoever tries it.
_TRIED_OUT = re.compile(r"(?i)(?:^|[/_-])(?:tests?|repro\w*|debug|demo|try\w*|check|verify|minimal|small)(?:[_.-]|$)")


def _is_in(call: ast.Call, body: list[ast.stmt]) -> bool:
    return any(each.lineno <= call.lineno <= (each.end_lineno or each.lineno) for each in body)


def _is_broad(handler: ast.ExceptHandler) -> bool:
    names = ("Exception", "BaseException", "SQLAlchemyError", "DatabaseError", "Error")
    return handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id in names)


def _is_idle(statement: ast.stmt) -> bool:
    """Whether a statement neither ends the job nor remembers the failure: `pass`, `continue`, a message."""
    if isinstance(statement, (ast.Pass, ast.Continue)):
        return True
    called = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(called, ast.Constant):
        return True
    name = ast.unparse(called.func) if isinstance(called, ast.Call) else ""
    return name == "print" or name.endswith((".info", ".debug", ".warning", ".error", ".exception"))
