"""Data flow: follows a value back through names, formatting and containers to its origin outside the code.

Only operations that certainly pass a text on are followed: another function may check its argument.
"""

from __future__ import annotations

from tree_sitter import Node

from supervisor.evidence.python.modules import Module
from supervisor.evidence.python.origins import Origin, is_request_name, is_set_by_client, origin_of_name
from supervisor.evidence.python.values import COMPOUND, MAX_VALUES, arguments_of, values_of

_CARRYING_CALLS_NAMES = (
    "Path PurePath ast.literal_eval base64.b64decode base64.decodestring base64.urlsafe_b64decode bytes "
    "codecs.decode dict io.BytesIO io.StringIO json.loads list next os.fsencode os.path.abspath "
    "os.path.expanduser os.path.expandvars os.path.join os.path.normpath os.path.realpath pathlib.Path "
    "pathlib.PurePath posixpath.join repr reversed set sorted str textwrap.dedent tuple unicode "
    "urllib.parse.unquote urllib.parse.unquote_plus urllib.parse.urljoin urljoin "
    "django.utils.translation.gettext django.utils.translation.ugettext"
)
_CARRYING_CALLS = frozenset(_CARRYING_CALLS_NAMES.split())
_CARRYING_METHODS = frozenset({"format", "format_map", "join", "joinpath", "replace"})  # follow arguments too
_DERIVING_METHODS_NAMES = (
    "count endswith find hexdigest index is_valid isalnum isalpha isdecimal isdigit isidentifier isnumeric startswith"
)
_DERIVING_METHODS = frozenset(_DERIVING_METHODS_NAMES.split())
_CHECKING_STEMS = "allow check clean is_local is_relative safe sanit url_parse urlparse urlsplit valid verif whitelist"
_CHECKING = tuple(_CHECKING_STEMS.split())
_CHECKING_METHODS_NAMES = (
    "endswith fullmatch is_relative_to isalnum isalpha isdecimal isdigit isidentifier isnumeric match startswith"
)
_CHECKING_METHODS = frozenset(_CHECKING_METHODS_NAMES.split())


def origin_of(module: Module, node: Node, asked: Origin = Origin.REQUEST) -> str | None:
    """The source text of a value's origin outside the code (`request.args["name"]`); None if none is found."""
    pending, seen = [node], set[int]()
    while pending and len(seen) < MAX_VALUES:
        here = pending.pop()
        if here.id in seen:
            continue
        seen.add(here.id)
        module.follow()
        if _comes_from(module, here, asked):
            return module.text(here)[:120]
        pending.extend(reversed(_carried(module, here)))
    return None


def _comes_from(module: Module, node: Node, asked: Origin) -> bool:
    if node.type == "identifier":
        return Origin.REQUEST in asked and _is_clients(module, node)
    if node.type not in ("attribute", "call", "subscript"):
        return False
    if node.type == "subscript":
        value = node.child_by_field_name("value")
        return value is not None and Origin.REQUEST in asked and is_request_name(module, value)
    name = module.name_of(node)
    origin = origin_of_name(module, name[:-2] if node.type == "call" and name.endswith("()") else name)
    return origin is not None and origin in asked


def _is_clients(module: Module, name: Node) -> bool:
    """Whether a name is a parameter that a client sets and that its function does not check."""
    function = module.scope_of(name)
    wanted = module.text(name)
    while function is not None:
        if is_set_by_client(module, function, wanted):
            return wanted not in module.values_by_name and not _is_checked(module, name)
        function = module.around(function)
    return False


def _carried(module: Module, node: Node) -> list[Node]:
    """The expressions from which a value takes its text."""
    if node.type in COMPOUND:
        return _operands(node)
    if node.type == "keyword_argument":
        return node.named_children[1:]
    if node.type in ("attribute", "subscript", "generator_expression", "list_comprehension", "set_comprehension"):
        kept = module.values_by_name.get(module.name_of(node), ()) if node.type == "attribute" else ()
        return [*node.named_children[:1], *kept]
    if node.type == "conditional_expression":
        return [node.named_children[0], node.named_children[-1]]
    if node.type == "call":
        return _carried_by_call(module, node)
    if node.type == "identifier" and not _is_checked(module, node):
        return _values_of_name(module, node)
    return []


def _operands(node: Node) -> list[Node]:
    children = list(node.named_children)
    return [child for child in children if child.type not in ("format_specifier", "string_content", "comment")]


def _values_of_name(module: Module, name: Node) -> list[Node]:
    values = values_of(module, name)
    if values is not None:
        return values
    return list(module.values_by_name.get(module.text(name), ()))[:8] if module.scope_of(name) is None else []


def _carried_by_call(module: Module, node: Node) -> list[Node]:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return []
    name, receiver = module.name_of(function), function.child_by_field_name("object")
    method = name.rpartition(".")[2]
    if name in _CARRYING_CALLS or method in ("dedent", "gettext", "ugettext", "_", "b64decode", "unquote"):
        return arguments_of(arguments)
    if receiver is None or method in _DERIVING_METHODS:
        return []
    return [receiver, *(arguments_of(arguments) if method in _CARRYING_METHODS else ())]


def _is_checked(module: Module, name: Node) -> bool:
    """Whether the function around a name checks it: `if name in ALLOWED`, `is_safe(name)`, `name.isdigit()`."""
    return (module.text(name), module.scope_of(name)) in _checked_in(module)


def _checked_in(module: Module) -> set[tuple[str, Node | None]]:
    known = module.cache.get("checked")
    if known is None:
        known = module.cache["checked"] = {
            (module.text(node), module.scope_of(node)) for node in _checked_nodes(module) if node.type == "identifier"
        }
    return known


def _is_cleaned(module: Module, target: Node, value: Node) -> bool:
    """Whether a name is replaced by the result of another function on it: `name = escape(name)`."""
    arguments = value.child_by_field_name("arguments") if value.type == "call" else None
    if arguments is None or target.type != "identifier" or _carried_by_call(module, value):
        return False
    return any(child.type == "identifier" and module.text(child) == module.text(target) for child in arguments.children)


def _checked_nodes(module: Module) -> list[Node]:
    found: list[Node] = []
    for compared in module.nodes("comparison_operator"):
        operators = {child.type for child in compared.children if not child.is_named}
        if operators & {"in", "not in"} and compared.named_children[0].type == "identifier":
            found.append(compared.named_children[0])
    found.extend(target for target, value in module.targets if _is_cleaned(module, target, value))
    for call in module.calls:
        method = call.method.lower()
        if any(word in method for word in _CHECKING):
            found.extend([*call.positional, *call.keywords.values()])
        if method in _CHECKING_METHODS:
            function = call.node.child_by_field_name("function")
            receiver = function.child_by_field_name("object") if function is not None else None
            found.extend(call.positional[1:] if call.name.startswith(("re.", "regex.")) else call.positional)
            found.extend([receiver] if receiver is not None else [])
    return found
