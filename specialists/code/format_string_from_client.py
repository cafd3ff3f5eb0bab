"""Uses a client's text as a format string, which can reach any attribute of the values (CWE-134)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def format_string_from_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "format")
    for call, text in _formats(code):
        source = origin_of(code, text) if call.is_new else None
        if source is not None:
            return nudge(
                f"`{call.text[:80]}` lets `{source}` select the inserted values; `{{0.__class__}}` reads any object.",
                correction="Keep the text in the code and insert the client's value. If clients may write texts, use"
                " string.Template(text).safe_substitute(name=name), which accepts only names.",
                evidence=(call.text,),
            )
    return ok()


def _formats(code: Module) -> Iterator[tuple[Call, Value]]:
    """The calls of .format with arguments, and the text that they format."""
    for call in code.calls_of(("format", "format_map")):
        function = call.node.child_by_field_name("function")
        receiver = function.child_by_field_name("object") if function is not None else None
        if receiver is not None and receiver.type != "string" and (call.positional or call.keywords):
            yield call, receiver
