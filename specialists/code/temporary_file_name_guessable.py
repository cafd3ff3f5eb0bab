"""Chooses a temporary file's name before it is made, so that another can make it first (CWE-377)."""

from supervisor.evidence.effects import Act
from supervisor.evidence.python import module
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_NAMES = frozenset({"os.tempnam", "os.tmpnam", "tempfile.mktemp"})


@specialist("python", "file_write", "file_edit", "shell", about=[Act.CODE])
def temporary_file_name_guessable(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse("the action brings no Python")
    for call in code.calls_of(("mktemp", "tempnam", "tmpnam")):
        if call.name in _NAMES and call.is_new:
            return nudge(
                f"`{call.text}` tells a name that is free now; a link that another puts there is written through.",
                correction="Have the file made at once: tempfile.NamedTemporaryFile(delete=False), tempfile.mkstemp();"
                " for several files tempfile.mkdtemp().",
                evidence=(call.text,),
            )
    return ok()
