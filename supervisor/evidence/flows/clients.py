"""Which parameters a client sets: by their annotation or type, or because their function handles requests."""

from __future__ import annotations

import re

from tree_sitter import Node

from supervisor.evidence.flows.program import Function, Program
from supervisor.evidence.flows.shown import NOTHING, Shown
from supervisor.evidence.flows.table import Table, shared

_MOST_HEAD = 400  # characters before the body of a function
_CLIMB = 4  # levels from a function to its class, and attributes before it
_ANNOTATED = re.compile(r"[@\[#(,]\s*(\w+)")
_HEADED = re.compile(r"[@\[#]\s*(\w+)")
_WORD = re.compile(r"\w+")


class Clients:
    """The parameters of one program that a client sets."""

    def __init__(self, program: Program, table: Table, shown: Shown = NOTHING) -> None:
        self.program = program
        self.sets = table.sets
        self.shown = shown
        self._handlers: dict[int, bool] = {}

    def sets_parameter(self, function: Function, place: int, kind: str, node: Node) -> bool:
        """Whether a client sets the parameter at a place, which has this type, and whose node has its annotations."""
        sets = self.sets
        if (function.name, place) in self.shown.passed:
            return True
        annotated = set(_ANNOTATED.findall(self.program.text(node)[:_MOST_HEAD]))
        if annotated & sets["client_annotations"]:
            return True
        if "<" in kind and self.program.reader.bare(kind).rpartition(".")[2] in sets["client_types"]:
            return True
        if not set(_WORD.findall(kind)).isdisjoint(shared("services")):
            return False
        return self._handles(function)

    def _handles(self, function: Function) -> bool:
        """Whether a function handles requests."""
        if not (self.sets["handler_annotations"] or self.sets["handler_bases"]):
            return False
        if function.node.id not in self._handlers:
            self._handlers[function.node.id] = self._is_handler(function.node)
        return self._handlers[function.node.id]

    def _is_handler(self, node: Node) -> bool:
        head = self._head(node)
        if set(_HEADED.findall(head)) & self.sets["handler_annotations"]:
            return True
        here = node.parent
        for _ in range(_CLIMB):
            if here is None:
                break
            if "class" in here.type and "body" not in here.type:
                title = self.program.text(here)[:600].partition("{")[0]
                return "public" in head and not self.sets["handler_bases"].isdisjoint(_WORD.findall(title))
            here = here.parent
        return False

    def _head(self, node: Node) -> str:
        """What stands before the body of a function, with the attributes on the lines before."""
        start = node.start_byte
        head = self.program.source[start : start + _MOST_HEAD].decode("utf-8", "replace").partition("{")[0]
        before = node.prev_named_sibling
        for _ in range(_CLIMB):
            if before is None or "attribute" not in before.type:
                break
            head = self.program.text(before)[:_MOST_HEAD] + head
            before = before.prev_named_sibling
        return head
