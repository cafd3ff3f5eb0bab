"""A change to a resource of a cloud or a platform."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from supervisor.evidence.effects.effect import Effect


class Sort(StrEnum):
    """The purpose of a resource. Specialists judge by it, not by product."""

    INFRASTRUCTURE = "infrastructure"
    STORAGE = "storage"
    DATABASE = "database"
    BACKUP = "backup"
    DNS = "dns"
    QUEUE = "queue"
    SECRET = "secret"
    KEY = "key"  # encrypts stored data
    IDENTITY = "identity"  # users, roles, policies, credentials
    WORKLOAD = "workload"
    PIPELINE = "pipeline"
    MONITORING = "monitoring"
    FLAG = "flag"
    MAIL = "mail"
    CONTAINER = "container"  # containers, volumes and images of one machine
    BILLING = "billing"
    STATE = "state"  # the record of an infrastructure tool about existing resources
    PROTECTION = "protection"  # keeps other resources from being lost or reached
    REPOSITORY = "repository"
    TRIVIAL = "trivial"  # tags, aliases, local settings


class Environment(StrEnum):
    """The environment that the names in and around a command indicate."""

    PRODUCTION = "production"
    TRIAL = "a trial environment"  # dev, test, staging, sandbox
    LOCAL = "this machine"  # an emulator or a local test cluster
    UNKNOWN = "an environment that is not named"


@dataclass(slots=True, eq=False)
class Resource(Effect):
    """An effect on a resource: it is deleted, purged, stopped, exposed …

    `verb`     delete, purge, reset, stop, silence, detach, revoke, cancel; expose, grant, weaken, apply, tamper,
               overwrite
    `product`  the program or the service
    `noun`     the kind of resource, in the command line's own words
    `forced`   whether an option turns off the program's confirmation
    `listed`   whether the product is listed, not only read by the grammar
    """

    product: str = ""
    noun: str = ""
    sort: Sort = Sort.INFRASTRUCTURE
    environment: Environment = Environment.UNKNOWN
    forced: bool = False
    listed: bool = True
