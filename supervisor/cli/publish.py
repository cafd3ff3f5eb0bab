"""`supervisor docs`: the taxonomy as pages, or as JSON."""

from __future__ import annotations

import sys
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import COLOURS, console, counted, styled
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.catalog.catalog import Catalog

_FOLDER = Path("docs/failure-modes")


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(
        epilog="Example: supervisor docs --check, or: supervisor docs --json --out taxonomy.json",
    )(docs)


def docs(
    out: Annotated[
        Path | None,
        typer.Option(help=f"The folder of the pages ({_FOLDER}); with --json, the file.", metavar="PATH"),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a page is out of date.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print the taxonomy as JSON, or write it to --out; write no page.")
    ] = False,
    policy: PolicyFile = None,
) -> None:
    """Write a page for each failure mode and an index. With --json: print the taxonomy with all its cases."""
    from supervisor.catalog.catalog import open_catalog
    from supervisor.policy import Policy, read_policy

    if json and check:
        raise BadInput("--check and --json exclude each other: --json writes no pages", code="usage")
    catalog = open_catalog((read_policy(policy) if policy else Policy()).taxonomy)
    if json:
        _export(catalog, out)
    else:
        _publish(catalog, out or _FOLDER, check=check)


def _export(catalog: Catalog, file: Path | None) -> None:
    from supervisor.catalog.pages import taxonomy_json

    exported = taxonomy_json(catalog)
    if file is None:
        sys.stdout.write(exported.decode())
    else:
        file.write_bytes(exported)


def _publish(catalog: Catalog, folder: Path, *, check: bool) -> None:
    from supervisor.catalog.pages import differing, pages, write

    made, beside = pages(catalog), _beside(catalog)
    changed = [*(folder / name for name in differing(folder, made)), *_outdated(folder.parent, beside)]
    if check:
        for file in changed:
            console(error=True).print(styled(f"{file} is not what the taxonomy says", COLOURS["block"]))
        if changed:
            console(error=True).print("`supervisor docs` writes them anew.")
        raise typer.Exit(1 if changed else 0)
    write(folder, made)
    for name, text in beside.items():
        (folder.parent / name).write_text(text, encoding="utf-8")
    console().print(
        f"{counted(len(made) + len(beside), 'file')} in {styled(str(folder), 'bold')}, {len(changed)} changed."
    )


def _beside(catalog: Catalog) -> dict[str, str]:
    """The files beside the folder of the failure modes: the facts, the languages, and the schema of a policy."""
    from supervisor.catalog.fact_pages import facts_page
    from supervisor.catalog.language_pages import languages_page
    from supervisor.catalog.policy_schema import policy_schema

    schema = dumps(policy_schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    return {"facts.md": facts_page(catalog), "languages.md": languages_page(catalog), "policy.schema.json": schema}


def _outdated(folder: Path, made: dict[str, str]) -> list[Path]:
    files = {folder / name: text for name, text in made.items()}
    return [file for file, text in files.items() if not file.is_file() or file.read_text(encoding="utf-8") != text]
