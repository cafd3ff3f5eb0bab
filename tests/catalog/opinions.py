"""Prints what the whole supervisor says of every case that ships, but for a plain ok: the same under any hash seed."""

from dataclasses import replace

import anyio

from supervisor.catalog.cases import promises, proposal_of
from supervisor.catalog.catalog import Catalog, open_catalog
from supervisor.catalog.failure_mode import Case
from supervisor.decision.ask import ask, ask_through_doors
from supervisor.policy import Taxonomy
from supervisor.specialist import ok
from supervisor.verdict import Opinion


async def opinions_on(catalog: Catalog, case: Case) -> dict[str, Opinion]:
    action, context = proposal_of(case)
    plain = replace(context, doors=None)
    said = {}
    for specialist in catalog.specialists(action.kind, context.stage):
        if specialist.uses_doors:
            said[specialist.id] = await ask_through_doors(specialist, action, context, 60.0)
        else:
            said[specialist.id] = ask(specialist, action, plain, 60.0)
    return {name: opinion for name, opinion in said.items() if opinion != ok()}


async def main() -> None:
    catalog = open_catalog(Taxonomy())
    for name in catalog.entries:
        for promise in promises(catalog.failure_mode(name)):
            print(name, promise.place, await opinions_on(catalog, promise.case))


anyio.run(main)
