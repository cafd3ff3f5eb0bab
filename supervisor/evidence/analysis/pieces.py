"""The code and the queries of an analysis in an action, each with the lines that the action itself adds.

Cells of a notebook and calls of one interpreter share their names, so what earlier steps of the session ran is read as
well, and an edit is read within its file where the session knows the file.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.actions.sources import Language, source_of
from supervisor.evidence.history.file_texts import text_of_file
from supervisor.evidence.history.past_scripts import past_action
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import code_in
from supervisor.regexes import compile_later

MAX_CHARS = 64 * 1024  # of one piece
MAX_BEFORE = 24 * 1024  # characters of earlier steps
_RECENT = 40  # steps
LANGUAGES = {".py": "python", ".ipynb": "notebook", ".sql": "sql", ".rmd": "chunks", ".qmd": "chunks"}
_FILES = Language("", tuple(LANGUAGES))
_CHUNK = compile_later(r"(?ms)^```\{(python|sql)[^}]*\}\s*?$(.*?)^```")
_MAGIC = compile_later(r"(?m)^(\s*)[%!]")


class Piece(NamedTuple):
    """A text to read. `new` are the lines that the action adds, None for all; `old` the text that it replaces."""

    language: str
    text: str
    path: str = ""
    new: range | None = None
    old: str = ""


def pieces_of(action: Action, context: Context) -> list[Piece]:
    """The code and queries that an action writes or runs, without tests and examples. Raises Unreadable as `script`
    does."""
    return [each for piece in _raw(action, context) for each in _opened(piece) if len(each.text) <= MAX_CHARS]


def language_of(path: str) -> str:
    """The language of a file by its suffix; empty if it is none of an analysis."""
    return LANGUAGES.get("." + path.rpartition(".")[2].lower(), "") if "." in path else ""


def _raw(action: Action, context: Context) -> Iterator[Piece]:
    if action.kind == "python":
        yield _after(_earlier_code(action, context), action.text("code"), "python", "")
    elif action.kind == "sql":
        yield Piece("sql", action.text("query"))
    elif action.kind == "shell":
        read = script(action, context)
        for path, text in read.files.items():
            if language := language_of(path):
                yield Piece(language, text, path)
        yield from (Piece(code.language, code.text) for code in code_in(read) if code.language in ("python", "sql"))
    elif action.kind == "file_write" and (language := language_of(action.text("path"))):
        yield Piece(language, action.text("content"), action.text("path"))
    elif action.kind == "file_edit" and (language := language_of(action.text("path"))):
        yield from _edited(action, context, language)


def _edited(action: Action, context: Context, language: str) -> Iterator[Piece]:
    path = action.text("path")
    source = source_of(action, context, _FILES)
    if source is None:
        return
    whole = text_of_file(context, resolve(path, context.cwd or "."))
    if language == "notebook":  # the tool names a cell, and gives its source
        before = "\n".join((*_cells(whole or ""), *_earlier_cells(context, path)))
        yield _after(before[-MAX_BEFORE:], source.new, "python", path, source.old)
    elif whole is not None and source.old and whole.count(source.old) == 1:
        start = whole[: whole.index(source.old)].count("\n") + 1
        new = range(start, start + source.new.count("\n") + 1)
        yield Piece(language, whole.replace(source.old, source.new), path, new, source.old)
    else:
        yield Piece(language, textwrap.dedent(source.new), path, None, source.old)


def _after(before: str, text: str, language: str, path: str, old: str = "") -> Piece:
    """A text that runs after an earlier one."""
    if not before:
        return Piece(language, text, path, None, old)
    start = before.count("\n") + 2
    return Piece(language, f"{before}\n{text}", path, range(start, start + text.count("\n") + 1), old)


def _earlier_code(action: Action, context: Context) -> str:
    """What earlier calls of the same interpreter ran without an error, the latest within MAX_BEFORE."""
    found: list[str] = []
    room = MAX_BEFORE
    for step in reversed(context.history[-_RECENT:]):
        if step.kind != "python" or step.tool != action.tool or step.failed:
            continue
        code = past_action(step).text("code")
        room -= len(code)
        if room < 0:
            break
        found.append(code)
    return "\n".join(reversed(found))


def _earlier_cells(context: Context, path: str) -> Iterator[str]:
    for step in context.history[-_RECENT:]:
        if step.kind == "file_edit" and not step.failed:
            edit = past_action(step)
            if edit.text("path") == path:
                yield edit.text("new")


def _opened(piece: Piece) -> Iterator[Piece]:
    """The code of a notebook or of a document with chunks; lines for IPython itself are left out."""
    if piece.language == "notebook":
        yield piece._replace(language="python", text=_without_magic("\n".join(_cells(piece.text))))
    elif piece.language == "chunks":
        for found in _CHUNK.finditer(piece.text):
            yield piece._replace(language=found[1], text=found[2])
    elif piece.language == "python":
        yield piece._replace(text=_without_magic(piece.text))
    else:
        yield piece


def _without_magic(text: str) -> str:
    return _MAGIC.sub(r"\1#", text) if "%" in text or "!" in text else text


def _cells(text: str) -> list[str]:
    """The code cells of a notebook; none if the text is no notebook."""
    try:
        cells = json.loads(text).get("cells", []) if text.lstrip().startswith("{") else []
    except (ValueError, AttributeError, RecursionError):
        return []
    found = [cell.get("source", "") for cell in cells if isinstance(cell, Mapping) and cell.get("cell_type") == "code"]
    return ["".join(map(str, each)) if isinstance(each, list) else str(each) for each in found]
