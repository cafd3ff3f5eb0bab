"""The Python and the JavaScript that an action writes or runs."""

from __future__ import annotations

from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import flows, javascript, python, reader
from supervisor.evidence.actions.sources import JAVASCRIPT, OTHERS, PYTHON, source_of

_RECENT = 40  # steps that may have shown who calls what is written
NO_CODE = "the action contains no code in a language that is read"
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


class Written(NamedTuple):
    """The code of one language that an action writes: the weaknesses in it, by name."""

    language: str
    found: flows.Found


@reader
def written(action: Action, context: Context) -> tuple[Written, ...]:
    """The code in other languages that an action writes; empty if there is none.

    Raises Unreadable as `flows.read` does.
    """
    sources = ((name, source_of(action, context, language)) for name, language in OTHERS.items())
    found = [(name, source) for name, source in sources if source is not None]
    texts = [step.text for step in context.history[-_RECENT:] if step.text] if found else []
    return tuple(
        Written(name, flows.read(name, source.new, source.old, flows.shown_in(name, texts))) for name, source in found
    )
