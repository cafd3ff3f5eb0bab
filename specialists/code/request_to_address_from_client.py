"""Sends a request to an address that a client chooses (CWE-918)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.sinks import Sinks
from supervisor.evidence.python.templates import templates_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_VERBS = ("delete", "get", "head", "options", "patch", "post", "put")
_FETCHES = Sinks(
    {f"{library}.{verb}": (0, "url") for library in ("requests", "httpx", "grequests") for verb in _VERBS}
    | {
        f"{library}.{name}": (1, "url")
        for library in ("requests", "httpx", "urllib3")
        for name in ("request", "stream")
    }
    | {f"{client}.{verb}": (0, "url") for client in ("session", "client", "http", "http_client") for verb in _VERBS}
    | {f"{client}().{verb}": (0, "url") for client in ("requests.Session", "httpx.Client") for verb in _VERBS}
    | {f"{library}.{name}": (0, "url") for library in ("urllib.request", "urllib2") for name in ("Request", "urlopen")}
    | {"urllib.request.urlretrieve": (0, "url"), "urllib.urlopen": (0, "url"), "urllib.urlretrieve": (0, "url")}
    | {"aiohttp.request": (1, "url"), "pycurl.Curl": (9, "url"), "websockets.connect": (0, "uri")}
    | {
        f"{library}.client.{name}": (0, "host")
        for library in ("http",)
        for name in ("HTTPConnection", "HTTPSConnection")
    }
)


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def request_to_address_from_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "request")
    findings = [_judge(code, call, value) for call, value in _FETCHES.calls(code)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(code: Module, call: Call, value: Value) -> Finding:
    unclear = ok()
    for before, hole in _inserted(code, value):
        source = origin_of(code, hole)
        if source is None:
            continue
        if not _names_host(before):
            return nudge(
                f"`{call.name}` requests any address in `{source}`, also addresses that only this server can reach.",
                correction='Keep the host in the code and let the client choose among names: HOSTS = {"eu": "https://'
                'eu.example.com"}, then requests.get(HOSTS[region] + "/age").',
                sharper="Compare the host of the parsed URL with a set in the code, and request no other host:"
                " `if host not in ALLOWED_HOSTS: abort(400)`.",
                evidence=(call.text,),
            )
        unclear = flag(f"`{source}` is put into the path of `{call.text[:80]}` unquoted.", evidence=(call.text,))
    return unclear


def _inserted(code: Module, value: Value) -> Iterator[tuple[str, Value]]:
    for template in templates_of(code, value):
        yield from template.holes()


def _names_host(before: str) -> bool:
    """Whether the words before a value already name the host."""
    scheme, separator, rest = before.partition("://")
    if separator and "\0" not in scheme:
        return "/" in rest or "?" in rest
    return before.startswith("\0") and "/" in before[1:]  # a base address, and a path after it
