"""The evaluation of expressions, names and calls in the order in which they run."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterable

from supervisor.errors import Unreadable
from supervisor.evidence.analysis.calls import Calls
from supervisor.evidence.analysis.expressions import union
from supervisor.evidence.analysis.naming import dotted, loosely_dotted, part_of, root_of, target_of
from supervisor.evidence.analysis.tables import ALIASES
from supervisor.evidence.analysis.values import NO_MARKS, UNKNOWN, Base, Event, Mark, Value
from supervisor.regexes import compile_later

MAX_STEPS = 20_000  # expressions that are evaluated, inlined calls included; about 5 µs each
MAX_DEPTH = 120  # of nested expressions and calls
_INLINED = 3  # calls within calls
_COLLECTS = frozenset({"add", "append", "extend", "insert", "setdefault", "update"})
_QUERY = compile_later(
    r"(?i)\s*(?:select\b|with\s+\w+\s+as\s*\(|insert\s+(?:into|overwrite)\b|create\s+(?:or\s+replace\s+)?table\b|merge\s+into\b)"
    r"[^;]{1,20000}?\bfrom\b"
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Evaluation(Calls):
    """Evaluates expressions. `events` are the calls in the order in which they are evaluated, `sums` the additions and
    subtractions, `queries` the texts of SQL with their lines."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.sums: list[tuple[ast.BinOp, Value, Value]] = []
        self.masks: list[tuple[ast.expr, Value]] = []
        self.compares: list[tuple[ast.Compare, Value, tuple[ast.AST, ...]]] = []
        self.queries: list[tuple[int, str]] = []
        self.aliases: dict[str, str] = {}
        self.functions: dict[str, Function] = {}
        self._called: set[str] = set()
        self._env: dict[str, Value] = {}
        self._loops: list[ast.AST] = []
        self._handler = 0
        self._target = ""
        self._within: list[str] = []
        self._returned: list[Value] = []
        self._steps = 0
        self._depth = 0

    @abstractmethod
    def _run(self, body: Iterable[ast.stmt]) -> None:
        """Evaluates statements."""

    # Names

    def _bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            parts = value.parts if len(value.parts) == len(target.elts) else ()
            for place, each in enumerate(target.elts):
                self._bind(each, parts[place] if parts else self.element(value))
        elif isinstance(target, ast.Starred):
            self._bind(target.value, value)
        elif isinstance(target, ast.Subscript):
            self._assign_column(target, value)
        elif name := target_of(target):
            self._env[name] = self._named(name, value)

    def _named(self, name: str, value: Value) -> Value:
        """A value under its name, which tells the part of a split that it is."""
        if value.sort in ("model", "figure", "text", "columns", "generator") or (value.const is not None):
            return value if value.name else value.but(name=name)
        part = part_of(name)
        known = value.notes("part")
        marks = value.marks
        if part and known != {part} and not (part == "train" and known) and (value.base or known):
            kept = {mark for mark in marks if mark.kind != "part"}
            line = next((mark.line for mark in marks if mark.kind == "part"), 0)
            marks = frozenset({*kept, Mark("part", line, part)})
        return value.but(name=name, marks=marks)

    def _assign_column(self, target: ast.Subscript, value: Value) -> None:
        """`df["a"] = …`, `df.loc[rows, "a"] = …`."""
        frame = self.value(target.value)
        key = target.slice
        if isinstance(key, ast.Tuple) and key.elts:
            self.value(key.elts[0])
            key = key.elts[-1]
        columns = self.columns_of(self.value(key))
        name = root_of(target.value)
        if frame.base is None:
            if name in self._env:
                self._env[name] = union((self._env[name].but(const=None), value.but(parts=(), const=None)))
            return
        for column in columns:
            before = frame.base.assigned.get(column)
            own = frozenset(mark for mark in value.marks if mark.kind != "filtered") | (
                before.marks if before is not None and target.slice is not key else NO_MARKS
            )
            frame.base.assigned[column] = value.but(marks=own)
            frame.base.removed.discard(column)
        if name in self._env:
            held = self._env[name]
            more = frozenset(mark for mark in value.marks if mark.kind not in ("part", "filtered"))
            only = held.only | frozenset(columns) if held.only is not None else None
            self._env[name] = held.but(
                sort=held.sort or "frame", marks=held.marks | more, only=only, without=held.without - frozenset(columns)
            )

    def _name(self, name: str) -> Value:
        found = self._env.get(name)
        if found is None:
            if name in self.aliases or name in self.functions or name in ALIASES:
                return UNKNOWN
            found = self._env[name] = self._named(name, Value(base=Base(name), name=name))
        return found

    # Expressions

    def value(self, node: ast.expr | None) -> Value:
        """What is known of an expression. Raises Unreadable beyond MAX_STEPS and MAX_DEPTH."""
        if node is None:
            return UNKNOWN
        self._steps += 1
        self._depth += 1
        if self._steps > MAX_STEPS or self._depth > MAX_DEPTH:
            raise Unreadable("Python whose data would have to be followed too far")
        try:
            return self._value(node)
        finally:
            self._depth -= 1

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Name():
                return self._name(node.id)
            case ast.Constant():
                if isinstance(node.value, str) and _QUERY.match(node.value):
                    self.queries.append((node.lineno, node.value))
                return Value(const=node.value)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.BinOp():
                left, right = self.value(node.left), self.value(node.right)
                if isinstance(node.op, (ast.Add, ast.Sub)):
                    self.sums.append((node, left, right))
                return self.computed(node, left, right)
            case ast.UnaryOp():
                return self._negated(node)
            case ast.Compare():
                found = union([self.value(node.left), *map(self.value, node.comparators)])
                return self.compared(node, found)
            case ast.BoolOp():
                return union(map(self.value, node.values))
            case ast.Tuple() | ast.List() | ast.Set():
                return self.collected(tuple(map(self.value, node.elts)))
            case ast.Dict():
                values = tuple(map(self.value, node.values))
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
                return union(values).but(parts=values, const=None, keys=tuple(map(str, keys)), base=None, sort="")
            case ast.IfExp():
                self.value(node.test)
                return union((self.value(node.body), self.value(node.orelse)))
            case ast.JoinedStr():
                self._joined(node)
                return self.told(tuple(map(self.value, node.values)), node.lineno)
            case ast.FormattedValue() | ast.Starred() | ast.Await() | ast.YieldFrom():
                return self.value(node.value)
            case ast.NamedExpr():
                value = self.value(node.value)
                self._bind(node.target, value)
                return value
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return self._comprehension(node, node.elt)
            case ast.DictComp():
                return self._comprehension(node, node.value)
            case ast.Lambda():
                for argument in node.args.args:
                    self._env[argument.arg] = Value(base=Base(argument.arg), name=argument.arg)
                return self.value(node.body)
            case ast.Slice():
                return union(map(self.value, (node.lower, node.upper, node.step)))
            case _:
                return UNKNOWN

    def _joined(self, node: ast.JoinedStr) -> None:
        text = "".join(str(each.value) if isinstance(each, ast.Constant) else "x" for each in node.values)
        if _QUERY.match(text):
            self.queries.append((node.lineno, text))

    def _negated(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(value.const, (int, float)):
            return value.but(const=-value.const)
        return value.but(const=None)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, made: ast.expr
    ) -> Value:
        without: set[str] = set()
        source = UNKNOWN
        for each in node.generators:
            source = self.value(each.iter)
            self._bind(each.target, self.element(source))
            self._loops.append(node)
            for test in each.ifs:
                self.value(test)
                without.update(self.columns_of(self._excluded(test)))
            self._loops.pop()
        self._loops.append(node)
        value = self.value(made)
        self._loops.pop()
        if source.sort == "columns" and isinstance(made, ast.Name):
            return source.but(without=source.without | frozenset(without))
        return Value(sort="", marks=value.marks | source.marks, base=None, parts=())

    def _excluded(self, test: ast.expr) -> Value:
        """The names that a condition excludes: `c != "y"`, `c not in [...]`."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            return self.collected(tuple(part for each in test.values for part in self._names_in(self._excluded(each))))
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.NotEq, ast.NotIn)):
            return self.value(test.comparators[0])
        return UNKNOWN

    def _names_in(self, value: Value) -> tuple[Value, ...]:
        return tuple(Value(const=name) for name in self.columns_of(value))

    # Calls

    def _call(self, node: ast.Call) -> Value:
        name, receiver = self._callee(node.func)
        target, self._target = self._target, ""
        args = tuple(self.value(each) for each in node.args)
        options = {each.arg or "**": self.value(each.value) for each in node.keywords}
        method = name.rpartition(".")[2]
        event = Event(
            name,
            method,
            node,
            receiver,
            args,
            options,
            tuple(self._loops),
            bool(self._handler),
            target,
            self._within[-1] if self._within else "",
        )
        self.events.append(event)
        local = self.functions.get(method) if isinstance(node.func, ast.Name) or name.startswith("self.") else None
        if local is not None and len(self._within) < _INLINED and method not in self._within:
            event.result = self.call_function(local, args, options)
        else:
            event.result = self.result_of(event)
        if method in _COLLECTS and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            held = self._env.get(node.func.value.id, UNKNOWN)
            self._env[node.func.value.id] = union((held.but(const=None), *args)).but(name=held.name, const=None)
        return event.result

    def _callee(self, node: ast.expr) -> tuple[str, Value]:
        if isinstance(node, ast.Attribute):
            root = root_of(node)
            written = dotted(node)
            if root and written and root not in self._env and (root in self.aliases or root in ALIASES):
                qualified = self.aliases.get(root) or ALIASES[root]
                return qualified + written[len(root) :], UNKNOWN
            return (written or f"{loosely_dotted(node.value)}.{node.attr}"), self.value(node.value)
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, node.id), UNKNOWN
        return "?", self.value(node)

    def call_function(self, function: Function, args: tuple[Value, ...], options: dict[str, Value]) -> Value:
        """The value that a function of the code returns for these arguments."""
        self._called.add(function.name)
        outer, returned, loops = self._env, self._returned, self._loops
        self._env = dict(outer)
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
        positional = names[1:] if names[:1] in (["self"], ["cls"]) else names
        given = {**dict(zip(positional, args, strict=False)), **options}
        for name in names:
            value = given.get(name)
            if value is None:
                value = self._named(name, Value(base=Base(name), name=name))
            self._env[name] = value
        self._returned, self._loops = [], list(loops)
        self._within.append(function.name)
        self._run(function.body)
        self._within.pop()
        found = self._returned
        attributes = {key: value for key, value in self._env.items() if "." in key}
        self._env, self._returned, self._loops = outer, returned, loops
        self._env.update(attributes)
        return found[0] if len(found) == 1 else union(found)
