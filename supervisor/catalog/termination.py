"""Which specialists may judge in the host's own process, where a specialist that does not end could not be stopped.

That is derived from the specialist's source; it is not declared. A bounded specialist always ends: it has no `while`,
no recursion, no loop that lengthens the list it iterates over, no value that grows from itself in each iteration, loops
nested at most two deep, and nothing that parses or backtracks. So nested loops take at most quadratically many steps in
the size of the input, each step at most linear, and the host passes in a few kilobytes.

This is no sandbox. It assumes honest code, so it is applied only to specialists that ship with the library: it does not
follow a list under two names, or one that a loop leaves to the next. It is no deadline either: a specialist that
compares every letter of 8 KB with every other would be bounded, and take two seconds.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import chain
from types import ModuleType

from supervisor.methods.pattern import Pattern

MAX_NESTED = 2  # levels of loops
MAX_FACTOR = 1024  # constant factor of a multiplication
_ALL: frozenset[str] = frozenset()
_IMPORTS: Mapping[str, frozenset[str]] = {
    "__future__": _ALL,
    "collections.abc": _ALL,
    "dataclasses": frozenset({"replace"}),
    "datetime": _ALL,
    "itertools": frozenset({"chain", "islice", "pairwise", "zip_longest"}),
    "math": frozenset({"ceil", "floor", "inf", "isclose", "isfinite", "isinf", "isnan", "log", "nan", "sqrt", "trunc"}),
    "typing": frozenset({"Any", "Final", "Literal", "TypeGuard", "cast"}),
    "supervisor.evidence.session.budgets": _ALL,
    "supervisor.evidence.reading.facts": _ALL,
    "supervisor.evidence.session.spending": _ALL,
    "supervisor.methods.pattern": frozenset({"Match", "Pattern"}),
    "supervisor.specialist": _ALL,
}
_PLAIN = (
    "abs all any bool chr dict enumerate float frozenset int isinstance len list max min next object ord repr reversed"
    " round set sorted str sum tuple zip"
)
_EXCEPTIONS = {name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, Exception)}
_BUILTINS = _EXCEPTIONS | set(_PLAIN.split())
_SYNTAX = (ast.While, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.With, ast.Match, ast.TryStar, ast.Global)
_OPERATORS = (ast.Add, ast.Sub, ast.Div, ast.FloorDiv, ast.BitAnd, ast.BitOr, ast.BitXor)  # Mult up to MAX_FACTOR
_PADS = frozenset({"center", "expandtabs", "format", "format_map", "ljust", "rjust", "translate", "zfill"})
_LENGTHENS = frozenset({"append", "extend", "insert"})
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def unbounded(source: bytes, module: ModuleType | None = None) -> str:
    """Why a specialist is not bounded, as one phrase with its line; "" if it is bounded.

    `module` is the imported file, needed only for a pattern whose expression is not a single literal.
    """
    try:
        return next(_reasons(ast.parse(source), module), "")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # MemoryError: nested too deeply
        return f"it cannot be read: {error}"


def _reasons(tree: ast.Module, module: ModuleType | None) -> Iterator[str]:
    """Every reason why a file is not bounded. The later checks rely on the earlier ones."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    known = _BUILTINS | functions.keys() | {each.name for node in imports for each in node.names}
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        reason = _import(node) or _syntax(node) or _step(node) or _name(node, known)
        if isinstance(node, ast.FunctionDef) and functions.get(node.name) is not node:
            reason = f"{node.name} is defined inside another function, or twice"
        if isinstance(node, ast.Name) and node.id in functions and node not in called:
            reason = f"{node.id} is handed on as a value"
        if reason:
            yield f"line {getattr(node, 'lineno', 1)}: {reason}"
    if recursive := _circular({name: _names(function) & functions.keys() for name, function in functions.items()}):
        yield f"line {functions[recursive].lineno}: {recursive} calls itself"
        return
    for function in functions.values():
        yield from _growth(function)
        if _depth(function, functions) > MAX_NESTED:
            yield f"line {function.lineno}: {function.name} nests loops more than {MAX_NESTED} deep"
    yield from _patterns(tree, module)


def _import(node: ast.AST) -> str:
    """An import of code that may not be bounded."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return ""
    if any(each.asname for each in node.names):
        return "an import under another name"
    if isinstance(node, ast.Import):
        return next((f"imports {each.name}" for each in node.names if each.name != "math"), "")
    home = "." * node.level + (node.module or "")
    if home not in _IMPORTS:
        return f"imports {home}"
    allowed = _IMPORTS[home] or {each.name for each in node.names} - {"*"}
    return next((f"imports {each.name} from {home}" for each in node.names if each.name not in allowed), "")


def _syntax(node: ast.AST) -> str:
    """A construct that may not end, or that hides which function is called."""
    if isinstance(node, _COMPREHENSIONS):
        changing = any(_made(each)[0] for each in ast.walk(node))
        return "a comprehension that changes something" if changing else ""
    if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
        return f"reaches for {node.attr}"
    line = ast.unparse(node).splitlines()[0] if isinstance(node, _SYNTAX) else ""
    return f"`{line[:60]}` is not known to end" if line else ""


def _step(node: ast.AST) -> str:
    """An operator, method or format whose result may have any length."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and not isinstance(node.op, _OPERATORS):
        factors = (node.left, node.right) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) else ()
        small = [isinstance(each, ast.Constant) and each.value in range(MAX_FACTOR + 1) for each in factors]
        return "" if any(small) else f"the operator {type(node.op).__name__} on what may be large"
    if isinstance(node, ast.Attribute):
        on_math = isinstance(node.value, ast.Name) and node.value.id == "math"
        return f"uses {node.attr}" if node.attr in _PADS or (on_math and node.attr not in _IMPORTS["math"]) else ""
    if isinstance(node, ast.FormattedValue) and node.format_spec:
        spec = ast.unparse(node.format_spec)
        return "a format of any width" if "{" in spec or sum(map(str.isdigit, spec)) > 3 else ""
    return ""


