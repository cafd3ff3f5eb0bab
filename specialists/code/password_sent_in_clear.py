"""Sends a password over an unencrypted connection (CWE-319)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.templates import templates_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_CLEAR = {
    "ftplib.FTP": "ftplib.FTP_TLS",
    "telnetlib.Telnet": "an SSH client (paramiko)",
    "imaplib.IMAP4": "imaplib.IMAP4_SSL",
}
_MAIL = {"poplib.POP3": "poplib.POP3_SSL", "smtplib.SMTP": "smtplib.SMTP_SSL, or starttls() before login()"}
_PLACES = _CLEAR | _MAIL
_VERBS = ("delete", "get", "head", "options", "patch", "post", "put", "request")
_LOCAL = ("localhost", "127.", "[::1]", "0.0.0.0", "testserver", "host.docker.internal")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def password_sent_in_clear(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "clear")
    for call, instead in () if is_trial(action) else _clear(code):
        return nudge(
            f"`{call.text[:80]}` sends its password unencrypted.",
            correction=f"Use an encrypted connection: {instead}.",
            evidence=(call.text,),
        )
    return ok()


def _clear(code: Module) -> Iterator[tuple[Call, str]]:
    """The calls that send a password unencrypted, and their replacements."""
    secured = any(True for _ in code.calls_of(("starttls", "start_tls", "stls", "prot_p", "auth_tls")))
    logs_in = any(True for _ in code.calls_of(("login", "pass_", "user", "auth")))
    for call in code.calls_of(name.rpartition(".")[2] for name in _PLACES):
        instead = _PLACES.get(call.name)
        host = call.argument(0, "host")
        is_near = host is not None and _is_local(code, host)
        sends = logs_in or "passwd" in call.keywords or call.name == "telnetlib.Telnet"
        if instead and call.is_new and sends and not secured and not is_near:
            yield call, instead
    for call in code.calls_of(_VERBS):
        url = call.argument(1 if call.method == "request" else 0, "url")
        if "auth" in call.keywords and url is not None and call.is_new and _is_plain(code, url):
            yield call, "an https:// address"


def _is_plain(code: Module, url: Value) -> bool:
    addresses = [text.words for text in templates_of(code, url)]
    return any(each.startswith("http://") and not each[7:].startswith((*_LOCAL, " ")) for each in addresses)


def _is_local(code: Module, host: Value) -> bool:
    return any(text.words.startswith(_LOCAL) for text in templates_of(code, host))
