"""Expressions in one form for all languages: `$a->b()`, `a.b()` and `a::b()` are one thing here."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from supervisor.evidence.flows.grammar import Language, Shape
from supervisor.evidence.reading.escapes import ansi_c

MAX_DEPTH = 100  # levels of an expression; what is nested deeper is unknown
MAX_PARTS = 400  # of one expression

_QUOTES = re.compile(r"(?s)[A-Za-z@$#]{0,3}(\"\"\"|'''|[\"'`])(.*?)(?:\1#?)?\Z")
_CONSTANTS = frozenset({"false", "nil", "null", "nullptr", "true"})
_SYMBOL = re.compile(r":?[\w?!]+:?\Z")


class Kind(enum.Enum):
    """What an expression is."""

    TEXT = "text"  # `parts`: pieces of text, and what is inserted between them
    NAME = "name"
    MEMBER = "member"  # `parts`: the object
    INDEX = "index"  # `parts`: the object and the key
    CALL = "call"  # `parts`: the object, if there is one
    NEW = "new"
    JOIN = "join"
    CHOICE = "choice"
    LIST = "list"
    PAIR = "pair"  # `parts`: the value; `text` is the key
    CAST = "cast"
    FIXED = "fixed"  # a number, a truth value, a comparison
    LAMBDA = "lambda"
    UNKNOWN = "unknown"


class Expr:
    """One expression. `text` is its name or literal text; `args` are the arguments of a call, each with its name."""

    __slots__ = ("args", "end", "kind", "node", "parts", "start", "text")

    def __init__(
        self,
        kind: Kind,
        node: Node,
        text: str = "",
        parts: tuple[Expr, ...] = (),
        args: tuple[tuple[str, Expr], ...] = (),
    ) -> None:
        self.kind = kind
        self.node = node
        self.text = text
        self.parts = parts
        self.args = args
        self.start = node.start_byte
        self.end = node.end_byte

    @property
    def object(self) -> Expr | None:
        """What a member or a method belongs to."""
        return self.parts[0] if self.parts and self.kind in (Kind.MEMBER, Kind.INDEX, Kind.CALL) else None

    def positional(self) -> list[Expr]:
        """The arguments without names, in order; those with names follow."""
        return [value for name, value in self.args if not name] + [value for name, value in self.args if name]

    def named(self, name: str) -> Expr | None:
        """The argument of a name, also one inside a list of pairs."""
        for told, value in self.args:
            if told == name:
                return value
            for each in value.parts if value.kind is Kind.LIST else ():
                if each.kind is Kind.PAIR and each.text == name:
                    return each.parts[0]
        return None


def dotted(expr: Expr | None) -> str:
    """An expression's name with those that it belongs to: `db.query()`; `?` for one without a name."""
    parts: list[str] = []
    for _ in range(MAX_DEPTH):
        if expr is None:
            break
        if expr.kind is Kind.NAME:
            parts.append(expr.text)
            break
        if expr.kind not in (Kind.MEMBER, Kind.CALL, Kind.NEW, Kind.INDEX):
            parts.append("?")
            break
        parts.append(f"{expr.text}()" if expr.kind in (Kind.CALL, Kind.NEW) else expr.text)
        expr = expr.parts[0] if expr.parts and expr.kind is not Kind.NEW else None
    return ".".join(reversed([part for part in parts if part]))


