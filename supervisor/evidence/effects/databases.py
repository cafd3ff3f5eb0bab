"""What SQL and the tools of databases do: statements are read as syntax trees, tools by their subcommands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from supervisor.action import Action, Context
from supervisor.evidence.actions.queries import Query, in_javascript, in_python, queries
from supervisor.evidence.effects.effect import Act, Effect, Ground, Part, Reading
from supervisor.evidence.javascript import Program
from supervisor.evidence.python import Module
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import Code, Command

_ACTS = frozenset({Act.DATABASE})
_EMPTIES = ("drop", "truncate")


def parts_of_action(action: Action, context: Context) -> Iterator[Part]:
    """The effects of the SQL that a query tool runs."""
    if action.kind == "sql":
        for query in queries(action, context):
            yield Part(_ACTS, partial(_by_statements, query))


def parts_of_code(code: Code) -> Iterator[Part]:
    """The effects of the SQL that a script passes to a client."""
    yield Part(_ACTS, partial(_by_statements, Query(code.text, code.dialect, code.command)))


def parts_of_module(module: Module, command: Command | None = None) -> Iterator[Part]:
    """The effects of the SQL that Python executes."""
    for query in in_python(module):
        yield Part(_ACTS, partial(_by_statements, query._replace(command=command)))


def parts_of_program(program: Program, command: Command | None = None) -> Iterator[Part]:
    """The effects of the SQL that JavaScript executes."""
    for query in in_javascript(program):
        yield Part(_ACTS, partial(_by_statements, query._replace(command=command)))


def _by_statements(query: Query) -> Iterator[Effect]:
    from supervisor.evidence.sql import read  # imported here, so that an action without SQL does not load its parser

    for each in read(query.text, query.dialect):
        verb = f"{each.verb} {each.target}".rstrip()
        whole = each.every_row or each.verb in _EMPTIES
        target = ", ".join(each.writes or each.reads) or HOLE
        reads_only = each.verb in ("describe", "select", "show")
        yield Effect(
            Act.DATABASE,
            target,
            Place.UNKNOWN,
            verb,
            whole and each.runs,
            reversible=reads_only or not each.runs,
            text=each.source[:200],
            command=query.command,
        )


# The words of each tool that drop or empty a whole database, as consecutive words of its command line.
_DESTROYERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "alembic": (("downgrade", "base"),),
    "artisan": (("migrate:fresh",), ("migrate:reset",), ("db:wipe",)),
    "console": (("doctrine:database:drop",), ("doctrine:schema:drop",)),
    "dropdb": ((),),
    "drizzle-kit": (("drop",), ("push", "--force")),
    "flask": (("db", "downgrade", "base"),),
    "flyway": (("clean",),),
    "liquibase": (("drop-all",), ("dropAll",)),
    "manage.py": (("flush",), ("reset_db",), ("migrate", "zero")),
    "atlas": (("schema", "clean"),),
    "bb": (("migrate", "reset"),),
    "dbmate": (("drop",),),
    "diesel": (("database", "reset"), ("database", "drop")),
    "dotnet": (("ef", "database", "drop"), ("ef", "database", "update", "0")),
    "dotnet-ef": (("database", "drop"), ("database", "update", "0")),
    "goose": (("down-to", "0"), ("reset",)),
    "hasura": (("metadata", "clear"),),
    "knex": (("migrate:rollback", "--all"),),
    "migrate": (("drop",),),
    "mikro-orm": (("schema:drop",), ("schema:fresh",), ("migration:fresh",)),
    "phinx": (("rollback", "0"),),
    "sea-orm-cli": (("migrate", "fresh"), ("migrate", "reset"), ("migrate", "refresh")),
    "sqitch": (("revert", "-y"),),
    "sqlx": (("database", "drop"), ("database", "reset")),
    "yii": (("migrate/fresh",),),
    "django-admin": (("flush",), ("reset_db",)),
    "mysqladmin": (("drop",),),
    "mix": (("ecto.drop",), ("ecto.reset",)),
    "pg_dropcluster": ((),),
    "prisma": (("migrate", "reset"), ("db", "push", "--force-reset"), ("db", "push", "--accept-data-loss")),
    "rails": (("db:drop",), ("db:drop:all",), ("db:reset",), ("db:migrate:reset",), ("db:purge",), ("db:schema:load",)),
    "rake": (("db:drop",), ("db:drop:all",), ("db:reset",), ("db:migrate:reset",), ("db:purge",), ("db:schema:load",)),
    "sequelize": (("db:drop",), ("db:migrate:undo:all",)),
    "sequelize-cli": (("db:drop",), ("db:migrate:undo:all",)),
    "supabase": (("db", "reset"),),
    "typeorm": (("schema:drop",),),
}
_RUNNERS = frozenset(
    {"bin/console", "bundle", "bunx", "npx", "php", "pnpm", "poetry", "python", "python3", "uv", "yarn"}
)
_DRY = frozenset({"--help", "-h", "--dry-run", "--sql", "-n", "help", "--version", "sqlflush"})
_VALUED = frozenset(
    "-h -U -p -P -u -S --host --port --username --user --socket --maintenance-db --protocol --password".split()
)


def _by_tool(command: Command, ground: Ground) -> Iterator[Effect]:
    if command.wraps:
        return  # the script lists the command that it runs as well
    for at, word in enumerate(command.argv[:5]):
        tool = word.rpartition("/")[2]
        args = command.argv[at + 1 :]
        for phrase in _DESTROYERS.get(tool, ()):
            if _has_phrase(args, phrase) and not _is_dry(tool, args):
                named = HOLE if tool == "manage.py" else _named(args, phrase)  # its operands are apps
                yield Effect(
                    Act.DATABASE, named, Place.UNKNOWN, "drop database", True, text=command.text,
                    command=command,
                )  # fmt: skip
                return


def _has_phrase(args: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    words = [word for word in args if word in phrase] if phrase else []
    return tuple(words[: len(phrase)]) == phrase


def _is_dry(tool: str, args: tuple[str, ...]) -> bool:
    host_option = tool in ("dropdb", "mysqladmin")  # whose -h names the host
    return any(word in _DRY and not (word == "-h" and host_option) for word in args)


def _named(args: tuple[str, ...], phrase: tuple[str, ...]) -> str:
    """The database that the command line names; a HOLE if the tool's own configuration names it."""
    if address := next((found[1] for word in args if (found := _IN_ADDRESS.search(word))), ""):
        return address
    words, named = iter(args), []
    for word in words:
        if word in _VALUED:
            next(words, None)
        elif not word.startswith("-") and word not in phrase:
            named.append(word)
    return named[-1] if named else HOLE


# The database at the end of an address: `-url=jdbc:postgresql://localhost:5432/shop_test`.
_IN_ADDRESS = re.compile(r"^(?:--?[\w.-]{2,30}[= ])?(?:jdbc:)?\w[\w+]{2,20}://[^/\s]{1,200}/([\w.-]{1,80})(?:[?;].*)?$")


def _runs_no_tool(words: Sequence[str]) -> bool:
    """Whether a runner (`npx prisma`, `bundle exec rails`, `python manage.py`) runs none of the tools."""
    return all(word.rpartition("/")[2] not in _DESTROYERS for word in words[:4])


PROGRAMS = {
    **dict.fromkeys(_DESTROYERS, Reading(_ACTS, _by_tool)),
    **dict.fromkeys(_RUNNERS, Reading(_ACTS, _by_tool, _runs_no_tool)),
}
