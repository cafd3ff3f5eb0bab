"""The output of verbs: tables and colour for people at a terminal, JSON for programs."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import orjson
import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
JSON_VERSION = 1  # of what verbs print for programs; a key that is removed or changes its meaning raises it
WIDTH = 120  # columns without a terminal, unless COLUMNS is set
COLOURS = {"ok": "green", "flag": "yellow", "nudge": "magenta", "block": "red"}
SEVERITY_COLOURS = {"low": "dim", "medium": "", "high": "yellow", "critical": "red"}


def print_json(value: Any) -> None:
    """Prints one JSON value on one line. Each object, alone or in a list, names the version of its form first."""
    sys.stdout.write(orjson.dumps(versioned(value), default=str).decode() + "\n")


def versioned(value: Any) -> Any:
    """An object with `version`; a list whose objects have it."""
    if isinstance(value, list):
        return [versioned(each) for each in value]
    return {"version": JSON_VERSION, **value} if isinstance(value, dict) else value


def console(*, error: bool = False) -> Console:
    """The console for people. It breaks no lines, so that paths and commands can be copied; tables and prose fit the
    width. The caller escapes text from actions."""
    from rich.console import Console

    stream = sys.stderr if error else sys.stdout
    return Console(stderr=error, highlight=False, soft_wrap=True, width=_width(stream))


def _width(stream: TextIO) -> int | None:
    """The width in columns; None if the terminal decides it."""
    if stream.isatty():
        return None
    columns = os.environ.get("COLUMNS", "")
    return (int(columns) if columns.isdecimal() else 0) or WIDTH


def table(*columns: str, names: bool = False) -> Table:
    """A table with plain rules. With `names`, the first column is never broken."""
    from rich import box
    from rich.table import Table

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        drawn.add_column(column, overflow="fold", no_wrap=names and not number)
    return drawn


def print_table(drawn: Table) -> None:
    """Prints a table, folded to the width of the console."""
    console().print(drawn, soft_wrap=False)


def print_prose(text: str) -> None:
    """Prints markup, folded between words to the width of the console."""
    console().print(text, soft_wrap=False)


def print_block(drawn: RenderableType) -> None:
    """Prints something folded to the width of the console, without the blanks that fill its lines."""
    out = console()
    with out.capture() as captured:
        out.print(drawn, soft_wrap=False)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def print_indented(markup: str, columns: int = 0) -> None:
    """Prints markup. The lines that it is folded into are indented as its first one is, and by `columns` more."""
    from rich.padding import Padding
    from rich.text import Text

    shown = markup.lstrip(" ")
    indent = columns + len(markup) - len(shown)
    print_block(Padding(Text.from_markup(shown, overflow="fold"), (0, 0, 0, indent)))


def one_line(text: str) -> Text:
    """A cell of a table that is cropped instead of folded."""
    from rich.text import Text

    return Text(printable(" ".join(text.split())), no_wrap=True, overflow="ellipsis")


def counted(number: int, one: str) -> str:
    """`1 segment`, `2 segments`."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def styled(text: str, style: str) -> str:
    """Text with a style, as rich's markup. Markup in the text itself is escaped."""
    from rich.markup import escape

    shown = escape(printable(text, keep="\n\t"))
    return f"[{style}]{shown}[/]" if style else shown


def printable(text: str, keep: str = "") -> str:
    """Text with its control characters escaped: quoted text may be hostile, and must not control the terminal."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in keep else ascii(each)[1:-1] for each in text)


def verdict(label: str) -> str:
    """A verdict in its colour."""
    return styled(label, COLOURS[label])
