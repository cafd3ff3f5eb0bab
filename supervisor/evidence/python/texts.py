"""The texts that a value in Python code may have, as far as the code determines them: literals, joins, and paths.

A HOLE stands for what is known only at run time. `"/srv/" + name` is `/srv/` and a HOLE; a loop variable has each of
its values, and the result of a glob is its pattern.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product

from tree_sitter import Node

from supervisor.evidence.python.modules import Module
from supervisor.evidence.python.values import values_of
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.paths import HOLE

MAX_TEXTS = 8  # of one value
MAX_DEPTH = 12  # names and joins through which a value is followed
_UNKNOWN = [HOLE]

_SAME_NAMES = (
    "os.fspath os.path.abspath os.path.expanduser os.path.expandvars os.path.normpath os.path.realpath pathlib.Path"
    " pathlib.PosixPath pathlib.PurePath str"
)
_SAME = frozenset(_SAME_NAMES.split())
_SAME_METHODS = frozenset({"absolute", "decode", "as_posix", "expanduser", "resolve", "strip"})
_FIXED = {"pathlib.Path.home": "~", "pathlib.Path.cwd": ".", "os.getcwd": ".", "tempfile.gettempdir": "/tmp"}
_MADE_TEMPORARY = ("tempfile.mkdtemp", "tempfile.mkstemp", "tempfile.mktemp", "tempfile.TemporaryDirectory")
_HOME = ("os.environ", "os.environ.get", "os.getenv")


def texts_of(module: Module, node: Node, depth: int = 0) -> list[str]:
    """Every text that a value may have; only a HOLE if the code determines none."""
    if depth > MAX_DEPTH or (read := _READERS.get(node.type)) is None:
        return _UNKNOWN
    known = module.cache.setdefault("texts", {})  # many names may lead to the same value
    place = (node.id, node.start_byte, depth)
    if place not in known:
        known[place] = [*islice(read(module, node, depth + 1), MAX_TEXTS)] or _UNKNOWN
    texts: list[str] = known[place]
    return texts


def is_path(module: Module, node: Node, depth: int = 0) -> bool:
    """Whether a value is a `pathlib.Path`, as far as the code shows."""
    if depth > MAX_DEPTH:
        return False
    if node.type == "parenthesized_expression":
        return any(is_path(module, each, depth + 1) for each in node.named_children)
    if node.type == "binary_operator":
        left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
        slash = operator is not None and operator.type == "/"
        return slash and left is not None and is_path(module, left, depth + 1)
    if node.type == "call":
        name = _function_of(module, node)
        return name.startswith("pathlib.") or name.endswith((".glob", ".rglob", ".iterdir", ".with_suffix"))
    if node.type == "attribute":
        return module.text(node).endswith(".parent")
    if node.type == "identifier":
        return any(is_path(module, value, depth + 1) for value in values_of(module, node) or ())
    return False


def _function_of(module: Module, node: Node) -> str:
    function = node.child_by_field_name("function")
    return module.name_of(function) if function is not None else "?"


def _joined(parts: Sequence[list[str]], between: str = "") -> list[str]:
    """Every way to join one text of each part; with a slash between, an absolute part replaces those before it."""
    found = [between.join(each) for each in islice(product(*parts), MAX_TEXTS)]
    if between:
        found = [f"{between}{text.rpartition(between * 2)[2]}" if between * 2 in text else text for text in found]
    return found


def _literal(module: Module, node: Node, depth: int) -> list[str]:
    parts: list[list[str]] = []
    raw = "r" in module.text(node)[:2].lower().rstrip("'\"")
    for child in node.named_children:
        if child.type == "interpolation":
            value = child.child_by_field_name("expression")
            parts.append(texts_of(module, value, depth) if value is not None else _UNKNOWN)
        elif child.type == "string_content":
            text = module.text(child)
            parts.append([ansi_c(text) if "\\" in text and not raw else text])
    return _joined(parts) if parts else [""]


def _operated(module: Module, node: Node, depth: int) -> list[str]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None or operator.type not in ("+", "/", "%"):
        return _UNKNOWN
    if operator.type == "%":
        return [text.replace("%s", HOLE) for text in texts_of(module, left, depth)]
    return _joined([texts_of(module, each, depth) for each in (left, right)], "/" if operator.type == "/" else "")


def _called(module: Module, node: Node, depth: int) -> list[str]:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    name = _function_of(module, node)
    given = [each for each in arguments.named_children if each.type != "comment"] if arguments is not None else []
    if name in _FIXED:
        return [_FIXED[name]]
    if name in _MADE_TEMPORARY:
        return [f"/tmp/{HOLE}"]
    if name in _HOME and given:
        return ["~"] if "HOME" in texts_of(module, given[0], depth) else _UNKNOWN
    if name in ("os.path.join", "pathlib.Path", "pathlib.PurePath") and len(given) > 1:
        return _joined([texts_of(module, each, depth) for each in given], "/")
    if (name in _SAME or name in ("glob.glob", "glob.iglob")) and given:
        return texts_of(module, given[0], depth)
    if name in ("os.listdir", "os.scandir", "os.walk") and given:
        whole = [f"{text}/*" for text in texts_of(module, given[0], depth)]
        return ["*"] if name == "os.listdir" else whole
    if name in _DECODES and given:
        return [_decoded(name, text) for text in texts_of(module, given[0], depth)]
    receiver = function.child_by_field_name("object") if function is not None else None
    return _of_method(module, receiver, name.rpartition(".")[2], given, depth) if receiver is not None else _UNKNOWN


_DECODES = frozenset({"bytes.fromhex", "bytearray.fromhex", "binascii.unhexlify", "base64.b64decode"})


def _decoded(name: str, text: str) -> str:
    """The decoded text of a literal; a HOLE if it cannot be decoded."""
    try:
        return (base64.b64decode(text) if name == "base64.b64decode" else bytes.fromhex(text)).decode()
    except ValueError:
        return HOLE


def _of_method(module: Module, receiver: Node, method: str, given: list[Node], depth: int) -> list[str]:
    if method in _SAME_METHODS:
        return texts_of(module, receiver, depth)
    if method in ("glob", "rglob", "joinpath") and given:
        return _joined([texts_of(module, each, depth) for each in (receiver, *given)], "/")
    if method == "iterdir":
        return [f"{text}/*" for text in texts_of(module, receiver, depth)]
    if method == "format":
        return [_unfilled(text) for text in texts_of(module, receiver, depth)]
    return _UNKNOWN


def _unfilled(text: str) -> str:
    head, brace, tail = text.partition("{")
    return f"{head}{HOLE}{tail.partition('}')[2]}" if brace else text


def _named(module: Module, node: Node, depth: int) -> Iterator[str]:
    values = values_of(module, node) or ()
    return (text for value in islice(values, MAX_TEXTS) for text in texts_of(module, value, depth))


def _each(module: Module, node: Node, depth: int) -> Iterator[str]:
    return (text for child in islice(node.named_children, MAX_TEXTS) for text in texts_of(module, child, depth))


def _subscripted(module: Module, node: Node, depth: int) -> list[str]:
    value, key = node.child_by_field_name("value"), node.child_by_field_name("subscript")
    home = value is not None and key is not None and module.name_of(value) == "os.environ"
    return ["~"] if home and key is not None and "HOME" in texts_of(module, key, depth) else _UNKNOWN


_READERS: dict[str, Callable[[Module, Node, int], Iterable[str]]] = {
    "string": _literal,
    "concatenated_string": lambda module, node, depth: _joined(
        [texts_of(module, each, depth) for each in node.named_children if each.type == "string"]
    ),
    "binary_operator": _operated,
    "call": _called,
    "identifier": _named,
    "subscript": _subscripted,
    **dict.fromkeys(("list", "tuple", "set", "parenthesized_expression", "conditional_expression"), _each),
}
