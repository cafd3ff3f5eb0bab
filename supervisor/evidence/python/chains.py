"""The chain of receivers of a call, from the import on: `boto3.client("s3")` for the `s3` of `s3.delete_bucket(…)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.python.modules import Call, Module
from supervisor.evidence.python.values import MAX_VALUES, followed, string_of, text_of, values_of
from supervisor.evidence.reading.paths import HOLE

MAX_LINKS = 24
_LONGEST = 2_000  # characters of a value that is neither text nor number
_TRANSPARENT = frozenset({"await", "parenthesized_expression"})


class Link(NamedTuple):
    """One name of a chain, and the call of it, if it is called."""

    name: str
    call: Call | None = None

    @property
    def words(self) -> list[str]:
        """Its positional arguments as texts."""
        return [argument_text(self.call.code, each) for each in self.call.positional] if self.call else []

    @property
    def options(self) -> dict[str, str]:
        """Its keyword arguments as texts."""
        given: Mapping[str, Node] = self.call.keywords if self.call else {}
        return {name: argument_text(self.call.code, value) for name, value in given.items()} if self.call else {}


def chain_of(call: Call) -> Sequence[Link]:
    """The links from the imported name to a call, followed through names, loops and attributes.

    Empty if the chain begins with a name that is not imported.
    """
    module, links = call.code, list[Link]()
    node: Node | None = call.node
    for _ in range(MAX_LINKS):
        if node is None:
            break
        if node.type in _TRANSPARENT or node.type == "subscript":
            if node.type == "subscript":
                key = node.child_by_field_name("subscript")
                links.append(Link((string_of(module, key) if key is not None else None) or HOLE))
            node = node.named_children[0] if node.named_children else None
            continue
        function = node.child_by_field_name("function") if node.type == "call" else node
        called = Call(module, node) if node.type == "call" else None
        if function is None:
            break
        if function.type == "identifier":
            name = module.text(function)
            if name in module.aliases:
                *before, last = module.aliases[name].split(".")
                return [*map(Link, before), Link(last, called), *reversed(links)]
            node = _value_before(module, name, function) if called is None else _returned(module, name)
        elif function.type == "attribute":
            value = _value_before(module, module.name_of(function), node) if called is None else None
            if value is None:
                attribute = function.child_by_field_name("attribute")
                links.append(Link(module.text(attribute) if attribute is not None else "?", called))
                value = function.child_by_field_name("object")
            node = value
        else:
            break
    return ()


def _value_before(module: Module, name: str, use: Node) -> Node | None:
    """The value last assigned to a name before its use, or the iterable of its loop."""
    values = module.values_by_name.get(name, ())[-MAX_VALUES:]
    if not values and use.type == "identifier":
        values = values_of(module, use) or ()  # arguments passed for a parameter
    before = [value for value in values if value.end_byte <= use.start_byte] or values
    return max(before, key=lambda value: value.start_byte, default=None)


def _returned(module: Module, name: str) -> Node | None:
    """The last value that a function defined in the code returns."""
    for function in module.functions if name in module.defined else ():
        title = function.child_by_field_name("name")
        if title is not None and module.text(title) == name:
            given = [each for each in module.nodes("return_statement") if module.scope_of(each) == function]
            return given[-1].named_children[0] if given and given[-1].named_children else None
    return None


def argument_text(module: Module, node: Node) -> str:
    """A value in the spelling of a command line: a text, a number, JSON; a HOLE if it is known only at run time."""
    value = followed(module, node)
    if value is None:
        return HOLE
    if value.type == "call" and module.name_of(value) == "json.dumps()":
        given = Call(module, value).positional
        return argument_text(module, given[0]) if given else HOLE
    if value.type in ("dictionary", "list", "tuple", "set"):
        inside = " ".join(_elements(module, value)) if value.type != "dictionary" else ""
        return inside or " ".join(module.text(value)[:_LONGEST].replace("'", '"').split())
    if value.type in ("false", "float", "integer", "none", "true"):
        return module.text(value)
    return text_of(module, value)


def _elements(module: Module, node: Node) -> Iterator[str]:
    for each in node.named_children:
        if each.type not in ("integer", "string"):
            return
        yield argument_text(module, each)
