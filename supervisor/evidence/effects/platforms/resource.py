"""A change to a resource of a cloud or a platform."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from supervisor.evidence.effects.effect import Effect


class Sort(StrEnum):
    """What a resource is for; whoever judges, judges by this and not by product."""

    INFRASTRUCTURE = "infrastructure"
    STORAGE = "storage"
    DATABASE = "database"
    BACKUP = "backup"
    DNS = "dns"
    QUEUE = "queue"
    SECRET = "secret"
    KEY = "key"  # encrypts what others store
    IDENTITY = "identity"  # users, roles, policies, credentials
    WORKLOAD = "workload"
    PIPELINE = "pipeline"
    MONITORING = "monitoring"
    FLAG = "flag"
    MAIL = "mail"
    CONTAINER = "container"  # containers, volumes and images of one machine
    BILLING = "billing"
    STATE = "state"  # what an infrastructure tool believes there is
    PROTECTION = "protection"  # what keeps others from being lost or reached
    REPOSITORY = "repository"
    TRIVIAL = "trivial"  # tags, aliases, local settings


class Environment(StrEnum):
    """What names around a command say of where it acts."""

    PRODUCTION = "production"
    TRIAL = "a trial environment"  # dev, test, staging, sandbox
    LOCAL = "this machine"  # an emulator or a cluster for trying things out
    UNKNOWN = "an environment that is not named"


@dataclass(slots=True, eq=False)
class Resource(Effect):
    """A resource deleted, purged, stopped, exposed …

    `verb`     delete, purge, reset, stop, silence, detach, revoke, cancel; expose, grant, weaken, apply, tamper,
               overwrite
    `product`  the program or the service
    `noun`     what is changed, as the command line calls it
    `forced`   whether the program is told not to ask
    `listed`   whether the product is known, and not only its grammar read
    """

    product: str = ""
    noun: str = ""
    sort: Sort = Sort.INFRASTRUCTURE
    environment: Environment = Environment.UNKNOWN
    forced: bool = False
    listed: bool = True
