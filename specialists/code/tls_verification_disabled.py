"""Switches off the verification of the peer of a TLS connection (CWE-295)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
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
_LOOPBACK = ("https://localhost", "https://127.", "https://[::1]")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def tls_verification_disabled(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "tls")
    found = _unverified(code)
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
        if _switches_off(code, target, value) and code.is_new(statement):
            last = target.rpartition(".")[2]
            yield code.text(statement), instead(value, _SAFE.get(last, "True"))


def _switches_off(code: Module, target: str, value: Value) -> bool:
    owner, _, name = target.rpartition(".")
    if target == "ssl._create_default_https_context":
        return code.name_of(value) == _UNVERIFIED
    if name == "verify_mode":
        return code.name_of(value).endswith("CERT_NONE")
    means_tls = (
        name == "check_hostname"
        or (name in _ALWAYS_TLS and owner not in ("", "self"))
        or (name == "verify" and _is_session(code, owner))
    )
    return means_tls and is_false(code, value)


def _is_session(code: Module, owner: str) -> bool:
    """Whether a name is that of a session, or is bound to one."""
    if owner.rpartition(".")[2].lower().endswith(("session", "client")):
        return True
    return any(target == owner and code.name_of(value) in _SESSIONS for target, value in code.assignments)
