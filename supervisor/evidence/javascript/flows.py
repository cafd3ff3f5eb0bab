"""Data flow: follows a value back through names, templates and joins to its origin outside the code.

Only operations that certainly pass a text on are followed: another function may check its argument.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from supervisor.evidence.javascript.programs import Call, Program

MAX_VALUES = 128  # followed in one query
_REQUESTS = frozenset({"ctx", "event", "req", "request", "this.req", "this.request", "c.req", "koa"})
_PARTS = frozenset(
    {"body", "cookies", "files", "header()", "headers", "originalUrl", "param", "param()", "params", "query"}
    | {"query()", "queries()", "rawBody", "get()", "url"}
)
_PARTS_OF_EVENT = frozenset({"body", "headers", "pathParameters", "queryStringParameters", "rawQueryString"})
_ADDRESS_BAR = (
    *("document.URL", "document.documentURI", "document.location", "document.referrer", "location.hash"),
    *("location.href", "location.search", "window.location", "window.name"),
)
_CARRYING = frozenset({"String", "decodeURIComponent", "decodeURI", "unescape", "JSON.parse", "JSON.stringify", "atob"})
_CARRYING |= frozenset({"Buffer.from", "path.join", "path.resolve", "Object.values", "URLSearchParams"})
_TRANSPARENT = frozenset(
    {"at", "concat", "get", "join", "json", "pop", "replace", "shift", "slice", "split", "substring", "toLowerCase"}
    | {"toString", "toUpperCase", "trim"}
)
_INSIDE = frozenset(
    {"array", "await_expression", "binary_expression", "parenthesized_expression", "template_string"}
    | {"template_substitution", "ternary_expression", "as_expression", "non_null_expression"}
)
_CHECKING = (
    *("allow", "check", "clean", "escape", "has", "includes", "isin", "match", "purify", "safe", "sanit", "test"),
    *("valid", "verif", "whitelist"),
)


def origin_of(program: Program, node: Node, *, page: bool = False) -> str | None:
    """The source text of a value's origin: a client's request (`req.query.name`) or, in a `page`, its own address.

    None if no such origin is found.
    """
    pending, seen = [node], set[int]()
    while pending and len(seen) < MAX_VALUES:
        here = pending.pop()
        if here.id in seen:
            continue
        seen.add(here.id)
        program.follow()
        if _is_checked(program, here):
            continue
        if here.type in ("call_expression", "identifier", "member_expression", "subscript_expression"):
            name = program.name_of(here)
            if _is_request(name) or (page and name.startswith(_ADDRESS_BAR)):
                return program.text(here)[:120] if here.type != "identifier" else name
        pending.extend(_carried(program, here))
    return None


def _is_request(name: str) -> bool:
    """Whether a name is a part of the current request."""
    head, _, rest = name.replace("?.", ".").partition(".")
    if head in ("this", "c"):
        second, _, rest = rest.partition(".")
        head = f"{head}.{second}"
    first, _, following = rest.partition(".")
    if head in ("ctx", "c.req") and first in ("request", "req"):
        first = following.partition(".")[0]
    if head == "event":
        return first in _PARTS_OF_EVENT
    if first == "nextUrl":
        return "searchParams" in following
    return head in _REQUESTS and first in _PARTS


def _carried(program: Program, node: Node) -> list[Node]:
    """The expressions from which a value takes its text."""
    if node.type in _INSIDE:
        return list(node.named_children)
    if node.type == "identifier":
        value = program.values.get(program.text(node))
        return [value] if value is not None else []
    if node.type in ("member_expression", "subscript_expression"):
        return node.named_children[:1]
    if node.type in ("call_expression", "new_expression"):
        call = Call(program, node)
        if call.name in _CARRYING:
            return list(call.arguments)
        function = node.child_by_field_name("function")
        if function is not None and function.type == "member_expression" and call.method in _TRANSPARENT:
            return [*function.named_children[:1], *(call.arguments if call.method == "concat" else ())]
    return []


def _is_checked(program: Program, node: Node) -> bool:
    """Whether the code checks a value: `ALLOWED.includes(name)`, `isSafe(name)`, `/^\\d+$/.test(name)`."""
    if node.type not in ("identifier", "member_expression"):
        return False
    known: set[str] | None = program.cache.get("checked")
    if known is None:
        known = program.cache["checked"] = set(_checked_in(program))
    return program.text(node) in known


def _checked_in(program: Program) -> Iterator[str]:
    for call in program.calls:
        if any(word in call.method.lower() for word in _CHECKING):
            named = (each for each in call.arguments if each.type in ("identifier", "member_expression"))
            yield from map(program.text, named)


def pieces_of(program: Program, node: Node | None) -> list[str | Node]:
    """The pieces of a text, also through a name: literal text, and the values inserted in it."""
    pieces: list[str | Node] = []
    pending = [node] if node is not None else []
    while pending and len(pieces) < MAX_VALUES:
        here = pending.pop()
        program.follow()
        if here.type == "identifier" and (value := program.values.get(program.text(here))) and value.type in _TEXTS:
            pending.append(value)
        elif here.type == "string":
            pieces.append(program.string(here))
        elif here.type in _TEXTS:
            pending.extend(reversed(here.named_children))
        elif here.type in ("string_fragment", "escape_sequence"):
            pieces.append(program.text(here))
        elif here.type == "template_substitution":
            pieces.extend(here.named_children[:1])
        else:
            pieces.append(here)
    return pieces


_TEXTS = frozenset({"binary_expression", "parenthesized_expression", "string", "template_string"})
