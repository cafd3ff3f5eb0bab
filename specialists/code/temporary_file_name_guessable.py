"""Chooses a temporary file's name before its creation, so that another process can create it first (CWE-377)."""

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.repairs import Change, renamed, shown
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_NAMES = frozenset({"os.tempnam", "os.tmpnam", "tempfile.mktemp"})


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def temporary_file_name_guessable(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "temporary")
    found = _named(code)
    if not found or is_trial(action):
        return ok()
    return nudge(
        f"`{found[0].text}` returns a name that is free now; another process can put a link there before the write.",
        correction="Create the file at once: tempfile.NamedTemporaryFile(delete=False), tempfile.mkstemp();"
        f" for several files tempfile.mkdtemp().{shown(code, map(_made, found), _named)}",
        evidence=(found[0].text,),
    )


def _named(code: Module) -> list[Call]:
    return [call for call in code.calls_of(("mktemp", "tempnam", "tmpnam")) if call.name in _NAMES and call.is_new]


def _made(call: Call) -> Change | None:
    """The name of a file that exists."""
    if call.name == "tempfile.mktemp" and call.positional:
        return None
    change = renamed(call, "tempfile.NamedTemporaryFile", most=0)
    if change is None:
        return None
    head, _, arguments = change.text.partition("(")
    options = f"{arguments[:-1]}, delete=False" if arguments != ")" else "delete=False"
    return change._replace(text=f"{head}({options}).name")
