"""Prints what the whole supervisor says of every case that ships: the same under any hash seed."""

from dataclasses import replace

import anyio

from supervisor.action import Context
from supervisor.cases import promises, proposal_of
from supervisor.catalog import Catalog, open_catalog
from supervisor.decision.fanout import ask_all
from supervisor.policy import Taxonomy
from supervisor.specialist import Specialist
from supervisor.taxonomy import Case
from supervisor.verdict import Opinion


async def opinions_on(catalog: Catalog, case: Case) -> list[Opinion]:
    action, context = proposal_of(case)
    plain = replace(context, doors=None)

    def context_of(specialist: Specialist) -> Context:
        return context if specialist.uses_doors else plain

    return await ask_all(catalog.for_kind(action.kind), action, context_of, lambda _: 60.0)


async def main() -> None:
    catalog = open_catalog(Taxonomy())
    for name in catalog.entries:
        for promise in promises(catalog.failure_mode(name)):
            print(name, promise.place, await opinions_on(catalog, promise.case))


anyio.run(main)
