"""Passes a template every name of the function or module, secrets included (CWE-497)."""

from supervisor.evidence.actions.programs import NO_PYTHON, module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module, Value
from supervisor.evidence.python.values import followed
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_RENDERERS = (
    "render",
    "render_to_response",
    "render_to_string",
    "render_template",
    "render_template_string",
    "Context",
)
_EVERYTHING = frozenset({"globals()", "locals()", "vars()"})


@specialist("python", "file_write", "file_edit", "shell", about=[Act.CODE])
def names_handed_to_template(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse(NO_PYTHON)
    for call in code.calls_of(_RENDERERS):
        arguments = call.node.child_by_field_name("arguments")
        given = list(arguments.named_children) if arguments is not None else []
        values = [
            node.named_children[-1] if node.type in ("keyword_argument", "dictionary_splat") else node for node in given
        ]
        seen = next((value for value in values if _is_everything(code, value)), None)
        if seen is not None and call.is_new:
            return nudge(
                f"`{call.text[:80]}` passes all names to the template, including passwords and connections.",
                correction="Pass only the values that the page shows: render(request, 'page.html', {'items': items}).",
                evidence=(call.text,),
            )
    return ok()


def _is_everything(code: Module, value: Value) -> bool:
    found = followed(code, value)
    return found is not None and code.name_of(found) in _EVERYTHING and code.text(found).endswith("()")
