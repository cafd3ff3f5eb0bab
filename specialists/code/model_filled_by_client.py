"""Fills an object with every field that a client sends, also fields that the client must not set (CWE-915)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

MAX_SPLATS = 500  # looked at in one module
_STORES = ("create", "get_or_create", "update", "update_or_create", "insert", "values", "filter_by", "update_one")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def model_filled_by_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "mass")
    for call, source in _filled(code):
        return nudge(
            f"`{call.text[:80]}` takes every field of `{source}`: a client may add is_admin=true, or a price.",
            correction="Name the fields that may be set: Model.objects.create(name=data['name'], text=data['text'])"
            ", or let a form, serializer or pydantic model with those fields check the data first.",
            evidence=(call.text,),
        )
    return ok()


def _filled(code: Module) -> Iterator[tuple[Call, str]]:
    """The calls that get a client's whole dictionary as keywords, and its source."""
    for splat in code.nodes("dictionary_splat")[:MAX_SPLATS]:
        node = splat.parent.parent if splat.parent is not None else None
        call = Call(code, node) if node is not None and node.type == "call" else None
        named = splat.named_children and not _is_model(code, splat.named_children[0])
        if call is not None and named and _makes_record(call) and call.is_new:
            source = origin_of(code, splat.named_children[0])
            if source is not None:
                yield call, source
    for call in code.calls_of(["setattr"]):
        name = call.positional[1] if len(call.positional) > 2 else None
        source = origin_of(code, name) if name is not None and call.is_new else None
        if source is not None:
            yield call, source


def _is_model(code: Module, value: Value) -> bool:
    """`user.dict()`, `user.model_dump()`: the fields of a model that names them. A request's own dictionary has any."""
    owner, _, method = code.name_of(value).rpartition(".")
    return method == "model_dump()" or (method == "dict()" and "." not in owner)


def _makes_record(call: Call) -> bool:
    """A class by its name, or a method that stores."""
    last = call.method
    return last in _STORES or (
        last[:1].isupper() and not last.isupper() and not last.endswith(("Schema", "Form", "In"))
    )
