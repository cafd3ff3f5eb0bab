"""Lets a client choose by name which function, class or module is used (CWE-470)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.values import values_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_TABLES = frozenset({"globals()", "locals()", "vars()", "__builtins__"})
_IMPORTERS = frozenset({"__import__", "importlib.import_module", "import_string", "import_module"})


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def function_chosen_by_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "reflection")
    for call, name in _chosen(code):
        source = origin_of(code, name) if call.is_new else None
        if source is not None:
            return nudge(
                f"`{call.text[:80]}` looks up any name in `{source}`, including every import and built-in.",
                correction='List the allowed choices: ACTIONS = {"list": list_items, "show": show_item}, then'
                " ACTIONS[name], and respond with 404 for others.",
                evidence=(call.text,),
            )
    return ok()


def _chosen(code: Module) -> Iterator[tuple[Call, Value]]:
    """Each look-up by name, with the name."""
    for call in code.calls_of(("get", "__getitem__", "pop")):
        head = call.name.rpartition(".")[0]
        if call.positional and (head in _TABLES or _is_table(code, call)):
            yield call, call.positional[0]
    for call in code.calls_of(("getattr", "__import__", "import_module", "import_string")):
        if call.name == "getattr" and len(call.positional) > 1 and _is_called(code, call):
            yield call, call.positional[1]
        elif call.name.rpartition(".")[2] in _IMPORTERS or call.name in _IMPORTERS:
            yield from ((call, name) for name in call.positional[:1])
    for call in code.calls_of(("globals", "locals", "vars")):
        around = call.node.parent
        if around is not None and around.type == "subscript" and not call.positional:
            yield call, around.named_children[-1]


def _is_table(code: Module, call: Call) -> bool:
    """`names = globals()` before `names.get(…)`."""
    function = call.node.child_by_field_name("function")
    receiver = function.child_by_field_name("object") if function is not None else None
    values = values_of(code, receiver) if receiver is not None and receiver.type == "identifier" else None
    return any(code.name_of(value) in _TABLES for value in values or ())


def _is_called(code: Module, call: Call) -> bool:
    """Whether the result of getattr is called: at once, or by the name that it is bound to."""
    around = call.node.parent
    if around is None:
        return False
    if around.type == "call":
        return around.child_by_field_name("function") == call.node
    left = around.child_by_field_name("left") if around.type == "assignment" else None
    return left is not None and any(True for _ in code.calls_of([code.text(left)]))
