"""Patterns of calls and values, as the tables write them, and what they match.

system(0)                   a function, and the place of its argument
.executeQuery(0)            a method of any object
Statement.executeQuery(0)   a method of an object of this type, or whose name ends like it: `pgStatement`
new ProcessBuilder(*)       a constructor, and all arguments
curl_setopt(2)              `(1+)`: from the second on; `(self)`: the object itself; `(url)`: the argument of that name
set .innerHTML              what is assigned to a member, or given as a field or option of that name
$_GET, Request.Query        a name, or a member
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from supervisor.evidence.flows.expressions import Expr, Kind, dotted
from supervisor.evidence.flows.program import Program, words_of

_PATTERN = re.compile(
    r"(?P<form>new |set |def )?(?P<head>[\w$.@!?`&-]*?)(?P<last>[\w$@!?`%&<=~-]+|\*)(?:\((?P<given>[^()]*)\))?"
)
_MADE = re.compile(r"(?i)^(?:new|get|create|build|make|open|of|default|from|with|current)|instance|client|builder|conn")


class Pattern(NamedTuple):
    """One pattern. `head` is None for any object, and empty for none."""

    form: str
    head: tuple[str, ...] | None
    last: str
    given: tuple[str, ...]
    is_class: bool = False  # the head names a class


@functools.cache
def pattern(told: str) -> Pattern:
    """The pattern of a text. Raises ValueError for another text."""
    found = _PATTERN.fullmatch(told)
    if found is None:
        raise ValueError(f"no pattern of a call or a value: {told}")
    head = found["head"]
    words = None if head == "." else tuple(words_of(head))
    given = tuple(filter(None, (found["given"] or "").split("|")))
    is_class = found["head"][:1].isupper()
    return Pattern((found["form"] or "").strip(), words, found["last"], given, is_class)


@functools.cache
def patterns(told: str) -> tuple[Pattern, ...]:
    """The patterns of a text, divided by spaces. `new`, `set` and `def` belong to the word after them."""
    found = re.findall(r"(?:(?:new|set|def) )?\S+", told)
    return tuple(map(pattern, found))


def matches(program: Program, expr: Expr, wanted: Pattern) -> bool:
    """Whether an expression is what a pattern describes. A function that is imported belongs to its module."""
    text = expr.text
    if expr.kind is Kind.NEW:
        return text.rpartition(".")[2] == wanted.last and (wanted.form == "new" or not (wanted.form or wanted.head))
    if wanted.form == "new":  # of a language whose constructors are plain calls
        return expr.kind is Kind.CALL and text == wanted.last and text[:1].isupper() and expr.object is None
    if text != wanted.last or wanted.form or expr.kind not in (Kind.CALL, Kind.MEMBER, Kind.NAME):
        return False
    owner = expr.object
    if wanted.head is None:
        return owner is not None
    if owner is not None:
        return bool(wanted.head) and belongs(program, owner, wanted.head, is_class=wanted.is_class)
    if not wanted.head:
        return True
    return expr.kind is Kind.CALL and _ends(words_of(program.imports.get(text, ("", ""))[0]), wanted.head)


def belongs(program: Program, owner: Expr, head: tuple[str, ...], *, is_class: bool = False) -> bool:
    """Whether an object is of a type, or has a name, that ends in these words. A class has to have the whole name."""
    name = words_of(dotted(owner))
    if is_class and owner.text[:1].isupper() and owner.kind in (Kind.NAME, Kind.MEMBER):
        return name[-len(head) :] == head and len(words_of(owner.text)) <= len(head)
    if _ends(name, head):
        return True
    if owner.kind is Kind.NAME and owner.text in program.imports:
        return any(_ends(words_of(told), head) for told in program.imports[owner.text])
    kind = type_of(program, owner)
    return bool(kind) and _ends(words_of(kind), head)


def _ends(words: tuple[str, ...], head: tuple[str, ...]) -> bool:
    return words[-len(head) :] == head or ("".join(words[-3:]).endswith("".join(head)) and len("".join(head)) > 5)


def type_of(program: Program, expr: Expr, depth: int = 0) -> str:
    """The type of an expression as far as the program declares it; empty if it does not."""
    if depth > 4:
        return ""
    if expr.kind in (Kind.NEW, Kind.CAST):
        return program.reader.bare(expr.text)
    if expr.kind is Kind.CALL:
        if expr.object is None:
            return expr.text if expr.text[:1].isupper() else ""
        owner = expr.object
        if owner.text[:1].isupper() and (owner.kind is Kind.NAME or owner.kind is Kind.MEMBER):
            return owner.text if _MADE.search(expr.text) else ""
        # What a builder's methods return is mostly the builder.
        return type_of(program, owner, depth + 1) if owner.kind in (Kind.CALL, Kind.NEW) else ""
    if expr.kind in (Kind.NAME, Kind.MEMBER):
        return _declared(program, expr, depth)
    return ""


def _declared(program: Program, expr: Expr, depth: int) -> str:
    name = expr.text
    told = program.types.get(name, "")
    if told and told not in ("var", "auto", "val", "let", "dynamic", "object", "Object", "any", "_"):
        return told
    known: dict[str, str] = program.cache.setdefault("types", {})
    if name not in known:
        known[name] = ""  # a name that is defined by itself has no type
        scope = program.scope_of(expr.start, expr.end)
        for place in (scope, -1):
            for key in (name, f".{name}"):
                for bound in program.bindings.get((place, key), ())[:1]:
                    known[name] = known[name] or type_of(program, program.expr(bound.value), depth + 1)
    return known[name]


def arguments(expr: Expr, given: tuple[str, ...]) -> list[Expr]:
    """The arguments of a call that a pattern names."""
    positional = [value for name, value in expr.args if not name]
    found: list[Expr] = []
    for place in given:
        if place == "*":
            found.extend(value for _, value in expr.args)
        elif place == "self":
            found.extend(expr.parts[:1])
        elif place.endswith("+"):
            found.extend(positional[int(place[:-1]) :])
        elif place.lstrip("-").isdecimal():
            index = int(place)
            found.extend(positional[index:][:1] if index >= 0 else positional[index:][: 1 if positional else 0])
        elif (named := expr.named(place)) is not None:
            found.append(named)
    return found
