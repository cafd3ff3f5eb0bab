"""The script of a shell action, read with the known texts of the files that it runs."""

from __future__ import annotations

from functools import partial

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.history.file_texts import text_of_file
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import Script, read_script
from supervisor.evidence.shell.foreign import language_of_tool


@reader
def script(action: Action, context: Context) -> Script:
    """The commands that a shell action runs, from a script or an argument vector.

    Raises Unreadable beyond 1 MB, 512 levels, 2,048 commands or the limit on parsing, and if the argument cannot be a
    command; NoReader if there is no command, or PowerShell that cannot be parsed.
    """
    command, inside = action.get("command"), action.text("cwd")
    cwd = resolve(inside, context.cwd or ".") if inside else context.cwd
    look = partial(text_of_file, context) if context.history else None
    return read_script(command, cwd, look, language_of_tool(action.tool))
