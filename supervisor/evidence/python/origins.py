"""Which values in Python code come from outside: a web client's request, a response of the network, a command line.

They are recognised by the names of the frameworks' objects, and by the decorators and parameters of request handlers.
"""

from __future__ import annotations

import enum

from tree_sitter import Node

from supervisor.evidence.python.modules import Module
from supervisor.evidence.python.values import parameters_of


class Origin(enum.Flag):
    """Who controls a value: the client of a web service, another machine, or the user who starts the program."""

    REQUEST = enum.auto()
    NETWORK = enum.auto()
    LOCAL = enum.auto()
    ARCHIVE = enum.auto()  # the creator of an archive names its members


ANYBODY = Origin.REQUEST | Origin.NETWORK | Origin.LOCAL

_NAMES_OF_REQUEST = frozenset({"_request", "http_request", "req", "request"})
_REQUEST_ATTRIBUTE_NAMES = (
    "COOKIES FILES GET META POST REQUEST args arguments base_url body body_arguments body_file build_absolute_uri "
    "content cookies data environ files form forms full_path get get_argument get_data get_full_path get_header "
    "get_json get_media get_param getlist headers host json json_body match_info matchdict media multipart params path "
    "path_info path_params post query query_arguments query_params query_string raw_post_data referrer rel_url stream "
    "text uri url urlargs urlvars values view_args"
)
_REQUEST_ATTRIBUTES = frozenset(_REQUEST_ATTRIBUTE_NAMES.split())
_HANDLER_METHODS = frozenset(  # methods of a Tornado handler
    {"get_argument", "get_arguments", "get_body_argument", "get_cookie", "get_query_argument"}
)
_REQUESTS = frozenset({"cgi.FieldStorage", "cgi.parse", "streamlit.text_area", "streamlit.text_input", "web.input"})
_SOCKETS = frozenset({"receive_bytes", "receive_json", "receive_text", "recv", "recvfrom"})
_FETCHED = frozenset({"content", "json", "text"})
_ANSWERS = (".message.content", ".output_text")  # of a language model
_FETCHERS = ("aiohttp.", "httpx.", "requests.", "urllib.request.urlopen()", "urllib2.urlopen()")
_LOCAL = frozenset({"getpass.getpass", "input", "os.environ", "os.environ.get", "os.getenv", "raw_input", "sys.argv"})
_LOCAL_READS = ("sys.stdin.read", "sys.stdin.readline")

_ROUTES = frozenset(
    {"api_route", "delete", "get", "patch", "post", "put", "route", "websocket"}
    | {"api_view", "expose", "view", "view_config", "action"}
)
_NUMERIC = frozenset({"bool", "date", "datetime", "float", "int", "UUID", "uuid.UUID"})
_BUILT_IN_HANDLER = b"HTTPRequestHandler"  # of http.server
_MEMBERS = frozenset({"getmembers", "getnames", "infolist", "namelist"})


def origin_of_name(module: Module, name: str) -> Origin | None:
    """Who controls the value of a qualified name; None if that is unknown."""
    head, _, last = name.rpartition(".")
    if name in _LOCAL or name.startswith(_LOCAL_READS) or last == "parse_args":
        return Origin.LOCAL
    if name in _REQUESTS or (last in _HANDLER_METHODS and head == "self"):
        return Origin.REQUEST
    if last in _REQUEST_ATTRIBUTES and _is_request(module, head):
        return Origin.REQUEST
    if head == "self" and last in ("headers", "path", "rfile"):
        return Origin.REQUEST if _BUILT_IN_HANDLER in module.source else None
    if last in _MEMBERS:
        return Origin.ARCHIVE
    if last in _SOCKETS or name.endswith(_ANSWERS) or (last in _FETCHED and name.startswith(_FETCHERS)):
        return Origin.NETWORK
    return None


def _is_request(module: Module, name: str) -> bool:
    """Whether a name is that of the current request, as `request`, `self.request`, `flask.request`."""
    return (
        name.rpartition(".")[2] in _NAMES_OF_REQUEST
        and name not in module.values_by_name
        and not name.startswith("urllib")
    )


def is_request_name(module: Module, name: Node) -> bool:
    """Whether a plain name is the request, as in `request["key"]`."""
    return _is_request(module, module.name_of(name)) and name.type == "identifier"


def is_set_by_client(module: Module, function: Node, wanted: str) -> bool:
    """Whether a client sets a parameter: of a route, of a Django view, or the event of an AWS Lambda."""
    parameters = [*parameters_of(module, function)]
    names = [name for name, _ in parameters]
    if "event" in names[:1] and any(name.lstrip("_") == "context" for name in names[1:2]):
        return wanted == "event"
    if wanted not in names or wanted in ("self", "cls") or wanted in _NAMES_OF_REQUEST:
        return False
    if _is_typed(module, function, wanted):
        return False
    routes = routes_of(module, function)
    if routes:
        return not any(f":{wanted}>" in route for route in routes if "string:" not in route and "path:" not in route)
    asked = names[1:2] if names[:1] in (["self"], ["cls"]) else names[:1]
    default = parameters[names.index(wanted)][1]
    return asked == ["request"] and default is None and not _is_test(module, function)


def is_handler(module: Module, function: Node) -> bool:
    """Whether a function handles a client's request: by its decorator, or by a first parameter that is the request."""
    if routes_of(module, function):
        return True
    names = [name for name, _ in parameters_of(module, function)]
    first = names[1:2] if names[:1] in (["self"], ["cls"]) else names[:1]
    return first == ["request"] and not _is_test(module, function)


def routes_of(module: Module, function: Node) -> list[str]:
    """The decorators that make a function a request handler, as written."""
    around = function.parent
    if around is None or around.type != "decorated_definition":
        return []
    decorators = [child for child in around.children if child.type == "decorator"]
    return [module.text(decorator) for decorator in decorators if _announces(module, decorator)]


def _announces(module: Module, decorator: Node) -> bool:
    called = decorator.named_children[0] if decorator.named_children else decorator
    if called.type != "call":
        return False
    name = module.name_of(called)[:-2]  # without its ()
    arguments = called.child_by_field_name("arguments")
    first = next(iter(arguments.named_children), None) if arguments is not None else None
    is_path = first is not None and module.text(first).lstrip("rRfFbBuU").startswith(('"/', "'/", '"', "'"))
    last = name.rpartition(".")[2]
    return last in _ROUTES and (is_path or last in ("api_view", "view_config", "expose", "route"))


def _is_typed(module: Module, function: Node, wanted: str) -> bool:
    """Whether a parameter's annotation or default excludes text: a number, a dependency, a session."""
    listed = function.child_by_field_name("parameters")
    for parameter in listed.named_children if listed is not None else ():
        text = module.text(parameter)
        name, colon, rest = text.partition(":")
        if name.split("=")[0].strip() != wanted:
            continue
        kind = rest.split("=")[0].strip().removeprefix("Optional[").rstrip("]").split("|")[0].strip()
        no_text = kind in _NUMERIC or kind.endswith(("Session", "Request", "Response", "BackgroundTasks", "WebSocket"))
        return "Depends(" in text or (bool(colon) and no_text)
    return False


def _is_test(module: Module, function: Node) -> bool:
    name = function.child_by_field_name("name")
    around = function.parent
    decorated = module.text(around)[:80] if around is not None and around.type == "decorated_definition" else ""
    return "fixture" in decorated or (name is not None and module.text(name).startswith("test"))
