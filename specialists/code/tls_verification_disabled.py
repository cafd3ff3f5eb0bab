"""Switches off the check of who is on the other side of a TLS connection (CWE-295)."""

from collections.abc import Iterator

from supervisor.evidence.python import Call, Module, module
from supervisor.evidence.python.values import is_false, string_of
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

REQUESTS = frozenset({"delete", "get", "head", "options", "patch", "post", "put", "request", "send", "stream"})
CLIENTS = frozenset({"AsyncClient", "AsyncHTTPTransport", "Client", "HTTPTransport", "TCPConnector", "ws_connect"})
ALWAYS_TLS = ("ssl_verify", "verify_certs", "verify_ssl")  # keywords that mean nothing else
UNVERIFIED = "ssl._create_unverified_context"
LOOPBACK = ("https://localhost", "https://127.", "https://[::1]")


@specialist("python", "file_write", "file_edit")
def tls_verification_disabled(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse("not Python")
    for seen in (*unverified_calls(code), *unverified_settings(code)):
        return nudge(
            f"{seen} accepts any certificate, so anyone on the way can read and change the traffic.",
            correction="Leave verification on. For a private certificate authority name its file:"
            ' verify="ca.pem" (requests, httpx), or ssl.create_default_context(cafile="ca.pem").',
            sharper="Find out why verification fails (expired, wrong host name, unknown authority) and cure that;"
            " ssl.create_default_context(cafile=…) trusts one more authority without trusting everybody.",
            evidence=(seen,),
        )
    return ok()


def unverified_calls(code: Module) -> Iterator[str]:
    """The calls that make or use a connection without verification."""
    for call in code.calls:
        if call.is_new and not to_loopback(call) and (call.name == UNVERIFIED or any(unverified_options(call))):
            yield call.text


def unverified_options(call: Call) -> Iterator[bool]:
    code, given = call.module, call.keywords
    if call.method in REQUESTS | CLIENTS:
        yield is_false(code, given.get("verify")) or is_false(code, given.get("ssl"))
    yield any(is_false(code, given.get(name)) for name in ALWAYS_TLS)
    if "cert_reqs" in given:
        required = given["cert_reqs"]
        yield (string_of(code, required) or code.name_of(required)).endswith("CERT_NONE")


def to_loopback(call: Call) -> bool:
    """A server on this very machine has nobody in between."""
    urls = (call.argument(place, "url") for place in (0, 1))
    return any(url is not None and call.module.text(url).lstrip("rfRF\"'").startswith(LOOPBACK) for url in urls)


def unverified_settings(code: Module) -> Iterator[str]:
    """The assignments that switch verification off for a context, a session or the whole process."""
    for target, value in code.assignments:
        owner, _, name = target.rpartition(".")
        off = (
            (name == "check_hostname" and is_false(code, value))
            or (name == "verify_mode" and code.name_of(value).endswith("CERT_NONE"))
            or (name in ALWAYS_TLS and owner not in ("", "self") and is_false(code, value))
            or (name == "verify" and is_session(code, owner) and is_false(code, value))
            or (target == "ssl._create_default_https_context" and code.name_of(value) == UNVERIFIED)
        )
        if off and code.is_new(value.parent or value):
            yield code.text(value.parent or value)


def is_session(code: Module, owner: str) -> bool:
    made = {code.name_of(value) for target, value in code.assignments if target == owner}
    named = owner.rpartition(".")[2].lower()
    return named.endswith(("session", "client")) or bool(
        made & {"requests.Session()", "requests.session()", "httpx.Client()", "httpx.AsyncClient()"}
    )
