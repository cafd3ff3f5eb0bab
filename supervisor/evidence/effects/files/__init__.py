"""What programs and tools do to files: read, write, delete and move them, and change their permissions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from supervisor.action import Action, Context
from supervisor.evidence.actions.sources import JAVASCRIPT, OTHERS, PYTHON
from supervisor.evidence.effects.effect import Act, Effect, Ground, Part, Reading
from supervisor.evidence.effects.files import archives, contents, copies, patches, permissions, reading, removal
from supervisor.evidence.effects.files.tools import TOOLS, acts_of_tool, effects_of_tool, reads_ordinary_file
from supervisor.evidence.shell import Command

__all__ = [
    "CODE",
    "CODE_KINDS",
    "NOWHERE",
    "PROGRAMS",
    "READS",
    "REDIRECTS",
    "TOOLS",
    "acts_of_tool",
    "parts_of_action",
]
__all__ += ["parts_of_code", "reads_ordinary_file"]

CODE = frozenset({Act.ANALYSIS, Act.CODE})
ANALYSES = (".sql", ".ipynb", ".rmd", ".qmd", ".sh", ".yml", ".yaml")
_SUFFIXES = tuple(suffix for each in (PYTHON, JAVASCRIPT, *OTHERS.values()) for suffix in each.suffixes)
CODE_KINDS = frozenset({"file_edit", "file_write", "javascript", "python"})


def parts_of_code(names: Iterable[str]) -> Iterator[Part]:
    """A part of Act.CODE without effects if a script writes code. The code has effects only when it is run."""
    named = [name.lower() for name in names]
    if any(name.endswith(_SUFFIXES) for name in named):
        yield Part(CODE, tuple)
    elif any(name.endswith(ANALYSES) for name in named):
        yield Part(frozenset({Act.ANALYSIS}), tuple)


def parts_of_action(action: Action, context: Context, ground: Ground) -> Iterator[Part]:
    """The effects of a tool that reads or changes files."""
    if action.kind in CODE_KINDS:
        yield Part(CODE, tuple)
    if action.kind in TOOLS:
        read = partial(effects_of_tool, action, context, ground)
        yield Part(acts_of_tool(action), read, reads_ordinary_file(action))


def _redirected(command: Command, ground: Ground) -> Iterator[Effect]:
    for redirect in command.redirects:
        if redirect.target == NOWHERE:
            continue
        if redirect.writes:
            verb = "extend" if ">>" in redirect.operator else "replace"
            yield ground.on_path(Act.WRITE, redirect.target, command, verb=verb)
        elif redirect.operator == "<":
            yield ground.on_path(Act.READ, redirect.target, command)


NOWHERE = "/dev/null"
READS = reading.READS
REDIRECTS = Reading(frozenset({Act.READ, Act.WRITE}), _redirected)
PROGRAMS = {
    **archives.PROGRAMS,
    **contents.PROGRAMS,
    **copies.PROGRAMS,
    **patches.PROGRAMS,
    **permissions.PROGRAMS,
    **removal.PROGRAMS,
}