def _name(node: ast.AST, known: Set[str]) -> str:
    """A name that is rebound, or that refers to something unbounded."""
    if isinstance(node, ast.Call) and not isinstance(node.func, ast.Attribute):
        is_known = isinstance(node.func, ast.Name) and node.func.id in known
        return "" if is_known else f"calls {ast.unparse(node.func)[:40]}, which may be anything"
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        strange = node.id not in known and (hasattr(builtins, node.id) or node.id.startswith("__"))
        return f"uses {node.id}" if strange else ""
    part = {ast.Name: "id", ast.arg: "arg", ast.ExceptHandler: "name"}.get(type(node), "")
    bound = getattr(node, part, None)
    return f"gives {bound} another meaning" if bound in known else ""


def _growth(function: ast.FunctionDef) -> Iterator[str]:
    """Values that grow from themselves in a loop, lists that a loop lengthens while it iterates over them, and changed
    parameters."""
    given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Call | ast.AugAssign) and given & _made(node)[0]:
            yield f"line {node.lineno}: changes what it was given"
        if isinstance(node, ast.For):
            rounds = _names(node.target)
            made = dict.fromkeys(rounds, _names(node.iter))
            for to, of in map(_made, chain.from_iterable(map(ast.walk, node.body))):
                made.update({name: made.get(name, set()) | of | rounds for name in to})
            if name := _circular(made):
                yield f"line {node.lineno}: a loop in which {name} is made of itself"


def _made(node: ast.AST) -> tuple[set[str], set[str]]:
    """The names that a node binds or lengthens, and the names in the value that it uses for that."""
    if isinstance(node, ast.Assign):
        return set().union(*map(_names, node.targets)), _names(node.value)
    if isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        return _names(node.target), _names(node.value) if node.value else set()
    if isinstance(node, ast.For):
        return _names(node.target), _names(node.iter)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LENGTHENS:
        return _names(node.func.value), set().union(*map(_names, node.args))
    return set(), set()


def _depth(node: ast.AST, functions: Mapping[str, ast.FunctionDef]) -> int:
    """How deep loops are nested, including those of called functions."""

    def deepest(nodes: Iterable[ast.AST]) -> int:
        return max((_depth(each, functions) for each in nodes), default=0)

    if isinstance(node, ast.For):
        return max(1 + deepest(node.body), deepest([node.iter, *node.orelse]))  # the iterable is evaluated before
    if isinstance(node, _COMPREHENSIONS):
        inside = deepest(each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.comprehension))
        for loop in reversed(node.generators):
            inside = max(1 + max(inside, deepest(loop.ifs)), deepest([loop.iter]))
        return inside
    called = functions.get(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
    return deepest([*ast.iter_child_nodes(node), *([called] if called else [])])


def _names(node: ast.AST) -> set[str]:
    """The names that an expression uses, without those that its own comprehensions bind."""
    loops = [each for each in ast.walk(node) if isinstance(each, ast.comprehension)]
    own = {each.id for loop in loops for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
    mentioned = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return (mentioned - own).union(*(_names(loop.iter) for loop in loops))


def _circular(links: Mapping[str, Set[str]]) -> str:
    """A name on a cycle of links; "" if there is no cycle."""
    left = dict(links)
    while ends := [name for name, to in left.items() if not to & left.keys()]:
        for name in ends:
            del left[name]
    name = min(left, default="")
    for _ in left:
        name = min(left[name] & left.keys())
    return name


def _patterns(tree: ast.Module, module: ModuleType | None) -> Iterator[str]:
    """The patterns that are not compiled at import, or that need a backtracking engine."""
    judging = {node for part in tree.body if isinstance(part, ast.FunctionDef) for node in ast.walk(part)}
    names = {part.value: ast.unparse(part.targets[0]) for part in tree.body if isinstance(part, ast.Assign)}
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "Pattern":
            continue
        literal = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
        made = Pattern(literal) if isinstance(literal, str) else getattr(module, names.get(call, ""), None)
        if call in judging:
            yield f"line {call.lineno}: compiles a pattern while it judges"
        elif not isinstance(made, Pattern):
            yield f"line {call.lineno}: a pattern that is not written out"
        elif not made.is_linear:
            yield f"line {call.lineno}: its pattern {made.expression[:40]!r} needs a backtracking engine"
