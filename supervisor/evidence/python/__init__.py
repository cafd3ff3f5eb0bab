"""What Python code does: its calls by their qualified names, and what their arguments are made of.

Read with tree-sitter, which also reads fragments (the new text of an edit). Strings and comments are not code.
"""

from __future__ import annotations

import bisect
import functools
import threading
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Tree

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.python.source import Source, source_of

Value = Node  # an expression, as it stands in the code
MAX_BYTES = 256 * 1024
MAX_STEPS = 8_000  # of tree-sitter, of about 30 µs. Counted, not timed, so that a replay agrees
MAX_CHAIN = 12  # dots and calls in one name

_LANGUAGE = Language(tree_sitter_python.language())
_WANTED = (
    *("as_pattern", "assignment", "augmented_assignment", "call", "for_statement", "function_definition"),
    *("import_from_statement", "import_statement"),
)
# What an edit's fragment means by these where it does not show its imports.
_USUAL_ALIASES = {"np": "numpy", "pd": "pandas"}
_local = threading.local()  # a Parser is not for concurrent use


class Module:
    """Code that has been read. `before` is the text that an edit replaces: what stands there already is not new."""

    def __init__(self, source: bytes, tree: Tree, before: str = "") -> None:
        self.source = source
        self.before = before
        self._tree = tree  # nodes live as long as their tree
        self._nodes = _wanted(tree)
        self.aliases = dict(_imported(self, self._nodes["import_statement"], self._nodes["import_from_statement"]))

    @functools.cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call, in order of its place."""
        return tuple(Call(self, node) for node in self._nodes["call"])

    @functools.cached_property
    def assignments(self) -> tuple[tuple[str, Node], ...]:
        """Every assigned target, by its qualified name, with the value it is given."""
        pairs: list[tuple[str, Node]] = []
        for node in (*self._nodes["assignment"], *self._nodes["augmented_assignment"]):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None:
                pairs.extend((self.name_of(target), right) for target in _targets(left))
        return tuple(pairs)

    @functools.cached_property
    def bindings(self) -> tuple[tuple[str, Node], ...]:
        """Every name that a loop or a `with … as` gives, with what it runs over or opens."""
        pairs: list[tuple[str, Node]] = []
        for node in self._nodes["for_statement"]:
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None:
                pairs.extend((self.text(target), right) for target in _targets(left))
        opened = (node.named_children for node in self._nodes["as_pattern"])
        pairs.extend((self.text(parts[-1]), parts[0]) for parts in opened if len(parts) > 1)
        return tuple(pairs)

    @functools.cached_property
    def functions(self) -> tuple[Node, ...]:
        """Every function definition, outer ones before inner ones."""
        return tuple(self._nodes["function_definition"])

    def scope_of(self, node: Node) -> Node | None:
        """The innermost function around a node; None outside any."""
        starts, around = self._scopes
        place = bisect.bisect_right(starts, node.start_byte) - 1
        while place >= 0 and self.functions[place].end_byte < node.end_byte:
            place = around[place]
        return self.functions[place] if place >= 0 else None

    @functools.cached_property
    def _scopes(self) -> tuple[list[int], list[int]]:
        """Where each function starts, and the place of the function around it (-1: none)."""
        around: list[int] = []
        for place, function in enumerate(self.functions):
            outer = place - 1
            while outer >= 0 and self.functions[outer].end_byte < function.end_byte:
                outer = around[outer]
            around.append(outer)
        return [function.start_byte for function in self.functions], around

    def calls_to(self, *names: str) -> Iterator[Call]:
        """The calls of functions that go by one of these qualified names."""
        return (call for call in self.calls if call.name in names)

    def is_new(self, node: Node) -> bool:
        """Whether this text is brought by the action, and does not merely stand in what it edits."""
        return not self.before or self.text(node) not in self.before

    def text(self, node: Node) -> str:
        """A node as written."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def name_of(self, node: Node) -> str:
        """The qualified name of `a.b.c`; a call in it reads `a().b`, and what cannot be named reads `?`."""
        parts: list[str] = []
        here: Node | None = node
        for _ in range(MAX_CHAIN):
            if here is not None and here.type == "attribute":
                attribute = here.child_by_field_name("attribute")
                parts.append("." + (self.text(attribute) if attribute else "?"))
                here = here.child_by_field_name("object")
            elif here is not None and here.type == "call":
                parts.append("()")
                here = here.child_by_field_name("function")
            else:
                break
        head = self.text(here) if here is not None and here.type == "identifier" else "?"
        return self.aliases.get(head, head) + "".join(reversed(parts))


