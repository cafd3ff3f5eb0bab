"""Sends a client the stack trace of an error, which shows paths, queries and versions (CWE-209)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module, Value
from supervisor.evidence.python.origins import is_handler
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_TRACES = ("format_exc", "format_exception", "format_tb", "format_stack")
_NO_ANSWERS = frozenset({"critical", "debug", "error", "exception", "info", "log", "print", "warning", "write_text"})


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def error_details_sent_to_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "details")
    seen = next(_answered(code), None)
    if seen is None:
        return ok()
    return nudge(
        f"`{code.text(seen)[:80]}` shows a client internals of the service: its files, its queries, its versions.",
        correction="Log the trace and respond without it: logger.exception('request failed'), then"
        " {'error': 'internal error'} with status 500.",
        evidence=(code.text(seen)[:200],),
    )


def _answered(code: Module) -> Iterator[Value]:
    """The statements of a handler that return a trace."""
    traces = [call for call in code.calls_of(_TRACES) if call.name.startswith("traceback.")]
    if not traces:
        return
    names = {code.text(node) for call in traces for node in [_target(call.node)] if node is not None}
    for statement in code.nodes("return_statement"):
        function = code.scope_of(statement)
        if function is None or not code.is_new(statement) or not is_handler(code, function):
            continue
        inside = any(statement.start_byte <= call.node.start_byte < statement.end_byte for call in traces)
        if (
            inside
            or any(code.text(statement).replace("return ", "").strip() == name for name in names)
            or any(f"{mark}{name}{end}" in code.text(statement) for name in names for mark in " ({" for end in ",)}")
        ):
            yield statement


def _target(node: Value) -> Value | None:
    """The name that a trace is bound to."""
    around = node.parent
    return around.child_by_field_name("left") if around is not None and around.type == "assignment" else None
