"""Copies or reads a text of any length into a buffer of a fixed one (CWE-120)."""

from supervisor.evidence.effects import Act
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, specialist


@specialist("file_write", "file_edit", "shell", about=[Act.CODE])
def buffer_overrun(action: Action, context: Context) -> Opinion:
    return judged(action, context, "unbounded", "buffer")