class Call:
    """One call. `name` is qualified through the imports (`yaml.load`), or as written where they do not tell."""

    def __init__(self, module: Module, node: Node) -> None:
        self.module = module
        self.node = node
        function = node.child_by_field_name("function")
        self.name = module.name_of(function) if function is not None else "?"

    @property
    def text(self) -> str:
        """The call as written, cut where it is long."""
        text = self.module.text(self.node)
        return text if len(text) <= 200 else text[:200] + "…"

    @property
    def method(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    @property
    def is_new(self) -> bool:
        """Whether the action brings this call, and does not merely show it as the surroundings of an edit."""
        return self.module.is_new(self.node)

    @property
    def positional(self) -> tuple[Node, ...]:
        """The arguments before any `*`: after it, places are not known."""
        return self._arguments[0]

    @property
    def keywords(self) -> Mapping[str, Node]:
        """The keyword arguments by name."""
        return self._arguments[1]

    def argument(self, place: int, *names: str) -> Node | None:
        """The argument at a place, or by one of its names."""
        if place < len(self.positional):
            return self.positional[place]
        return next((self.keywords[name] for name in names if name in self.keywords), None)

    @functools.cached_property
    def _arguments(self) -> tuple[tuple[Node, ...], Mapping[str, Node]]:
        return _arguments(self.module, self.node)


@reader
def module(action: Action, context: Context) -> Module | None:
    """The Python that an action writes or runs; None where it is no Python.

    Raises Unreadable beyond MAX_BYTES and MAX_STEPS.
    """
    source = source_of(action)
    return None if source is None else read(source.new, source)


def read(code: str, around: Source | None = None) -> Module:
    """Reads code, whole or in part. Raises Unreadable beyond MAX_BYTES and MAX_STEPS."""
    source = code.encode("utf-8", "replace")
    if len(source) > MAX_BYTES:
        raise Unreadable(f"{len(source):,} bytes of Python, more than the {MAX_BYTES:,} that are read")
    return Module(source, _parse(source), around.old if around else "")


def essence_of(code: Module | None) -> frozenset[str]:
    """What code does, independent of how it is laid out and what its imports are called: calls and their arguments."""
    essence: set[str] = set()
    if code is None:
        return frozenset()
    for call in code.calls:
        arguments = [*enumerate(call.positional), *call.keywords.items()]
        essence.update(f"{call.name} {place}={code.text(value)}" for place, value in arguments)
        essence.update({call.name} if not arguments else ())
    essence.update(f"{target} = {code.text(value)}" for target, value in code.assignments if "." in target)
    return frozenset(essence)


def _parse(source: bytes) -> Tree:
    parser: Parser | None = getattr(_local, "parser", None)
    if parser is None:
        parser = _local.parser = Parser(_LANGUAGE)
    steps = iter(range(MAX_STEPS))
    try:
        return parser.parse(  # the source as a callable: only then is progress reported
            lambda offset, _: source[offset:],
            encoding="utf8",
            progress_callback=lambda *_: next(steps, None) is None,
        )
    except ValueError:
        parser.reset()
        raise Unreadable(f"Python that takes more than {MAX_STEPS:,} steps to parse") from None


def _wanted(tree: Tree) -> dict[str, list[Node]]:
    """The nodes of each wanted type in order. A walk: tree-sitter's queries take quadratic time on broken code."""
    found: dict[str, list[Node]] = {kind: [] for kind in _WANTED}
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node is not None and node.type in found:
            found[node.type].append(node)
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found


def _imported(found: Module, imports: Sequence[Node], froms: Sequence[Node]) -> Iterator[tuple[str, str]]:
    """What each imported name stands for."""
    if not imports and not froms:
        yield from _USUAL_ALIASES.items()
    for statement in imports:
        for name in statement.children_by_field_name("name"):
            full, alias = _alias(found, name)
            yield alias or full.partition(".")[0], full if alias else full.partition(".")[0]
    for statement in froms:
        origin = statement.child_by_field_name("module_name")
        for name in statement.children_by_field_name("name"):
            full, alias = _alias(found, name)
            yield alias or full, f"{found.text(origin)}.{full}" if origin is not None else full


def _alias(found: Module, name: Node) -> tuple[str, str]:
    if name.type != "aliased_import":
        return found.text(name), ""
    full, alias = name.child_by_field_name("name"), name.child_by_field_name("alias")
    return found.text(full) if full else "", found.text(alias) if alias else ""


def _targets(left: Node) -> Sequence[Node]:
    """The names on the left of an assignment: several where it unpacks."""
    return left.named_children if left.type in ("pattern_list", "tuple_pattern", "list_pattern") else (left,)


def _arguments(found: Module, node: Node) -> tuple[tuple[Node, ...], Mapping[str, Node]]:
    positional: list[Node] = []
    keywords: dict[str, Node] = {}
    given = node.child_by_field_name("arguments")
    known = given is not None and given.type == "argument_list"
    for argument in given.named_children if given is not None and known else ():
        if argument.type == "keyword_argument":
            name, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
            if name is not None and value is not None:
                keywords[found.text(name)] = value
        elif argument.type == "list_splat":
            known = False
        elif known and argument.type not in ("comment", "dictionary_splat", "ERROR"):
            positional.append(argument)
    return tuple(positional), keywords
