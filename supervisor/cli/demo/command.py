"""`supervisor demo`: a morning of three agents. Every action is judged before it runs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from supervisor.cli.output import AsJson, print_json

Keep = Annotated[Path | None, typer.Option(help="Keep the records in this folder, new or empty.", metavar="DIR")]


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor demo --keep records")(demo)


def demo(keep: Keep = None, json: AsJson = False) -> None:
    """Watch three agents work in a sandbox and meet every verdict. Exits 1 if an expected verdict did not occur."""
    from supervisor.cli.demo.report import to_json
    from supervisor.cli.demo.run import Audience, run
    from supervisor.cli.demo.screen import Screen

    logging.getLogger("supervisor.doors").setLevel(logging.ERROR)  # the sandbox has no model and needs none
    if json:
        ended = run(Audience(), keep)
        print_json(to_json(ended, keep))
    else:
        screen = Screen()
        ended = run(screen, keep)
        screen.ended(ended, keep)
    raise typer.Exit(0 if ended.kept else 1)
