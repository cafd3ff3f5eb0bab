"""Asking the database for the tables and columns that a policy names: a name that is not there is never found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import NamedTuple

from supervisor.catalog.fact_shapes import RefundTable
from supervisor.doors.database import Database
from supervisor.errors import DoorFailed
from supervisor.intake.documents import place_in
from supervisor.intake.json_values import shown
from supervisor.policy import Policy
from supervisor.policy.business import IDENTIFIER
from supervisor.policy.checks import Path, Problem
from supervisor.suggestions import did_you_mean

_LISTS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') LIMIT 1000",
    "postgresql": "SELECT table_name AS name FROM information_schema.tables"
    " WHERE table_schema NOT IN ('pg_catalog', 'information_schema') LIMIT 1000",
}


class Table(NamedTuple):
    """A table that a policy names: where, its name, and its columns by the keys that name them."""

    path: Path
    name: str
    columns: Mapping[str, str]


async def of_tables(policy: Policy) -> list[Problem]:
    """The tables and columns in a policy that its database does not have; none without a database. A database that
    does not answer is a problem of its own."""
    if policy.doors.database.url is None:
        return []
    database = Database(policy.doors.database)
    try:
        return [problem for table in tables(policy) for problem in await _missing(database, table)]
    except DoorFailed as error:
        return [Problem(("doors", "database", "url"), str(error))]
    finally:
        database.close()


def tables(policy: Policy) -> Iterator[Table]:
    """The tables that a policy names. Where it declares a tool that refunds, also the usual table of refunds."""
    for kind, shape in policy.business.records.items():
        if shape.table:
            columns = {key: name for key, name in shape.names_in_queries().items() if key != "table"}
            yield Table(("business", "records", kind), shape.table, columns)
    refunds = policy.facts.get("refunds")
    if refunds is not None or any(shape.kind == "refund" for shape in policy.tools.values()):
        stated = refunds if isinstance(refunds, Mapping) else {}
        names = {key: stated.get(key, usual) for key, usual in asdict(RefundTable()).items() if key != "completed"}
        yield Table(("facts", "refunds"), names.pop("table"), names)
    rates = policy.facts.get("rates")
    for kind, rate in rates.items() if isinstance(rates, Mapping) else ():
        if isinstance(rate, Mapping) and rate.get("table"):
            yield Table(("facts", "rates", kind), rate["table"], {"at": rate["at"]} if rate.get("at") else {})


async def _missing(database: Database, table: Table) -> list[Problem]:
    """The problems of one table. Raises DoorFailed if the database does not answer at all."""
    for key, name in {"table": table.name, **table.columns}.items():
        if not isinstance(name, str) or not re.fullmatch(IDENTIFIER, name):
            return [Problem((*table.path, key), f"{shown(name)} is no name of a table or a column")]
    if error := await _refusal(database, f"SELECT 1 AS found FROM {table.name} LIMIT 1"):  # noqa: S608 - an identifier
        hint = (
            did_you_mean(table.name, await _names(database))
            or f"; say under {place_in(table.path)} what yours is called"
        )
        return [Problem((*table.path, "table"), f"the database has no table {table.name!r}{hint} ({error})")]
    found = []
    for key, name in table.columns.items():
        if error := await _refusal(database, f"SELECT {name} FROM {table.name} WHERE 1 = 0"):  # noqa: S608 - identifiers
            found.append(Problem((*table.path, key), f"{table.name} has no column {name!r} ({error})"))
    return found


async def _refusal(database: Database, query: str) -> str:
    """What the database says against a query; empty if it answers."""
    try:
        await database.query(query, {})
    except DoorFailed as error:
        if error.code != "database_error":
            raise
        return str(error)
    return ""


async def _names(database: Database) -> list[str]:
    backend = "sqlite" if (database.door.url or "").startswith("sqlite") else "postgresql"
    return [str(row["name"]) for row in await database.query(_LISTS[backend], {})]
