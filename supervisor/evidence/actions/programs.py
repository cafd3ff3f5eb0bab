"""The Python and the JavaScript that an action writes or runs."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence import javascript, python, reader
from supervisor.evidence.actions.sources import JAVASCRIPT, PYTHON, source_of

# Why a specialist that judges code does not judge an action.
NO_PYTHON = "the action contains no Python code"
NO_PROGRAM = "the action contains neither Python nor JavaScript code"


@reader
def module(action: Action, context: Context) -> python.Module | None:
    """The Python that an action writes or runs; None if it is not Python.

    Raises Unreadable as `python.read` does.
    """
    source = source_of(action, context, PYTHON)
    return None if source is None else python.read(source.new, source.old).index()


@reader
def program(action: Action, context: Context) -> javascript.Program | None:
    """The JavaScript that an action writes or runs, including TypeScript; None if it is neither.

    Raises Unreadable as `javascript.read` does.
    """
    source = source_of(action, context, JAVASCRIPT)
    return None if source is None else javascript.read(source.new, source.old).index()
