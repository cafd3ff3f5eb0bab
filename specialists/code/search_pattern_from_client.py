"""Compiles a regular expression from a client, which can keep the server busy for hours (CWE-1333)."""

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python.sinks import Sinks
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_COMPILES = Sinks(
    {
        f"{library}.{name}": (0, "pattern")
        for library in ("re", "regex")
        for name in ("compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")
    }
)


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def search_pattern_from_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "pattern")
    for call, _, source in _COMPILES.reached(code):
        return nudge(
            f"`{call.text[:80]}` takes its pattern from `{source}`; one such as (a+)+$ runs practically for ever.",
            correction="Search for the text itself: re.escape(text) in the pattern, or `text in line`. If patterns"
            " are needed, compile them with google-re2, whose time is linear.",
            evidence=(call.text,),
        )
    return ok()
