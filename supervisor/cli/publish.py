"""`supervisor docs`: the taxonomy as pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import COLOURS, console, counted, styled


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor docs --out docs/failure-modes --check")(docs)


def docs(
    out: Annotated[Path, typer.Option(help="The folder of the pages.", metavar="DIR")] = Path("docs/failure-modes"),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 where a page is not as it should be.")
    ] = False,
    policy: PolicyFile = None,
) -> None:
    """Write a page for each failure mode, an index, and the taxonomy as JSON."""
    from supervisor.catalog import open_catalog
    from supervisor.policy import Policy, read_policy
    from supervisor.publication import differing, pages, write

    made = pages(open_catalog((read_policy(policy) if policy else Policy()).taxonomy))
    changed = differing(out, made)
    if check:
        for name in changed:
            console(error=True).print(styled(f"{out / name} is not what the taxonomy says", COLOURS["block"]))
        if changed:
            console(error=True).print("`supervisor docs` writes them anew.")
        raise typer.Exit(1 if changed else 0)
    write(out, made)
    console().print(f"{counted(len(made), 'file')} in {styled(str(out), 'bold')}, {len(changed)} changed.")
