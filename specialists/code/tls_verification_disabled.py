"""Switches off the verification of the peer of a TLS connection (CWE-295)."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.repairs import Change, instead, renamed, shown, without
from supervisor.evidence.python.values import is_false, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_VERIFYING = frozenset(  # methods and constructors that take `verify` or `ssl`
    {"delete", "get", "head", "options", "patch", "post", "put", "request", "send", "stream", "ws_connect"}
    | {"AsyncClient", "AsyncHTTPTransport", "Client", "HTTPTransport", "TCPConnector"}
)
_ALWAYS_TLS = ("ssl_verify", "verify_certs", "verify_ssl")  # keywords that mean nothing else
_UNVERIFIED = "ssl._create_unverified_context"
_SAFE = {"verify_mode": "ssl.CERT_REQUIRED", "_create_default_https_context": "ssl.create_default_context"}
_SESSIONS = frozenset({"requests.Session()", "requests.session()", "httpx.Client()", "httpx.AsyncClient()"})
_ELSEWHERE = re.compile(r"(?i)https?://(?!localhost|127\.|\[::1\])[\w\[]")
_FOREIGN = re.compile(rb"(?i)[\"']https://(?!localhost|127\.|\[::1\])[\w\[]")
_SWITCH = re.compile(r"(?i)verif|insecure|check|trust|tls|ssl|cert")
_NEGATIVE = re.compile(r"(?i)insecure|skip|unsafe|disable|allow|without|\bno_|ignore|trust_all")
_CHOSEN = ("attribute", "identifier")
_LOOPBACK = ("https://localhost", "https://127.", "https://[::1]")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def tls_verification_disabled(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "tls")
    found = _unverified(code)
    if is_trial(action):  # a test's own server has a certificate that nobody signed
        is_elsewhere = _FOREIGN.search(code.source) is not None
        found = [each for each in found if is_elsewhere or _ELSEWHERE.search(each[0])]
    if not found:
        return ok()
    seen = found[0][0]
    return nudge(
        _reason(seen),
        correction="Leave verification on. For a private certificate authority name its file:"
        ' verify="ca.pem" (requests, httpx), or ssl.create_default_context(cafile="ca.pem").'
        f"{shown(code, (change for _, change in found), _unverified)}",
        sharper="Find out why verification fails (expired, wrong host name, unknown authority) and fix that;"
        " ssl.create_default_context(cafile=…) trusts one more authority without trusting everybody.",
        evidence=(seen,),
    )


def _reason(seen: str) -> str:
    return f"`{seen}` accepts any certificate, so an attacker on the network can read and change the traffic."


def _unverified(code: Module) -> list[tuple[str, Change | None]]:
    """Each unverified connection as written, and its change to a verified one."""
    return [*_unverified_calls(code), *_unverified_settings(code)]


def _unverified_calls(code: Module) -> Iterator[tuple[str, Change | None]]:
    """The calls that make or use a connection."""
    for call in code.calls:
        if call.is_new and _is_unverified(call) and not _to_loopback(call):
            yield call.text, _verifying(call)


def _verifying(call: Call) -> Change | None:
    if call.name == _UNVERIFIED:
        return renamed(call, "ssl.create_default_context")
    return without(call, "cert_reqs", "ssl", "verify", *_ALWAYS_TLS)


def _is_unverified(call: Call) -> bool:
    code, given = call.code, call.keywords
    if call.name == _UNVERIFIED or any(is_false(code, given.get(name)) for name in _ALWAYS_TLS):
        return True
    if call.method in _VERIFYING and any(is_false(code, given.get(name)) for name in ("verify", "ssl")):
        return True
    required = given.get("cert_reqs") or given.get("ssl_cert_reqs")
    return required is not None and _is_no_check(code, required)


def _is_no_check(code: Module, value: Value) -> bool:
    return (string_of(code, value) or code.name_of(value)).endswith("CERT_NONE")


def _to_loopback(call: Call) -> bool:
    """Whether the server is on this machine, where no network is in between."""
    urls = (call.argument(place, "url") for place in (0, 1))
    return any(url is not None and call.code.text(url).lstrip("rfRF\"'").startswith(_LOOPBACK) for url in urls)


def _unverified_settings(code: Module) -> Iterator[tuple[str, Change | None]]:
    """The assignments for a context, a session or the whole process, and the options of a connection."""
    for option in code.nodes("pair") if b"CERT_NONE" in code.source else ():
        name, value = option.named_children[0], option.named_children[-1]
        if code.text(name).strip("\"'").endswith("cert_reqs") and _is_no_check(code, value) and code.is_new(option):
            yield code.text(option), instead(value, "ssl.CERT_REQUIRED", "ssl")
    for target, value in code.assignments:
        statement = value.parent or value
        if not _switches_off(code, target, value) or not code.is_new(statement):
            continue
        if not _follows_mode(code, target, value) and not _asked_by_caller(code, value):
            last = target.rpartition(".")[2]
            yield code.text(statement), instead(value, _SAFE.get(last, "True"))


def _follows_mode(code: Module, target: str, value: Value) -> bool:
    """Whether the check of the name is left out where the mode of the check asks for none, `mode == ssl.CERT_NONE`; the
    mode is judged where it is set."""
    inner = value
    outer = value.parent if target.endswith(".check_hostname") else None
    while outer is not None and outer.type != "function_definition":
        condition = outer.child_by_field_name("condition") if outer.type in ("if_statement", "elif_clause") else None
        is_branch = inner.type in ("block", "else_clause")
        if condition is not None and is_branch and _asks_for_none(code, condition, inner.type == "block"):
            return True
        inner, outer = outer, outer.parent
    return False


def _asked_by_caller(code: Module, value: Value) -> bool:
    """Whether verification is left out only where the caller asks for that: under a condition on a parameter that names
    it, and whose default verifies."""
    function = code.scope_of(value)
    listed = function.child_by_field_name("parameters") if function is not None else None
    if listed is None:
        return False
    inner, outer = value, value.parent
    while outer is not None and outer != function:
        condition = outer.child_by_field_name("condition") if outer.type in ("if_statement", "elif_clause") else None
        if condition is not None and inner.type in ("block", "else_clause"):
            holds = inner.type == "block"
            if any(_leaves_to(code, each, condition, holds) for each in listed.named_children):
                return True
        inner, outer = outer, outer.parent
    return False


def _leaves_to(code: Module, parameter: Value, condition: Value, holds: bool) -> bool:
    """Whether a parameter names verification, asks for none where the condition holds or not, and verifies by
    default."""
    name = code.text(parameter.child_by_field_name("name") or next(iter(parameter.named_children), parameter))
    is_negative = _NEGATIVE.search(name) is not None
    if not _SWITCH.search(name):
        return False
    positive = {name, f"{name} is True", f"{name} == True"}
    negative = {f"not {name}", f"{name} is False", f"{name} == False"}
    if code.text(condition) not in (positive if is_negative == holds else negative):
        return False
    default = parameter.child_by_field_name("value")
    return default is None or code.text(default) != ("True" if is_negative else "False")


def _asks_for_none(code: Module, condition: Value, holds: bool) -> bool:
    """Whether a mode that is not fixed here is CERT_NONE, or is not CERT_REQUIRED, if a condition holds or not."""
    if condition.type == "boolean_operator" and condition.children[1].type == "and":
        sides = [condition.children[0], condition.children[2]]
        if holds:
            return any(_asks_for_none(code, side, True) for side in sides)
        bare = [side.children[-1] if side.type == "not_operator" else side for side in sides]
        return any(_asks_for_none(code, side, False) for side in sides) and all(
            side.type == "comparison_operator" or _is_chosen(code, side) for side in bare
        )
    if condition.type != "comparison_operator" or len(condition.children) != 3:
        return False
    left, operator, right = condition.children
    if operator.type not in ("==", "!="):
        return False
    mode = "CERT_NONE" if (operator.type == "==") == holds else "CERT_REQUIRED"
    pairs = ((left, right), (right, left))
    return any(code.name_of(one) == f"ssl.{mode}" and _is_chosen(code, other) for one, other in pairs)


def _is_chosen(code: Module, value: Value) -> bool:
    """Whether a value is chosen elsewhere: a name that is bound to nothing here, or an attribute bound to no mode."""
    if value.type not in _CHOSEN or "CERT_" in code.name_of(value):
        return False
    bound = [given for target, given in code.assignments if target == code.text(value)]
    return not bound if value.type == "identifier" else all("CERT_" not in code.name_of(given) for given in bound)


def _switches_off(code: Module, target: str, value: Value) -> bool:
    owner, _, name = target.rpartition(".")
    if target == "ssl._create_default_https_context":
        return code.name_of(value) == _UNVERIFIED
    if name == "verify_mode":
        return code.name_of(value).endswith("CERT_NONE")
    means_tls = (
        (name == "check_hostname" and owner != "self")
        or (name in _ALWAYS_TLS and owner not in ("", "self"))
        or (name == "verify" and _is_session(code, owner))
    )
    return means_tls and is_false(code, value)


def _is_session(code: Module, owner: str) -> bool:
    """Whether a name is that of a session, or is bound to one."""
    if owner.rpartition(".")[2].lower().endswith(("session", "client")):
        return True
    return any(target == owner and code.name_of(value) in _SESSIONS for target, value in code.assignments)
