"""Compares a password with one that is written in the code (CWE-798)."""

from supervisor.evidence.effects import Act
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, specialist


@specialist("javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def password_compared_in_code(action: Action, context: Context) -> Opinion:
    return judged(action, context, "password")
