"""Puts what a client sent into a header of the response (CWE-113)."""

from supervisor.evidence.effects import Act
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, specialist


@specialist("javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def header_from_client(action: Action, context: Context) -> Opinion:
    return judged(action, context, "header")
