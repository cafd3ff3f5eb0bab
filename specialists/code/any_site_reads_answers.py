"""Lets pages of any other site read the responses to a logged-in user (CWE-942)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.values import is_true, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_ORIGINS = ("allow_origins", "origins", "allow_origin_regex", "resources")
_CREDENTIALS = ("allow_credentials", "supports_credentials")
_ALLOWING = "Access-Control-Allow-"


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def any_site_reads_answers(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "cors")
    seen = next(_opened(code), None)
    if seen is None:
        return ok()
    return nudge(
        f"`{seen[:120]}` makes the browser pass responses to a logged-in user on to the pages of any site.",
        correction='Name the sites: allow_origins=["https://app.example.com"] with allow_credentials=True; or omit the'
        " credentials if everybody may read the response.",
        evidence=(seen[:200],),
    )


def _opened(code: Module) -> Iterator[str]:
    for call in code.calls_of(("add_middleware", "CORSMiddleware", "Middleware", "CORS", "cross_origin")):
        asked = any(is_true(code, call.keywords.get(name)) for name in _CREDENTIALS)
        if call.is_new and asked and _is_for_all(call):
            yield call.text
    yield from _headers(code) if _ALLOWING.encode() in code.source else ()
    if b"CORS_ALLOW_CREDENTIALS" in code.source:
        settings = {target for target, value in code.assignments if is_true(code, value)}
        if "CORS_ALLOW_CREDENTIALS" in settings and settings & {"CORS_ALLOW_ALL_ORIGINS", "CORS_ORIGIN_ALLOW_ALL"}:
            yield "CORS_ALLOW_ALL_ORIGINS = True"


def _headers(code: Module) -> Iterator[str]:
    """`response.headers["Access-Control-Allow-Origin"] = …`, beside the one for credentials."""
    headers: dict[str, Value] = {}
    for _, value in code.assignments:
        left = value.parent.child_by_field_name("left") if value.parent is not None else None
        if left is not None and left.type == "subscript":
            headers[code.text(left.named_children[-1]).strip("\"'")] = value
    origin = headers.get(_ALLOWING + "Origin")
    if origin is None or _ALLOWING + "Credentials" not in headers or not code.is_new(origin.parent or origin):
        return
    if string_of(code, origin) == "*" or origin_of(code, origin) is not None:
        yield code.text(origin.parent or origin)


def _is_for_all(call: Call) -> bool:
    origins = [value for name, value in call.keywords.items() if name in _ORIGINS]
    texts = [call.code.text(call.code.values_by_name.get(call.code.text(value), [value])[0]) for value in origins]
    if not origins:
        return call.method in ("CORS", "cross_origin")
    return any('"*"' in text or "'*'" in text or '".*"' in text for text in texts)