class Reader:
    """Makes expressions of the nodes of one tree, each once."""

    def __init__(self, language: Language, source: bytes) -> None:
        self.language = language
        self.source = source
        self._known: dict[int, Expr] = {}
        self._heredocs: dict[int, Node] = {}

    def text(self, node: Node) -> str:
        """A node as written."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def keep_heredoc(self, beginning: Node, body: Node) -> None:
        """Joins the beginning of a heredoc with its text, which follows on later lines."""
        self._heredocs[beginning.id] = body

    def expr(self, node: Node, depth: int = 0) -> Expr:
        """The expression of a node."""
        known = self._known.get(node.id)
        if known is None:
            known = self._known[node.id] = self._read(node, depth)
        return known

    def _read(self, node: Node, depth: int) -> Expr:
        shape = self.language.shapes.get(node.type)
        if depth > MAX_DEPTH or shape is None:
            return Expr(Kind.UNKNOWN, node)
        read: Callable[[Node, Shape, int], Expr] | None = getattr(self, f"_{shape.role}", None)
        return read(node, shape, depth + 1) if read is not None else Expr(Kind.UNKNOWN, node)

    def _maybe(self, node: Node | None, depth: int) -> tuple[Expr, ...]:
        return (self.expr(node, depth),) if node is not None else ()

    def _name(self, node: Node, shape: Shape, depth: int) -> Expr:
        text = self.text(node)
        return Expr(Kind.FIXED, node, text) if text in _CONSTANTS else Expr(Kind.NAME, node, self.bare(text))

    @staticmethod
    def bare(name: str) -> str:
        """A name without what only marks it: the namespace before it, generic parameters."""
        name = name.partition("<")[0].partition("[")[0] if name[:1] != "$" else name
        return name.replace("::", ".").replace("\\", ".").lstrip(".@&*").removesuffix("?")

    def _member(self, node: Node, shape: Shape, depth: int) -> Expr:
        named = shape.part(node, "name")
        return Expr(
            Kind.MEMBER,
            node,
            self.bare(self.text(named)).lstrip("$") if named is not None else "?",
            self._maybe(shape.part(node, "object"), depth),
        )

    def _conditional(self, node: Node, shape: Shape, depth: int) -> Expr:
        """`object?.Member` of C#: the member, or the call of it, belongs to the object."""
        inner, owner = shape.part(node, "name"), self._maybe(shape.part(node, "object"), depth)
        if inner is None:
            return Expr(Kind.UNKNOWN, node)
        expr = self.expr(inner, depth)
        return Expr(expr.kind, node, expr.text, expr.parts or owner, expr.args)

    def _index(self, node: Node, shape: Shape, depth: int) -> Expr:
        key = shape.part(node, "key")
        parts = (*self._maybe(shape.part(node, "object"), depth), *self._maybe(key, depth))
        return Expr(Kind.INDEX, node, "", parts)

    def _call(self, node: Node, shape: Shape, depth: int) -> Expr:
        named, given = shape.part(node, "name"), shape.part(node, "args")
        args = self.arguments(given, depth) if given is not None else ()
        if "args" in shape.places and shape.places["args"].endswith("*"):
            args = tuple(("", self.expr(each, depth)) for each in shape.parts(node, "args"))
        if "quoted" in shape.places:  # a command between backquotes
            args = (("", Expr(Kind.TEXT, node, "", tuple(self._pieces(node, depth)))),)
        args += self._blocks(node, shape, depth)
        if "fixed" in shape.places:  # a statement or operator that acts like a function
            return Expr(Kind.CALL, node, shape.places["fixed"], (), args)
        callee = self.expr(named, depth) if named is not None else None
        owner = self._maybe(shape.part(node, "object"), depth)
        if callee is None or owner:
            return Expr(Kind.CALL, node, self.bare(self.text(named)) if named is not None else "call", owner, args)
        if callee.kind is Kind.CALL and given is None:  # a call with a block after its arguments
            return Expr(Kind.CALL, node, callee.text, callee.parts, callee.args + args)
        if callee.kind is Kind.MEMBER:
            return Expr(Kind.CALL, node, callee.text, callee.parts, args)
        if callee.kind is Kind.NAME:
            return Expr(Kind.CALL, node, callee.text, (), args)
        return Expr(Kind.CALL, node, "?", (callee,), args)

    def _blocks(self, node: Node, shape: Shape, depth: int) -> tuple[tuple[str, Expr], ...]:
        block = shape.part(node, "block")
        return (("", self.expr(block, depth)),) if block is not None else ()

    def arguments(self, given: Node, depth: int = 0) -> tuple[tuple[str, Expr], ...]:
        """The arguments in a list of arguments, each with its name or an empty one."""
        found: list[tuple[str, Expr]] = []
        for child in given.named_children[:MAX_PARTS]:
            if "comment" in child.type:
                continue
            shape = self.language.shapes.get(child.type)
            if shape is not None and shape.role == "argument":
                name, value = shape.part(child, "name"), shape.part(child, "value")
                inside = [each for each in child.named_children if "comment" not in each.type]
                value = value if value is not None else inside[-1] if inside else child
                name = name if name is not None else inside[0] if len(inside) > 1 else None
                found.append((self.text(name) if name is not None else "", self.expr(value, depth)))
            elif shape is not None and shape.role == "pair":
                pair = self.expr(child, depth)
                found.append((pair.text, pair.parts[0]) if pair.parts else ("", pair))
            else:
                found.append(("", self.expr(child, depth)))
        return tuple(found)

    def _macro(self, node: Node, shape: Shape, depth: int) -> Expr:
        """A macro of Rust, whose arguments are tokens."""
        named, given = shape.part(node, "name"), shape.part(node, "args")
        args = self._of_tokens(given, depth) if given is not None else ()
        return Expr(Kind.CALL, node, self.bare(self.text(named)) if named is not None else "?", (), args)

    def _of_tokens(self, tokens: Node, depth: int) -> tuple[tuple[str, Expr], ...]:
        """The arguments between brackets, as far as they are names, members, calls and texts."""
        found: list[tuple[str, Expr]] = []
        part: list[Node] = []
        for child in [*tokens.children[1:-1][:MAX_PARTS], None]:
            if child is not None and child.type != ",":
                part.append(child)
                continue
            if part:
                found.append(self._of_part(part, tokens, depth))
            part = []
        return tuple(found)

    def _of_part(self, part: list[Node], tokens: Node, depth: int) -> tuple[str, Expr]:
        name = ""
        if len(part) > 2 and part[1].type == "=":
            name, part = self.text(part[0]), part[2:]
        expr: Expr | None = None
        for each in part:
            if each.type == "token_tree" and expr is not None and depth < MAX_DEPTH:
                expr = Expr(Kind.CALL, each, expr.text, expr.parts, self._of_tokens(each, depth + 1))
            elif each.is_named and expr is None:
                expr = self.expr(each, depth)
            elif each.is_named and expr is not None:
                expr = Expr(Kind.MEMBER, each, self.text(each), (expr,))
        return name, expr if expr is not None else Expr(Kind.UNKNOWN, tokens)

    def _new(self, node: Node, shape: Shape, depth: int) -> Expr:
        named, given, filled = (shape.part(node, part) for part in ("name", "args", "pairs"))
        args = self.arguments(given, depth) if given is not None else ()
        if filled is not None:
            inside = self.expr(filled, depth)
            args += tuple((each.text, each.parts[0]) for each in inside.parts if each.kind is Kind.PAIR)
        body = shape.part(node, "body")
        return Expr(Kind.NEW, node, self._of_type(named), self._maybe(body, depth), args)

    def _of_type(self, node: Node | None) -> str:
        """The last part of a type's name."""
        return self.bare(self.text(node)).rpartition(".")[2] if node is not None else ""

    def _constructs(self, node: Node, shape: Shape, depth: int) -> Expr:
        """`std::ifstream file(name);` of C++: a variable that is declared with the arguments of its constructor."""
        kind, declared = shape.part(node, "type"), shape.part(node, "given")
        given = declared.child_by_field_name("value") if declared is not None else None
        listed = given is not None and given.type in ("argument_list", "initializer_list")
        args = self.arguments(given, depth) if given is not None and listed else ()
        return Expr(Kind.NEW, node, self._of_type(kind), (), args)

    def _text(self, node: Node, shape: Shape, depth: int) -> Expr:
        return Expr(Kind.TEXT, node, "", tuple(self._pieces(node, depth)))

    def _pieces(self, node: Node, depth: int) -> Iterator[Expr]:
        written, last = "", node
        for child in node.named_children[:MAX_PARTS]:
            shape = self.language.shapes.get(child.type)
            role = shape.role if shape is not None else ""
            if role in ("content", "escape"):
                text = self.text(child)
                written, last = written + (ansi_c(text) if role == "escape" else text), child
            elif role != "ignore":
                yield from self._written(written, last)
                written = ""
                yield self.expr(child, depth)
        yield from self._written(written, last)

    def _written(self, text: str, node: Node) -> Iterator[Expr]:
        """Literal text, in which a language may name values."""
        if not self.language.inline or "$" not in text:
            if text:
                yield Expr(Kind.TEXT, node, text)
            return
        end = 0
        for found in re.finditer(self.language.inline, text):
            if text[end : found.start()]:
                yield Expr(Kind.TEXT, node, text[end : found.start()])
            yield Expr(Kind.NAME, node, found.group(1))
            end = found.end()
        if text[end:]:
            yield Expr(Kind.TEXT, node, text[end:])

    def _heredoc(self, node: Node, shape: Shape, depth: int) -> Expr:
        body = self._heredocs.get(node.id)
        return Expr(Kind.TEXT, node, "", tuple(self._pieces(body, depth)) if body is not None else ())

    def _literal(self, node: Node, shape: Shape, depth: int) -> Expr:
        text = self.text(node)
        quoted = _QUOTES.match(text)
        if quoted is not None:
            return Expr(Kind.TEXT, node, ansi_c(quoted.group(2)) if "\\" in quoted.group(2) else quoted.group(2))
        return Expr(Kind.TEXT, node, text.strip(":") if _SYMBOL.match(text) else text)

    def _fixed(self, node: Node, shape: Shape, depth: int) -> Expr:
        return Expr(Kind.FIXED, node, self.text(node)[:80])

    def _ignore(self, node: Node, shape: Shape, depth: int) -> Expr:
        return Expr(Kind.FIXED, node)

    def _binary(self, node: Node, shape: Shape, depth: int) -> Expr:
        language = self.language
        operator = self._operator(node, shape)
        if operator in language.joins:
            return Expr(Kind.JOIN, node, operator, tuple(self._operands(node, shape, operator, depth)))
        left, right = shape.part(node, "left"), shape.part(node, "right")
        if left is None or right is None:
            return Expr(Kind.UNKNOWN, node)
        if operator in language.choices:
            return Expr(Kind.CHOICE, node, "", (self.expr(left, depth), self.expr(right, depth)))
        if operator == "%":
            return Expr(Kind.CALL, node, "%", (self.expr(left, depth),), (("", self.expr(right, depth)),))
        if operator in language.compares:
            return Expr(Kind.FIXED, node, operator, (self.expr(left, depth), self.expr(right, depth)))
        return Expr(Kind.FIXED, node, self.text(node)[:80])

    def _operator(self, node: Node, shape: Shape) -> str:
        operator = shape.part(node, "operator")
        return operator.type if operator is not None else "+"

    def _operands(self, node: Node, shape: Shape, operator: str, depth: int) -> Iterator[Expr]:
        """The operands of `a + b + c`, whose tree leans to the left."""
        rights: list[Node] = []
        here: Node | None = node
        while here is not None and here.type == node.type and self._operator(here, shape) == operator:
            right = shape.part(here, "right")
            rights.extend([right] if right is not None else [])
            here = shape.part(here, "left")
        yield from self._maybe(here, depth)
        for right in reversed(rights[-MAX_PARTS:]):
            yield self.expr(right, depth)

    def _choice(self, node: Node, shape: Shape, depth: int) -> Expr:
        if "a" in shape.places:
            found = [shape.part(node, name) for name in ("a", "b")]
            return Expr(Kind.CHOICE, node, "", tuple(self.expr(each, depth) for each in found if each is not None))
        return Expr(Kind.CHOICE, node, "", tuple(self.expr(each, depth) for each in shape.parts(node)[:MAX_PARTS]))

    def _wrap(self, node: Node, shape: Shape, depth: int) -> Expr:
        inner = shape.part(node, "inner") if "inner" in shape.places else next(iter(shape.parts(node)), None)
        return self.expr(inner, depth) if inner is not None else Expr(Kind.UNKNOWN, node)

    def _argument(self, node: Node, shape: Shape, depth: int) -> Expr:
        parts = shape.parts(node, "value")
        return self.expr(parts[-1], depth) if parts else Expr(Kind.UNKNOWN, node)

    def _assign(self, node: Node, shape: Shape, depth: int) -> Expr:
        """`name = value`: a pair where it fills an object, else its value."""
        left, right = shape.part(node, "left"), shape.part(node, "right")
        name = self.text(left) if left is not None else ""
        return Expr(Kind.PAIR, node, name, self._maybe(right, depth))

    def _cast(self, node: Node, shape: Shape, depth: int) -> Expr:
        kind = shape.part(node, "type")
        return Expr(
            Kind.CAST, node, self.text(kind) if kind is not None else "", self._maybe(shape.part(node, "value"), depth)
        )

    def _list(self, node: Node, shape: Shape, depth: int) -> Expr:
        return Expr(Kind.LIST, node, "", tuple(self.expr(each, depth) for each in shape.parts(node)[:MAX_PARTS]))

    def _pair(self, node: Node, shape: Shape, depth: int) -> Expr:
        key, value = shape.part(node, "key"), shape.part(node, "value")
        if key is None or value is None:
            return self.expr(value, depth) if value is not None else Expr(Kind.UNKNOWN, node)
        name = self.expr(key, depth)
        told = name.text or "".join(each.text for each in name.parts) if name.kind is Kind.TEXT else ""
        return Expr(Kind.PAIR, node, told or self.text(key).strip("\"':"), self._maybe(value, depth))

    def _function(self, node: Node, shape: Shape, depth: int) -> Expr:
        """A function as a value. Its text says what it is if it does nothing or always gives the same answer."""
        body = shape.part(node, "body")
        return Expr(Kind.LAMBDA, node, self.summary(body) if body is not None else "")

    def summary(self, body: Node) -> str:
        """`=> true` for a body that only returns true, `=> {}` for an empty one, else an empty text."""
        if body.end_byte - body.start_byte > 120:
            return ""
        text = re.sub(r"/\*.*?\*/|(?://|#).*|\breturn\b|\bOk\(\(\)\)|[{};()\s]", " ", self.text(body)).split()
        return f"=> {text[0]}" if len(text) == 1 else "" if text else "=> {}"
