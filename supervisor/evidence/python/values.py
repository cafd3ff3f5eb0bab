"""The parts of a value in Python code: whether they are all fixed in the code, or some come from elsewhere.

A name is followed to its assignments in the same scope and to the iterable of its loop, a parameter to the arguments
that the same code passes. Anything else (input, files, the environment) comes from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from supervisor.evidence.python.modules import Module
from supervisor.evidence.reading.paths import HOLE

MAX_VALUES = 128  # followed in one query

# Node types of tree-sitter's Python grammar.
_COMPOUND_TYPES = (
    "await binary_operator boolean_operator concatenated_string dictionary expression_list interpolation list pair "
    "parenthesized_expression set string tuple type_conversion unary_operator"
)
_FIXED_TYPES = (
    "comment comparison_operator ellipsis escape_sequence false float format_specifier integer none string_content "
    "string_end string_start true"
)
COMPOUND = frozenset(_COMPOUND_TYPES.split())
_FIXED = frozenset(_FIXED_TYPES.split())
_FIXED_NAMES = frozenset({"__file__", "__name__", "os.devnull", "os.name", "os.sep", "sys.executable", "sys.platform"})
# Numbers cannot contain a command, and quoting makes a single word of any text.
_HARMLESS_CALLS = frozenset({"float", "int", "len", "os.getcwd", "os.getpid", "range", "shlex.join", "shlex.quote"})
_TRANSPARENT_NAMES = "enumerate list os.path.abspath os.path.dirname os.path.join pathlib.Path sorted str tuple"
_TRANSPARENT_CALLS = frozenset(_TRANSPARENT_NAMES.split())
_TRANSPARENT_METHODS = frozenset({"format", "join", "lower", "replace", "split", "strip", "upper", "items", "values"})
_OPENERS = frozenset({"bz2.open", "gzip.open", "io.open", "lzma.open", "open", "pathlib.Path"})
_READERS = (".open()", ".read()", ".read_bytes()")


def is_fixed(module: Module, node: Node) -> bool:
    """Whether all parts of a value are in the code: literals, and names that only have such values."""
    pending, seen, grounded = [node], set[int](), False
    while pending:
        here = pending.pop()
        if here.id in seen:
            continue
        seen.add(here.id)
        module.follow()
        parts = _parts(module, here)
        if parts is None or len(seen) > MAX_VALUES:
            return False
        grounded = grounded or not parts
        pending.extend(parts)
    return grounded  # `x = x` alone has no literal part


def string_of(module: Module, node: Node) -> str | None:
    """The text of a string literal without interpolation, also through a name; None for anything else."""
    here = followed(module, node)
    if here is None or here.type != "string" or any(child.type == "interpolation" for child in here.children):
        return None
    return "".join(module.text(child) for child in here.children if child.type == "string_content")


def text_of(module: Module, node: Node) -> str:
    """A text as far as the code determines it, also through names. Each part that comes from elsewhere is a HOLE."""
    pieces: list[str] = []
    pending = [node]
    for _ in range(MAX_VALUES):
        if not pending:
            return "".join(pieces)
        here = followed(module, pending.pop())
        if here is not None and here.type in _JOINED:
            pending += reversed(here.named_children)
        elif here is not None and here.type == "string":
            pieces += _pieces(module, here)
        else:
            pieces.append(HOLE)
    return HOLE


_JOINED = frozenset({"concatenated_string", "parenthesized_expression", "binary_operator"})


def _pieces(module: Module, string: Node) -> Iterator[str]:
    for child in string.named_children:
        if child.type == "string_content":
            yield module.text(child)
        elif child.type == "interpolation":
            yield HOLE


def is_false(module: Module, node: Node | None) -> bool:
    """Whether a value is the literal `False`, also through a name."""
    return _literal(module, node) == "false"


def is_true(module: Module, node: Node | None) -> bool:
    """Whether a value is the literal `True`, also through a name."""
    return _literal(module, node) == "true"


def number_of(module: Module, node: Node) -> int | None:
    """The value of an integer literal, also through a name; None for anything else."""
    here = followed(module, node)
    text = module.text(here).replace("_", "").lower() if here is not None and here.type == "integer" else ""
    if len(text) > 1 and text.isdecimal() and text.startswith("0"):
        text = f"0o{text}"  # an octal literal of Python 2
    try:
        return int(text, 0) if 0 < len(text) < 40 else None
    except ValueError:
        return None


def path_of(module: Module, node: Node) -> Node:
    """The path of a file object: `p` for `open(p)`, `Path(p).open()`, `open(p).read()`, `with open(p) as f`."""
    for _ in range(4):
        function = node.child_by_field_name("function") if node.type == "call" else None
        receiver = function.child_by_field_name("object") if function is not None else None
        if function is not None and module.name_of(function) in _OPENERS:
            arguments = node.child_by_field_name("arguments")
            inside = arguments.named_children if arguments is not None else []
            return inside[0] if inside else node
        if receiver is not None and module.name_of(node).endswith(_READERS):
            node = receiver
        else:
            value = followed(module, node)
            if value is None or value == node:
                return node
            node = value
    return node


def is_numeric_parameter(module: Module, name: Node) -> bool:
    """Whether a name is a parameter that is annotated as a number."""
    function = module.scope_of(name)
    listed = function.child_by_field_name("parameters") if function is not None else None
    wanted = module.text(name)
    for parameter in listed.named_children if listed is not None else ():
        annotation = parameter.child_by_field_name("type")
        title = parameter.child_by_field_name("name") or next(iter(parameter.named_children), None)
        if annotation is not None and title is not None and module.text(title) == wanted:
            return module.text(annotation) in ("int", "float", "bool", "int | None", "Optional[int]")
    return False


def _literal(module: Module, node: Node | None) -> str:
    value = followed(module, node) if node is not None else None
    return value.type if value is not None else ""


def followed(module: Module, node: Node) -> Node | None:
    """The value of a name that is assigned once; None for other names."""
    if node.type != "identifier":
        return node
    values = values_of(module, node)
    return values[0] if values is not None and len(values) == 1 else None


def _parts(module: Module, node: Node) -> list[Node] | None:
    """The parts of a value; None if it comes from elsewhere."""
    if node.type in _FIXED:
        return []
    if node.type in COMPOUND:
        return list(node.named_children)
    if node.type == "conditional_expression":
        return [node.named_children[0], node.named_children[-1]]
    if node.type in ("subscript", "generator_expression", "list_comprehension", "set_comprehension"):
        return node.named_children[:1]  # the iterable of a comprehension is a value of its name
    if node.type == "keyword_argument":
        return node.named_children[1:]
    if node.type == "call":
        return _parts_of_call(module, node)
    if node.type in ("attribute", "identifier") and module.name_of(node) in _FIXED_NAMES:
        return []
    return values_of(module, node) if node.type == "identifier" else None


def _parts_of_call(module: Module, node: Node) -> list[Node] | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    name, given = module.name_of(function), arguments_of(arguments)
    if name in _HARMLESS_CALLS:
        return []
    if name in _TRANSPARENT_CALLS:
        return given
    receiver = function.child_by_field_name("object")
    if receiver is not None and name.rpartition(".")[2] in _TRANSPARENT_METHODS:
        return [receiver, *given]
    return None


def arguments_of(arguments: Node) -> list[Node]:
    """The arguments of a call; `f(x for x in y)` has one argument and no argument list."""
    return [arguments] if arguments.type == "generator_expression" else list(arguments.named_children)


def values_of(module: Module, name: Node) -> list[Node] | None:
    """Every value of a name in the nearest scope that binds it; None if none does."""
    wanted = module.text(name)
    bindings = module.values_by_name.get(wanted, ())[: MAX_VALUES + 1]
    scope: Node | None = name
    while scope is not None:
        scope = module.scope_of(scope) if scope is name else module.around(scope)
        given = [value for value in bindings if module.scope_of(value) == scope]
        passed = _passed(module, scope, wanted) if scope is not None else None
        if passed is not None:
            return [*given, *passed] if passed else None
        if given:
            return given
    return None


def _passed(module: Module, function: Node, wanted: str) -> list[Node] | None:
    """What the same code passes for a parameter, including its default; None if `wanted` is not a parameter."""
    parameters = list(parameters_of(module, function))
    names = [name for name, _ in parameters]
    if wanted not in names:
        return None
    title = function.child_by_field_name("name")
    place = names.index(wanted) - (names[0] in ("self", "cls"))
    if place < 0:
        return []  # `self` and `cls` are not passed by the code
    calls = list(module.calls_of([module.text(title)])) if title is not None else []
    given = [call.argument(place, wanted) for call in calls]
    default = parameters[names.index(wanted)][1]
    return [*filter(None, given), *([default] if default is not None else [])] if calls else []


def parameters_of(module: Module, function: Node) -> Iterator[tuple[str, Node | None]]:
    listed = function.child_by_field_name("parameters")
    for parameter in listed.named_children if listed is not None else ():
        named = parameter.child_by_field_name("name")
        if named is None and parameter.type != "identifier":  # `name: int`, `*names`
            named = next(iter(parameter.named_children), None)
        yield module.text(named or parameter), parameter.child_by_field_name("value")
