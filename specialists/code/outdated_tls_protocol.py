"""Uses a version of TLS that can be broken (CWE-327)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_OLD = frozenset(
    {"PROTOCOL_SSLv2", "PROTOCOL_SSLv3", "PROTOCOL_SSLv23", "PROTOCOL_TLSv1", "PROTOCOL_TLSv1_1"}
    | {"SSLv2_METHOD", "SSLv3_METHOD", "SSLv23_METHOD", "TLSv1_METHOD", "TLSv1_1_METHOD"}
    | {"TLSVersion.SSLv3", "TLSVersion.TLSv1", "TLSVersion.TLSv1_1", "TLSVersion.MINIMUM_SUPPORTED"}
)
_NEGOTIATING = ("PROTOCOL_SSLv23", "SSLv23_METHOD")  # the newest that both sides support
_MAKES = ("SSLContext", "Context", "wrap_socket", "create_urllib3_context", "ssl_wrap_socket", "set_ssl")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def outdated_tls_protocol(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "protocol")
    seen = next(_old(code), None)
    if seen is None:
        return ok()
    return nudge(
        f"`{seen[:100]}` lets an attacker on the network choose a protocol that can be broken.",
        correction="Use the defaults, ssl.create_default_context(), which use TLS 1.2 and newer; to be stricter set"
        " context.minimum_version = ssl.TLSVersion.TLSv1_3.",
        evidence=(seen,),
    )


def _old(code: Module) -> Iterator[str]:
    for call in code.calls_of(_MAKES):
        values = [*call.positional, *call.keywords.values()]
        if call.is_new and any(_is_old(code.name_of(value)) for value in values):
            yield call.text
    for target, value in code.assignments:
        statement = value.parent or value
        if (
            target.endswith((".minimum_version", ".ssl_version"))
            and _is_old(code.name_of(value))
            and code.is_new(statement)
        ):
            yield code.text(statement)


def _is_old(name: str) -> bool:
    old = name.endswith(tuple(_OLD)) and name.startswith(
        ("ssl.", "SSL.", "OpenSSL.", "PROTOCOL", "TLSVersion", "urllib3.")
    )
    return old and not name.endswith(_NEGOTIATING)
