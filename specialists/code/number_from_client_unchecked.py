"""Accepts `nan` and `inf` from a client as numbers, which pass every comparison or none (CWE-20)."""

from supervisor.evidence.actions.programs import NO_PYTHON, module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.sinks import Sinks
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_READS = Sinks({"float": (0,), "complex": (0,), "decimal.Decimal": (0,), "numpy.float64": (0,), "numpy.float32": (0,)})
_CHECKS = ("isfinite", "isnan", "is_finite", "is_nan", "isinf")


@specialist("python", "file_write", "file_edit", "shell", about=[Act.CODE])
def number_from_client_unchecked(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse(NO_PYTHON)
    for call, _, source in _READS.reached(code):
        if not _is_checked(code, call) and not _is_made_whole(code, call):
            return nudge(
                f"`{call.text[:80]}` also reads `nan` and `inf` from `{source}`, and no comparison holds for `nan`.",
                correction="Check the number before its use: `if not math.isfinite(value): abort(400)`. For whole"
                " numbers use int(), which accepts nothing else.",
                evidence=(call.text,),
            )
    return ok()


def _is_checked(code: Module, call: Call) -> bool:
    scope = code.scope_of(call.node)
    compared = scope is not None and '"nan"' in code.text(scope).lower()
    return compared or any(code.scope_of(check.node) == scope for check in code.calls_of(_CHECKS))


def _is_made_whole(code: Module, call: Call) -> bool:
    """`int(float(text))` raises for both."""
    around = call.node.parent.parent if call.node.parent is not None else None
    return around is not None and around.type == "call" and code.name_of(around) in ("int()", "round()")
