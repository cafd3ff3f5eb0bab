"""Compiles a template from a client's text (CWE-1336)."""

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python.sinks import Sinks
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_COMPILES = Sinks(
    {"flask.render_template_string": (0, "source"), "flask.templating.render_template_string": (0, "source")}
    | {f"{library}.Template": (0, "source", "template_string", "text") for library in ("jinja2", "mako.template")}
    | {"django.template.Template": (0, "template_string"), ".from_string": (0, "source", "template_code")}
    | {"tornado.template.Template": (0,), "bottle.template": (0,), "bottle.SimpleTemplate": (0,), "Template": (0,)}
    | {"chameleon.PageTemplate": (0,), "Cheetah.Template.Template": (0,), "web.template.Template": (0,)}
)


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def template_from_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "template")
    for call, value, source in _COMPILES.reached(code):
        return nudge(
            f"`{source}` becomes part of a template's text, where `{{{{ … }}}}` runs as code on the server.",
            correction="Keep the template's text in the code and pass the value as a parameter: render_template_string("
            '"<h1>{{ title }}</h1>", title=value), or a template file with render_template.',
            evidence=(call.text, code.text(value)[:200]),
        )
    return ok()
