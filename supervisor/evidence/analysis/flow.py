"""The data of an analysis in Python: each statement is evaluated in order, on what is known of the values.

A function of the code is evaluated where it is called, with the values that it is given, and once by itself if nothing
calls it. Both branches of a condition count, and a loop's body counts once.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator

from supervisor.evidence.analysis.evaluation import Evaluation, Function
from supervisor.evidence.analysis.expressions import union
from supervisor.evidence.analysis.naming import target_of
from supervisor.evidence.analysis.values import UNKNOWN, Event, Value
from supervisor.evidence.python.names import words_of


class Flow(Evaluation):
    """What code computes. `events` are its calls in the order in which they are evaluated, `sums` the additions and
    subtractions, `masks` the conditions by which rows are selected, `conditions` those of `if` and `while`."""

    def __init__(self, text: str, tree: ast.Module, new: range | None = None, path: str = "") -> None:
        super().__init__()
        self.text = text
        self.path = path
        self.tree = tree
        self.new = new
        self.tries: list[ast.Try] = []
        self.conditions: list[tuple[ast.expr, Value]] = []
        self.functions = {node.name: node for node in _functions_in(tree.body)}
        self._run(tree.body)
        for name, function in self.functions.items():
            if name not in self._called:
                self.call_function(function, (), {})

    def is_new(self, *lines: int) -> bool:
        """Whether one of these lines is written by the action, and not by an earlier step."""
        return self.new is None or any(line in self.new for line in lines)

    @property
    def is_continued(self) -> bool:
        """Whether the action's lines follow those of earlier steps, as the cells of a notebook do."""
        return self.new is not None and self.new.stop > len(self._lines)

    @property
    def earlier(self) -> str:
        """The lines before those of the action."""
        return "\n".join(self._lines[: self.new.start - 1]) if self.new is not None else ""

    def source(self, line: int) -> str:
        """A line of the code, without indentation."""
        return self._lines[line - 1].strip()[:160] if 0 < line <= len(self._lines) else ""

    @functools.cached_property
    def _lines(self) -> list[str]:
        return self.text.splitlines()

    def calls_of(self, names: Iterable[str]) -> Iterator[Event]:
        """The calls whose name ends in one of these."""
        return (event for name in names for event in self._by_method.get(name, ()))

    @functools.cached_property
    def _by_method(self) -> dict[str, list[Event]]:
        found: dict[str, list[Event]] = {}
        for event in self.events:
            found.setdefault(event.method, []).append(event)
        return found

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """The words of all names and of all texts in the code, in lower case."""
        return words_of(self.text)

    # Statements

    def _run(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign():
                self._target = target_of(node.targets[0])
                value = self.value(node.value)
                self._target = ""
                for target in node.targets:
                    self._bind(target, value)
            case ast.AugAssign():
                value = union((self.value(node.target), self.value(node.value)))
                if isinstance(node.op, (ast.Add, ast.Sub)):
                    self.sums.append((ast.BinOp(node.target, node.op, node.value, lineno=node.lineno), value, value))
                self._bind(node.target, value)
            case ast.AnnAssign() if node.value is not None:
                self._bind(node.target, self.value(node.value))
            case ast.Expr():
                if not isinstance(node.value, ast.Constant):  # a docstring
                    self.value(node.value)
            case ast.Return():
                self._returned.append(self.value(node.value) if node.value is not None else UNKNOWN)
            case ast.If():
                self.conditions.append((node.test, self.value(node.test)))
                self._run(node.body)
                self._run(node.orelse)
            case ast.For() | ast.AsyncFor():
                self._loop(node)
            case ast.While():
                self._loops.append(node)
                self.value(node.test)
                self._run(node.body)
                self.conditions.append((node.test, self.value(node.test)))  # as it is after the first pass
                self._loops.pop()
                self._run(node.orelse)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    value = self.value(item.context_expr)
                    if item.optional_vars is not None:
                        self._bind(item.optional_vars, value)
                self._run(node.body)
            case ast.Try():
                self.tries.append(node)
                self._run(node.body)
                self._handler += 1
                for handler in node.handlers:
                    self._run(handler.body)
                self._handler -= 1
                self._run(node.orelse)
                self._run(node.finalbody)
            case ast.Import() | ast.ImportFrom():
                self._import(node)
            case ast.ClassDef():
                self._run(each for each in node.body if not isinstance(each, Function))
            case ast.Assert():
                self.value(node.test)
            case ast.Delete():
                for target in node.targets:
                    self._delete(target)
            case ast.Match():
                self.value(node.subject)
                for case in node.cases:
                    self._run(case.body)
            case _:
                pass

    def _loop(self, node: ast.For | ast.AsyncFor) -> None:
        iterated = self.value(node.iter)
        self._loops.append(node)
        self._bind(node.target, self.element(iterated))
        self._run(node.body)
        self._loops.pop()
        self._run(node.orelse)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for each in node.names:
            if isinstance(node, ast.Import):
                self.aliases[each.asname or each.name.partition(".")[0]] = (
                    each.name if each.asname else each.name.partition(".")[0]
                )
            else:
                self.aliases[each.asname or each.name] = f"{node.module or ''}.{each.name}"

    def _delete(self, target: ast.expr) -> None:
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            base = self.value(target.value).base
            if base is not None:
                base.removed.add(str(target.slice.value))


def _functions_in(body: Iterable[ast.stmt]) -> Iterator[Function]:
    """Every function that statements define, at any depth; expressions define none that has a name."""
    pending = list(body)
    for statement in pending:  # grows while it is gone through
        if isinstance(statement, Function):
            yield statement
        for field in ("body", "orelse", "finalbody"):
            pending += getattr(statement, field, ())
        for handler in getattr(statement, "handlers", ()):
            pending += handler.body
