"""What the code in a file that an action writes would do when it is run."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import partial

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.actions import programs
from supervisor.evidence.actions.patched import changes_of
from supervisor.evidence.effects import CALLS, effects_of_script, parts_of_program
from supervisor.evidence.effects.calls import parts_of_module
from supervisor.evidence.effects.effect import Effects, Ground, Part, Where
from supervisor.evidence.effects.remote_shells import EXPOSES, LANGUAGES, shell, shell_in_code
from supervisor.evidence.shell import read_script

_SCRIPTS = (".bash", ".command", ".ksh", ".sh", ".zsh")
_NOTHING = Effects(())


@reader
def effects_when_run(action: Action, context: Context) -> Effects:
    """The effects of the code in a file that is written or edited. Empty for other actions and files.

    Shell scripts, Python and JavaScript are read as if they ran in the agent's working directory. Of other languages
    only the remote shells that they open are read. Raises Unreadable if the code cannot be read.
    """
    if action.kind not in ("file_write", "file_edit"):
        return _NOTHING
    if changes := changes_of(action, context):
        texts = [(each.path, each.after) for each in changes if each.added]
    else:
        texts = [(action.text("path"), action.text("content") or action.text("new"))]
    ground = Ground(context.workspace)
    where = Where(ground, context.cwd or ".")
    parts = [part for path, text in texts if _is_script(path, text) for part in _parts_of_script(text, context, ground)]
    if module := programs.module(action, context):
        parts += parts_of_module(module, where, *CALLS)
    if ran := programs.program(action, context):
        parts += parts_of_program(ran, where)
    else:
        parts += [part for path, text in texts for part in _parts_of_shell(path, text)]
    return Effects(tuple(parts)) if parts else _NOTHING


def _is_script(path: str, text: str) -> bool:
    suffix = posixpath.splitext(path)[1].lower()
    return suffix in _SCRIPTS or (not suffix and text.startswith("#!") and "sh" in text.partition("\n")[0])


def _parts_of_script(text: str, context: Context, ground: Ground) -> Iterator[Part]:
    if text.strip():
        done = effects_of_script(read_script(text, context.cwd), ground)
        yield Part(done.acts, partial(iter, done))


def _parts_of_shell(path: str, text: str) -> Iterator[Part]:
    """The remote shell that code of another language opens."""
    suffix = posixpath.splitext(path)[1].lower()
    if found := shell_in_code(LANGUAGES[suffix], text) if suffix in LANGUAGES else None:
        yield Part(EXPOSES, lambda: (shell(found, path),))
