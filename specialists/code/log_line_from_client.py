"""Writes what a client sent into a line of the log (CWE-117)."""

from supervisor.evidence.effects import Act
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, specialist


@specialist("javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def log_line_from_client(action: Action, context: Context) -> Opinion:
    return judged(action, context, "log")
