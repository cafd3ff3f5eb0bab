"""All verbs of the command."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.main import get_command

from supervisor.cli import (
    allow,
    audit,
    backtest,
    catalogue,
    check,
    daemon,
    doctor,
    hooks,
    index,
    label,
    learn,
    mcp,
    memory,
    policy,
    publish,
    records,
    retention,
    review,
    serve,
    service,
    task,
    uninstall,
    up,
)
from supervisor.cli.demo import command as demo
from supervisor.cli.log import command as log
from supervisor.version import VERSION

UsageError: Any = typer.BadParameter.__mro__[1]  # its base, which not every version of typer names

app = typer.Typer(
    name="supervisor",
    help="Judges every action that an AI agent proposes, before it runs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"supervisor {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """The options before a verb. `--version` has its own callback."""


_GROUPS = (
    check,
    policy,
    catalogue,
    publish,
    records,
    log,
    backtest,
    retention,
    review,
    label,
    learn,
    audit,
    index,
    memory,
    allow,
    doctor,
    hooks,
    serve,
    service,
    daemon,
    task,
    up,
    uninstall,
    mcp,
    demo,
)
for group in _GROUPS:
    group.register(app)


@functools.cache
def command() -> Callable[..., Any]:
    """The command with all verbs, built once a process."""
    return get_command(app)
