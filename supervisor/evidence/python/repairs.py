"""Repairs: code in which the faults that a specialist found are corrected in place, and nothing else is changed.

The syntax tree that the evidence has parsed is concrete: each node has its byte range. A repair replaces the ranges of
a few nodes, in microseconds; all other text stays as written. (libcst would parse the text a second time; its import
alone takes longer than a specialist may, and deep nesting crashes its process.) A result that does not parse as Python
is discarded.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node

from supervisor.errors import Unreadable
from supervisor.evidence.python.modules import Call, Module

MOST_SHOWN = 600  # characters of the changed statements; longer repairs are not shown
MOST_CHANGES = 8
MAX_CLIMB = 60  # levels of nesting
MAX_BYTES = 24 * 1024  # of the code, which is parsed once more


class Change(NamedTuple):
    """New text for the bytes of a node, and the modules that must be imported for it."""

    start: int
    end: int
    text: str
    imports: tuple[str, ...] = ()


class Repair(NamedTuple):
    """The whole repaired code; the changed statements without indentation, and the imports that they need."""

    module: Module
    statements: str
    imports: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The whole repaired code as text."""
        return self.module.source.decode("utf-8", "replace")


def shown(code: Module, changes: Iterable[Change | None], faults: Callable[[Module], Iterable[object]]) -> str:
    """A sentence that shows the repaired statements.

    Empty if there is no repair, if it is longer than MOST_SHOWN, or if it still has `faults`. Never raises Unreadable:
    the finding counts without a repair.
    """
    try:
        repair = repaired(code, changes)
        if repair is None or len(repair.statements) > MOST_SHOWN or any(True for _ in faults(repair.module)):
            return ""
    except Unreadable:
        return ""
    code.cache["repair"] = repair
    needs = "".join(f" (import {name})" for name in repair.imports)
    if "\n" in repair.statements:
        return f" Repaired{needs}:\n{repair.statements}"
    return f" Repaired{needs}: `{repair.statements}`"


def repaired(code: Module, changes: Iterable[Change | None]) -> Repair | None:
    """The code with all these changes; None if one of them is None, or if the result does not parse."""
    listed = list(changes)
    wanted = sorted(change for change in listed if change is not None)
    if not wanted or len(wanted) < len(listed) or len(wanted) > MOST_CHANGES or len(code.source) > MAX_BYTES:
        return None
    if code.root.has_error or any(one.end > other.start for one, other in pairwise(wanted)):
        return None
    needed = [name for name in dict.fromkeys(name for each in wanted for name in each.imports) if not _has(code, name)]
    imports = "".join(f"import {name}\n" for name in needed)
    place = _place_of_imports(code)
    spliced = _spliced(code.source, [*wanted, Change(place, place, imports)], 0, len(code.source))
    better = Module(spliced.encode(), code.before)
    if better.root.has_error:
        return None
    spans = dict.fromkeys(_span(code, change) for change in wanted)
    statements = (textwrap.dedent(_spliced(code.source, wanted, *span)) for span in spans)
    return Repair(better, "\n".join(statements), tuple(needed))


def _spliced(source: bytes, changes: Sequence[Change], start: int, end: int) -> str:
    """The text between two offsets with the changes in that range applied."""
    pieces, at = list[bytes](), start
    for change in sorted(changes):
        if start <= change.start and change.end <= end:
            pieces += [source[at : change.start], change.text.encode()]
            at = change.end
    return b"".join([*pieces, source[at:end]]).decode("utf-8", "replace")


def _span(code: Module, change: Change) -> tuple[int, int]:
    """The statement around a change, from the start of its line; of a compound statement, only its header."""
    node = code.root.descendant_for_byte_range(change.start, change.end)
    for _ in range(MAX_CLIMB):
        if node is None or node.parent is None or node.parent.type in ("block", "module"):
            break
        node = node.parent
    if node is None:
        return change.start, change.end
    body = node.child_by_field_name("body") or node.child_by_field_name("consequence")
    end = body.start_byte if body is not None and change.end <= body.start_byte else node.end_byte
    start = code.source.rfind(b"\n", 0, node.start_byte) + 1
    indented = not code.source[start : node.start_byte].strip()
    return (start if indented else node.start_byte), len(code.source[:end].rstrip())


def _has(code: Module, name: str) -> bool:
    return code.aliases.get(name) == name


def _place_of_imports(code: Module) -> int:
    """The offset after the first top-level import, or the start of the code."""
    for node in code.root.named_children:
        if node.type in ("import_from_statement", "import_statement"):
            return min(code.source.find(b"\n", node.end_byte) + 1 or len(code.source), len(code.source))
    return 0


# The changes that specialists request


def renamed(call: Call, name: str, *, drop: Sequence[str] = (), most: int | None = None) -> Change | None:
    """The same call of another function, given by its qualified name.

    `drop` names keyword arguments to omit; `most` is the number of positional arguments to keep, None for all.
    """
    function, given = call.node.child_by_field_name("function"), call.node.child_by_field_name("arguments")
    if function is None or given is None:
        return None
    spelt, imports = _spelt(call.code, function, call.name, name)
    kept = call.positional[:most]
    words = [call.code.text(value) for value in kept]
    words += [f"{word}={call.code.text(value)}" for word, value in call.keywords.items() if word not in drop]
    whole = most is None and not drop
    arguments = call.code.text(given) if whole else f"({', '.join(words)})"
    return Change(call.node.start_byte, call.node.end_byte, f"{spelt}{arguments}", imports)


def _spelt(module: Module, function: Node, before: str, name: str) -> tuple[str, tuple[str, ...]]:
    """A qualified name in the spelling of this code, and the imports that it needs."""
    owner, _, last = name.rpartition(".")
    written = module.text(function)
    if "." in written and before.rpartition(".")[0] == owner:
        return f"{written.rpartition('.')[0]}.{last}", ()
    alias = next((alias for alias, origin in module.aliases.items() if origin == name), None)
    if alias is not None:
        return alias, ()
    prefix = next((alias for alias, origin in module.aliases.items() if origin == owner), None)
    return (f"{prefix}.{last}", ()) if prefix is not None else (name, (name.partition(".")[0],))


def without(call: Call, *keywords: str) -> Change | None:
    """The same call without some keyword arguments."""
    return given(call, dict.fromkeys(keywords))


def given(call: Call, settings: Mapping[str, str | None]) -> Change | None:
    """The same call with keyword arguments set to code; None removes one. All else stays as written."""
    listed = call.node.child_by_field_name("arguments")
    if listed is None or listed.type != "argument_list":
        return None
    module, kept = call.code, list[str]()
    named = {child.start_byte: _keyword(module, child) for child in listed.named_children}
    for child in listed.named_children:
        word = named[child.start_byte]
        if child.type == "comment":
            return None  # its place would be lost
        if word not in settings:
            kept.append(module.text(child))
        elif (value := settings[word]) is not None:
            kept.append(f"{word}={value}")
    kept += [f"{word}={value}" for word, value in settings.items() if value is not None and word not in named.values()]
    return Change(listed.start_byte, listed.end_byte, f"({', '.join(kept)})")


def _keyword(module: Module, argument: Node) -> str:
    name = argument.child_by_field_name("name") if argument.type == "keyword_argument" else None
    return module.text(name) if name is not None else ""


def instead(node: Node, text: str, *imports: str) -> Change:
    """A change that replaces a value by other text."""
    return Change(node.start_byte, node.end_byte, text, imports)
