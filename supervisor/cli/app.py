"""All verbs of the command. Only what is called is imported, since all of them take longer to import than to run."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer
from typer.main import get_command

from supervisor.version import VERSION

UsageError: Any = typer.BadParameter.__mro__[1]  # its base, which not every version of typer names

# The modules in the order of the help, and the verbs that each registers.
VERBS = {
    "check": ("check",),
    "policy": ("policy",),
    "catalogue": ("list", "explain", "new", "coverage"),
    "publish": ("docs",),
    "records": ("verify", "replay"),
    "log.command": ("log",),
    "backtest": ("backtest",),
    "retention": ("records",),
    "review": ("review", "approve", "deny"),
    "label": ("label",),
    "learn": ("learn",),
    "audit": ("audit",),
    "index": ("index",),
    "memory": ("memory",),
    "allow": ("allow",),
    "doctor": ("doctor",),
    "hooks": ("hook", "install"),
    "serve": ("serve",),
    "service": ("service",),
    "daemon": ("status", "reload", "stop"),
    "task": ("task",),
    "up": ("up",),
    "uninstall": ("uninstall",),
    "mcp": ("mcp",),
    "demo.command": ("demo",),
}


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"supervisor {VERSION}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """The options before a verb. `--version` has its own callback."""


def build(modules: Iterable[str] = VERBS) -> typer.Typer:
    """The command with the verbs of these modules of `supervisor.cli`."""
    app = typer.Typer(
        name="supervisor",
        help="Judges every action that an AI agent proposes, before it runs.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for module in modules:
        importlib.import_module(f"supervisor.cli.{module}").register(app)
    return app


def command(first: str) -> Callable[..., Any]:
    """The command for a command line that begins with this argument: with that verb, or with all where it is none."""
    if first == "--version":
        return _command(())
    named = tuple(module for module, verbs in VERBS.items() if first in verbs)
    return _command(named or tuple(VERBS))


@functools.cache
def _command(modules: tuple[str, ...]) -> Callable[..., Any]:
    """Built once a process."""
    return get_command(build(modules))
