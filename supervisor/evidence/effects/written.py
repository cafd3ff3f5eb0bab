"""What the code of a file would do when somebody runs it, where an action writes the file."""

from __future__ import annotations

import posixpath

from supervisor.action import Action, Context
from supervisor.evidence import javascript, reader
from supervisor.evidence import python as code
from supervisor.evidence.effects import CALLS, effects_of_script, parts_of_program
from supervisor.evidence.effects.calls import parts_of_module
from supervisor.evidence.effects.effect import Effects, Ground, Part, Where
from supervisor.evidence.effects.remote_shells import EXPOSES, LANGUAGES, shell, shell_in_code
from supervisor.evidence.shell import read_script

_SCRIPTS = (".bash", ".command", ".ksh", ".sh", ".zsh")
_NOTHING = Effects(())


@reader
def effects_when_run(action: Action, context: Context) -> Effects:
    """The effects of the code in a file that is written or edited: shell scripts, Python and JavaScript as if they ran
    where the agent works, of other languages the shells that they open. Nothing for other actions and files.

    Raises Unreadable where the code cannot be read.
    """
    if action.kind not in ("file_write", "file_edit"):
        return _NOTHING
    path, ground = action.text("path"), Ground(context.workspace)
    suffix = posixpath.splitext(path)[1].lower()
    text = action.text("content") or action.text("new")
    if suffix in _SCRIPTS or (not suffix and text.startswith("#!") and "sh" in text.partition("\n")[0]):
        return effects_of_script(read_script(text, context.cwd), ground) if text.strip() else _NOTHING
    if module := code.module(action, context):
        return Effects(tuple(parts_of_module(module, Where(ground, context.cwd or "."), *CALLS)))
    if ran := javascript.program(action, context):
        return Effects(tuple(parts_of_program(ran, Where(ground, context.cwd or "."))))
    found = shell_in_code(LANGUAGES.get(suffix, ""), text) if suffix in LANGUAGES else None
    return Effects((Part(EXPOSES, lambda: (shell(found, path),)),)) if found else _NOTHING
