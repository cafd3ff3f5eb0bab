"""Puts what a client sent into a page without escaping it (CWE-79)."""

import re
from collections.abc import Iterable, Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.origins import routes_of
from supervisor.evidence.python.repairs import Change, instead, shown
from supervisor.evidence.python.sinks import Sinks, built_texts
from supervisor.evidence.python.templates import template_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_BODY = (0, "content", "response", "body", "text")
_RESPONSES = ("HttpResponse", "HttpResponseBadRequest", "HttpResponseForbidden", "HttpResponseNotFound")
_SENDS = Sinks(
    {f"django.http.{name}": _BODY for name in _RESPONSES}
    | {
        f"{library}.Response": _BODY
        for library in ("flask", "werkzeug", "pyramid.response", "pyramid.request", "webob")
    }
    | {"flask.make_response": _BODY, "sanic.response.html": _BODY, "fastapi.responses.HTMLResponse": _BODY}
    | {"starlette.responses.HTMLResponse": _BODY, "aiohttp.web.Response": (9, "text", "body")}
    | {"django.utils.safestring.mark_safe": (0,), "django.utils.safestring.SafeString": (0,), "markupsafe.Markup": (0,)}
    | {"flask.Markup": (0,), "jinja2.Markup": (0,), "django.utils.html.format_html": (0,)}
    | {"django.core.mail.send_mail": (9, "html_message"), "django.core.mail.mail_admins": (9, "html_message")}
)
_ESCAPES = {"flask": "markupsafe.escape", "jinja2": "markupsafe.escape", "django": "django.utils.html.escape"}
_MARKUP = re.compile(r"<(?:[a-zA-Z/!])")
_HARMLESS_TYPES = ("json", "text/plain", "csv", "octet", "image", "xml", "pdf")
_NO_PAGES = frozenset({"debug", "error", "exception", "info", "log", "print", "warn", "warning"})


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def html_built_from_client_data(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "html")
    found = _told_by_clients(code)
    if not found:
        return ok()
    value, repair = found[0], shown(code, _escaping(code, found), _told_by_clients)
    return nudge(
        f"`{code.text(value)[:80]}` puts `{origin_of(code, value)}` into a page unescaped, including any `<script>`.",
        correction="Render a template, which escapes its values: render(request, 'page.html', {'name':"
        f" name}}); or escape the value itself, with markupsafe.escape(name) or html.escape(name).{repair}",
        evidence=(code.text(value)[:200],),
    )


def _told_by_clients(code: Module) -> list[Value]:
    return [value for value in _pages(code) if origin_of(code, value) is not None]


def _escaping(code: Module, values: Iterable[Value]) -> Iterator[Change]:
    """Each value of a client escaped by the framework's own function."""
    roots = {origin.partition(".")[0] for origin in code.aliases.values()}
    escape = next((function for framework, function in _ESCAPES.items() if framework in roots), "html.escape")
    holes = {hole.id: hole for value in values for _, hole in template_of(code, value).holes()}
    for hole in holes.values():
        if origin_of(code, hole) is not None:
            yield instead(hole, f"{escape}({code.text(hole)})", escape.rpartition(".")[0])


def _pages(code: Module) -> Iterator[Value]:
    """The values that become a page, or a part of one."""
    for call, value in _SENDS.calls(code):
        if not _is_no_page(call):
            yield value
    yield from _returned(code)
    for node, text in built_texts(code):
        if _MARKUP.search(text.words) and code.is_new(node) and not _is_only_told(code, node):
            yield node


def _is_no_page(call: Call) -> bool:
    told = [call.keywords[name] for name in ("content_type", "mimetype", "media_type") if name in call.keywords]
    return any(word in call.code.text(node).lower() for node in told for word in _HARMLESS_TYPES)


def _returned(code: Module) -> Iterator[Value]:
    """The texts that handlers of Flask and Bottle return, which are sent as HTML."""
    if not any(name.startswith(("flask", "bottle")) for name in code.aliases.values()):
        return
    for statement in code.nodes("return_statement"):
        function = code.scope_of(statement)
        if function is None or not routes_of(code, function) or not statement.named_children:
            continue
        value = statement.named_children[0]
        value = (
            value.named_children[0] if value.type in ("expression_list", "tuple") and value.named_children else value
        )
        if value.type not in ("dictionary", "list", "call") and code.is_new(statement):
            yield value


def _is_only_told(code: Module, node: Value) -> bool:
    """Whether the value is an argument of a log or of print, which reaches no page."""
    around = node.parent.parent if node.parent is not None else None
    return around is not None and around.type == "call" and code.name_of(around)[:-2].rpartition(".")[2] in _NO_PAGES
