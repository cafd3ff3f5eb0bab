"""Those who judge in these tests, before and after an action ran."""

from __future__ import annotations

from pathlib import Path

from supervisor.action import Action, Context
from supervisor.records.read import Record, read_records
from supervisor.specialist import Opinion, block, flag, nudge, ok, specialist
from tests.catalog.catalogs import catalog_of

SEEN: list[tuple[Action, Context]] = []


@specialist("*")
def foresees(action: Action, context: Context) -> Opinion:
    assert context.stage == "before"
    return block("It is forbidden.") if "forbidden" in str(action.args) else ok()


@specialist("shell", "payment", "tool")
def hindsight(action: Action, context: Context) -> Opinion:
    SEEN.append((action, context))
    said = str(context.outcome.output)
    if "odd" in said:
        return flag("It is odd.")
    if "spilt" in said:
        return nudge("It has spilt.", correction="Wipe it up.", sharper="Wipe it up now.")
    return block("It is ruined.") if "ruined" in said else ok()


CATALOG = catalog_of(foresees, after=[hindsight])


def records_of(tmp_path: Path, kind: str) -> list[Record]:
    return [record for record in read_records(tmp_path / "records") if record.kind == kind]
