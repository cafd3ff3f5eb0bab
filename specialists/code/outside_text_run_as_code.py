"""Runs text from outside the program as code (CWE-95)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.origins import ANYBODY
from supervisor.evidence.python.repairs import Change, renamed, shown
from supervisor.evidence.python.sinks import Reached, Sinks
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_RUNS = Sinks(
    dict.fromkeys(("eval", "exec", "compile", "execfile", "timeit.timeit"), (0, "source", "code", "stmt"))
    | {f"builtins.{name}": (0,) for name in ("eval", "exec", "compile")}
    | {f"cProfile.{name}": (0,) for name in ("run", "runctx")}
    | {".push": (0,), ".runsource": (0, "source"), ".runcode": (0,), "pandas.eval": (0, "expr")}
    | {"numexpr.evaluate": (0, "ex"), "sympy.sympify": (0,), "sympy.parse_expr": (0,), ".run_in_subinterp": (0,)}
    | {"_xxsubinterpreters.run_string": (1, "script"), "_interpreters.run_string": (1, "script")}
    | {"interpreters.run_string": (1,), "codeop.compile_command": (0,), "code.compile_command": (0,)}
)
_OF_ITS_STARTER = (
    "os.environ",
    "os.getenv",
    "parser.parse_args",
    "sys.argv",
)  # the starter could run it as well
_SINGLE = frozenset({"attribute", "call", "identifier", "subscript"})
_CONSOLES = ("InteractiveConsole", "InteractiveInterpreter")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def outside_text_run_as_code(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "eval")
    found = list(_runs(code))
    for call, value, source in found:
        if source.startswith(_OF_ITS_STARTER):
            return flag(f"`{call.text[:80]}` runs text from the command line as code.", evidence=(call.text,))
        return nudge(
            f"`{call.name}` runs `{code.text(value)[:80]}` as code, and `{source}` lets somebody else write it.",
            correction="Read the value as data: ast.literal_eval for a literal, json.loads for a structure, int() or"
            " float() for a number; for a choice of actions, look it up in a dictionary of functions."
            f"{shown(code, (_as_data(*each) for each in found), _runs)}",
            sharper="Neither emptied __builtins__ nor a filter of words holds code back. Parse what you expect, with"
            " json.loads or ast.literal_eval, and refuse the rest.",
            evidence=(call.text,),
        )
    statement = next(_exec_statements(code), None)
    if statement is None:
        return ok()
    return nudge(
        f"`exec {code.text(statement)[:80]}` runs text that somebody else writes.",
        correction="Read the value as data, with json.loads or ast.literal_eval.",
        evidence=(code.text(statement)[:200],),
    )


def _as_data(call: Call, value: Value, _: str) -> Change | None:
    """An evaluated value, read as a literal instead."""
    alone = call.name == "eval" and len(call.positional) == 1 and not call.keywords and value.type in _SINGLE
    return renamed(call, "ast.literal_eval") if alone else None


def _runs(code: Module) -> Iterator[Reached]:
    for found in _RUNS.reached(code, ANYBODY):
        if found.call.method not in ("push", "runsource", "runcode") or any(True for _ in code.calls_of(_CONSOLES)):
            yield found
    yield from _handed_on(code)


def _handed_on(code: Module) -> Iterator[Reached]:
    """`to_thread(exec, text)`, `map(eval, texts)`: what is called is itself an argument."""
    for call in code.calls_of(("apply", "apply_async", "map", "run_in_executor", "submit", "to_thread")):
        names = [code.name_of(value) for value in call.positional]
        place = next((place for place, name in enumerate(names) if name in ("eval", "exec")), None)
        for value in call.positional[place + 1 :] if place is not None and call.is_new else ():
            source = origin_of(code, value, ANYBODY)
            if source is not None:
                yield Reached(call, value, source)


def _exec_statements(code: Module) -> Iterator[Value]:
    """Python 2's `exec text`."""
    for statement in code.nodes("exec_statement"):
        parts = statement.named_children
        if parts and code.is_new(statement) and origin_of(code, parts[0], ANYBODY) is not None:
            yield parts[0]
