"""All verbs, put together."""

from __future__ import annotations

import typer

from supervisor.cli import catalogue, check, demo, doctor, records

app = typer.Typer(
    name="supervisor",
    help="Judges every action that an AI agent proposes, before it runs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (check, catalogue, records, doctor, demo):
    group.register(app)
