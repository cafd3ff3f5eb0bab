"""Writes a client's text into a CSV file, where a spreadsheet runs cells that begin with `=` (CWE-1236)."""

from supervisor.evidence.actions.programs import NO_PYTHON, module
from supervisor.evidence.effects import Act
from supervisor.evidence.python.sinks import Sinks
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_ROWS = Sinks({".writerow": (0, "row", "rowdict"), ".writerows": (0, "rows", "rowdicts")})


@specialist("python", "file_write", "file_edit", "shell", about=[Act.CODE])
def spreadsheet_formula_from_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse(NO_PYTHON)
    if any(name.startswith("defusedcsv") for name in code.aliases.values()):
        return ok()
    for call, _, source in _ROWS.reached(code):
        return nudge(
            f"`{call.text[:80]}` writes `{source}` unchanged; a cell that begins with =, +, - or @ is a formula.",
            correction="Write with defusedcsv, which escapes such cells: `from defusedcsv import csv`.",
            evidence=(call.text,),
        )
    return ok()
