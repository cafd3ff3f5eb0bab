"""Redirects the browser to an address that a client chooses (CWE-601)."""

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.sinks import Sinks
from supervisor.evidence.python.templates import templates_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_REDIRECTS = Sinks(
    {
        f"{library}.redirect": (0, "location", "to")
        for library in ("bottle", "django.shortcuts", "flask", "werkzeug.utils")
    }
    | {f"django.http.{name}": (0,) for name in ("HttpResponseRedirect", "HttpResponsePermanentRedirect")}
    | {f"{library}.responses.RedirectResponse": (0, "url") for library in ("fastapi", "starlette")}
    | {f"aiohttp.web.{name}": (0, "location") for name in ("HTTPFound", "HTTPSeeOther", "HTTPMovedPermanently")}
    | {f"pyramid.httpexceptions.{name}": (0, "location") for name in ("HTTPFound", "HTTPSeeOther")}
    | {"self.redirect": (0, "url"), "sanic.response.redirect": (0,), "web.seeother": (0,)}
)
_OWN = (".base_url", ".full_path", ".get_full_path", ".host_url", ".path", ".url", ".url_root", ".build_absolute_uri")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def redirect_to_address_from_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "redirect")
    for call, value in _REDIRECTS.calls(code):
        source = _chosen(code, value) if call.is_new else None
        if source is not None:
            return nudge(
                f"`{call.text[:80]}` redirects to any address in `{source}`, so a link to this site can lead anywhere.",
                correction="Redirect to a place that the code names, redirect(url_for('index')), or check the address"
                " first: `if not url_has_allowed_host_and_scheme(url, allowed_hosts={request.get_host()}): url = '/'`.",
                evidence=(call.text,),
            )
    return ok()


def _chosen(code: Module, value: Value) -> str | None:
    """The address if it begins with a client's value, which then names the host."""
    if origin_of(code, value) is None:  # or it is checked under this name
        return None
    for template in templates_of(code, value):
        for before, hole in template.holes():
            source = origin_of(code, hole) if not before.strip() or before in ("http://", "https://", "//") else None
            if source is not None and not source.removesuffix("()").endswith(_OWN):
                return source
    return None
