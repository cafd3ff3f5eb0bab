"""What a configuration file does wrong, whatever its format: Dockerfile, Compose, Kubernetes, Helm values, Terraform,
CloudFormation, policies of rights, pipelines, packages, units, servers, alerts, DAGs, environments.

A reader takes a path and a text. What differs between two texts of one file is what a change makes worse: a fault that
was there before, or that only moved, is not new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from supervisor.evidence.configuration.alerts import faults_of_alerts
from supervisor.evidence.configuration.containers import faults_of_containers, faults_of_services, is_made_for_host
from supervisor.evidence.configuration.costs import faults_of_capacity
from supervisor.evidence.configuration.dependencies import faults_of_dependencies
from supervisor.evidence.configuration.documents import Document, Form, form_of, read
from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight
from supervisor.evidence.configuration.fetched import faults_of_later, faults_of_servers_of_tools
from supervisor.evidence.configuration.images import drops_its_user, faults_of_images
from supervisor.evidence.configuration.networks import faults_of_firewalls, faults_of_host_rules, faults_of_servers
from supervisor.evidence.configuration.pipelines import faults_of_pipelines
from supervisor.evidence.configuration.rights import (
    faults_of_attached,
    faults_of_roles,
    faults_of_statements,
    faults_of_trust,
)
from supervisor.evidence.configuration.settings import PROTECTIONS, faults_of_settings, guards_of

__all__ = ["Document", "Fact", "Fault", "Weight", "facts_in", "form_of", "read", "worsened"]

_OF_LEVELS = (
    *(faults_of_settings, faults_of_firewalls, faults_of_host_rules, faults_of_statements, faults_of_trust),
    *(faults_of_roles, faults_of_attached, faults_of_services, faults_of_alerts, faults_of_capacity),
    *(faults_of_later, faults_of_servers_of_tools),
)
_OF_DOCUMENTS = (faults_of_containers, faults_of_servers, faults_of_pipelines, faults_of_dependencies)


def facts_in(document: Document) -> Iterator[Fact]:
    """The faults of a file, in the order of its readers."""
    if document.form is Form.DOCKERFILE:
        yield from faults_of_images(document)
        return
    made_for_it = is_made_for_host(document)
    for block in document.blocks:
        for read_level in _OF_LEVELS:
            for fact in read_level(block):
                is_expected = made_for_it and fact.fault is Fault.HOST
                yield fact._replace(weight=Weight.SLIGHT) if is_expected else fact
    for read_document in _OF_DOCUMENTS:
        yield from read_document(document)


def worsened(before: Document | None, after: Document) -> list[Fact]:
    """The faults that a file has after a change and did not have before, and the protections that it lost."""
    if before is None:
        return list(dict.fromkeys(facts_in(after)))
    known = Counter((fact.fault, fact.key) for fact in facts_in(before))
    new: list[Fact] = []
    for fact in facts_in(after):
        if known[fact.fault, fact.key] > 0:
            known[fact.fault, fact.key] -= 1
        else:
            new.append(fact)
    return [*dict.fromkeys(new), *_lost(before, after, {fact.fault for fact in new})]


def _lost(before: Document, after: Document, told: set[Fault]) -> Iterator[Fact]:
    """The protective settings that are gone although what they protect is still there."""
    if drops_its_user(before, after) and Fault.HOST not in told:
        yield Fact(Fault.HOST, "user gone", "no USER any more, so that it runs as root")
    kept = Counter(key for block in after.blocks for _, key, _ in guards_of(block))
    places = {block.path: block for block in after.blocks}
    for block in before.blocks:
        for fault, key, text in guards_of(block):
            if kept[key] > 0:
                kept[key] -= 1
            elif fault not in told and (block.path in places or block.path[:-1] in places) and _still(block, places):
                yield Fact(fault, f"{key} gone", f"{text} is taken out")


def _still(block: Block, places: dict[tuple[str, ...], Block]) -> bool:
    """Whether the level itself is still there with some other of its settings, or the level that held it."""
    here = places.get(block.path)
    if here is not None:
        return len(block.values) == 1 or any(here.values.get(key) == value for key, value in block.values.items())
    is_protection = len(block.path) > 1 and block.path[-1] in PROTECTIONS
    return is_protection and bool(places[block.path[:-1]].values)
