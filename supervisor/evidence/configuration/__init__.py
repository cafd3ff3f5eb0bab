"""What a configuration file does wrong, whatever its format: Dockerfile, Compose, Kubernetes, Helm values, Terraform,
CloudFormation, policies of rights, pipelines, packages, units, servers, alerts, DAGs, environments.

A reader takes a path and a text. What differs between two texts of one file is what a change makes worse: a fault that
was there before, or that only moved, is not new.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from supervisor.evidence.configuration.alerts import faults_of_alerts
from supervisor.evidence.configuration.apps import faults_of_apps
from supervisor.evidence.configuration.consoles import faults_of_consoles
from supervisor.evidence.configuration.containers import (
    faults_of_containers,
    faults_of_services,
    is_for_this_machine,
    is_made_for_host,
)
from supervisor.evidence.configuration.costs import faults_of_capacity
from supervisor.evidence.configuration.dependencies import faults_of_dependencies
from supervisor.evidence.configuration.documents import Document, Form, emptied, form_of, read
from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight
from supervisor.evidence.configuration.fetched import faults_of_later, faults_of_servers_of_tools
from supervisor.evidence.configuration.images import drops_its_user, faults_of_images
from supervisor.evidence.configuration.networks import (
    faults_of_firewalls,
    faults_of_host_rules,
    faults_of_policies,
    faults_of_servers,
)
from supervisor.evidence.configuration.pipelines import faults_of_pipelines
from supervisor.evidence.configuration.rights import (
    faults_of_attached,
    faults_of_roles,
    faults_of_statements,
    faults_of_sudo,
    faults_of_trust,
)
from supervisor.evidence.configuration.rotation import faults_of_rotations
from supervisor.evidence.configuration.settings import MINOR, PROTECTIONS, faults_of_settings, guards_of
from supervisor.evidence.configuration.sources import MOVED, moved_sources
from supervisor.evidence.configuration.stores import faults_of_stores
from supervisor.evidence.configuration.walls import faults_of_walls, opened_policies, opened_ranges

__all__ = ["MOVED", "Document", "Fact", "Fault", "Weight", "emptied", "facts_in", "form_of", "read", "worsened"]

_OF_LEVELS = (
    *(faults_of_settings, faults_of_firewalls, faults_of_host_rules, faults_of_statements, faults_of_trust),
    *(faults_of_roles, faults_of_sudo, faults_of_attached, faults_of_services, faults_of_alerts, faults_of_capacity),
    *(faults_of_later, faults_of_servers_of_tools, faults_of_policies, faults_of_stores, faults_of_rotations),
    *(faults_of_consoles, faults_of_walls),
)
_OF_DOCUMENTS = (
    *(faults_of_containers, faults_of_servers, faults_of_pipelines, faults_of_dependencies, faults_of_apps),
)


def facts_in(document: Document) -> Iterator[Fact]:
    """The faults of a file, in the order of its readers."""
    if document.form is Form.DOCKERFILE:
        yield from faults_of_images(document)
        return
    lowered = set[Fault]()
    if is_made_for_host(document):
        lowered.add(Fault.HOST)
    if is_for_this_machine(document):
        lowered.add(Fault.LOGIN)
    is_site = _SITE.search(document.text) is not None
    for block in document.blocks:
        for read_level in _OF_LEVELS:
            for fact in read_level(block):
                is_lowered = fact.fault in lowered or (is_site and _is_of_site(fact))
                yield fact._replace(weight=Weight.SLIGHT) if is_lowered else fact
    for read_document in _OF_DOCUMENTS:
        yield from read_document(document)


_SITE = re.compile(r"website_?configuration\b|\bwebsite\s*\{|\bindex_?document\b", re.IGNORECASE)


def _is_of_site(fact: Fact) -> bool:
    """Whether a fault is no more than that everybody may read, as a web site in a bucket is read."""
    is_read = (
        fact.key.startswith("principal")
        and re.search(r"s3:(?!get)|\*$|storage\.(?!objects\.get)", fact.key[11:]) is None
    )
    is_setting = fact.key.startswith(("blockpublic", "restrictpublic", "ignorepublic", "acl=public-read"))
    return fact.fault is Fault.OPEN and "write" not in fact.key and (is_read or is_setting)


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
    new += [*opened_policies(before.blocks, after.blocks), *moved_sources(before.blocks, after.blocks)]
    if all(fact.fault is not Fault.OPEN for fact in new):
        new += opened_ranges(before.blocks, after.blocks)
    return [*dict.fromkeys(new), *_lost(before, after, {fact.fault for fact in new})]


def _lost(before: Document, after: Document, told: set[Fault]) -> Iterator[Fact]:
    """The protective settings that are gone although what they protect is still there."""
    if drops_its_user(before, after) and Fault.HOST not in told:
        yield Fact(Fault.HOST, "user gone", "no USER any more, so that it runs as root")
    kept = Counter(key for block in after.blocks for _, key, _ in guards_of(block))
    places = {block.path: block for block in after.blocks}
    is_left = any(each.values for each in after.blocks)
    for block in before.blocks:
        for fault, key, text in guards_of(block):
            if kept[key] > 0:
                kept[key] -= 1
            elif fault not in told and (_still(block, places) if is_left else _is_guard_alone(block)):
                weight = Weight.SLIGHT if key in MINOR else Weight.SERIOUS
                yield Fact(fault, f"{key} gone", f"{text} is taken out", weight)


def _is_guard_alone(block: Block) -> bool:
    """Whether a part that is taken out whole has protections and their settings alone, so that what they protect is
    still there beside it."""
    guards = tuple(key for _, key, _ in guards_of(block))
    is_own = not block.path or (len(block.path) == 1 and block.path[0] in PROTECTIONS)
    return is_own and bool(guards) and all(key.startswith(guards) for key in block.values)


def _still(block: Block, places: dict[tuple[str, ...], Block]) -> bool:
    """Whether the level itself is still there with some other of its settings, or the level that held it."""
    if block.path not in places and block.path[:-1] not in places:
        return False
    here = places.get(block.path)
    if here is not None:
        is_same = len(block.values) == 1 or bool(block.values.keys() & here.values.keys())
        return is_same or block.path[-1:] == ("annotations",)
    is_protection = len(block.path) > 1 and block.path[-1] in PROTECTIONS
    return is_protection and bool(places[block.path[:-1]].values)
