"""Capacity far beyond what is usual: copies, machines, their sizes, reserved throughput."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, number_of, scalar, texts

# The number from which each setting is asked about.
_MANY: dict[str, int] = {
    **dict.fromkeys(("replicas", "replicacount", "minreplicas", "desiredcount", "minreplicacount"), 100),
    **dict.fromkeys(("maxreplicas", "maxreplicacount", "maxcapacity", "maxinstances", "maxinstancecount"), 400),
    **dict.fromkeys(
        ("desiredcapacity", "desiredsize", "minsize", "nodecount", "instancecount", "mincount", "minnodes"), 100
    ),
    **dict.fromkeys(
        ("numnodes", "initialnodecount", "minnodecount", "mininstances", "mininstancecount", "workers"), 100
    ),
    **dict.fromkeys(("maxsize", "maxcount", "maxnodes", "maxnodecount", "maxworkers", "maxnumworkers"), 400),
    **dict.fromkeys(("readcapacity", "writecapacity", "readcapacityunits", "writecapacityunits"), 10_000),
    **dict.fromkeys(("provisionedconcurrentexecutions", "provisionedconcurrency"), 100),
    **dict.fromkeys(("iops", "provisionediops"), 60_000),
    **dict.fromkeys(("volumesize", "allocatedstorage", "disksizegb", "storagegb"), 20_000),
    "autoscaling.knative.dev/maxscale": 400,
    "run.googleapis.com/maxinstances": 400,
}
_SMALL_THINGS = frozenset({"maxsize", "workers", "maxcount", "minsize"})  # also of logs, pools and lists
_CLOUDS = frozenset(
    "desiredcapacity minsize desiredsize kind spec selector nodegroup scaling launchtemplate template image"
    " instancetypes"
    " availabilityzones vpczoneidentifier mincapacity serviceaccountname launchconfiguration healthchecktype".split()
)
_DEAR = re.compile(
    r"(?i)^(?:(?:p[345]|trn\d|inf\d|g5|g6|dl\d|x1e?|x2\w*|u-\w+)[a-z-]*\.(?:\d{2,3}xlarge|metal[\w-]*)"
    r"|[a-z]\d\w*\.metal[\w-]*"
    r"|a[23]-(?:mega|ultra|high)gpu-\w+|Standard_(?:ND|NC)\d+\w*|db\.[\w]+\.(?:24|32|48)xlarge|m\d-ultramem-\w+)$"
)
_TYPES = ("instancetype", "instanceclass", "machinetype", "vmsize", "nodetype", "instancetypes", "tier")


def faults_of_capacity(block: Block) -> Iterator[Fact]:
    """Settings of a level that ask for far more than is usual."""
    values = block.values
    for key, value in values.items():
        least, asked = _MANY.get(key), number_of(value)
        if least is None or asked is None or asked < least:
            continue
        if key not in _SMALL_THINGS or _CLOUDS & values.keys() or any("autoscaling" in step for step in block.path):
            yield Fact(Fault.COST, f"{key}={asked}", block.shown(key), Weight.SERIOUS, asked)
    for key in _TYPES:
        for size in texts(values.get(key)):
            if _DEAR.match(size):
                counts = [number_of(values.get(name)) or 1 for name in (*_MANY, "count") if name in values]
                copies = max(counts, default=1)
                weight = Weight.SERIOUS if copies > 3 else Weight.SLIGHT
                yield Fact(Fault.COST, f"{key}={size} x {copies}", block.shown(key), weight, copies)
    if scalar(values.get("catchup")).lower() == "true" or scalar(values.get("catchupbydefault")).lower() == "true":
        yield from _caught_up(block)
    if (tries := number_of(values.get("retries"))) is not None and tries >= 1000:
        yield Fact(Fault.COST, f"retries={tries}", block.shown("retries"), Weight.SERIOUS, tries)


_OFTEN = re.compile(
    r"^(?:@hourly|\*(?:/\d{1,2})? .*|\d{1,2}(?:,\d{1,2})* \* .*|timedelta\((?:minutes|seconds|hours=[1-6]\b).*)"
)
_YEAR = re.compile(r"datetime\(\s?(\d{4})|^(\d{4})-\d\d")
_RECENT = 2025  # runs since a year before it are hundreds of days


def _caught_up(block: Block) -> Iterator[Fact]:
    """Each run since the start date at once."""
    schedule = scalar(block.values.get("schedule", block.values.get("scheduleinterval")))
    began = _YEAR.search(scalar(block.values.get("startdate")))
    if began and int(began[1] or began[2]) < _RECENT:
        weight = Weight.SERIOUS if _OFTEN.match(schedule) else Weight.SLIGHT
        yield Fact(Fault.COST, "catchup", block.shown("catchup", "startdate"), weight)
