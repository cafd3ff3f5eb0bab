"""Sets a cookie that is sent over unencrypted connections or that scripts can read (CWE-614)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.names import words_of
from supervisor.evidence.python.repairs import Change, given, instead, shown
from supervisor.evidence.python.values import is_false, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_SWITCHES = frozenset(
    f"{kind}_COOKIE_{switch}" for kind in ("CSRF", "SESSION", "REMEMBER") for switch in ("SECURE", "HTTPONLY")
) - {"CSRF_COOKIE_HTTPONLY"}  # off by design: scripts send the value back
_IDENTIFYING = frozenset({"auth", "jwt", "login", "session", "sessionid", "sid", "token", "user", "userid", "access"})


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def cookie_readable_in_transit(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "cookie")
    if is_trial(action) or "dev" in words_of(action.text("path")) or "local" in words_of(action.text("path")):
        return ok()
    found = list(_readable(code))
    if not found:
        return ok()
    seen, repair = found[0][0], shown(code, (change for _, change in found), _readable)
    return nudge(
        f"`{seen[:100]}` lets others on the network, or any script of the page, take over the cookie's session.",
        correction='Set all three: response.set_cookie(name, value, secure=True, httponly=True, samesite="Lax"); in'
        f" settings, SESSION_COOKIE_SECURE = True.{repair}",
        evidence=(seen,),
    )


def _readable(code: Module) -> Iterator[tuple[str, Change | None]]:
    """Yields each insecure setting as written, and the change that secures it."""
    for call in code.calls_of(["set_cookie"]):
        name = call.argument(0, "key", "name")
        told = string_of(code, name) if name is not None else None
        off = [word for word in ("secure", "httponly") if is_false(code, call.keywords.get(word))]
        missing = "secure" not in call.keywords and bool(words_of(told or "") & _IDENTIFYING)
        if call.is_new and (off or missing) and not _is_told_elsewhere(call):
            yield call.text, given(call, {"secure": "True", "httponly": "True"})
    for target, value in code.assignments if b"_COOKIE_" in code.source else ():
        statement = value.parent or value
        names = {target.rpartition(".")[2], code.text(statement).partition("]")[0].rpartition("[")[2].strip("\"'")}
        if names & _SWITCHES and is_false(code, value) and code.is_new(statement):
            yield code.text(statement), instead(value, "True")


def _is_told_elsewhere(call: Call) -> bool:
    """`set_cookie(…, **OPTIONS)`."""
    arguments = call.node.child_by_field_name("arguments")
    return arguments is not None and any(child.type == "dictionary_splat" for child in arguments.named_children)
