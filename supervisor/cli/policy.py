"""`supervisor policy check` and `supervisor policy schema`: whether a policy means what it says."""

from __future__ import annotations

import json as plain_json
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.cli.check import or_own
from supervisor.cli.output import AsJson, console, counted, print_json, styled
from supervisor.errors import BadInput, SupervisorError
from supervisor.intake.files import open_file

if TYPE_CHECKING:
    from supervisor.policy import Policy
    from supervisor.policy.checks import Problem
    from supervisor.policy.reading import Positions

_MOST = 100  # problems that are shown to people
File = Annotated[
    Path | None,
    typer.Argument(metavar="[FILE]", help="The policy; else SUPERVISOR_POLICY, else your own.", callback=or_own),
]
Doors = Annotated[bool, typer.Option("--doors", help="Also ask the database for the tables and columns it names.")]


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    group = typer.Typer(help="Check a policy, or print its JSON Schema.", no_args_is_help=True)
    group.command(epilog="Example: supervisor policy check supervisor.yaml")(check)
    group.command(epilog="Example: supervisor policy schema > policy.schema.json")(schema)
    app.add_typer(group, name="policy")


def check(file: File = None, doors: Doors = False, json: AsJson = False) -> None:
    """Show everything that is wrong in a policy, each with its line and column.

    Exits 1 if there is an error. Warnings are names that are valid and may have no effect.
    """
    from supervisor.policy.reading import Positions

    if file is None:
        raise BadInput("you have no policy of your own, so name the policy's file", code="usage")
    os.close(open_file(file))  # a file that cannot be read is wrong use; what stands in it is what is checked
    found, failure = _problems(file, ask_doors=doors)
    positions = Positions(file)
    problems = positions.in_order(found)
    errors = sum(not problem.is_warning for problem in problems) + bool(failure)
    if json:
        listed = [_to_json(positions, problem) for problem in problems]
        listed += [{"level": "error", "path": "", "message": str(failure)}] if failure else []
        print_json({"file": str(file), "ok": not errors, "problems": listed})
    else:
        _show(file, positions, problems, failure)
    raise typer.Exit(1 if errors else 0)


def _problems(file: Path, *, ask_doors: bool) -> tuple[list[Problem], SupervisorError | None]:
    """Everything that is wrong in a file, and an error that has no place in it."""
    from supervisor.catalog.catalog import in_force
    from supervisor.catalog.policy_names import of_effects, of_names, of_own_shapes
    from supervisor.policy.checks import MOST_PROBLEMS
    from supervisor.policy.reading import draft_of

    try:
        policy, found = draft_of(file)
    except SupervisorError as error:
        return [], error
    problems = list(found)
    if policy is None:
        return problems, None
    try:
        catalog = in_force(policy)
        named = islice(of_names(policy, catalog), MOST_PROBLEMS)
        problems += [*named, *of_own_shapes(policy, catalog), *of_effects(policy, catalog)]
    except SupervisorError as error:
        return problems, error
    return problems + (_of_doors(policy) if ask_doors else []), None


def _of_doors(policy: Policy) -> list[Problem]:
    import anyio

    from supervisor.catalog.policy_tables import of_tables

    return anyio.run(of_tables, policy)


def _to_json(positions: Positions, problem: Problem) -> dict[str, object]:
    line, column = positions.of(problem) or (None, None)
    level = "warning" if problem.is_warning else "error"
    path = ".".join(map(str, problem.path))
    return {"level": level, "line": line, "column": column, "path": path, "message": problem.message}


def _show(file: Path, positions: Positions, problems: Sequence[Problem], failure: SupervisorError | None) -> None:
    out = console()
    for problem in problems[:_MOST]:
        level = styled("warning", "yellow") if problem.is_warning else styled("error", "red")
        out.print(f"{styled(positions.place(problem), 'bold')}: {level}: {styled(str(problem), '')}")
    if len(problems) > _MOST:
        out.print(f"… and {len(problems) - _MOST:,} more; --json lists all")
    if failure:
        out.print(f"{styled('error', 'red')}: {styled(str(failure), '')}")
    warnings = sum(problem.is_warning for problem in problems)
    errors = len(problems) - warnings + bool(failure)
    told = ", ".join(counted(number, what) for number, what in ((errors, "error"), (warnings, "warning")) if number)
    out.print(styled(f"{file}: {told or 'every name in it is read by something'}", "dim"))


def schema() -> None:
    """Print the JSON Schema of a policy, for completion and checks in an editor.

    Put `# yaml-language-server: $schema=policy.schema.json` into the policy's first line.
    """
    from supervisor.catalog.policy_schema import policy_schema

    typer.echo(plain_json.dumps(policy_schema(), indent=2, sort_keys=True, ensure_ascii=False))
