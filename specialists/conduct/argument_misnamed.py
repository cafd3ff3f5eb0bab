"""Calls a tool without the argument that it needs, usually under a name that the tool does not have."""

from supervisor.evidence.actions.misnamed import Lacking, lacking
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist(
    *("shell", "python", "javascript", "sql", "http", "browse", "message", "payment", "refund"),
    *("file_read", "file_write", "file_edit", "file_delete"),
    about=[Act.EMPTY],
)
def argument_misnamed(action: Action, context: Context) -> Opinion:
    found = lacking(action)
    if found is None:
        return ok()
    if found.given:
        return nudge(
            f"{action.tool} has no argument `{found.given}`, and its `{found.wanted}` is missing; "
            f"did you mean `{found.wanted}`?",
            correction=f"Call {action.tool} again with `{found.wanted}` in place of `{found.given}`.",
            sharper=f"Read the parameters of {action.tool} before the next call; one of them is `{found.wanted}`.",
            evidence=(found.given,),
        )
    if found.is_mapped:
        return nudge(
            f"{action.tool} is called without its `{found.wanted}`, so nobody can judge what it does.",
            correction=f"Call {action.tool} again with `{found.wanted}`.",
            evidence=(found.wanted,),
        )
    return _unknown_content(action, found)


def _unknown_content(action: Action, found: Lacking) -> Opinion:
    """Other arguments than the usual ones: a tool may have its own names for them, so it runs, and a person looks."""
    if not found.is_declared and action.kind != "shell":
        return ok()
    return flag(
        f"None of {action.tool}'s arguments is known as the {found.part} of a {action.kind} action, so its content"
        f" is not judged. The policy's `tools` can say which one it is.",
        evidence=tuple(sorted(map(str, action.args)))[:5],
    )
